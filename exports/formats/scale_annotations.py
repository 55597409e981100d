"""The annotations of a Scale task: key and value, and in the detailed form what the value can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exports.conversation import clean_text
from exports.mentions import numbered
from exports.options import ExportOptions
from exports.records import AnnotationRecord, PromptRecord, RatingRecord, text_of
from exports.turns import row_id

OUTCOMES = ["winner", "tie", "all_bad", "cannot_judge"]


@dataclass(frozen=True)
class Maker:
    """Makes the annotations of one place, such as a message: `place` is what makes their ids its own."""

    place: tuple[str, ...]
    options: ExportOptions

    def one(self, key: str, kind: str, value: object, **more: object) -> dict[str, Any]:
        """One annotation of the type `kind`; terse ones are key and value alone."""
        if self.options.detail == "terse":
            return {"key": key, "value": value}
        described = {name: each for name, each in more.items() if each not in (None, "")}
        return {"id": row_id((*self.place, key), 1), "key": key, "type": kind, "value": value, **described}

    def of_rating(self, rating: RatingRecord) -> Iterator[dict[str, Any]]:
        """A rating under the key of its dimension, and its reason under `<dimension>_justification`."""
        key, scales = rating.dimension, self.options.rubric.dimensions
        scale = next((scale for scale in scales if scale.key == key), None)
        possible = list(range(scale.lowest, scale.highest + 1)) if scale else None
        if rating.value is not None:
            possible = possible if possible and rating.value in possible else None
            yield self.one(key, "integer", rating.value, possible_values=possible, justification=rating.justification)
        elif rating.tags:
            yield self.one(key, "category_multiple", rating.tags, justification=rating.justification)
        elif rating.text:
            yield self.one(key, "text", rating.text, justification=rating.justification)
        if rating.justification:
            yield self.one(f"{key}_justification", "text", rating.justification)


def of_message(response: str, annotation: AnnotationRecord, maker: Maker) -> Iterator[dict[str, Any]]:
    """What was said about one response: its ratings, flags, and the text that was written in its place."""
    for rating in annotation.ratings:
        if rating.response == response:
            yield from maker.of_rating(rating)
    flags = [flag.kind for flag in annotation.flags if flag.response == response]
    if flags:
        yield maker.one("flags", "category_multiple", flags)
    for rewrite in annotation.rewrites:
        text = clean_text(text_of(rewrite.content)).strip()
        if rewrite.response == response and text:
            yield maker.one("rewrite", "text", text)


def of_turn(
    prompt: PromptRecord, annotation: AnnotationRecord, names: Mapping[str, str], maker: Maker
) -> Iterator[dict[str, Any]]:
    """What was said about the comparison. `names`: the source id of each response by its id."""
    order = [response.id for response in prompt.responses]
    if annotation.winner is not None:
        yield maker.one("selected_model_id", "text", names[annotation.winner])
    yield maker.one("outcome", "category", annotation.outcome, possible_values=OUTCOMES)
    likert = likert_value(annotation, order, maker.options)
    if likert is not None:
        points = list(range(1, points_of(maker.options) + 1))
        yield maker.one("likert_value", "integer", likert, possible_values=points)
    elif annotation.margin is not None:
        yield maker.one("margin", "integer", annotation.margin)
    if annotation.ranking:
        groups = [[names[key] for key in group] for group in annotation.ranking if group]
        yield maker.one("ranking", "ranked_groups", groups, possible_values=[names[key] for key in order])
    for rating in annotation.ratings:
        if rating.response is None:
            yield from maker.of_rating(rating)
    justification = numbered(annotation, order)
    if justification:
        yield maker.one("justification", "text", justification)


def points_of(options: ExportOptions) -> int:
    """How many points the line has: two sides, and the middle where ties are allowed."""
    return 2 * options.rubric.margin_levels + options.rubric.allow_tie


def likert_value(annotation: AnnotationRecord, order: Sequence[str], options: ExportOptions) -> int | None:
    """The point on the line from 1 (the first response is much better) to the last (the second is).

    None for anything but two responses, for a vote without a strength, and for a tie on a line without a middle.
    """
    levels, margin = options.rubric.margin_levels, annotation.margin
    if len(order) != 2:
        return None
    if annotation.outcome == "tie":
        return levels + 1 if options.rubric.allow_tie else None
    if annotation.outcome != "winner" or not margin or margin > levels:
        return None
    return levels + 1 - margin if annotation.winner == order[0] else points_of(options) - levels + margin
