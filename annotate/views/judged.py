"""What was submitted, to look at: the same responses, and the judgement in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from annotate.access import ProjectRequest
from annotate.enums import CannotJudgeReason, DimensionKind, MessageRole, Outcome
from annotate.forms.filled import fields_from, judgement_from
from annotate.forms.judgement import LETTERS
from annotate.models import Annotation, Assignment, Dimension, Prompt
from annotate.queries.history import annotations_with_details, last_undoable, may_edit
from annotate.queries.judging import content_of
from annotate.queries.queue import live_assignment
from annotate.rendering.diff import diff_html
from annotate.rules.content import text_of
from annotate.rules.judgement import Judgement, JudgementSpec
from annotate.rules.references import QUOTE
from annotate.views.choices import dimension_rows, line_steps
from annotate.views.comparison import PageBuilder, Pane
from annotate.views.content import Message
from annotate.views.standing import shown
from annotate.views.turns import Turn, Undo, task_url, turns_of, undo_of

LOOK_PAGE = "annotate/work/look.html"


@dataclass(frozen=True)
class Said:
    """One answer: ``letter`` is empty for the comparison."""

    letter: str
    text: str
    why: str = ""
    html: SafeString | str = ""


@dataclass(frozen=True)
class Judged:
    """A submitted judgement in words."""

    verdict: str
    winner: str
    ratings: list[tuple[str, list[Said]]]
    why: str
    why_label: str
    quotes: list[Said]
    rewrites: list[Said]
    submitted_at: datetime | None
    revision: int
    state: str
    state_label: str


@dataclass
class Look:
    """Everything the template ``annotate/work/look.html`` needs."""

    project: Any
    turn: int
    turns: list[Turn]
    context: list[Message]
    prompt: Message
    panes: list[Pane]
    guidelines_html: SafeString
    judged: Judged | None
    edit_url: str
    about_url: str
    next_url: str
    undo: Undo | None
    notice: str


def turns_submitted(assignment: Assignment) -> dict[str, dict[str, Any]]:
    """Return prompt id (as text) to the fields of the form that express what was submitted."""
    builder = PageBuilder(assignment)
    by_prompt = {annotation.prompt_id: annotation for annotation in annotations_with_details(assignment)}
    return {
        str(prompt.pk): fields_from(judgement_from(content_of(by_prompt[prompt.pk])), builder.spec(prompt))
        for prompt in builder.prompts
        if prompt.pk in by_prompt
    }


def look_page(request: ProjectRequest, assignment: Assignment, turn: int, notice: str = "") -> HttpResponse:
    """Return the page of a submitted task, read-only."""
    builder = PageBuilder(assignment)
    prompt = builder.prompts[turn - 1] if 1 <= turn <= len(builder.prompts) else builder.prompts[0]
    return shown(request, LOOK_PAGE, {"page": _look(builder, prompt, notice), "project": assignment.task.project})


def _look(builder: PageBuilder, prompt: Prompt, notice: str) -> Look:
    assignment, project = builder.assignment, builder.project
    annotation = annotations_with_details(assignment).filter(prompt=prompt).first()
    judgement = judgement_from(content_of(annotation)) if annotation else Judgement()
    spec = builder.spec(prompt)
    fields = fields_from(judgement, spec)
    context = builder.context(prompt)
    content = builder.content(prompt, context)
    in_hand = live_assignment(assignment.annotator, project)
    edit_url = reverse("work:edit", args=[project.slug, assignment.public_id]) if may_edit(assignment) else ""
    return Look(
        project=project,
        turn=builder.prompts.index(prompt) + 1,
        turns=turns_of(assignment, builder.prompts, prompt),
        context=[content.message(message) for message in context],
        prompt=Message(str(MessageRole.USER.label), content.parts(prompt.content)),
        panes=builder.panes(prompt, content, fields, {}),
        guidelines_html=content.html(project.guidelines),
        judged=judged_of(annotation, judgement, spec, builder.dimensions, fields) if annotation else None,
        edit_url=edit_url,
        about_url=reverse("reviews:annotation", args=[project.slug, annotation.pk]) if annotation else "",
        next_url=task_url(in_hand) if in_hand else reverse("work:start", args=[project.slug]),
        undo=undo_of(last_undoable(assignment.annotator, project)),
        notice=notice,
    )


def judged_of(
    annotation: Annotation,
    judgement: Judgement,
    spec: JudgementSpec,
    dimensions: list[Dimension],
    fields: Mapping[str, Any],
) -> Judged:
    """Return the judgement in words. ``spec.responses`` is in the order of the page."""
    letter_of = dict(zip(spec.responses, LETTERS, strict=False))
    cannot = judgement.outcome == Outcome.CANNOT_JUDGE
    kind = str(CannotJudgeReason(judgement.reason_kind).label) if judgement.reason_kind else ""
    quotes = [Said(letter_of[r.response], r.text) for r in judgement.references if r.kind == QUOTE]
    return Judged(
        verdict=_verdict(judgement, spec, letter_of),
        winner=letter_of.get(judgement.winner or "", ""),
        ratings=_ratings(dimensions, LETTERS[: len(spec.responses)], fields),
        why="\n".join(filter(None, [kind, judgement.reason])) if cannot else judgement.justification,
        why_label=_("Why it cannot be judged") if cannot else _("Why"),
        quotes=quotes,
        rewrites=[
            _rewrite(letter_of[pk], spec.sources[pk], text_of(parts)) for pk, parts in judgement.rewrites.items()
        ],
        submitted_at=annotation.submitted_at,
        revision=annotation.revision,
        state=annotation.state,
        state_label=annotation.get_state_display(),
    )


def _rewrite(letter: str, source: str, text: str) -> Said:
    return Said(letter, text, html=mark_safe(diff_html(source, text)))  # noqa: S308 - it escapes every piece


def _verdict(judgement: Judgement, spec: JudgementSpec, letter_of: Mapping[str, str]) -> str:
    """The outcome as the page says it, for example "A is much better" or "B, then A and C"."""
    if judgement.outcome in {Outcome.ALL_BAD, Outcome.CANNOT_JUDGE} or not judgement.outcome:
        return str(Outcome(judgement.outcome).label) if judgement.outcome else ""
    if spec.is_ranked:
        return _in_order([_together([letter_of[pk].upper() for pk in group]) for group in judgement.ranking])
    value = (
        "tie" if judgement.outcome == Outcome.TIE else f"{letter_of[judgement.winner or '']}{judgement.margin or ''}"
    )
    steps = line_steps(spec.margin_levels, True, {"preference": value})
    return next((step.label for step in steps if step.is_checked), str(Outcome(judgement.outcome).label))


def _together(letters: Sequence[str]) -> str:
    return reduce(lambda one, other: _("%(one)s and %(other)s") % {"one": one, "other": other}, letters)


def _in_order(groups: Sequence[str]) -> str:
    return reduce(lambda better, next_: _("%(better)s, then %(next)s") % {"better": better, "next": next_}, groups)


def _ratings(dimensions: list[Dimension], letters: str, fields: Mapping[str, Any]) -> list[tuple[str, list[Said]]]:
    ratings = []
    for dimension in dimensions:
        rows = dimension_rows(dimension, letters, fields, {}).rows
        said = []
        for row in rows:
            chosen = ", ".join(option.aria_label for option in row.options if option.is_checked)
            text = row.value if dimension.kind == DimensionKind.TEXT else chosen
            if text:
                said.append(Said(row.letter, text, row.justification_value))
        if said:
            ratings.append((dimension.label, said))
    return ratings
