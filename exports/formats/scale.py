"""Tasks as Scale's GenAI API (version 2) returns them: a thread of turns, each with one user message and its answers.

A task there holds the work of one person, so each annotator of a task is a row. Without `annotation_details` the API
returns annotations as key and value alone; its SDK reads only the detailed ones.
"""

from __future__ import annotations

import mimetypes
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import MEDIA, Carrier, clean_parts, why_unusable
from exports.formats import proof
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.blocks import place_of
from exports.formats.scale_annotations import Maker, of_message, of_turn
from exports.formats.scale_meanings import mappable
from exports.formats.scale_problems import task_problems
from exports.formats.scale_reading import read_task
from exports.formats.setup import NO_SETUP, Mappable, Setup
from exports.formats.sources import source_names
from exports.options import ExportOptions
from exports.records import AnnotationRecord, Message, Part, PromptRecord, TaskRecord, text_of
from exports.turns import row_id
from exports.whole import used_annotations, why_incoherent

NO_TIME = "1970-01-01T00:00:00Z"
Work = dict[str, AnnotationRecord]
"""What one person said, by prompt."""


class Scale(Format):
    """Beside Scale's usual keys there are `outcome` (it has no word for a tie), `ranking` (ties are inner lists) and,
    for more than two responses, `margin`. Adjudications are left out."""

    name = "scale"
    label = gettext_noop("Scale RLHF task")
    description = gettext_noop(
        "Threads and turns with ratings, rewrites, the preference and its reason, as Scale returns them."
    )
    group = PUBLIC
    consumer = gettext_noop("My tools read tasks from Scale's GenAI API")
    carries = gettext_noop(
        "All turns and responses with ratings, rewrites, winner, Likert value, ranking, reason and attachments."
    )
    leaves_out = gettext_noop(
        "Tool messages, adjudications, reviews and the order in which responses were shown are left out."
    )
    can_read = True
    can_write = True
    recognised_by = gettext_noop("task_id, status and threads in each row")
    media = True
    containers = ("jsonl", "json")
    carrier = Carrier(
        roles=frozenset({"system", "user", "assistant"}), in_messages=MEDIA, in_responses=MEDIA, alternating=True
    )
    needs = frozenset({"ratings", "rewrites", "details"})
    uses = frozenset({"include_returned", "include_suspended", "include_models", "detail"})

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return read_task(row, reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not {"task_id", "status"} <= row.keys():
            return False
        return isinstance(row.get("threads"), list) or "sensitive_content_reports" in row

    def mappable(self, rows: Iterable[object], setup: Setup = NO_SETUP) -> Sequence[Mappable]:
        return mappable(rows, setup)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        work: dict[tuple[str, int], Work] = {}
        for prompt in record.prompts:
            seen = Counter[str]()
            for vote in used_annotations(prompt, options, accounting, partial(self._why_not, record, prompt, options)):
                seen[vote.annotator] += 1
                work.setdefault((vote.annotator, seen[vote.annotator]), {})[prompt.id] = vote
        for (annotator, occurrence), theirs in work.items():
            yield _task(record, row_id((record.id, annotator), occurrence), theirs, options)

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        for message in (message for turn in row["threads"][0]["turns"] for message in turn["messages"]):
            yield from (file["url"] for file in message["content"].get("attachments", ()))

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "task_id", "project", "status", "created_at")
        yield from task_problems(row)

    def _why_not(
        self, record: TaskRecord, prompt: PromptRecord, options: ExportOptions, annotation: AnnotationRecord
    ) -> str | None:
        reason = "no_vote" if annotation.kind == "adjudication" else self._why_no_thread(record)
        return reason or why_incoherent(annotation, [response.id for response in prompt.responses], options)

    def _why_no_thread(self, record: TaskRecord) -> str | None:
        first, *others = record.prompts
        reason = why_unusable([*record.context, *_question(first)], self.carrier)
        return reason or (None if all(prompt.content for prompt in others) else "context_not_ending_in_user")


def _question(prompt: PromptRecord) -> list[Message]:
    return [Message(role="user", content=prompt.content)] if prompt.content else []


def _task(record: TaskRecord, name: str, work: Work, options: ExportOptions) -> dict[str, Any]:
    times = sorted(vote.submitted_at for vote in work.values() if vote.submitted_at)
    annotator = next(iter(work.values())).annotator
    submission = {"contributor_id": annotator} | ({"submitted_at": times[-1]} if times else {})
    thread = {
        "id": f"{name}:thread",
        "turns": list(_turns(record, name, work, options)),
        "annotations": [],
        "submissions": [submission],
    }
    return {
        "task_id": name,
        "project": "tiebreak",
        "batch": "tiebreak",
        "status": "completed",
        "created_at": times[0] if times else NO_TIME,
        **({"completed_at": times[-1]} if times else {}),
        "metadata": {"task": record.id},
        "threads": [thread],
    }


def _turns(record: TaskRecord, name: str, work: Work, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """The turns of the context, then the judged ones. A system message stands in the turn that follows it."""
    before: list[dict[str, Any]] = []
    for number, message in enumerate(record.context, 1):
        before.append(
            _message(message.role, message.content, "context" if message.role == "assistant" else message.role)
        )
        if message.role == "assistant":
            yield {"id": f"{name}:context-{number}", "messages": before, "annotations": []}
            before = []
    for prompt in record.prompts:
        vote, names = work.get(prompt.id), source_names(prompt, options)
        place = (name, prompt.id)
        asked = [_message("user", message.content, "user") for message in _question(prompt)]
        answers = [
            _message(
                "assistant",
                response.content,
                names[response.id],
                list(of_message(response.id, vote, Maker((*place, response.id), options))) if vote else [],
            )
            for response in prompt.responses
        ]
        annotations = list(of_turn(prompt, vote, names, Maker(place, options))) if vote else []
        yield {"id": row_id(place, 1), "messages": [*before, *asked, *answers], "annotations": annotations}
        before = []


def _message(role: str, parts: Sequence[Part], source: str, annotations: Sequence[object] = ()) -> dict[str, Any]:
    content: dict[str, Any] = {"text": text_of(clean_parts(parts))}
    files = [part for part in parts if part.type != "text"]
    if files:
        content["attachments"] = [_attachment(part) for part in files]
    return {"role": role, "source_id": source, "content": content, "annotations": list(annotations)}


def _attachment(part: Part) -> dict[str, str]:
    path = place_of(part)
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"mime_type": kind, "url": path, **({"name": part.name} if part.name else {})}
