"""What content may be: a list of parts, each text or a reference to a stored file."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PART_TYPES = ("text", "image", "audio", "video", "file")
MAX_TEXT = 1_000_000
SHA256 = re.compile(r"[0-9a-f]{64}")

Part = Mapping[str, Any]


def content_problems(content: object, field: str) -> Iterator[tuple[str, str, str]]:
    """Yield (field path, what was found, what was expected) for everything wrong with ``content``.

    Empty text is allowed: a model may answer nothing, and that is judged too. A file part needs the SHA-256 of a
    stored asset.
    """
    if not isinstance(content, list):
        yield field, type(content).__name__, "a list of parts"
        return
    if not content:
        yield field, "an empty list", "at least one part"
    for index, part in enumerate(content):
        yield from _part_problems(part, f"{field}[{index}]")


def _part_problems(part: object, field: str) -> Iterator[tuple[str, str, str]]:
    if not isinstance(part, Mapping):
        yield field, type(part).__name__, "an object with a type"
        return
    kind = part.get("type")
    if kind not in PART_TYPES:
        yield f"{field}.type", repr(kind), "one of " + ", ".join(PART_TYPES)
    elif kind == "text":
        if not isinstance(part.get("text"), str):
            yield f"{field}.text", repr(part.get("text"))[:60], "text"
        else:
            yield from text_problems(part["text"], f"{field}.text")
    elif not SHA256.fullmatch(str(part.get("asset") or "")):
        yield f"{field}.asset", repr(part.get("asset"))[:60], "the SHA-256 of a stored file (64 hex digits)"


def text_problems(text: str, field: str) -> Iterator[tuple[str, str, str]]:
    """Yield what no database may hold: NUL, lone surrogates, and more than a million characters."""
    if "\0" in text:
        yield field, "a NUL character", "text without NUL"
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        yield field, "half of a surrogate pair", "valid Unicode"
    if len(text) > MAX_TEXT:
        yield field, f"{len(text):,} characters", f"at most {MAX_TEXT:,}"


def clean_written_text(text: str) -> str:
    """Return what a person typed as it is stored: NFC, ``\\n`` line ends, no outer space, no NUL or lone surrogate."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    text = text.encode("utf-8", "replace").decode()
    return unicodedata.normalize("NFC", text).strip()


def text_of(content: Sequence[Part]) -> str:
    """Return the text of the content, its text parts joined by blank lines."""
    return "\n\n".join(part["text"] for part in content if part["type"] == "text")


def assets_of(content: Sequence[Part]) -> list[str]:
    """Return the SHA-256 of every file that the content shows, in order."""
    return [part["asset"] for part in content if part["type"] != "text"]
