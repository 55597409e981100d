"""What the keys of a Scale task's annotations mean: the usual ones, and those that a person must confirm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from annotate.texts import gettext as _
from annotate.texts import gettext_noop
from exports.formats.setup import Mappable, Setup
from exports.problems import describe

DIMENSION, LEAVE_OUT, REASON = "dimension", "leave_out", "justification:"
"""`REASON` with the key of a dimension after it: the reason for that rating."""
USUAL = {
    "selected_model_id": "winner",
    "likert_value": "likert",
    "justification": "justification",
    "rewrite": "rewrite",
    "outcome": "outcome",
    "ranking": "ranking",
    "margin": "margin",
    "flags": "flags",
}
"""Scale's own keys, and those of our writer."""
CHOICES = (
    (DIMENSION, gettext_noop("A rating")),
    ("rewrite", gettext_noop("The response as a person rewrote it")),
    ("winner", gettext_noop("The response that was chosen")),
    ("likert", gettext_noop("The point on the preference line")),
    ("justification", gettext_noop("The reason for the preference")),
    (LEAVE_OUT, gettext_noop("Keep it with the metadata only")),
)
LIKERT_POINTS = "likert_points"
POINTS = 7
_SUFFIX = "_justification"
_ALIKE = 0.85
_EXAMPLES = 3


def meaning_of(key: str, value: object, keys: Iterable[str], setup: Setup) -> str:
    """What the annotation means: as was chosen, as is usual, a rating if it is a whole number, else metadata.

    `keys`: all keys beside it, among which the dimension of a `<dimension>_justification` must be.
    """
    if key in setup.mapping:
        return setup.mapping[key]
    if key in USUAL:
        return USUAL[key]
    if key.endswith(_SUFFIX) and key.removesuffix(_SUFFIX) in keys:
        return REASON + key.removesuffix(_SUFFIX)
    return DIMENSION if isinstance(value, int) and not isinstance(value, bool) else LEAVE_OUT


def points(setup: Setup) -> int:
    """How many points the line has where the file does not say so."""
    chosen = setup.mapping.get(LIKERT_POINTS, "")
    return int(chosen) if chosen.isascii() and chosen.isdigit() and int(chosen) > 1 else POINTS


def mappable(rows: Iterable[object], setup: Setup) -> Sequence[Mappable]:
    """A proposal for every key that is not usual, and for the number of points if the file does not tell it."""
    values: dict[str, list[object]] = {}
    asks_points = False
    for annotation in (each for row in rows for each in annotations_in(row)):
        key = annotation["key"]
        if key not in USUAL:
            values.setdefault(key, []).append(annotation.get("value"))
        elif USUAL[key] == "likert" and not isinstance(annotation.get("possible_values"), list):
            asks_points = True
    dimensions = [key for key, seen in values.items() if meaning_of(key, seen[0], values, setup) == DIMENSION]
    reasons = [(REASON + key, _("The reason for %(dimension)s") % {"dimension": key}) for key in dimensions]
    found = [
        Mappable(
            key=key,
            choices=[*CHOICES, *reasons],
            proposed=_proposed(key, seen, dimensions, values, setup),
            examples=[describe(each) for each in seen[:_EXAMPLES]],
        )
        for key, seen in values.items()
    ]
    if asks_points:
        sizes = [(str(size), str(size)) for size in range(2, 12)]
        found.append(Mappable(key=LIKERT_POINTS, choices=sizes, proposed=str(points(setup))))
    return found


def _proposed(key: str, seen: list[object], dimensions: list[str], keys: Iterable[str], setup: Setup) -> str:
    usual = meaning_of(key, seen[0], keys, setup)
    if usual != LEAVE_OUT or not isinstance(seen[0], str):
        return usual
    alike = {each: SequenceMatcher(None, key, each + _SUFFIX).ratio() for each in dimensions}
    best = max(alike, key=lambda each: alike[each], default="")
    return REASON + best if best and alike[best] >= _ALIKE else usual


def annotations_in(row: object) -> Iterator[dict[str, Any]]:
    """Every annotation with a key, at a message or at a turn, in a row of any shape."""
    for thread in _objects(row, "threads"):
        for turn in _objects(thread, "turns"):
            for holder in (*_objects(turn, "messages"), turn):
                yield from (each for each in _objects(holder, "annotations") if isinstance(each.get("key"), str))


def _objects(row: object, key: str) -> list[dict[str, Any]]:
    value = row.get(key) if isinstance(row, dict) else None
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
