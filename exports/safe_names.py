"""Which names and ids may enter: relative names inside a bundle, and ids that look like what they are."""

from __future__ import annotations

import re
import unicodedata

NAME_LIMIT = 500
_DRIVE = re.compile(r"^[A-Za-z]:")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:")
# Control characters, bidirectional overrides and isolates, zero-width and tag characters, lone surrogates,
# noncharacters: text that a person cannot see or that reorders what they see.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def has_invisible(text: str) -> bool:
    """Whether `text` holds a character that is not shown, or that changes the order of what is shown."""
    return _INVISIBLE.search(text) is not None


def visible(text: str) -> str:
    """`text` with each such character as its escape (`\\u202e`)."""
    return _INVISIBLE.sub(lambda match: _escape(match.group()), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def unsafe_because(name: str) -> str | None:
    """Why `name` may not be used as a relative name inside a bundle, or None if it may.

    Pure text rules, the same on every system: no absolute path, drive letter, address, backslash, `..`, empty step
    or invisible character (threats U12 and U14: a name that leaves the folder).
    """
    if not name or len(name) > NAME_LIMIT:
        return f"a name of {len(name)} characters (1 to {NAME_LIMIT} are allowed)"
    if has_invisible(name):
        return "a name with invisible characters"
    if "\\" in name:
        return "a name with a backslash"
    if name.startswith("/"):
        return "an absolute path"
    if _DRIVE.match(name):
        return "a path with a drive letter"
    if _SCHEME.match(name):
        return "an address instead of a file name"
    steps = name.split("/")
    if ".." in steps:
        return "a path that climbs up with '..'"
    if "" in steps or "." in steps:
        return "a path with an empty step"
    return None


def name_key(name: str) -> str:
    """The key under which two names are twins on some file system: NFC, then case folded."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
