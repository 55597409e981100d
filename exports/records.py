"""The neutral record: one task with everything people said about it.

Every format reads into these structs and writes from them, so that two formats never need to know each other.
The field order below is the canonical key order of the `tiebreak` format, and defaults are left out when written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

ID_LIMIT = 200
"""Longest id of a task, prompt or response, in characters."""

PartType = Literal["text", "image", "audio", "video", "file"]
Role = Literal["system", "user", "assistant", "tool"]
Outcome = Literal["winner", "tie", "all_bad", "cannot_judge"]
AnnotationKind = Literal["annotation", "adjudication"]
AnnotationState = Literal["submitted", "returned"]
Verdict = Literal["accept", "return", "fix"]


class Record(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all records. Immutable: make a changed copy with `msgspec.structs.replace`."""


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


class AnnotationRecord(Record, kw_only=True, frozen=True):
    """Everything one person said about one prompt.

    `margin` is the strength of the preference and has no sign; `ranking` holds groups of response ids, best first,
    where one group is a tie; `display_order` is the order in which the responses were shown; `reason` says why it
    could not be judged.
    """

    annotator: str
    kind: AnnotationKind = "annotation"
    state: AnnotationState = "submitted"
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
    return "\n\n".join(part.text or "" for part in parts if part.type == "text")


def has_media(parts: Sequence[Part]) -> bool:
    """Whether any part is something else than text."""
    return any(part.type != "text" for part in parts)
