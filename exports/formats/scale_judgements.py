"""The judgement on one turn of a Scale task, made of its annotations and those of its messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from exports.formats.base import RowReader
from exports.formats.imported import ONLY_RATINGS, Verdict, is_whole, numbered_mentions, objects_in, on_line, text_part
from exports.formats.scale_annotations import OUTCOMES
from exports.formats.scale_meanings import DIMENSION, LEAVE_OUT, REASON, meaning_of, points
from exports.problems import describe
from exports.records import AnnotationRecord, FlagKind, FlagRecord, Outcome, RatingRecord, ResponseRecord, RewriteRecord

_ORDERED = ("ranked_choices", "ranked_groups")
_USUAL_PARTS = frozenset({"id", "key", "type", "value", "possible_values", "title", "description", "labels"})
_FLAGS: tuple[FlagKind, ...] = ("unsafe", "wrong_language", "broken", "reveals_model")


class Judgement:
    """Gathers what the annotations say. `notes`, `notes_of`: what stays metadata of the turn and of a response."""

    def __init__(
        self,
        path: str,
        reader: RowReader,
        responses: Sequence[ResponseRecord],
        messages: Sequence[tuple[str, dict[str, Any]]],
    ) -> None:
        self.path, self.reader, self.responses = path, reader, responses
        self.ids = [response.id for response in responses]
        self.sources = [message["source_id"] for _, message in messages]
        self.messages = messages
        self.notes: dict[str, Any] = {}
        self._notes_of: dict[str, dict[str, Any]] = {}
        self.ratings: list[RatingRecord] = []
        self.reasons: dict[tuple[str, str | None], str] = {}
        self.rewrites: list[RewriteRecord] = []
        self.flags: list[FlagRecord] = []
        self.said: dict[str, Any] = {}
        self.likert: tuple[int, int, int] | None = None

    def of(self, annotations: Sequence[dict[str, Any]], annotator: str, at: str | None) -> AnnotationRecord | None:
        """The annotation, or None when nothing is judged or when problems were reported."""
        for key, (path, message) in zip(self.ids, self.messages, strict=True):
            place = f"{path}.annotations"
            self._take_all(objects_in(message.get("annotations"), place, self.reader, needed=False), place, key)
        self._take_all(annotations, f"{self.path}.annotations", None)
        if self.reader.failed:
            return None
        verdict = self._verdict()
        if verdict is None:
            return None
        justification = self.said.get("justification", "")
        return AnnotationRecord(
            annotator=annotator,
            outcome=verdict.outcome,
            winner=verdict.winner,
            margin=verdict.margin,
            ranking=[list(group) for group in verdict.ranking],
            ratings=self._with_reasons(),
            justification=justification,
            rewrites=self.rewrites,
            flags=self.flags,
            references=numbered_mentions(justification, self.ids),
            display_order=self.ids,
            submitted_at=at,
            reason=ONLY_RATINGS if verdict.outcome == "cannot_judge" and "outcome" not in self.said else "",
        )

    def notes_of(self, response: str) -> dict[str, Any]:
        """What was said about a response and has no other place, for its metadata."""
        kept = self._notes_of.get(response)
        return {"annotations": kept} if kept else {}

    def set_aside(self) -> None:
        """Keep everything as metadata: the task is not complete."""
        for key, (_, message) in zip(self.ids, self.messages, strict=True):
            if message.get("annotations"):
                self._notes_of[key] = {"unfinished": message["annotations"]}
        self.notes["unfinished"] = dict(self.said)

    def _take_all(self, annotations: Sequence[dict[str, Any]], place: str, response: str | None) -> None:
        keys = [each["key"] for each in annotations if isinstance(each.get("key"), str)]
        for index, each in enumerate(annotations):
            path, key = f"{place}[{index}]", each.get("key")
            if not isinstance(key, str) or not key:
                self.reader.unexpected(f"{path}.key", key, "the key of the annotation")
            elif keys.count(key) > 1 and keys.index(key) != index:
                self.reader.problem(f"{path}.key", f"{describe(key)} twice", "each key once")
            else:
                self._take(each, key, meaning_of(key, each.get("value"), keys, self.reader.setup), path, response)

    def _take(self, each: dict[str, Any], key: str, meaning: str, path: str, response: str | None) -> None:
        value, extras = each.get("value"), {name: v for name, v in each.items() if name not in _USUAL_PARTS and v}
        if meaning == DIMENSION:
            extras.pop("justification", None)
        known = value is not None and not each.get("not_applicable") and not each.get("cannot_assess")
        taken = known and self._mean(each, key, meaning, f"{path}.value", response)
        if not taken and (value is not None or extras):
            self._note(response, key, value if not extras else {"value": value, **extras})
        elif extras:
            self._note(response, key, extras)

    def _note(self, response: str | None, key: str, value: object) -> None:
        notes = self.notes if response is None else self._notes_of.setdefault(response, {})
        notes[key] = value

    def _mean(self, each: dict[str, Any], key: str, meaning: str, path: str, response: str | None) -> bool:
        """Take the value as what it means; False if it has no place in the record."""
        value = each["value"]
        if meaning == DIMENSION:
            return self._rating(each, key, response)
        if meaning.startswith(REASON) and isinstance(value, str):
            self.reasons[meaning.removeprefix(REASON), response] = value
            return True
        if meaning in ("rewrite", "flags") and response is not None:
            return self._about_response(meaning, value, path, response)
        if each.get("type") in _ORDERED or meaning == "ranking":
            return response is None and self._ranking(value, path)
        if response is not None or meaning == LEAVE_OUT or meaning.startswith(REASON):
            return False
        return self._comparison(each, meaning, path)

    def _comparison(self, each: dict[str, Any], meaning: str, path: str) -> bool:
        value = each["value"]
        if meaning == "winner":
            self.said["winner"] = self._response(value, path)
        elif meaning == "likert" and len(self.ids) == 2:
            self.likert = self._line(each, path)
        elif meaning == "justification" and isinstance(value, str):
            self.said["justification"] = value
        elif meaning == "outcome" and value in OUTCOMES:
            self.said["outcome"] = value
        elif meaning == "margin" and is_whole(value) and value >= 0:
            self.said["margin"] = value
        else:
            return False
        return True

    def _about_response(self, meaning: str, value: object, path: str, response: str) -> bool:
        if meaning == "rewrite":
            if not isinstance(value, str):
                self.reader.unexpected(path, value, "the text of the rewrite")
            elif value:
                self.rewrites.append(RewriteRecord(response=response, content=text_part(value)))
            return True
        kinds = value if isinstance(value, list) else []
        self.flags += [FlagRecord(response=response, kind=kind) for kind in _FLAGS if kind in kinds]
        return bool(kinds) and all(kind in _FLAGS for kind in kinds) and len(kinds) == len(set(kinds))

    def _rating(self, each: dict[str, Any], key: str, response: str | None) -> bool:
        value, reason = each["value"], each.get("justification")
        rating = RatingRecord(dimension=key, response=response)
        if is_whole(value) or isinstance(value, bool):
            rating = msgspec.structs.replace(rating, value=int(value))
        elif isinstance(value, str):
            rating = msgspec.structs.replace(rating, text=value)
        elif isinstance(value, list) and value and all(isinstance(tag, str) for tag in value):
            rating = msgspec.structs.replace(rating, tags=value)
        else:
            return False
        if isinstance(reason, str):
            rating = msgspec.structs.replace(rating, justification=reason)
        self.ratings.append(rating)
        return True

    def _with_reasons(self) -> list[RatingRecord]:
        rated = {(each.dimension, each.response) for each in self.ratings}
        for (dimension, response), reason in self.reasons.items():
            if (dimension, response) not in rated:
                self._note(response, f"{dimension}_justification", reason)
        found = (self.reasons.get((each.dimension, each.response)) for each in self.ratings)
        return [
            each
            if reason is None or reason == each.justification
            else msgspec.structs.replace(each, justification="\n\n".join(filter(None, (each.justification, reason))))
            for each, reason in zip(self.ratings, found, strict=True)
        ]

    def _response(self, source: object, path: str) -> str | None:
        """The id of the response of this model. One that does not match is reported, never guessed."""
        found = [key for key, each in zip(self.ids, self.sources, strict=True) if each == source]
        if len(found) == 1:
            return found[0]
        known = ", ".join(dict.fromkeys(self.sources))
        hint = f"{describe(source)}, which {len(found)} responses have" if found else describe(source)
        self.reader.problem(path, hint, f"the source_id of one response of this turn: {known}")
        return None

    def _ranking(self, value: object, path: str) -> bool:
        groups = [each if isinstance(each, list) else [each] for each in value] if isinstance(value, list) else []
        if not groups or not all(groups):
            self.reader.unexpected(path, value, "a list of responses, best first")
            return True
        self.said["ranking"] = [[self._response(each, path) for each in group] for group in groups]
        return True

    def _line(self, each: dict[str, Any], path: str) -> tuple[int, int, int] | None:
        value, possible = each["value"], each.get("possible_values")
        while isinstance(possible, list) and len(possible) == 1 and isinstance(possible[0], list):
            possible = possible[0]
        known = [each for each in possible if is_whole(each)] if isinstance(possible, list) else []
        is_line = len(known) >= 2 and sorted(set(known)) == list(range(min(known), min(known) + len(set(known))))
        lowest, highest = (min(known), max(known)) if is_line else (1, points(self.reader.setup))
        if not is_whole(value) or not lowest <= value <= highest:
            self.reader.unexpected(path, value, f"a whole number from {lowest} to {highest}")
            return None
        return value, lowest, highest

    def _verdict(self) -> Verdict | None:
        line = on_line(*self.likert, self.ids) if self.likert else None
        winner, ranking = self.said.get("winner"), self.said.get("ranking")
        outcome: Outcome | None = self.said.get("outcome")
        best = ranking[0] if ranking else []
        winner = winner or (line.winner if line and not outcome else None)
        if winner is None and outcome in (None, "winner") and len(best) == 1:
            winner = best[0]
        if line and line.winner and winner and line.winner != winner:
            place = self.sources[self.ids.index(winner)]
            found = f"{describe(place)} as the better one, but {self.likert[0] if self.likert else ''} on the line"
            self.reader.problem(f"{self.path}.annotations", found, "a winner on the side that the line says")
            return None
        if outcome is None:
            outcome = "winner" if winner else "tie" if line or len(best) > 1 else None
        if self.likert and line and line.margin is None and winner:
            self.notes["likert_value"] = self.likert[0]
        if outcome is None:
            judged = self.ratings or self.rewrites or self.flags or self.said
            return Verdict("cannot_judge") if judged else None
        margin = line.margin if line and outcome == "winner" else self.said.get("margin")
        return Verdict(outcome, winner, margin or None, ranking or ())
