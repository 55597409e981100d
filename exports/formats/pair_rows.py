"""What the formats with one pair per row share: the columns around prompt, chosen and rejected."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, TypeGuard

from exports.cells import TableRow
from exports.completions import Completion
from exports.formats.base import RowReader
from exports.formats.coherence import check_id
from exports.formats.row_ids import row_id
from exports.labels import Label
from exports.options import ExportOptions
from exports.pairs import Pair
from exports.records import AnnotationRecord, Message, Part, PromptRecord, ResponseRecord, TaskRecord
from exports.strict_json import decode_cell

SIDES = ("chosen", "rejected")
COLUMNS = ("prompt", *SIDES)
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?")
IMPORTED = "imported"
"""The pseudonym of whoever made a preference that was read without one."""
MOST = len(ascii_lowercase)
"""How many responses a row may name: each gets a letter as its id."""


def has_columns(row: object, reader: RowReader, columns: Sequence[str] = COLUMNS) -> TypeGuard[dict[str, Any]]:
    """Whether `row` is an object with all of `columns`; reports what is missing."""
    if not isinstance(row, dict):
        reader.unexpected("", row, f"an object with {', '.join(columns[:-1])} and {columns[-1]}")
        return False
    for column in (column for column in columns if column not in row):
        hint = " (the conversation that both sides answer; it is not guessed from them)" if column == "prompt" else ""
        reader.problem(column, "nothing", f"the {column} of the row{hint}")
    return not reader.failed


def task_of(
    row: dict[str, Any],
    context: list[Message],
    prompt: list[Part],
    chosen: str,
    rejected: str,
    reader: RowReader,
    *,
    columns: Sequence[str] = COLUMNS,
    margin_column: str = "margin",
) -> TaskRecord | None:
    """The task with two responses and one imported vote that `row` describes, or None with its problems reported.

    `columns` are those that hold the pair. The optional ones are those of `Frame`.
    """
    frame = Frame.of(row, reader, columns=columns, margin_column=margin_column)
    if frame is None:
        return None
    responses, (best, _) = shuffled((chosen, rejected))
    return frame.task(context, prompt, responses, [frame.vote(best)])


@dataclass
class Frame:
    """What a row says about its task beside the texts.

    Optional columns: `id` (without one the task is called by a digest of the row), `annotator`, a margin (kept
    in the metadata unless it is a whole number from 1) and `metadata` (an object); all other columns join the metadata.
    Null counts as absent.
    """

    id: str
    annotator: str
    margin: int | None
    metadata: dict[str, Any]

    @classmethod
    def of(
        cls,
        row: dict[str, Any],
        reader: RowReader,
        *,
        columns: Sequence[str],
        margin_column: str = "margin",
        one_vote: bool = True,
    ) -> Frame | None:
        """Read the columns that are not among `columns`, or None with their problems reported.

        Without `one_vote` the row has no annotator and margin: columns of that name are metadata like all others.
        """
        name = _id(row, reader) or row_id({key: value for key, value in row.items() if value is not None})
        annotator = (one_vote and _text(row, "annotator", reader)) or IMPORTED
        margin = _margin(row, margin_column, reader) if one_vote else None
        known = (*columns, "id", "metadata", *(("annotator", margin_column) if one_vote else ()))
        metadata = _metadata(row, known, reader)
        check_id("id", name, reader)
        check_id("annotator", annotator, reader)
        if reader.failed:
            return None
        if margin is not None and (margin < 1 or margin != int(margin)):
            metadata[margin_column], margin = margin, None
        return cls(name, annotator, None if margin is None else int(margin), metadata)

    def vote(self, winner: str) -> AnnotationRecord:
        """The row's annotator prefers the response with the id `winner`."""
        return AnnotationRecord(annotator=self.annotator, outcome="winner", winner=winner, margin=self.margin)

    def task(
        self,
        context: list[Message],
        prompt: list[Part],
        responses: list[ResponseRecord],
        annotations: list[AnnotationRecord],
    ) -> TaskRecord:
        """The task of the row: one prompt with imported votes."""
        judged = PromptRecord(id="1", content=prompt, responses=responses, annotations=annotations)
        return TaskRecord(id=self.id, context=context, prompts=[judged], metadata=self.metadata)


def shuffled(texts: Sequence[str]) -> tuple[list[ResponseRecord], list[str]]:
    """The responses with these texts, in another order, and their ids in the order of `texts`. At most `MOST`."""
    return shuffled_contents([[Part.of_text(text)] for text in texts])


def shuffled_contents(contents: Sequence[list[Part]]) -> tuple[list[ResponseRecord], list[str]]:
    """The responses with these contents, in another order, and their ids in the order of `contents`.

    The order and the ids must not tell an annotator which one is better, so a digest decides both.
    """
    order = sorted(range(len(contents)), key=lambda index: _digest(contents[index]))
    ids = dict(zip(order, ascii_lowercase, strict=False))
    responses = [ResponseRecord(id=ids[index], content=contents[index]) for index in order]
    return responses, [ids[index] for index in range(len(contents))]


def cells_of(row: object, *lists: str) -> object:
    """The row with what tables write as JSON decoded: the columns that must be `lists`, and a prompt of messages."""
    if not isinstance(row, TableRow):
        return row
    decoded = {column: decode_cell(row[column]) for column in lists if column in row}
    prompt = decode_cell(row.get("prompt"))
    if isinstance(prompt, list) and prompt and all(isinstance(each, dict) and "role" in each for each in prompt):
        decoded["prompt"] = prompt
    return TableRow({**row, **decoded})


def _digest(content: Sequence[Part]) -> bytes:
    said = "\0".join(part.text if part.text is not None else part.path or part.asset or "" for part in content)
    return hashlib.sha256(said.encode()).digest()


def number_of(value: object) -> Any:
    """The number that the text of a cell writes; any other value as it is."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        number = float(value)
        return int(number) if number == int(number) else number
    return value


def _text(row: dict[str, Any], column: str, reader: RowReader) -> str | None:
    value = row.get(column)
    if value is not None and (not isinstance(value, str) or not value):
        reader.unexpected(column, value, "text that is not empty (write numbers in quotes)")
        return None
    return value


def _id(row: dict[str, Any], reader: RowReader) -> str | None:
    """The id of the row; a whole number is its digits."""
    value = row.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _text(row, "id", reader)


def _margin(row: dict[str, Any], column: str, reader: RowReader) -> float | None:
    value = number_of(row.get(column)) if isinstance(row, TableRow) else row.get(column)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        reader.unexpected(column, value, "a number, 0 or more")
        return None
    return value


def _metadata(row: dict[str, Any], known: Sequence[str], reader: RowReader) -> dict[str, Any]:
    given = (decode_cell(row.get("metadata")) or None) if isinstance(row, TableRow) else row.get("metadata")
    if given is not None and not isinstance(given, dict):
        reader.unexpected("metadata", given, "an object")
        return {}
    metadata = dict(given or {})
    for key, value in row.items():
        if key in known:
            continue
        if key in metadata:
            reader.problem(f"metadata.{key}", "the same key as a column", f"`{key}` once, as a column or in metadata")
        metadata[key] = value
    return metadata


def shared_columns(pair: Pair, options: ExportOptions, *, is_signed: bool = False) -> Iterator[tuple[str, Any]]:
    """The columns after the pair itself; the same ones on every row of an export.

    `task` groups the rows of one task: split training and test data by it. `votes` of `voters` support a consensus,
    `p_chosen` counts ties as half a vote, `source` tells what people wrote themselves from what they chose.
    `is_signed`: the margin may be negative; a trainer that takes it off a difference of rewards must not get that.
    """
    if options.margin != "none":
        yield "margin", pair.signed_margin if is_signed and options.margin == "signed" else pair.margin
    yield from (("id", pair.id), ("task", pair.task), ("annotator", pair.annotator))
    if options.consensus != "each":
        yield from (("votes", pair.votes), ("voters", pair.voters))
    if options.consensus == "soft":
        yield "p_chosen", pair.share
    if options.rewrites != "none":
        yield "source", pair.source


def answer_columns(answer: Label | Completion, options: ExportOptions) -> Iterator[tuple[str, Any]]:
    """The columns after a single answer; the same ones on every row of an export."""
    yield from (("id", answer.id), ("task", answer.task), ("annotator", answer.annotator))
    if isinstance(answer, Completion):
        yield "source", answer.source
    elif options.consensus != "each":
        yield from (("votes", answer.votes), ("voters", answer.voters))
