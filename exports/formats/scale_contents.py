"""The contents of messages of a Scale task: text and attachments as parts, all else as metadata."""

from __future__ import annotations

from typing import Any

from exports.formats.base import RowReader
from exports.formats.imported import kind_of, objects_in
from exports.records import Part

SPEAKERS = ("system", "user", "assistant", "function")


def content_of(message: dict[str, Any], path: str, reader: RowReader) -> tuple[list[Part], dict[str, Any]]:
    """The parts of a message and what its content holds beside them."""
    content = message.get("content")
    if not isinstance(content, dict):
        reader.unexpected(path, content, "an object with text or attachments")
        return [], {}
    text = content.get("text")
    if text is not None and not isinstance(text, str):
        reader.unexpected(f"{path}.text", text, "text")
        return [], {}
    parts = [Part.of_text(text)] if text else []
    rest = {key: value for key, value in content.items() if key not in ("text", "attachments") and value}
    files = objects_in(content.get("attachments"), f"{path}.attachments", reader, needed=False)
    for index, file in enumerate(files):
        part = _file(file, f"{path}.attachments[{index}]", reader)
        parts += [part] if part else []
        more = {key: value for key, value in file.items() if key not in ("content", "mime_type", "url", "name")}
        if more:
            rest.setdefault("attachments", []).append({"index": index, **more})
    return parts or [Part.of_text("")], rest


def _file(file: dict[str, Any], path: str, reader: RowReader) -> Part | None:
    kind, name, inside = file.get("mime_type"), file.get("name"), file.get("content")
    place = file.get("url") or file.get("scale_url")
    if not place and isinstance(inside, str) and inside:
        place = f"data:{kind if isinstance(kind, str) and kind else 'application/octet-stream'};base64,{inside}"
    if not isinstance(place, str) or not place:
        reader.unexpected(f"{path}.url", file.get("url"), "a url, a scale_url or a content in base64")
        return None
    return Part(type=kind_of(kind), path=place, name=name if isinstance(name, str) and name else None)
