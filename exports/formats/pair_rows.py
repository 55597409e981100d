"""What the formats with one pair per row share: the columns around prompt, chosen and rejected."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from exports.formats.base import RowReader
from exports.formats.coherence import check_id
from exports.pairs import ExportOptions, Pair
from exports.records import AnnotationRecord, Message, Part, PromptRecord, ResponseRecord, TaskRecord

SIDES = ("chosen", "rejected")
COLUMNS = ("prompt", *SIDES)
IMPORTED = "imported"
"""The pseudonym of whoever made a preference that was read without one."""


def has_columns(row: object, reader: RowReader) -> bool:
    """Whether `row` is an object with a prompt and both sides; reports what is missing."""
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with prompt, chosen and rejected")
        return False
    for column in (column for column in COLUMNS if column not in row):
        hint = " (the conversation that both sides answer; it is not guessed from them)" if column == "prompt" else ""
        reader.problem(column, "nothing", f"the {column} of the row{hint}")
    return not reader.failed


def task_of(
    row: dict[str, Any], context: list[Message], prompt: list[Part], chosen: str, rejected: str, reader: RowReader
) -> TaskRecord | None:
    """The task with two responses and one imported vote that `row` describes, or None with its problems reported.

    Optional columns: `id`, `annotator`, `margin` (kept in the metadata unless it is a whole number from 1) and
    `metadata` (an object); all other columns join the metadata. Null counts as absent. Without an `id` the task is
    called `row-<line>`.
    """
    name = _text(row, "id", reader) or f"row-{reader.line}"
    annotator = _text(row, "annotator", reader) or IMPORTED
    metadata, margin = _metadata(row, reader), _margin(row, reader)
    check_id("id", name, reader)
    check_id("annotator", annotator, reader)
    if reader.failed:
        return None
    if margin is not None and (margin < 1 or margin != int(margin)):
        metadata["margin"], margin = margin, None
    # The order and the ids of the two must not tell an annotator which one was chosen, so a digest decides both.
    texts = sorted((chosen, rejected), key=lambda text: hashlib.sha256(text.encode()).digest())
    responses = [
        ResponseRecord(id=key, content=[Part.of_text(text)]) for key, text in zip(("a", "b"), texts, strict=True)
    ]
    vote = AnnotationRecord(
        annotator=annotator,
        outcome="winner",
        winner="a" if texts[0] == chosen else "b",
        margin=None if margin is None else int(margin),
    )
    judged = PromptRecord(id="1", content=prompt, responses=responses, annotations=[vote])
    return TaskRecord(id=name, context=context, prompts=[judged], metadata=metadata)


def _text(row: dict[str, Any], column: str, reader: RowReader) -> str | None:
    value = row.get(column)
    if value is not None and (not isinstance(value, str) or not value):
        reader.unexpected(column, value, "text that is not empty (write numbers in quotes)")
        return None
    return value


def _margin(row: dict[str, Any], reader: RowReader) -> float | None:
    value = row.get("margin")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        reader.unexpected("margin", value, "a number, 0 or more")
        return None
    return value


def _metadata(row: dict[str, Any], reader: RowReader) -> dict[str, Any]:
    given = row.get("metadata")
    if given is not None and not isinstance(given, dict):
        reader.unexpected("metadata", given, "an object")
        return {}
    metadata = dict(given or {})
    for key, value in row.items():
        if key in (*COLUMNS, "id", "annotator", "margin", "metadata"):
            continue
        if key in metadata:
            reader.problem(f"metadata.{key}", "the same key as a column", f"`{key}` once, as a column or in metadata")
        metadata[key] = value
    return metadata


def shared_columns(pair: Pair, options: ExportOptions) -> Iterator[tuple[str, Any]]:
    """The columns after the pair itself; the same ones on every row of an export.

    `task` groups the rows of one task: split training and test data by it. `votes` of `voters` support a majority.
    """
    if options.margin != "none":
        yield "margin", pair.margin
    yield from (("id", pair.id), ("task", pair.task), ("annotator", pair.annotator))
    if options.consensus == "majority":
        yield from (("votes", pair.votes), ("voters", pair.voters))
