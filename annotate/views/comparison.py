"""What the comparison page shows, as plain data for its template. Sides are letters; no identity of a model is here."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotate.actions.drafts import turn_revision
from annotate.enums import AssignmentState, CannotJudgeReason, MessageRole, Requirement, SkipReason
from annotate.forms.filled import fields_from
from annotate.forms.judgement import LETTERS, codes, parse
from annotate.models import Assignment, Prompt, Response, Task
from annotate.queries.history import last_undoable
from annotate.queries.judging import dimensions_for, in_order, spec_shown
from annotate.queries.known import suggestion_for
from annotate.queries.progress import Progress, progress_of
from annotate.rendering import word_count
from annotate.rules.coherence import CODES, CoherenceWarning
from annotate.rules.content import text_of
from annotate.rules.judgement import JudgementSpec
from annotate.views.choices import DimensionRows, Row, Step, dimension_rows, preference_controls
from annotate.views.content import Content, Message, Part
from annotate.views.remarks import FlagControls, RewriteControls, flag_controls, rewrite_controls
from annotate.views.returned import Returned, returned_of
from annotate.views.turns import Turn, Undo, turns_of, undo_of


@dataclass(frozen=True)
class Pane:
    letter: str
    label: str
    parts: list[Part]
    source: str
    word_count: int
    flags: FlagControls | None = None
    rewrite: RewriteControls | None = None


@dataclass(frozen=True)
class Why:
    value: str
    min_length: int
    is_required: bool
    is_asked: bool
    error: str
    references: str
    name: str = "justification"
    pasted: str = ""


@dataclass
class Page:
    """Everything the template ``annotate/work/task.html`` needs."""

    project: Any
    assignment_id: str
    batch_name: str
    urls: dict[str, str]
    progress: Progress
    turn: int
    turns: list[Turn]
    key: str
    revision: int
    is_returned: bool
    is_edit: bool
    guidelines_html: SafeString
    context: list[Message]
    prompt: Message
    panes: list[Pane]
    dimensions: list[DimensionRows]
    line: list[Step]
    line_ends: tuple[str, str, str]
    ranking: list[Row]
    margin_row: Row | None
    extras: list[Step]
    cannot_reasons: list[Step]
    why: Why
    preference_error: str
    saved_at: str
    times: Sequence[int | None]
    warnings: Sequence[CoherenceWarning]
    warned: str
    undo: Undo | None
    error: str = ""
    notice: str = ""
    returned: Returned | None = None
    skip_reasons: Sequence[tuple[str, Any]] = field(default_factory=lambda: SkipReason.choices)

    @property
    def has_texts(self) -> bool:
        """Whether there are words to compare."""
        return sum(pane.word_count > 0 for pane in self.panes) > 1

    @property
    def is_last_turn(self) -> bool:
        return self.turn == len(self.turns)

    @property
    def done(self) -> int:
        return self.progress.done

    @property
    def total(self) -> int:
        return self.progress.total

    @property
    def position(self) -> int:
        return min(self.progress.done + (not self.is_edit), self.progress.total)

    @property
    def warning_codes(self) -> str:
        return ",".join(warning.code for warning in self.warnings)

    @property
    def has_flags(self) -> bool:
        return any(pane.flags for pane in self.panes)


class PageBuilder:
    """Builds the page of one turn of an assignment with a fixed number of queries."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.task: Task = assignment.task
        self.project = self.task.project
        self.prompts = list(self.task.prompts.prefetch_related("responses"))
        self.dimensions = dimensions_for(self.task, assignment.annotator_id)

    # ---------------------------------------------------------------------------------------------- turns
    def current_prompt(self) -> Prompt:
        """Return the first turn that is not done yet; the last one when all are."""
        done = self.assignment.draft.get("done", [])
        return next((prompt for prompt in self.prompts if prompt.pk not in done), self.prompts[-1])

    def prompt(self, turn: int) -> Prompt:
        """Return the prompt of the turn (1, 2, …); the current one when the number is none of the task's."""
        return self.prompts[turn - 1] if 1 <= turn <= len(self.prompts) else self.current_prompt()

    def shown(self, prompt: Prompt) -> list[Response]:
        """Return the responses in the order in which this person sees them."""
        return in_order(prompt, self.assignment.display_order[str(prompt.pk)])

    def spec(self, prompt: Prompt) -> JudgementSpec:
        """Return what is asked here, responses in display order."""
        return spec_shown(self.assignment, prompt, self.dimensions)

    def draft(self, prompt: Prompt) -> dict[str, Any]:
        """Return the saved fields of the turn."""
        return self.assignment.draft.get("turns", {}).get(str(prompt.pk), {})

    def suggested(self, prompt: Prompt) -> dict[str, Any]:
        """Return the fields of a suggestion that came with the task; of work that was begun there is none."""
        known = None if self.assignment.draft_revision or self.assignment.finished_at else suggestion_for(prompt)
        return fields_from(known, self.spec(prompt)) if known else {}

    # ----------------------------------------------------------------------------------------------- page
    def build(
        self,
        prompt: Prompt,
        *,
        fields: Mapping[str, Any] | None = None,
        errors: Mapping[str, str] | None = None,
        warnings: Sequence[CoherenceWarning] = (),
        key: str = "",
        notice: str = "",
    ) -> Page:
        """Return the page of the turn, filled with ``fields`` (default: the draft) and marked with ``errors``."""
        if fields is None:
            fields, suggested = self._begun(prompt)
            notice = notice or suggested
        errors, warned = errors or {}, codes(fields, "warned") | {warning.code for warning in warnings}
        return Page(
            **self._shown(prompt, fields, errors),
            project=self.project,
            assignment_id=str(self.assignment.public_id),
            batch_name=self.task.batch.name,
            urls=self._urls(self.prompts.index(prompt) + 1),
            progress=progress_of(self.assignment.annotator, self.project),
            turn=self.prompts.index(prompt) + 1,
            turns=turns_of(self.assignment, self.prompts, prompt),
            key=key or str(uuid.uuid4()),
            revision=turn_revision(self.assignment, prompt.pk),
            is_returned=self.assignment.state == AssignmentState.RETURNED,
            is_edit=self.assignment.reopened_at is not None,
            preference_error=errors.get("preference", ""),
            saved_at=self._saved_at(),
            times=self.assignment.draft.get("times", {}).get(str(prompt.pk), [0, 0]),
            warnings=warnings,
            warned=",".join(code for code in CODES if code in warned),
            undo=undo_of(last_undoable(self.assignment.annotator, self.project)),
            notice=notice,
            returned=self._returned(prompt),
        )

    def _begun(self, prompt: Prompt) -> tuple[Mapping[str, Any], str]:
        """Return the draft of the turn, or else a suggestion with the words that say so."""
        draft = self.draft(prompt)
        if draft or not (suggested := self.suggested(prompt)):
            return draft, ""
        return suggested, _("A suggestion is filled in. Change whatever you judge differently.")

    def _shown(self, prompt: Prompt, fields: Mapping[str, Any], errors: Mapping[str, str]) -> dict[str, Any]:
        """Return what there is to read, and the controls to judge it with."""
        context = self.context(prompt)
        content, spec = self.content(prompt, context), self.spec(prompt)
        letters = LETTERS[: len(self.shown(prompt))]
        return {
            "guidelines_html": content.html(self.project.guidelines),
            "context": [content.message(message) for message in context],
            "prompt": Message(str(MessageRole.USER.label), content.parts(prompt.content)),
            "panes": self.panes(prompt, content, fields, errors),
            "dimensions": [dimension_rows(d, letters, fields, errors) for d in self.dimensions],
            **preference_controls(spec, letters, fields, errors),
            "cannot_reasons": _cannot_reasons(spec, fields),
            "why": self._why(fields, errors),
        }

    def _urls(self, turn: int) -> dict[str, str]:
        args = [self.project.slug, self.assignment.public_id]
        urls = {name: reverse(f"work:{name}", args=args) for name in ["draft", "submit", "skip", "preview", "leave"]}
        return urls | {"differences": reverse("work:differences", args=[*args, turn])}

    def _returned(self, prompt: Prompt) -> Returned | None:
        if self.assignment.state != AssignmentState.RETURNED:
            return None
        return returned_of(self.assignment, prompt)

    def _saved_at(self) -> str:
        return timezone.localtime().strftime("%H:%M") if self.assignment.draft_revision else ""

    def _why(self, fields: Mapping[str, Any], errors: Mapping[str, str]) -> Why:
        return Why(
            value=str(fields.get("justification", "")),
            min_length=self.project.justification_min_length,
            is_required=self.project.justification == Requirement.REQUIRED,
            is_asked=self.project.justification != Requirement.OFF,
            error=errors.get("justification", ""),
            references=str(fields.get("references", "")),
            pasted=str(fields.get("pasted", "0")),
        )

    # -------------------------------------------------------------------------------------------- content
    def context(self, prompt: Prompt) -> list[dict[str, Any]]:
        """The conversation before the turn: along the response it continued with, else this person's own winner."""
        messages = list(self.task.context)
        for earlier in self.prompts[: self.prompts.index(prompt)]:
            messages.append({"role": "user", "content": earlier.content})
            if chosen := self._continuation(earlier):
                messages.append({"role": "assistant", "content": chosen.content})
        return messages

    def _continuation(self, prompt: Prompt) -> Response | None:
        responses = list(prompt.responses.all())
        if continued := next((response for response in responses if response.continues), None):
            return continued
        winner = parse(self.draft(prompt), self.spec(prompt)).winner
        return next((response for response in responses if str(response.pk) == winner), None)

    def content(self, prompt: Prompt, context: Sequence[Mapping[str, Any]]) -> Content:
        """Return the texts and files that the page of the turn shows."""
        shown = [prompt.content, *(r.content for r in self.shown(prompt)), *(m["content"] for m in context)]
        return Content(self.task, shown, [self.project.guidelines])

    def panes(
        self, prompt: Prompt, content: Content, fields: Mapping[str, Any], errors: Mapping[str, str]
    ) -> list[Pane]:
        """Return the responses with their flags and rewrites, A first."""
        panes, project = [], self.project
        for letter, response in zip(LETTERS, self.shown(prompt), strict=False):
            source = text_of(response.content)
            panes.append(
                Pane(
                    letter=letter,
                    label=letter.upper(),
                    parts=content.parts(response.content),
                    source=source,
                    word_count=word_count(source),
                    flags=flag_controls(project.flags, letter, fields, errors),
                    rewrite=rewrite_controls(project.rewrite, project.rewrite_target, letter, fields, errors),
                )
            )
        return panes


def _cannot_reasons(spec: JudgementSpec, fields: Mapping[str, Any]) -> list[Step]:
    if not spec.allow_cannot_judge:
        return []
    chosen = fields.get("cannot_reason", "")
    return [Step(value, str(label), value == chosen) for value, label in CannotJudgeReason.choices]
