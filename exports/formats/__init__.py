"""The formats of datasets, by name. To add one, write its file and list it here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from exports.formats.base import Format, FormatError
from exports.formats.grouped import Grouped
from exports.formats.hh_rlhf import HhRlhf
from exports.formats.openai_preference import OpenAiPreference
from exports.formats.pairwise import Pairwise
from exports.formats.ranked import Ranked
from exports.formats.tiebreak import Tiebreak
from exports.formats.trl_preference import TrlPreference
from exports.formats.turbo_alignment_pairs import TurboAlignmentPairs

__all__ = ["FORMATS", "Format", "FormatError", "choose", "detect", "get"]

_ALL: tuple[Format, ...] = (
    Tiebreak(),
    Pairwise(),
    TrlPreference(),
    HhRlhf(),
    TurboAlignmentPairs(),
    OpenAiPreference(),
    Ranked(),
    Grouped(),
)
FORMATS: dict[str, Format] = {each.name: each for each in _ALL}

ROWS_TO_LOOK_AT = 20


def get(name: str) -> Format:
    """The format called `name`. Raises `FormatError` that lists the known ones."""
    if name not in FORMATS:
        raise FormatError(f"There is no format called {name!r}. Known formats: {', '.join(FORMATS)}.")
    return FORMATS[name]


def detect(rows: Iterable[object]) -> list[str]:
    """The names of all readable formats that each of the first rows could be in."""
    looked_at = list(islice(rows, ROWS_TO_LOOK_AT))
    readable = [each for each in FORMATS.values() if each.can_read]
    return [each.name for each in readable if looked_at and all(each.sniff(row) for row in looked_at)]


def choose(rows: Iterable[object]) -> Format:
    """The one format that the rows are in. Raises `FormatError` when none or several fit: nothing is guessed."""
    names = detect(rows)
    if len(names) == 1:
        return FORMATS[names[0]]
    what = f"The rows fit several formats ({', '.join(names)})" if names else "The rows fit no known format"
    raise FormatError(f"{what}. Name the format with --format. Known formats: {', '.join(FORMATS)}.")
