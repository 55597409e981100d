"""The results of one Label Studio annotation as a vote."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from exports.formats.base import RowReader
from exports.formats.foreign import vote
from exports.formats.imported import ONLY_RATINGS, Verdict, by_number, pseudonym
from exports.formats.label_studio_config import Control
from exports.records import AnnotationRecord, RatingRecord, ResponseRecord

SIDES = {"left": 0, "right": 1}


class ResultReader:
    """Reads `result` lists about `responses`, which show the data fields `fields`, in this order."""

    def __init__(
        self,
        fields: Sequence[str],
        responses: Sequence[ResponseRecord],
        controls: Sequence[Control],
        data: dict[str, Any],
        reader: RowReader,
    ) -> None:
        self.fields, self.responses, self.data, self.reader = fields, responses, data, reader
        self.controls = {control.name: control for control in controls}

    def vote(self, annotation: dict[str, Any], where: str) -> AnnotationRecord | None:
        """The vote of an annotation; None for one without any result that is understood."""
        verdict: Verdict | None = None
        ratings: dict[tuple[str, str | None], RatingRecord] = {}
        words: list[str] = []
        for index, region in enumerate(annotation["result"]):
            field = f"{where}.result[{index}]"
            value = region.get("value") if isinstance(region, dict) else None
            if not isinstance(region, dict) or not isinstance(value, dict):
                self.reader.unexpected(field, region, "an object with type and value")
                continue
            match region.get("type"):
                case "pairwise":
                    verdict = self._pairwise(value, region, field) or verdict
                case "ranker":
                    verdict = self._ranker(value, field) or verdict
                case "rating":
                    rating = self._rating(value, region, field)
                    ratings |= {(rating.dimension, rating.response): rating} if rating else {}
                case "textarea":
                    words += _texts(value.get("text"))
                case "choices":
                    words += [f"{region.get('from_name')}: {', '.join(_texts(value.get('choices')))}"]
        return self._made(annotation, verdict, list(ratings.values()), words)

    def _made(
        self, annotation: dict[str, Any], verdict: Verdict | None, ratings: list[RatingRecord], words: list[str]
    ) -> AnnotationRecord | None:
        text = "\n\n".join(words)
        seconds = annotation.get("lead_time")
        is_time = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 <= seconds < 2**31
        more: dict[str, Any] = {"seconds": round(float(seconds or 0)) if is_time else None, "ratings": ratings}
        who = _who(annotation.get("completed_by"))
        if verdict is not None:
            return vote(who, verdict, justification=text, **more)
        if not ratings and not text:
            return None
        return AnnotationRecord(annotator=who, outcome="cannot_judge", reason=ONLY_RATINGS, justification=text, **more)

    def _pairwise(self, value: dict[str, Any], region: dict[str, Any], field: str) -> Verdict | None:
        """left and right are the order in the configuration's toName; some versions write the object's name."""
        selected = value.get("selected")
        control = self.controls.get(str(region.get("from_name")))
        order = control.fields if control is not None else tuple(self.fields[:2])
        if isinstance(selected, str) and selected in SIDES and len(order) == 2:
            return self._winner(order[SIDES[selected]], field, selected)
        if control is not None and selected in control.objects:
            return self._winner(control.fields[control.objects.index(selected)], field, selected)
        return self._winner(str(selected), field, selected)

    def _winner(self, name: str, field: str, found: object) -> Verdict | None:
        if name in self.fields and self.fields.index(name) < len(self.responses):
            return Verdict("winner", self.responses[self.fields.index(name)].id)
        self.reader.unexpected(f"{field}.value.selected", found, "left or right, or the name of a response")
        return None

    def _ranker(self, value: dict[str, Any], field: str) -> Verdict | None:
        """Ids of items, best first; with buckets, those of `_` are not ranked."""
        held = value.get("ranker")
        if isinstance(held, dict):
            lists = {name: items for name, items in held.items() if name != "_"}
            held = next(iter(lists.values()), None) if len(lists) == 1 else None
        places = {name: place for place, name in enumerate(self._item_ids())}
        known = [places[name] for name in held or [] if isinstance(name, str) and name in places]
        if not isinstance(held, list) or len(known) != len(held) or len(set(known)) != len(known) or not known:
            self.reader.unexpected(f"{field}.value.ranker", value.get("ranker"), "the ids of the responses, best first")
            return None
        ranks = {self.responses[place].id: float(rank) for rank, place in enumerate(known)}
        return by_number(ranks, is_best_low=True)

    def _item_ids(self) -> list[str]:
        """The ids under which a ranker knows the responses: those of the items of a list, or the fields' names."""
        for held in self.data.values():
            is_items = isinstance(held, list) and len(held) == len(self.responses)
            if is_items and all(isinstance(each, dict) and "id" in each for each in held):
                return [str(each["id"]) for each in held]
        return list(self.fields)

    def _rating(self, value: dict[str, Any], region: dict[str, Any], field: str) -> RatingRecord | None:
        number = value.get("rating")
        if isinstance(number, bool) or not isinstance(number, int):
            self.reader.unexpected(f"{field}.value.rating", number, "a whole number")
            return None
        name = str(region.get("from_name") or "rating").lower().replace("-", "_").replace(" ", "_")
        control = self.controls.get(str(region.get("from_name")))
        about = control.fields if control is not None else (str(region.get("to_name")),)
        place = self.fields.index(about[0]) if len(about) == 1 and about[0] in self.fields else None
        response = self.responses[place].id if place is not None and place < len(self.responses) else None
        return RatingRecord(dimension=name, response=response, value=number)


def _texts(value: object) -> list[str]:
    held = value if isinstance(value, list) else [value]
    return [text for text in held if isinstance(text, str) and text]


def _who(value: object) -> str:
    """Who completed it: a number stays, an account with an address becomes a pseudonym."""
    if isinstance(value, dict):
        known = value.get("id")
        if isinstance(known, int):
            return str(known)
        return f"person-{hashlib.sha256(repr(sorted(map(str, value.items()))).encode()).hexdigest()[:8]}"
    return pseudonym(value)
