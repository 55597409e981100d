"""The neutral record: one task with everything people said about it.

Every format reads into these structs and writes from them, so that two formats never need to know each other.
The field order below is the canonical key order of the `tiebreak` format, and defaults are left out when written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

ID_LIMIT = 200
"""Longest id of a task, prompt or response, in characters."""

PartType = Literal["text", "image", "audio", "video", "file"]
Role = Literal["system", "user", "assistant", "tool"]
Outcome = Literal["winner", "tie", "all_bad", "cannot_judge"]
AnnotationKind = Literal["annotation", "adjudication"]
AnnotationState = Literal["submitted", "returned"]
FlagKind = Literal["unsafe", "wrong_language", "broken", "reveals_model", "other"]
ReferenceKind = Literal["mention", "quote"]
Decision = Literal["kept", "changed", "not_asked"]
ReasonKind = Literal["", "expertise", "language", "unclear", "broken", "other"]
Verdict = Literal["accept", "return", "fix"]


class Record(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base of all records. Immutable: make a changed copy with `msgspec.structs.replace`.

    Records are trees, never in a circle, so Python's collector of circles need not look at millions of them.
    """


class Part(Record, kw_only=True, frozen=True):
    """One piece of content. A text part has `text`; any other has `asset` (SHA-256, 64 hex digits) or `path`.

    `path` is a relative name inside the uploaded bundle; the import replaces it by the asset it stored.
    """

    type: PartType
    text: str | None = None
    asset: str | None = None
    path: str | None = None
    name: str | None = None

    @classmethod
    def of_text(cls, text: str) -> Part:
        """A text part that holds `text` as it is."""
        return cls(type="text", text=text)


class Message(Record, kw_only=True, frozen=True):
    """One message of the conversation before the first judged prompt."""

    role: Role
    content: list[Part]


class ResponseRecord(Record, kw_only=True, frozen=True):
    """One model output. `continues` marks the one that the conversation went on with."""

    id: str
    content: list[Part]
    model: str | None = None
    continues: bool = False
    metadata: dict[str, Any] = {}


class RatingRecord(Record, kw_only=True, frozen=True):
    """One dimension (by key) of one response, or of the comparison when `response` is None."""

    dimension: str
    response: str | None = None
    value: int | None = None
    text: str | None = None
    tags: list[str] = []
    justification: str = ""


class RewriteRecord(Record, kw_only=True, frozen=True):
    """An improved text for the response with the id `response`, written by a human."""

    response: str
    content: list[Part]


class ReviewRecord(Record, kw_only=True, frozen=True):
    """A reviewer's decision. `reviewer` is a pseudonym, `at` an ISO 8601 time in UTC."""

    reviewer: str
    verdict: Verdict
    comment: str = ""
    at: str


class FlagRecord(Record, kw_only=True, frozen=True):
    """Something is wrong with a response beyond its quality; `other` says what in its note."""

    response: str
    kind: FlagKind
    note: str = ""


class ReferenceRecord(Record, kw_only=True, frozen=True):
    """A response that the justification mentions or quotes.

    `at` is where `text` stands in the justification, `quote` where its words stand in the response's text (its text
    parts with a blank line between two): half-open ranges of code points, `[start, end]`.
    """

    kind: ReferenceKind
    at: list[int]
    response: str
    quote: list[int] | None = None
    text: str


class WarningRecord(Record, kw_only=True, frozen=True):
    """What looked like a slip before submitting, and what the annotator did: kept it, changed it, or was not asked."""

    code: str
    decision: Decision


class AnnotationRecord(Record, kw_only=True, frozen=True):
    """Everything one person said about one prompt.

    `margin` is the strength of the preference and has no sign; `ranking` holds groups of response ids, best first,
    where one group is a tie; `display_order` is the order in which the responses were shown; `reason` says why it
    could not be judged, in words, and `reason_kind` as a choice. `suspended`: its author is no longer trusted to work.
    `seconds` is from opening to submitting; of those, the page was in use for `active_seconds` and merely open for
    `idle_seconds`. `dimension_order`: the dimensions as shown, where that is not the project's order.
    """

    annotator: str
    kind: AnnotationKind = "annotation"
    state: AnnotationState = "submitted"
    suspended: bool = False
    outcome: Outcome
    winner: str | None = None
    margin: int | None = None
    ranking: list[list[str]] = []
    ratings: list[RatingRecord] = []
    justification: str = ""
    rewrites: list[RewriteRecord] = []
    reviews: list[ReviewRecord] = []
    display_order: list[str] = []
    rubric_version: int = 1
    seconds: int | None = None
    submitted_at: str | None = None
    reason: str = ""
    reason_kind: ReasonKind = ""
    flags: list[FlagRecord] = []
    references: list[ReferenceRecord] = []
    warnings: list[WarningRecord] = []
    active_seconds: int | None = None
    idle_seconds: int | None = None
    dimension_order: list[str] = []


class PromptRecord(Record, kw_only=True, frozen=True):
    """One turn to judge: the user's message, the responses to it and what was said about them.

    Empty `content` means that the responses answer the last message of the context (a tool result, for example).
    """

    id: str
    content: list[Part]
    responses: list[ResponseRecord]
    annotations: list[AnnotationRecord] = []


class TaskRecord(Record, kw_only=True, frozen=True):
    """One conversation with the prompts to judge in turn order. `id` is the external id, unique in its project."""

    id: str
    context: list[Message] = []
    prompts: list[PromptRecord]
    priority: int = 0
    overlap: int | None = None
    metadata: dict[str, Any] = {}


def text_of(parts: Sequence[Part]) -> str:
    """The text parts in order, one blank line between two of them; other parts are left out."""
    if len(parts) == 1 and parts[0].type == "text":
        return parts[0].text or ""
    return "\n\n".join([part.text or "" for part in parts if part.type == "text"])


def has_media(parts: Sequence[Part]) -> bool:
    """Whether any part is something else than text."""
    return any(part.type != "text" for part in parts)


def without_models(record: TaskRecord) -> TaskRecord:
    """The same task with responses that do not say which model made them."""
    prompts = [
        replace(prompt, responses=[replace(response, model=None) for response in prompt.responses])
        for prompt in record.prompts
    ]
    return replace(record, prompts=prompts)
