"""What the comparison page shows, as plain data for its template. Sides are letters; no identity of a model is here."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from annotate.actions.rendering import rendered
from annotate.enums import AssignmentState, MessageRole, Requirement, SkipReason
from annotate.forms.judgement import LETTERS
from annotate.models import Asset, Assignment, Prompt, Response, Task
from annotate.queries.judging import current_dimensions, spec_for
from annotate.queries.progress import Progress, progress_of
from annotate.rendering import word_count
from annotate.rules.content import assets_of, text_of
from annotate.rules.judgement import JudgementSpec
from annotate.views.choices import (
    DimensionRows,
    Row,
    Step,
    dimension_rows,
    preference_controls,
)


@dataclass(frozen=True)
class Part:
    kind: str
    text: str = ""
    html: SafeString | str = ""
    url: str = ""
    thumb_url: str = ""
    label: str = ""
    media_type: str = ""
    width: int | None = None
    height: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Message:
    role_label: str
    parts: list[Part]


@dataclass(frozen=True)
class Pane:
    letter: str
    label: str
    parts: list[Part]
    source: str
    word_count: int


@dataclass(frozen=True)
class Why:
    value: str
    min_length: int
    is_required: bool
    is_asked: bool
    error: str
    name: str = "justification"


@dataclass
class Page:
    """Everything the template ``annotate/work/task.html`` needs."""

    project: Any
    assignment_id: str
    batch_name: str
    urls: dict[str, str]
    progress: Progress
    turn: int
    turns: int
    prompt_id: int
    key: str
    revision: int
    is_returned: bool
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
    why: Why
    preference_error: str
    saved_at: str
    error: str = ""
    notice: str = ""
    skip_reasons: Sequence[tuple[str, str]] = field(default_factory=lambda: SkipReason.choices)

    @property
    def is_last_turn(self) -> bool:
        return self.turn == self.turns

    @property
    def done(self) -> int:
        return self.progress.done

    @property
    def total(self) -> int:
        return self.progress.total

    @property
    def position(self) -> int:
        return min(self.progress.done + 1, self.progress.total)


class PageBuilder:
    """Builds the page of one turn of an assignment with a fixed number of queries."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.task: Task = assignment.task
        self.project = self.task.project
        self.prompts = list(self.task.prompts.prefetch_related("responses"))
        self.dimensions = current_dimensions(self.project)

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
        by_pk = {response.pk: response for response in prompt.responses.all()}
        return [by_pk[pk] for pk in self.assignment.display_order[str(prompt.pk)]]

    def spec(self, prompt: Prompt) -> JudgementSpec:
        """Return what is asked here, responses in display order."""
        return spec_for(self.project, self.assignment.display_order[str(prompt.pk)], self.dimensions)

    def draft(self, prompt: Prompt) -> dict[str, Any]:
        """Return the saved fields of the turn."""
        return self.assignment.draft.get("turns", {}).get(str(prompt.pk), {})

    # ----------------------------------------------------------------------------------------------- page
    def build(
        self,
        prompt: Prompt,
        *,
        fields: Mapping[str, Any] | None = None,
        errors: Mapping[str, str] | None = None,
        key: str = "",
        notice: str = "",
    ) -> Page:
        """Return the page of the turn, filled with ``fields`` (default: the draft) and marked with ``errors``."""
        fields, errors = self.draft(prompt) if fields is None else fields, errors or {}
        responses, context = self.shown(prompt), self._context(prompt)
        self._load([prompt.content, *(r.content for r in responses), *(m["content"] for m in context)])
        letters = LETTERS[: len(responses)]
        return Page(
            project=self.project,
            assignment_id=str(self.assignment.public_id),
            batch_name=self.task.batch.name,
            urls=self._urls(),
            progress=progress_of(self.assignment.annotator, self.project),
            turn=self.prompts.index(prompt) + 1,
            turns=len(self.prompts),
            prompt_id=prompt.pk,
            key=key or str(uuid.uuid4()),
            revision=self.assignment.draft_revision,
            is_returned=self.assignment.state == AssignmentState.RETURNED,
            guidelines_html=self._html(self.project.guidelines),
            context=[Message(MessageRole(m["role"]).label, self._parts(m["content"])) for m in context],
            prompt=Message("User", self._parts(prompt.content)),
            panes=[self._pane(*pair) for pair in zip(LETTERS, responses, strict=False)],
            dimensions=[dimension_rows(d, letters, fields, errors) for d in self.dimensions],
            **preference_controls(self.spec(prompt), letters, fields, errors),
            why=self._why(fields, errors),
            preference_error=errors.get("preference", ""),
            saved_at=self._saved_at(),
            notice=notice,
        )

    def _urls(self) -> dict[str, str]:
        args = [self.project.slug, self.assignment.public_id]
        return {name: reverse(f"work:{name}", args=args) for name in ["draft", "submit", "skip"]}

    def _saved_at(self) -> str:
        return timezone.localtime().strftime("%H:%M") if self.assignment.draft_revision else ""

    def _why(self, fields: Mapping[str, Any], errors: Mapping[str, str]) -> Why:
        return Why(
            value=str(fields.get("justification", "")),
            min_length=self.project.justification_min_length,
            is_required=self.project.justification == Requirement.REQUIRED,
            is_asked=self.project.justification != Requirement.OFF or self.project.allow_cannot_judge,
            error=errors.get("justification", ""),
        )

    def _context(self, prompt: Prompt) -> list[dict[str, Any]]:
        """The conversation before the turn: along the response it continued with, else this person's own winner."""
        messages = list(self.task.context)
        for earlier in self.prompts[: self.prompts.index(prompt)]:
            messages.append({"role": "user", "content": earlier.content})
            if chosen := self._continuation(earlier):
                messages.append({"role": "assistant", "content": chosen.content})
        return messages

    def _continuation(self, prompt: Prompt) -> Response | None:
        from annotate.forms.judgement import parse

        responses = list(prompt.responses.all())
        if continued := next((response for response in responses if response.continues), None):
            return continued
        winner = parse(self.draft(prompt), self.spec(prompt)).winner
        return next((response for response in responses if str(response.pk) == winner), None)

    # -------------------------------------------------------------------------------------------- content
    def _load(self, contents: list[list[dict[str, Any]]]) -> None:
        """Render every text and fetch every file's facts, in one query each."""
        texts = [part["text"] for content in contents for part in content if part["type"] == "text"]
        self._rendered = rendered([*texts, self.project.guidelines])
        names = [sha256 for content in contents for sha256 in assets_of(content)]
        self._assets = Asset.objects.in_bulk(names, field_name="sha256") if names else {}

    def _html(self, text: str) -> SafeString:
        return mark_safe(self._rendered[text])  # noqa: S308 - the renderer's sanitiser made it

    def _pane(self, letter: str, response: Response) -> Pane:
        source = text_of(response.content)
        return Pane(letter, letter.upper(), self._parts(response.content), source, word_count(source))

    def _parts(self, content: Sequence[Mapping[str, Any]]) -> list[Part]:
        counts: dict[str, int] = {}
        parts = []
        for part in content:
            counts[part["type"]] = counts.get(part["type"], 0) + 1
            parts.append(self._part(part, counts[part["type"]]))
        return parts

    def _part(self, part: Mapping[str, Any], number: int) -> Part:
        if part["type"] == "text":
            return Part("text", text=part["text"], html=self._html(part["text"]))
        asset = self._assets.get(part["asset"])
        label = f"{part['type'].capitalize()} {number}"
        if asset is None:
            return Part("missing", label=label)
        url, thumb = (
            reverse("media:asset", args=[self.project.slug, self.task.public_id, asset.sha256, size])
            for size in ["full", "thumb"]
        )
        return Part(
            kind=part["type"],
            url=url,
            thumb_url=thumb if asset.thumbnail else url,
            label=label,
            media_type=asset.media_type,
            width=asset.width,
            height=asset.height,
            seconds=asset.seconds,
        )
