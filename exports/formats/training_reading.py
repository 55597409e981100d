"""Reading rows that trainers read: conversations with a better and a worse answer, or with good and bad ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exports.formats.base import RowReader
from exports.formats.coherence import check_task
from exports.formats.foreign import ROLES
from exports.formats.media_slots import LISTS, Slots
from exports.formats.pair_rows import Frame, shuffled_contents
from exports.formats.single_answers import Answered
from exports.records import (
    Message,
    Part,
    Role,
    TaskRecord,
)

MEDIA_COLUMNS = tuple(LISTS)
SPEAKERS: Mapping[str, Role] = {
    **ROLES,
    "observation": "tool",
    "function": "tool",
    "tool_response": "tool",
    "developer": "system",
}


@dataclass(frozen=True)
class Keys:
    """What role and content are called in the messages of a format."""

    role: str = "role"
    content: str = "content"


USUAL, SHAREGPT = Keys(), Keys("from", "value")


def conversation(value: object, path: str, reader: RowReader, slots: Slots, keys: Keys = USUAL) -> list[Message]:
    """The messages in a list, each with its text or blocks. Reports everything that is wrong with them."""
    if not isinstance(value, list) or not value:
        reader.unexpected(path, value, "a list of messages")
        return []
    made = []
    for index, message in enumerate(value):
        where = f"{path}[{index}]"
        role = message.get(keys.role) if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(role, str) or role not in SPEAKERS:
            reader.unexpected(f"{where}.{keys.role}", role if isinstance(message, dict) else message, "a known role")
            continue
        content = slots.content(message.get(keys.content), f"{where}.{keys.content}")
        made.append(Message(role=SPEAKERS[role], content=content))
    return made


def asked(messages: Sequence[Message], path: str, slots: Slots, reader: RowReader) -> tuple[list[Message], list[Part]]:
    """The context and the question. Files without a place come before the question's text."""
    if not messages or messages[-1].role not in ("user", "tool"):
        last = messages[-1].role if messages else "nothing"
        reader.problem(path, f"{last} as the last role", "a user or tool message at the end")
        return [], []
    if messages[-1].role == "tool":
        return list(messages), slots.rest()
    return list(messages[:-1]), [*slots.rest(), *messages[-1].content]


def pair_task(
    row: dict[str, Any],
    reader: RowReader,
    question: tuple[list[Message], list[Part]],
    sides: tuple[list[Part], list[Part]],
    columns: Sequence[str],
    margin: int | None = None,
) -> TaskRecord | None:
    """The task with a better and a worse response. `columns`: those that are read; the others are metadata."""
    frame = Frame.of(row, reader, columns=(*columns, *MEDIA_COLUMNS))
    if frame is None:
        return None
    responses, (best, _) = shuffled_contents([side or [Part.of_text("")] for side in sides])
    vote = frame.vote(best)
    record = frame.task(*question, responses, [vote])
    check_task(record, reader)
    return None if reader.failed else record


def answered(
    row: dict[str, Any],
    reader: RowReader,
    question: tuple[list[Message], list[Part]],
    answer: list[Part] | None,
    columns: Sequence[str],
    label: bool | None = None,
) -> Answered | None:
    """The row as one answer; columns beside `columns` are metadata."""
    frame = Frame.of(row, reader, columns=(*columns, *MEDIA_COLUMNS), one_vote=False)
    if frame is None:
        return None
    return Answered(frame.id, *question, answer or [], label, frame.metadata)
