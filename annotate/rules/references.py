"""Mentions and quotes in a justification: which response is meant, and which words of it.

Offsets in the store count code points; pages count UTF-16 units, as JavaScript does.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.texts import gettext as _

LETTERS = "ABCDEFGHI"
ANOTHER = "another response"
"""What a mention of a response becomes where that response is not."""
MENTION, QUOTE = "mention", "quote"
Span = tuple[int, int]
_MENTION = re.compile(r"(?<![\w@])@([A-I])(?!\w)|(?<!\w)[Rr]esponse ([A-I])(?!\w)")


@dataclass(frozen=True)
class Reference:
    """``at``: where in the justification ``text`` stands. ``quote``: where in the response's source, if it was found.

    Both are half-open ranges of code points.
    """

    kind: str
    at: Span
    response: str
    text: str
    quote: Span | None = None

    def as_stored(self) -> dict[str, Any]:
        """Return the reference as the annotation keeps it: lists for ranges, the response's primary key."""
        quote = list(self.quote) if self.quote else None
        return {
            "kind": self.kind,
            "at": list(self.at),
            "response": int(self.response),
            "quote": quote,
            "text": self.text,
        }


def from_stored(stored: Mapping[str, Any]) -> Reference:
    """Return what :meth:`Reference.as_stored` gave."""
    start, end = stored["at"]
    quote = (stored["quote"][0], stored["quote"][1]) if stored["quote"] else None
    return Reference(stored["kind"], (start, end), str(stored["response"]), stored["text"], quote)


def mentions(justification: str, responses: Sequence[str], quotes: Iterable[Reference] = ()) -> list[Reference]:
    """Return every "@A" and "Response A" of the text. ``responses``: ids in the order shown, the first one is A.

    What stands inside a quote was written by a model and mentions nothing.
    """
    found = []
    for match in _MENTION.finditer(justification):
        place = LETTERS.index(match[1] or match[2])
        is_quoted = any(quote.at[0] <= match.start() < quote.at[1] for quote in quotes)
        if place < len(responses) and not is_quoted:
            found.append(Reference(MENTION, match.span(), responses[place], match[0]))
    return found


def same_words(one: str, other: str) -> bool:
    """Say whether two texts have the same letters and digits: markup, spaces and case do not count."""
    return _words(one) == _words(other)


def _words(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKC", text).casefold() if character.isalnum())


def problem(reference: Reference, justification: str, sources: Mapping[str, str]) -> str:
    """Say what is wrong with the reference, empty when nothing is. ``sources``: response id to its source text."""
    if reference.response not in sources:
        return _("A quote or mention belongs to no response of this prompt. Remove it.")
    if reference.kind not in {MENTION, QUOTE} or not reference.text:
        return _("A reference is neither a mention nor a quote. Remove it.")
    if not _is_within(reference.at, justification) or justification[slice(*reference.at)] != reference.text:
        return _("A quote or mention is not where it should be in the reason. Remove it.")
    if reference.quote is None:
        return ""
    source = sources[reference.response]
    if not _is_within(reference.quote, source) or not same_words(source[slice(*reference.quote)], reference.text):
        return _("A quote is not in the response it names. Remove it.")
    return ""


def _is_within(span: Span, text: str) -> bool:
    return 0 <= span[0] < span[1] <= len(text)


def justification_for(order: Sequence[str], justification: str, references: Iterable[Reference]) -> str:
    """Return the text with its mentions renamed for another order of the responses: the first of ``order`` is A.

    A mention of a response that is not in ``order`` becomes "another response".
    """
    letters = dict(zip(order, LETTERS, strict=False))

    def name(reference: Reference) -> str:
        letter = letters.get(reference.response)
        return f"{reference.text[:-1]}{letter}" if letter else ANOTHER

    return renamed(justification, ((each.at, name(each)) for each in references if each.kind == MENTION))


def renamed(text: str, names: Iterable[tuple[Span, str]]) -> str:
    """Return the text with each range (code points) replaced by its name; one that begins inside another is left."""
    pieces, end = [], 0
    for (start, stop), name in sorted(names):
        if start >= end:
            pieces += [text[end:start], name]
            end = stop
    return "".join([*pieces, text[end:]])


# -------------------------------------------------------------------------------------------------- units of offsets
def code_points(text: str, units: int) -> int:
    """Return the offset in code points for one in UTF-16 units; what lies in half of a pair counts as before it."""
    seen = 0
    for place, character in enumerate(text):
        seen += 2 if ord(character) > 0xFFFF else 1
        if seen > units:
            return place
    return len(text)


def utf16_units(text: str, points: int) -> int:
    """Return the offset in UTF-16 units for one in code points."""
    return points + sum(ord(character) > 0xFFFF for character in text[:points])
