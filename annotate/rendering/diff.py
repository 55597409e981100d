"""The difference between two texts, word by word, as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Indel

# A word, a run of spaces, or one sign. Scripts that put no spaces between words go character by character.
_IDEOGRAPH = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_TOKEN = re.compile(rf"[{_IDEOGRAPH}]|[^\W{_IDEOGRAPH}]+|\s+|[^\w\s]")
MIN_EQUAL = 3
"""Shorter equal pieces between two changes belong to the change: single letters in common only confuse."""

Piece = tuple[str, str, str]


def diff_html(old: str, new: str) -> str:
    """Return ``new`` with what is gone from ``old`` in ``<del>`` and what is added in ``<ins>``; all text is escaped.

    The pieces outside ``<ins>`` make ``old``, those outside ``<del>`` make ``new``.
    """
    return "".join(_piece_html(piece) for piece in _merged(_pieces(_TOKEN.findall(old), _TOKEN.findall(new))))


def similarity(old: str, new: str) -> float:
    """Return how much two texts have in common, in words and signs without the spaces: 0 nothing, 1 everything."""
    before, after = ([token for token in _TOKEN.findall(text) if not token.isspace()] for text in (old, new))
    return Indel.normalized_similarity(before, after)


def _pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    """Yield (in both, only in the old, only in the new); either the first or the others are empty."""
    for step in Indel.opcodes(old, new):
        before, after = "".join(old[step.src_start : step.src_end]), "".join(new[step.dest_start : step.dest_end])
        yield (before, "", "") if step.tag == "equal" else ("", before, after)


def _merged(pieces: Iterator[Piece]) -> list[Piece]:
    """Join neighbouring changes, also over an equal piece that is too short to stand alone between two changes."""
    joined: list[Piece] = []
    for piece in pieces:
        equal, gone, added = piece
        between = joined[-1][0] if joined else ""
        if not equal and len(joined) > 1 and between and len(between.strip()) < MIN_EQUAL and _is_change(joined[-2]):
            _, old, new = joined[-2]
            joined[-2:] = [("", f"{old}{between}{gone}", f"{new}{between}{added}")]
        elif not equal and joined and _is_change(joined[-1]):
            _, old, new = joined[-1]
            joined[-1] = ("", old + gone, new + added)
        else:
            joined.append(piece)
    return joined


def _is_change(piece: Piece) -> bool:
    return not piece[0]


def _piece_html(piece: Piece) -> str:
    equal, gone, added = (html.escape(text) for text in piece)
    return equal + (f"<del>{gone}</del>" if gone else "") + (f"<ins>{added}</ins>" if added else "")


def side_htmls(old: str, new: str) -> tuple[str, str]:
    """Return both texts escaped: the old one with what the new one lacks in ``<del>``, the new one with ``<ins>``."""
    pieces = _merged(_pieces(_TOKEN.findall(old), _TOKEN.findall(new)))
    left = "".join(_piece_html((equal, gone, "")) for equal, gone, _ in pieces)
    return left, "".join(_piece_html((equal, "", added)) for equal, _, added in pieces)
