"""Any table: the person says what each column means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, Row, RowReader
from exports.formats.column_meanings import CHOICES, COUNTED, IGNORE, METADATA, PLAIN, proposals
from exports.formats.column_votes import VoteReader
from exports.formats.foreign import Answer, content_in, messages_in, name_of, prompt, responses_of, task
from exports.formats.row_ids import row_digest
from exports.formats.setup import NO_SETUP, Mappable, Setup
from exports.grouping import grouped
from exports.problems import ProblemList, describe
from exports.records import Message, Part, PartType, TaskRecord
from exports.strict_json import decode_cell

EXAMPLES = 3
SHOWN = 80  # characters of an example


class Columns(Format):
    """Rows of CSV, JSON, JSON Lines or Parquet with columns of any name; `Setup.mapping` says what each one means.

    Rows with the same id are votes on one task, rows without an id tasks of their own.
    """

    name = "columns"
    label = gettext_noop("Any table")
    description = gettext_noop("Rows with columns of any name: you say what each column means.")
    recognised_by = gettext_noop("your choice, because its columns may have any name")
    group = PUBLIC
    can_read = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        meanings = Meanings(setup.mapping)
        if fault := meanings.fault():
            RowReader(file, 0, problems).problem("", fault, "columns for the prompt and for two responses or more")
            return
        for group in grouped(rows, meanings.key):
            line = group[0][0]
            record = _task(group, meanings, file, problems, setup)
            if record is not None:
                yield line, record

    def mappable(self, rows: Iterable[object], setup: Setup = NO_SETUP) -> Sequence[Mappable]:
        looked_at = [row for row in islice(rows, 50) if isinstance(row, dict)]
        columns: dict[str, list[object]] = {}
        for row in looked_at:
            for key, value in row.items():
                columns.setdefault(str(key), []).append(value)
        proposed = proposals(columns)
        return [
            Mappable(key, CHOICES, proposed[key], [_example(value) for value in values[:EXAMPLES]])
            for key, values in columns.items()
        ]


def _example(value: object) -> str:
    text = value if isinstance(value, str) else describe(value) if not isinstance(value, (list, dict)) else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


class Meanings:
    """Which columns stand for what. A meaning that ends with a number is one of several of its kind."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        self.of: dict[str, str] = {}
        self.counted: dict[str, dict[int, str]] = defaultdict(dict)
        self.ratings: list[tuple[str, str, str]] = []  # column, dimension, response number or ""
        self.unknown: list[str] = []
        self.twice: list[str] = []
        for column, meaning in mapping.items():
            self._add(column, meaning)

    def _add(self, column: str, meaning: str) -> None:
        kind, _, number = meaning.partition(":")
        if meaning in ("", METADATA, IGNORE):
            return
        if kind == "rating":
            dimension, _, response = number.rpartition(":")
            self.ratings.append((column, dimension or number, response if dimension else ""))
        elif kind in COUNTED and number.isdigit():
            if int(number) in self.counted[kind]:
                self.twice.append(meaning)
            self.counted[kind][int(number)] = column
        elif meaning in PLAIN:
            if meaning in self.of:
                self.twice.append(meaning)
            self.of[meaning] = column
        else:
            self.unknown.append(meaning)

    def fault(self) -> str:
        """What is wrong with the mapping as a whole, or ""."""
        if self.unknown:
            return f"the meaning {describe(self.unknown[0])}, which there is not"
        if self.twice:
            return f"two columns that mean {describe(self.twice[0])}"
        if not {"prompt", "context"} & self.of.keys() and not self.counted["image"]:
            return "no column that means the prompt"
        if "responses" not in self.of and not {**self.counted["response"], **self.counted["media"]}:
            return "no column that means a response"
        return ""

    def key(self, row: Any) -> str:
        """What groups rows into tasks: the id, or the whole row where there is none."""
        column = self.of.get("id")
        value = row.get(column) if column and isinstance(row, dict) else None
        return f"id:{value}" if value not in (None, "") else f"row:{row_digest(row)}"

    @property
    def numbers(self) -> list[int]:
        """The numbers of the responses that have columns of their own."""
        return sorted({*self.counted["response"], *self.counted["media"]})


def _task(group: list[Row], meanings: Meanings, file: str, problems: ProblemList, setup: Setup) -> TaskRecord | None:
    """The task of rows with one id: its content from the first, a vote from each that has one."""
    line, first = group[0]
    reader = RowReader(file, line, problems, setup)
    if not isinstance(first, dict):
        reader.unexpected("", first, "an object with columns")
        return None
    context, content = prompt_in(first, meanings, reader)
    responses = responses_of(answers_in(first, meanings, reader), "responses", reader)
    votes = []
    for number, row in group:
        own = RowReader(file, number, problems, setup)
        if isinstance(row, dict) and row.keys() == first.keys():
            _check_same(row, first, meanings, own)
            votes.append(VoteReader(row, meanings, responses, own).vote())
        else:
            own.unexpected("", row, "the same columns as in the first row of this id")
        reader.failed |= own.failed
    own_id = first.get(meanings.of.get("id", ""))
    name = name_of(own_id, first)
    metadata = _metadata(first, setup.mapping)
    record = prompt(content, responses, [vote for vote in votes if vote is not None])
    return task(name, [record], reader, context=context, metadata=metadata)


def _check_same(row: dict[str, Any], first: dict[str, Any], meanings: Meanings, reader: RowReader) -> None:
    """Rows of one id must show the same prompt and responses."""
    shown = [meanings.of.get(name) for name in ("prompt", "context", "system", "responses")]
    shown += [*meanings.counted["response"].values(), *meanings.counted["media"].values()]
    for column in shown:
        if column and row.get(column) != first.get(column):
            reader.problem(
                column, "another content than in the first row with this id", "the same prompt and responses"
            )


def prompt_in(row: dict[str, Any], meanings: Meanings, reader: RowReader) -> tuple[list[Message], list[Part]]:
    """The context and the question of a row, from the columns that mean them."""
    context: list[Message] = []
    if text := _text(row, meanings.of.get("system"), reader):
        context.append(Message(role="system", content=[Part.of_text(text)]))
    if column := meanings.of.get("context"):
        value = decode_cell(row.get(column))
        if value not in (None, "", []):
            context += messages_in(value, column, reader)
    kinds: list[PartType] = ["image", "audio", "video"]
    media = [
        Part(type=kind, path=path)
        for kind in kinds
        for _, column in sorted(meanings.counted[kind].items())
        if (path := _text(row, column, reader))
    ]
    column = meanings.of.get("prompt")
    asked = row.get(column) if column else None
    if column and isinstance(asked, list):
        context += messages_in(asked, column, reader)
    elif column and isinstance(asked, str) and asked.strip():
        return context, [*media, Part.of_text(asked)]
    elif media:
        return context, media
    elif column and asked not in (None, ""):
        reader.unexpected(column, asked, "text")
    if not context or context[-1].role not in ("user", "tool"):
        reader.problem(column or meanings.of.get("context", ""), "no prompt", "the text that the responses answer")
        return context, [Part.of_text("")]
    return (context, []) if context[-1].role == "tool" else (context[:-1], context[-1].content)


def answers_in(row: dict[str, Any], meanings: Meanings, reader: RowReader) -> list[Answer]:
    """The responses in the order of their numbers, then those in a list. An empty cell is no response."""
    answers: list[Answer] = []
    for number in meanings.numbers:
        text_column, file_column = meanings.counted["response"].get(number), meanings.counted["media"].get(number)
        text, path = _text(row, text_column, reader), _text(row, file_column, reader)
        content = [Part.of_text(text)] if text else []
        if path:
            content.append(Part(type="image", path=path))
        if content or (text_column and row.get(text_column) == "" and number <= 2):
            model = _text(row, meanings.counted["model"].get(number), reader)
            answers.append((content or [Part.of_text("")], model, {}))
    if column := meanings.of.get("responses"):
        held = decode_cell(row.get(column))
        if not isinstance(held, list):
            reader.unexpected(column, held, "a list of responses")
            return answers
        for index, each in enumerate(held):
            answers.append(_listed(each, f"{column}[{index}]", reader))
    return answers


def _listed(value: object, field: str, reader: RowReader) -> Answer:
    """A response in a list: a text, or an object with text (or content) and perhaps model."""
    if isinstance(value, dict):
        held = next((value[key] for key in ("text", "content", "response", "answer") if key in value), None)
        model = value.get("model") if isinstance(value.get("model"), str) else None
        rest = {key: kept for key, kept in value.items() if kept is not held and key != "model"}
        return content_in(held, field, reader), model, rest
    return content_in(value, field, reader), None, {}


def _text(row: dict[str, Any], column: str | None, reader: RowReader) -> str:
    """The text of a cell; a number is its digits. Reports lists and objects."""
    value = row.get(column) if column else None
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        reader.unexpected(column or "", value, "text")
        return ""
    return value if isinstance(value, str) else str(value)


def _metadata(row: dict[str, Any], mapping: Mapping[str, str]) -> dict[str, Any]:
    kept = {key: value for key, value in row.items() if mapping.get(key, METADATA) in ("", METADATA)}
    return {key: value for key, value in kept.items() if value not in (None, "")}
