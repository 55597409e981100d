"""Contents as lists of blocks and files by path, which the formats with pictures share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exports.records import Message, Part


def blocks_of(content: Sequence[Part]) -> list[dict[str, Any]]:
    """`{"type": "text", "text": …}` for text, `{"type": "image"}` and the like for media, in their order.

    An answer of nothing is one empty text: readers stumble over a message without blocks.
    """
    blocks = [
        {"type": "text", "text": part.text or ""} if part.type == "text" else {"type": part.type} for part in content
    ]
    return blocks or [{"type": "text", "text": ""}]


def block_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages with blocks as their contents."""
    return [{"role": message.role, "content": blocks_of(message.content)} for message in messages]


def paths_in(content: Sequence[Part]) -> list[str]:
    """The files of the content in their order."""
    return [place_of(part) for part in content if part.type != "text"]


def paths_of(messages: Sequence[Message]) -> list[str]:
    """The files of all messages in their order."""
    return [path for message in messages for path in paths_in(message.content)]


def place_of(part: Part) -> str:
    """Where the file of a media part lies: its path, or its hash in a record that was not read from a store."""
    return part.path or f"media/{part.asset}"


def tagged(content: Sequence[Part]) -> str:
    """The content as one text with `<image>`, `<video>` or `<audio>` on a line of its own where a file belongs."""
    return "\n".join(part.text or "" if part.type == "text" else f"<{part.type}>" for part in content)


def listed(row: dict[str, Any], *columns: str) -> Iterator[str]:
    """The texts in the lists that `columns` hold."""
    for column in columns:
        yield from (each for each in row.get(column) or () if isinstance(each, str))
