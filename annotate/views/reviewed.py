"""An annotation exactly as its author saw it, and what helps to judge it, as plain data for templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from annotate.actions.review_queue import words_of
from annotate.enums import MessageRole, ReviewPlace, ReviewReason
from annotate.forms.filled import fields_from, judgement_from
from annotate.forms.judgement import LETTERS
from annotate.models import Annotation, Prompt, Response, ReviewItem, ReviewSettings
from annotate.queries.judging import content_of, in_order, spec_for
from annotate.queries.reviews import (
    dimensions_at,
    earlier_reasons,
    gold_record,
    neighbours,
    others_on,
    resolution_hours,
    settings_of,
)
from annotate.rendering.diff import diff_html
from annotate.rules.coherence import coherence_warnings
from annotate.rules.judgement import Judgement, JudgementSpec
from annotate.rules.references import QUOTE, from_stored, justification_for
from annotate.rules.reviewing import PASTED_SHARE, SIMILAR_SHARE, Facts, most_similar, signals_of
from annotate.views.comparison import PageBuilder, Pane
from annotate.views.content import Message
from annotate.views.judged import Judged, judged_of
from annotate.views.threads import Spoken, duration, thread_of


class AnnotationBuilder(PageBuilder):
    """Builds pages of one annotation: its own order of responses, the dimensions of its rubric version."""

    def __init__(self, annotation: Annotation) -> None:
        super().__init__(annotation.assignment)
        self.annotation = annotation
        self.dimensions = dimensions_at(annotation)

    def shown(self, prompt: Prompt) -> list[Response]:
        """Return the responses in the order in which the author saw them."""
        order = self.annotation.display_order if prompt.pk == self.annotation.prompt_id else []
        order = order or self.assignment.display_order.get(str(prompt.pk), [])
        return in_order(prompt, order) if order else list(prompt.responses.all())

    def spec(self, prompt: Prompt) -> JudgementSpec:
        """Return what was asked of the author."""
        return spec_for(self.project, self.shown(prompt), self.dimensions)

    @property
    def own_prompt(self) -> Prompt:
        """The prompt that the annotation is about."""
        return next(prompt for prompt in self.prompts if prompt.pk == self.annotation.prompt_id)


@dataclass(frozen=True)
class Signal:
    """A number worth a look; ``is_high``: beyond what is usual."""

    label: str
    value: str
    is_high: bool = False


@dataclass
class ReviewPage:
    """Everything the review page needs. No identity of a model is here."""

    project: Any
    annotation: Annotation
    context: list[Message]
    prompt: Message
    panes: list[Pane]
    guidelines_html: SafeString
    judged: Judged
    links: SafeString
    versions: str
    signals: list[Signal]
    findings: list[str]
    reasons: list[str]
    others: list[tuple[str, SafeString]]
    rubric: list[dict[str, Any]]
    thread: list[Spoken]
    places: list[tuple[str, str]]
    reviews: int
    urls: dict[str, str]
    waited: str
    error: str = ""
    comment: str = ""

    @property
    def has_texts(self) -> bool:
        return False


def review_page(item: ReviewItem, annotation: Annotation, user: Any, error: str = "", comment: str = "") -> ReviewPage:
    """Return the page of an item in the reviewer's hands."""
    builder = AnnotationBuilder(annotation)
    prompt, project = builder.own_prompt, builder.project
    judgement, spec = judgement_from(content_of(annotation)), builder.spec(prompt)
    fields = fields_from(judgement, spec)
    context = builder.context(prompt)
    content = builder.content(prompt, context)
    chosen = settings_of(project)
    mine, others = earlier_reasons(annotation)
    return ReviewPage(
        project=project,
        annotation=annotation,
        context=[content.message(message) for message in context],
        prompt=Message(str(MessageRole.USER.label), content.parts(prompt.content)),
        panes=builder.panes(prompt, content, fields, {}),
        guidelines_html=content.html(project.guidelines),
        judged=judged_of(annotation, judgement, spec, builder.dimensions, fields),
        links=linked_reason(annotation, spec),
        versions=versions_of(annotation),
        signals=signals_shown(annotation, prompt, mine, others),
        findings=[warning.message for warning in coherence_warnings(judgement, spec, mine)],
        reasons=[str(ReviewReason(reason).label) for reason in item.reasons if reason in ReviewReason.values],
        others=_reasons_of_others(annotation, spec),
        rubric=rubric_of(chosen),
        thread=thread_of(annotation),
        places=[(value, str(label)) for value, label in ReviewPlace.choices],
        reviews=annotation.reviews.count(),
        urls=_urls(item, annotation, user),
        waited=duration(resolution_hours(item.created_at, item.done_at)),
        error=error,
        comment=comment,
    )


def _urls(item: ReviewItem, annotation: Annotation, user: Any) -> dict[str, str]:
    project = annotation.prompt.task.project
    before, after = neighbours(item, project, user)
    slug = project.slug
    return {
        "verdict": reverse("reviews:item", args=[slug, item.pk]),
        "fix": reverse("reviews:fix", args=[slug, item.pk]),
        "history": reverse("reviews:annotation", args=[slug, annotation.pk]),
        "queue": reverse("reviews:queue", args=[slug]),
        "comment": reverse("reviews:comment", args=[slug, annotation.pk]),
        "previous": reverse("reviews:item", args=[slug, before]) if before else "",
        "next": reverse("reviews:item", args=[slug, after]) if after else "",
    }


def rubric_of(chosen: ReviewSettings) -> list[dict[str, Any]]:
    """Return the points that justifications are held against, in words of the person's language where we have them."""
    known = {
        "Specific": _("Specific"),
        "Grounded in the responses": _("Grounded in the responses"),
        "Consistent with the ratings": _("Consistent with the ratings"),
        "Clear language": _("Clear language"),
        "No copied text": _("No copied text"),
    }
    marks = [("0", _("No")), ("1", _("Partly")), ("2", _("Yes"))]
    return [
        {
            "key": each["key"],
            "name": f"score-{each['key']}",
            "label": known.get(each["label"], each["label"]),
            "marks": marks,
        }
        for each in chosen.rubric
    ]


def versions_of(annotation: Annotation) -> str:
    """Say which rubric and guidelines the author had, when there are newer ones by now."""
    project = annotation.prompt.task.project
    old = []
    if annotation.rubric_version != project.rubric_version:
        old.append(
            _("rubric version %(then)s, now %(now)s")
            % {"then": annotation.rubric_version, "now": project.rubric_version}
        )
    if annotation.guidelines_version != project.guidelines_version:
        numbers = {"then": annotation.guidelines_version, "now": project.guidelines_version}
        old.append(_("guidelines version %(then)s, now %(now)s") % numbers)
    return " · ".join(old)


# ------------------------------------------------------------------------------------------------------ the reason
def linked_reason(annotation: Annotation, spec: JudgementSpec) -> SafeString:
    """Return the reason with its mentions and quotes as links into the responses; all text is escaped."""
    text, pieces, end = annotation.justification or annotation.reason, [], 0
    letter_of = dict(zip(spec.responses, LETTERS, strict=False))
    references = [from_stored(each) for each in annotation.references] if annotation.justification else []
    for reference in sorted(references, key=lambda each: each.at):
        start, stop = reference.at
        letter = letter_of.get(reference.response)
        if start < end or letter is None:
            continue
        words = escape(text[start:stop])
        tag = "q" if reference.kind == QUOTE else "b"
        link = f'<a href="#pane-{letter}" data-r="{letter}" data-find="{escape(reference.text) if tag == "q" else ""}">'
        pieces += [escape(text[end:start]), link, f"<{tag}>{words}</{tag}></a>"]
        end = stop
    return mark_safe("".join([*pieces, escape(text[end:])]))  # noqa: S308 - every piece is escaped


def _reasons_of_others(annotation: Annotation, spec: JudgementSpec) -> list[tuple[str, SafeString]]:
    """Other annotators' reasons against this one, word by word, with the letters of this author's order."""
    found = []
    for number, other in enumerate(others_on(annotation), start=1):
        if other.justification:
            references = [from_stored(each) for each in other.references]
            text = justification_for(spec.responses, other.justification, references)
            html = mark_safe(diff_html(annotation.justification, text))  # noqa: S308 - it escapes every piece
            found.append((_("Annotator %(number)s") % {"number": number}, html))
    return found


def signals_shown(annotation: Annotation, prompt: Prompt, mine: Sequence[str], others: Sequence[str]) -> list[Signal]:
    """Return the numbers beside the reason. They hint; they decide nothing."""
    seconds = annotation.active_seconds if annotation.active_seconds is not None else annotation.seconds
    own, other = most_similar(annotation.justification, mine), most_similar(annotation.justification, others)
    facts = Facts(
        seed="",
        place=0,
        experience=0,
        justification=annotation.justification,
        words=words_of(prompt),
        seconds=seconds,
        pasted=annotation.pasted,
        own_similarity=own,
        other_similarity=other,
        gold=gold_record(annotation.annotator_id, prompt.task.project),
    )
    found = signals_of(facts)
    shown = []
    if "seconds" in found:
        time = _("%(seconds)s s for %(words)s words") % {"seconds": found["seconds"], "words": found["words"]}
        shown.append(Signal(_("Time"), time, found["too_fast"]))
    if "pasted_share" in found:
        share = found["pasted_share"]
        shown.append(Signal(_("Pasted"), f"{share} %", share >= PASTED_SHARE))
    if own:
        shown.append(Signal(_("Like an earlier reason of the author"), f"{own} %", own >= SIMILAR_SHARE))
    if other:
        shown.append(Signal(_("Like another annotator’s reason"), f"{other} %", other >= SIMILAR_SHARE))
    if "gold" in found:
        right, given = found["gold"]
        shown.append(Signal(_("Known answers right"), _("%(right)s of %(given)s") % {"right": right, "given": given}))
    return shown


def judged_content(annotation: Annotation, content: Mapping[str, Any]) -> Judged:
    """Return a kept revision in words, with the letters of the author's order."""
    builder = AnnotationBuilder(annotation)
    spec = builder.spec(builder.own_prompt)
    judgement: Judgement = judgement_from(content)
    return judged_of(annotation, judgement, spec, builder.dimensions, fields_from(judgement, spec))
