"""Media that rows list beside their messages, put into the places that the messages leave for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from exports.formats.base import RowReader
from exports.records import Part, PartType

LISTS: dict[str, PartType] = {
    "images": "image",
    "image": "image",
    "videos": "video",
    "video": "video",
    "audios": "audio",
    "audio": "audio",
}
_TAG = re.compile(r"<(image|video|audio)>")


def media_part(value: object, kind: PartType, field: str, reader: RowReader) -> Part | None:
    """A file as rows name it: a path, an address, or an object with its bytes in base64 and perhaps a path."""
    if isinstance(value, dict):
        data, path = value.get("bytes"), value.get("path")
        if isinstance(data, str) and data:
            name = path if isinstance(path, str) and path else None
            return Part(type=kind, path=f"data:application/octet-stream;base64,{data}", name=name)
        value = path or value.get("url")
    if not isinstance(value, str) or not value:
        reader.unexpected(field, value, f"the path of the {kind}, or its bytes")
        return None
    return Part(type=kind, path=value)


class Slots:
    """The files of a row in their order. Contents take them one after the other."""

    def __init__(self, row: dict[str, Any], reader: RowReader) -> None:
        self.reader = reader
        self.waiting: dict[str, list[Part]] = {"image": [], "video": [], "audio": []}
        self.columns = [column for column in LISTS if row.get(column) not in (None, [])]
        for column in self.columns:
            held = row[column] if isinstance(row[column], list) else [row[column]]
            for index, value in enumerate(held):
                part = media_part(value, LISTS[column], f"{column}[{index}]", reader)
                if part is not None:
                    self.waiting[LISTS[column]].append(part)

    def content(self, value: object, field: str) -> list[Part]:
        """Text with `<image>` where a file belongs, or blocks of which some only say their type."""
        if isinstance(value, str):
            return list(self._tagged(value, field))
        if not isinstance(value, list) or not value:
            self.reader.unexpected(field, value, "text, or a list of blocks")
            return []
        return [part for index, block in enumerate(value) for part in self._block(block, f"{field}[{index}]")]

    def _tagged(self, text: str, field: str) -> Iterator[Part]:
        if not self.columns:
            yield Part.of_text(text)
            return
        pieces = _TAG.split(text)
        for place, piece in enumerate(pieces):
            if place % 2:
                yield from self._next(piece, field)
            elif words := piece.strip("\n"):
                yield Part.of_text(words)

    def _block(self, block: object, field: str) -> Iterator[Part]:
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(block, dict) or not isinstance(kind, str):
            self.reader.unexpected(field, block, "a block with a type")
            return
        if kind == "text" and isinstance(block.get("text"), str):
            yield Part.of_text(block["text"])
            return
        kind = kind.removesuffix("_url")
        if kind not in self.waiting:
            self.reader.unexpected(f"{field}.type", block.get("type"), "text, image, audio or video")
            return
        named = block.get(f"{kind}_url") or block.get(kind) or block.get("value") or block.get("path")
        if isinstance(named, dict):
            named = named.get("url") or named
        if named is None:
            yield from self._next(kind, field)
        elif (part := media_part(named, kind, field, self.reader)) is not None:  # type: ignore[arg-type]
            yield part

    def _next(self, kind: str, field: str) -> Iterator[Part]:
        if self.waiting[kind]:
            yield self.waiting[kind].pop(0)
        else:
            self.reader.problem(field, f"a place for a {kind} without a {kind}", f"as many {kind}s as places")

    def rest(self) -> list[Part]:
        """The files that found no place; they belong before the first text of the question."""
        left = [part for parts in self.waiting.values() for part in parts]
        self.waiting = {kind: [] for kind in self.waiting}
        return left
