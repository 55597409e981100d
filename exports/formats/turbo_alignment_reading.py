"""What the readers of turbo-alignment's types share: ids, messages, and answers to the same conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exports.formats.base import RowReader
from exports.formats.coherence import check_id
from exports.formats.imported import merged
from exports.formats.messages import check_message, check_messages
from exports.formats.row_ids import row_id
from exports.formats.turbo_alignment_pairs import IGNORED, NAMES
from exports.records import (
    Message,
    Part,
)


def id_of(row: dict[str, Any], reader: RowReader) -> str:
    """The id of a row: text, or a whole number; without one, a digest of the row."""
    value = row.get("id")
    if value is None:
        return row_id(row)
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        reader.unexpected("id", value, "text or a whole number")
        return ""
    check_id("id", str(value), reader)
    return str(value)


def messages_in(value: object, path: str, reader: RowReader) -> list[Message]:
    """The messages of a column; everything that is wrong with them is reported."""
    failed, reader.failed = reader.failed, False
    check_messages(value, path, reader, names=NAMES, ignored=IGNORED)
    made: list[Message] = []
    if not reader.failed and isinstance(value, list):
        made = [Message(role=NAMES[each["role"]], content=[Part.of_text(each["content"])]) for each in value]
    reader.failed |= failed
    return made


def message_in(value: object, path: str, reader: RowReader) -> list[Message]:
    """The one message of a column, in a list; everything that is wrong with it is reported."""
    failed, reader.failed = reader.failed, False
    check_message(value, path, reader, names=NAMES, ignored=IGNORED)
    made = []
    if not reader.failed and isinstance(value, dict):
        made = [Message(role=NAMES[value["role"]], content=[Part.of_text(value["content"])])]
    reader.failed |= failed
    return made


def rest_of(row: dict[str, Any], *known: str) -> dict[str, Any]:
    """What the row says beside the known columns. `meta` is metadata already."""
    meta = row.get("meta")
    own = meta if isinstance(meta, dict) else {} if meta is None else {"meta": meta}
    return merged(
        own, {key: value for key, value in row.items() if key not in (*known, "id", "meta") and value is not None}
    )


def split(messages: Sequence[Message], path: str, reader: RowReader) -> tuple[list[Message], list[Part], list[Part]]:
    """The context, the prompt, and what the assistant said after it: all of its messages up to the end, as parts.

    Reports a conversation in which the user does not speak right before the answer.
    """
    end = len(messages)
    while end and messages[end - 1].role == "assistant":
        end -= 1
    if not end or messages[end - 1].role != "user":
        role = messages[end - 1].role if end else "no user"
        reader.problem(path, f"{role} before the answer", "a message of the user before it")
        return [], [], []
    answer = [part for message in messages[end:] for part in message.content]
    return list(messages[: end - 1]), messages[end - 1].content, answer
