"""Conversations written as one text with `Human:` and `Assistant:` before each turn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from exports.formats.base import RowReader
from exports.records import Message, Part, Role

_TURN = re.compile(r"\n\n(Human|Assistant): ?")


def turns_of(text: str, field: str, reader: RowReader) -> tuple[list[Message], Sequence[Part]]:
    """The context and the last question of a transcript that ends with an open `Assistant:`, or of a plain text.

    Reports a transcript that does not end with a question.
    """
    if not text.lstrip().startswith("Human:"):
        return [], [Part.of_text(text)]
    pieces = _TURN.split("\n\n" + text.lstrip())
    messages: list[Message] = []
    for label, said in zip(pieces[1::2], pieces[2::2], strict=True):
        role: Role = "user" if label == "Human" else "assistant"
        messages.append(Message(role=role, content=[Part.of_text(said.strip())]))
    if messages[-1].role == "assistant" and not messages[-1].content[0].text:
        messages.pop()
    if not messages or messages[-1].role != "user":
        reader.problem(field, "a transcript that does not end with a question", "a turn of Human before `Assistant:`")
        return [], []
    return messages[:-1], messages[-1].content
