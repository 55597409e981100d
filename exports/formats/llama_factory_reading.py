"""Reading rows of LLaMA-Factory, alpaca and sharegpt style; `dataset_info.json` says what the columns are called."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exports.formats.base import RowReader
from exports.formats.media_slots import Slots
from exports.formats.setup import Setup
from exports.formats.single_answers import Answered
from exports.formats.training_reading import SHAREGPT, Keys, answered, asked, conversation, pair_task
from exports.problems import ProblemError
from exports.records import Message, Part, TaskRecord
from exports.strict_json import loads

INFO = "dataset_info.json"
USUAL_COLUMNS = {
    "messages": "conversations",
    "prompt": "instruction",
    "query": "input",
    "response": "output",
    "system": "system",
    "history": "history",
    "chosen": "chosen",
    "rejected": "rejected",
    "kto_tag": "kto_tag",
}


@dataclass(frozen=True)
class Style:
    """What the columns of a file and the keys of its messages are called."""

    columns: Mapping[str, str]
    keys: Keys

    def column(self, name: str) -> str:
        return self.columns.get(name, USUAL_COLUMNS[name])


def style_of(setup: Setup, file: str) -> Style:
    """The style that `dataset_info.json` gives for the file, else the usual one."""
    entry = _entry(setup, posixpath.basename(file))
    columns, tags = (held if isinstance(held := entry.get(key), dict) else {} for key in ("columns", "tags"))
    named = {key: value for key, value in columns.items() if key in USUAL_COLUMNS and isinstance(value, str)}
    role, content = tags.get("role_tag"), tags.get("content_tag")
    if entry.get("formatting") == "openai" and not tags:
        role, content = "role", "content"
    keys = Keys(
        role if isinstance(role, str) else SHAREGPT.role, content if isinstance(content, str) else SHAREGPT.content
    )
    return Style(named, keys)


def _entry(setup: Setup, file: str) -> dict[str, Any]:
    try:
        info = loads(setup.companions[INFO]) if INFO in setup.companions else {}
    except ProblemError:
        return {}
    entries = [each for each in info.values() if isinstance(each, dict)] if isinstance(info, dict) else []
    named = [each for each in entries if posixpath.basename(str(each.get("file_name"))) == file]
    found = named or (entries if len(entries) == 1 else [])
    return found[0] if found else {}


def pair_of(row: object, reader: RowReader) -> TaskRecord | None:
    """The task of a row with chosen and rejected, as messages of `gpt` or as texts."""
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with a conversation, chosen and rejected")
        return None
    style, slots = style_of(reader.setup, reader.file), Slots(row, reader)
    question = _question(row, style, slots, reader)
    sides = [
        _answer(row.get(style.column(side)), style.column(side), style, slots, reader)
        for side in ("chosen", "rejected")
    ]
    if reader.failed:
        return None
    return pair_task(row, reader, question, (sides[0], sides[1]), _columns(style))


def single_from(row: object, reader: RowReader) -> Answered | None:
    """The row of a conversation that ends in an answer, with `kto_tag`."""
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object")
        return None
    style, slots = style_of(reader.setup, reader.file), Slots(row, reader)
    column = style.column("messages")
    tag = row.get(style.column("kto_tag"))
    if not isinstance(tag, bool):
        reader.unexpected(style.column("kto_tag"), tag, "true or false")
    if column in row:
        messages = [*_system(row, style, reader), *conversation(row[column], column, reader, slots, style.keys)]
        if not reader.failed and (len(messages) < 2 or messages[-1].role != "assistant"):
            reader.problem(column, "a conversation that does not end in an answer", "gpt as the last one")
        if reader.failed:
            return None
        question, answer = asked(messages[:-1], column, slots, reader), messages[-1].content
    else:
        question = _question(row, style, slots, reader)
        answer = _answer(row.get(style.column("response")), style.column("response"), style, slots, reader)
    return None if reader.failed else answered(row, reader, question, answer, _columns(style), tag)


def conversation_key(row: dict[str, Any]) -> object:
    """What two rows share that answer the same question."""
    for column in ("conversations", "messages"):
        if isinstance(row.get(column), list):
            return [row[column][:-1], row.get("system"), row.get("images")]
    return [row.get(column) for column in ("instruction", "input", "system", "history", "images")]


def _columns(style: Style) -> tuple[str, ...]:
    return tuple(style.column(name) for name in USUAL_COLUMNS)


def _system(row: dict[str, Any], style: Style, reader: RowReader) -> list[Message]:
    text = row.get(style.column("system"))
    if text in (None, ""):
        return []
    if not isinstance(text, str):
        reader.unexpected(style.column("system"), text, "text")
        return []
    return [Message(role="system", content=[Part.of_text(text)])]


def _question(row: dict[str, Any], style: Style, slots: Slots, reader: RowReader) -> tuple[list[Message], list[Part]]:
    column, system = style.column("messages"), _system(row, style, reader)
    if column in row:
        return asked([*system, *conversation(row[column], column, reader, slots, style.keys)], column, slots, reader)
    texts = [row.get(style.column(name)) for name in ("prompt", "query")]
    if not isinstance(texts[0], str) or not (texts[1] is None or isinstance(texts[1], str)) or not texts[0].strip():
        reader.unexpected(style.column("prompt"), texts[0], "a conversation, or a text that is not blank")
        return [], []
    context = [*system, *_history(row, style, reader)]
    whole = "\n".join(text for text in texts if text)
    return context, [*slots.content(whole, style.column("prompt")), *slots.rest()]


def _history(row: dict[str, Any], style: Style, reader: RowReader) -> list[Message]:
    """Earlier pairs of a question and its answer."""
    column, made = style.column("history"), []
    for index, pair in enumerate(row.get(column) or []):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
            reader.unexpected(f"{column}[{index}]", pair, "a list of a question and an answer")
            continue
        made += [
            Message(role="user", content=[Part.of_text(pair[0])]),
            Message(role="assistant", content=[Part.of_text(pair[1])]),
        ]
    return made


def _answer(value: object, column: str, style: Style, slots: Slots, reader: RowReader) -> list[Part]:
    if isinstance(value, str):
        return [Part.of_text(value)]
    if isinstance(value, dict):
        messages = conversation([value], column, reader, slots, style.keys)
        if messages and messages[0].role != "assistant":
            reader.problem(column, f"a message of {messages[0].role}", "one of gpt")
        return messages[0].content if messages else []
    reader.unexpected(column, value, "a message of gpt, or a text")
    return []
