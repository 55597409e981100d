"""Reasons as readers of a dataset understand them: responses are named by their number in the file."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.rules.references import ANOTHER, MENTION, mentions, renamed
from exports.conversation import clean_text
from exports.records import AnnotationRecord


def numbered(annotation: AnnotationRecord, order: Sequence[str]) -> str:
    """The justification with every mention as "@Response 1", "@Response 2", … of the response ids in `order`.

    People wrote letters, which stand for the order that they saw; one of a response that is not in `order` becomes
    "another response". Mentions that were not stored with the annotation are looked for in its text.
    """

    def name(response: str) -> str:
        return f"@Response {order.index(response) + 1}" if response in order else ANOTHER

    names = ((at, name(response)) for at, response in _mentions(annotation, order))
    return clean_text(renamed(annotation.justification, names)).strip()


def _mentions(annotation: AnnotationRecord, order: Sequence[str]) -> list[tuple[tuple[int, int], str]]:
    """(range in the justification, response id) of each mention."""
    if annotation.references:
        stored = (each for each in annotation.references if each.kind == MENTION)
        return [((each.at[0], each.at[1]), each.response) for each in stored]
    found = mentions(annotation.justification, annotation.display_order or order)
    return [(each.at, each.response) for each in found]
