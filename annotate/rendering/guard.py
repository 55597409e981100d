"""Text that would take too long to parse, and characters that would show something else than is written.

The figures come from timing 150 repeated patterns of 100,000 characters each: with these limits every one of them is
rendered, or refused, in less than 2 s on one core of a small machine.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

MAX_CHARS = 200_000
MAX_LINES = 10_000
MAX_ENVIRONMENTS = 300  # `\begin{`: each one that is not closed is searched for to the end
MAX_FOOTNOTES = 500  # `[^`: each reference to a note adds a link to the note
MAX_TASKS = 1_000  # the search for the list of a task item starts at the item
MAX_COST = 1_000_000  # microseconds of inline parsing, estimated
MAX_LINKS_IN_WORD = 8  # `://` in one run without white space: the link finder is quadratic in them

_OPENERS = re.compile(r"(?:!?\[|\\[(\[]){300}")
_TASK = re.compile(r"^[ \t>*+\d.)-]{0,200}\[[ xX]\]\s", re.MULTILINE)
# Microseconds that one occurrence costs at worst, outside code blocks.
_COSTS = {"[": 100, "![": 100, "*": 12, "_": 12, "~": 12, "`": 12, "$": 12, "<": 12, "&": 12, "\\": 12, "://": 40}

# U+202A–E and U+2066–9 reorder what is displayed: "evil" reads as "live". Lone surrogates are not text at all.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TooCostlyError(Exception):
    """The text is to be shown as it is written: parsing it would take too long, or lose a part of it."""


def make_visible(text: str) -> str:
    """`text` with bidirectional controls written out (`⟨U+202E⟩`) and lone surrogates replaced by U+FFFD."""
    text = _SURROGATE.sub("\ufffd", text)
    return _BIDI.sub(lambda match: f"\u27e8U+{ord(match.group()):04X}\u27e9", text)


def check_text(text: str) -> None:
    """Raise TooCostlyError for text that the block parser would take too long for."""
    too_much = (
        len(text) > MAX_CHARS
        or text.count("\n") + text.count("\r") > MAX_LINES
        or text.count("\\begin{") > MAX_ENVIRONMENTS
        or text.count("[^") > MAX_FOOTNOTES
        or _OPENERS.search(text) is not None
        or sum(1 for _ in _TASK.finditer(text)) > MAX_TASKS
    )
    if too_much:
        raise TooCostlyError


def check_inline(contents: Iterable[str]) -> None:
    """Raise TooCostlyError if the paragraphs, headings and cells of a text together would take too long to parse."""
    cost = 0
    for content in contents:
        cost += sum(content.count(mark) * price for mark, price in _COSTS.items())
        if cost > MAX_COST or any(word.count("://") > MAX_LINKS_IN_WORD for word in _long_words(content)):
            raise TooCostlyError


def _long_words(content: str) -> list[str]:
    return content.split() if content.count("://") > MAX_LINKS_IN_WORD else []


def plain(text: str) -> str:
    """`text` escaped, as it was written, in a `<pre>`."""
    return f'<pre class="plain" dir="auto">{html.escape(text)}</pre>'
