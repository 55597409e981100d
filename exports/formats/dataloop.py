"""Prompt items as Dataloop's RLHF JSON has them, one file per task, with the responses as annotations.

Its documentation has no place for a winner, a rating or a reason: those stand under `tiebreak` in the metadata
element of each prompt, where unknown keys survive the SDK. The SDK wants the literal types `image/*` and the like.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier, why_not_carried
from exports.formats import proof
from exports.formats.base import KEEP, Format, Row, RowReader
from exports.formats.blocks import place_of
from exports.formats.dataloop_reading import read_item
from exports.formats.dataloop_responses import NAMESPACE, value_at
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.sources import source_names
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import Part, PromptRecord, ResponseRecord, TaskRecord
from exports.turns import row_id
from exports.whole import used_annotations

MIME_TYPES = {"text": "application/text", "image": "image/*", "audio": "audio/*", "video": "video/*"}


class Dataloop(Format):
    """`prompts` holds the messages before the judged ones as well, each with its role, under `context-<n>`."""

    name = "dataloop"
    label = gettext_noop("Dataloop prompt items")
    description = gettext_noop("One JSON file per task in the manner of Dataloop, with responses and judgements.")
    group = KEEP
    consumer = gettext_noop("I move the work to Dataloop")
    carries = gettext_noop(
        "Prompts with media, responses with texts and pictures, and all judgements in a key of our own."
    )
    leaves_out = gettext_noop(
        "Tasks with other files in prompts, or with sounds, films and files in responses, are left out."
    )
    can_read = True
    can_write = True
    recognised_by = gettext_noop("the shebang dataloop and prompts by key, or annotations with a promptId")
    media = True
    containers = ("files", "jsonl", "json")
    carrier = Carrier(in_messages=frozenset({"image", "audio", "video"}), in_responses=frozenset({"image"}))
    needs = frozenset({"ratings", "rewrites", "reviews", "details"})
    uses = frozenset({"include_returned", "include_suspended", "include_models"})

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        """Each row is an item, or a list of items."""
        items = ((line, item) for line, row in rows for item in (row if isinstance(row, list) and row else [row]))
        yield from super().read(items, file, problems, setup)

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return read_item(row, reader)

    def sniff(self, row: object) -> bool:
        if isinstance(row, list):
            return bool(row) and all(self.sniff(each) for each in row[:20])
        if not isinstance(row, dict):
            return False
        if isinstance(row.get("prompts"), dict):
            return row.get("shebang") == "dataloop" or _is_prompt_item(row)
        return isinstance(row.get("annotations"), list) and _is_prompt_item(row)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        why_not = self._why_none(record)
        prompts: dict[str, list[dict[str, Any]]] = {}
        answers: list[dict[str, Any]] = []
        for number, message in enumerate(record.context, 1):
            prompts[f"context-{number}"] = [*_elements(message.content), _metadata(message.role)]
        for prompt in record.prompts:
            judgements = used_annotations(prompt, options, accounting, lambda _: why_not)
            key = prompt.id if prompt.id not in prompts else f"prompt-{prompt.id}"
            prompts[key] = [*_elements(prompt.content), _metadata("user", judgements=msgspec.to_builtins(judgements))]
            answers += _answers(record, prompt, key, options)
        if why_not is None:
            metadata = {"dltype": "prompt", "user": {NAMESPACE: {"task": record.id}}}
            yield {"shebang": "dataloop", "metadata": metadata, "prompts": prompts, "annotations": answers}

    def file_name(self, row: dict[str, Any]) -> str:
        """A plain name that begins like the task's id and differs for different ids."""
        task = row["metadata"]["user"][NAMESPACE]["task"]
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", task).strip("-")[:60] or "task"
        return f"{plain}-{hashlib.sha256(task.encode()).hexdigest()[:12]}.json"

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        for elements in row["prompts"].values():
            types = (MIME_TYPES["text"], "metadata")
            yield from (element["value"] for element in elements if element["mimetype"] not in types)
        yield from (each["coordinates"]["ref"] for each in row["annotations"] if each["type"] == "ref_image")

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        if row.get("shebang") != "dataloop" or (row.get("metadata") or {}).get("dltype") != "prompt":
            yield 'The item must have the shebang "dataloop" and the dltype "prompt".'
        prompts = row.get("prompts")
        if not isinstance(prompts, dict) or not prompts:
            yield "prompts must be an object that is not empty."
            return
        for key, elements in prompts.items():
            for index, element in enumerate(elements):
                yield from (f"prompts.{key}[{index}] {problem}" for problem in _element_problems(element))
        for index, answer in enumerate(row.get("annotations") or ()):
            yield from (f"annotations[{index}] {problem}" for problem in _answer_problems(answer, prompts))

    def _why_none(self, record: TaskRecord) -> str | None:
        asked = [message.content for message in record.context] + [prompt.content for prompt in record.prompts]
        for content in asked:
            if reason := why_not_carried(content, self.carrier.in_messages, self.carrier):
                return reason
        responses = (response for prompt in record.prompts for response in prompt.responses)
        reasons = (why_not_carried(each.content, self.carrier.in_responses, self.carrier) for each in responses)
        return next((reason for reason in reasons if reason), None)


def _is_prompt_item(row: dict[str, Any]) -> bool:
    metadata = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
    return "prompt" in (value_at(metadata, "dltype"), value_at(metadata, "system", "shebang", "dltype"))


def _elements(content: Sequence[Part]) -> Iterator[dict[str, Any]]:
    for part in content:
        value = part.text or "" if part.type == "text" else place_of(part)
        yield {"mimetype": MIME_TYPES.get(part.type, ""), "value": value}


def _metadata(role: str, **judged: object) -> dict[str, Any]:
    return {"mimetype": "metadata", "value": {"role": role, **({NAMESPACE: judged} if judged else {})}}


def _answers(record: TaskRecord, prompt: PromptRecord, key: str, options: ExportOptions) -> Iterator[dict[str, Any]]:
    names = source_names(prompt, options)
    for response in prompt.responses:
        for index, part in enumerate(response.content, 1):
            yield _answer(row_id((record.id, prompt.id, response.id), index), key, response, part, names[response.id])


def _answer(name: str, key: str, response: ResponseRecord, part: Part, model: str) -> dict[str, Any]:
    is_text = part.type == "text"
    reference = {"ref": place_of(part), "refType": "url", "mimetype": MIME_TYPES["image"]}
    user = {"annotation_type": "prediction", "model": {"name": model}, NAMESPACE: {"response": response.id}}
    return {
        "id": name,
        "type": "text" if is_text else "ref_image",
        "label": "free-text" if is_text else "ref-image",
        "coordinates": part.text or "" if is_text else reference,
        "metadata": {"system": {"promptId": key, "automated": True}, "user": user},
    }


def _element_problems(element: object) -> Iterator[str]:
    if not isinstance(element, dict) or element.get("mimetype") not in (*MIME_TYPES.values(), "metadata"):
        yield f"must have one of the types {', '.join(MIME_TYPES.values())} or metadata."
    elif not isinstance(element.get("value"), dict if element["mimetype"] == "metadata" else str):
        yield "must have a text as its value, or an object for metadata."


def _answer_problems(answer: dict[str, Any], prompts: dict[str, Any]) -> Iterator[str]:
    yield from proof.named(answer, "id", "label")
    if answer.get("type") not in ("text", "ref_image"):
        yield "must be of the type text or ref_image: the SDK knows no other."
    elif not isinstance(answer.get("coordinates"), str if answer["type"] == "text" else dict):
        yield "must hold a text, or an object with ref for a picture."
    if (answer.get("metadata") or {}).get("system", {}).get("promptId") not in prompts:
        yield "belongs to no prompt of the item."
