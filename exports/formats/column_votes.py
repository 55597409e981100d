"""The vote in a row of any table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from exports.formats.base import RowReader
from exports.formats.foreign import vote
from exports.formats.imported import ONLY_RATINGS, Verdict, by_number, pseudonym
from exports.records import AnnotationRecord, RatingRecord, ResponseRecord
from exports.strict_json import decode_cell

if TYPE_CHECKING:
    from exports.formats.columns import Meanings

TIES = frozenset(
    {
        "tie",
        "equal",
        "same",
        "draw",
        "both",
        "tievote",
        "0.5",
        "none",
        "neither better",
        "tie (both good)",
        "about equal",
    }
)
BOTH_BAD = frozenset(
    {"both_bad", "bothbad", "tie (bothbad)", "both bad", "bothbad_vote", "all_bad", "all bad", "neither"}
)
NO_VOTE = frozenset({"skip", "skipped", "cannot_judge", "unknown", "n/a", "invalid"})
_SIDE = re.compile(r"(?:response|answer|output|model|option|completion|result|side)?[ _-]?([a-i]|[1-9]|x|y|left|right)")
_NUMBERS = {**{letter: n for n, letter in enumerate("abcdefghi")}, "x": 0, "y": 1, "left": 0, "right": 1}
MOST_MARGIN = 4


class VoteReader:
    """Reads winner, ranking, ratings and the rest of a row that judges `responses`."""

    def __init__(
        self, row: dict[str, Any], meanings: Meanings, responses: list[ResponseRecord], reader: RowReader
    ) -> None:
        self.row, self.meanings, self.responses, self.reader = row, meanings, responses, reader

    def vote(self) -> AnnotationRecord | None:
        """The vote, or None where the row has none (or a problem, which is reported)."""
        ratings = self._ratings()
        verdict = self._verdict()
        if verdict is None:
            if not ratings:
                return None
            return AnnotationRecord(
                annotator=self._annotator(), outcome="cannot_judge", reason=ONLY_RATINGS, ratings=ratings
            )
        if verdict.outcome == "winner":
            verdict = verdict._replace(margin=self._margin())
        return vote(self._annotator(), verdict, ratings=ratings, justification=self._words("justification"))

    def _annotator(self) -> str:
        return pseudonym(self._cell("annotator"))

    def _cell(self, meaning: str) -> Any:
        column = self.meanings.of.get(meaning)
        return self.row.get(column) if column else None

    def _words(self, meaning: str) -> str:
        value = self._cell(meaning)
        return value if isinstance(value, str) else "" if value is None else str(value)

    def _verdict(self) -> Verdict | None:
        ranking = self._cell("ranking")
        if ranking not in (None, "", []):
            return self._ranked(decode_cell(ranking))
        value = self._cell("winner")
        if value in (None, ""):
            return None
        words = str(value).strip().lower()
        if words in NO_VOTE:
            return Verdict("cannot_judge")
        if words in BOTH_BAD:
            return Verdict("all_bad")
        if words in TIES:
            return Verdict("tie")
        return self._won(value, words)

    def _won(self, value: object, words: str) -> Verdict | None:
        place = self._place(words)
        if place is None or place >= len(self.responses):
            expected = "a response (A, 1, left, its column or its model), tie, both_bad or skip"
            self.reader.unexpected(self.meanings.of["winner"], value, expected)
            return None
        return Verdict("winner", self.responses[place].id)

    def _place(self, words: str) -> int | None:
        """Which response a word names: by its column, its model, its letter, its number or its side."""
        numbers = self.meanings.numbers
        for kind in ("response", "model", "media"):
            for place, number in enumerate(numbers):
                if words == self.meanings.counted[kind].get(number, "").strip().lower():
                    return place
        named = [place for place, each in enumerate(self.responses) if (each.model or "").lower() == words]
        if len(named) == 1:
            return named[0]
        found = _SIDE.fullmatch(words)
        if found is None:
            return None
        side = found[1]
        return int(side) - 1 if side.isdigit() else _NUMBERS[side]

    def _ranked(self, value: object) -> Verdict | None:
        """Ranks in the order of the responses, or names of responses with the best first."""
        column = self.meanings.of["ranking"]
        if isinstance(value, str):
            value = [part.strip() for part in re.split(r"[>,;|]", value) if part.strip()]
        if not isinstance(value, list) or len(value) != len(self.responses):
            self.reader.unexpected(column, value, f"a list of {len(self.responses)} ranks or names")
            return None
        if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in value):
            ranks = dict(zip([each.id for each in self.responses], map(float, value), strict=True))
            return by_number(ranks, is_best_low=True)
        places = [self._place(str(each).lower()) for each in value]
        known = [place for place in places if place is not None and place < len(self.responses)]
        if len(set(known)) != len(self.responses):
            self.reader.unexpected(column, value, "each response once, the best first")
            return None
        order = {self.responses[place].id: float(rank) for rank, place in enumerate(known)}
        return by_number(order, is_best_low=True)

    def _margin(self) -> int | None:
        value = self._cell("margin")
        if value in (None, ""):
            return None
        try:
            number = abs(float(value))
        except (TypeError, ValueError):
            number = -1.0
        if number != int(number) or not 1 <= number <= MOST_MARGIN:
            self.reader.unexpected(self.meanings.of["margin"], value, f"a whole number from 1 to {MOST_MARGIN}")
            return None
        return int(number)

    def _ratings(self) -> list[RatingRecord]:
        made = []
        for column, dimension, number in self.meanings.ratings:
            value = self.row.get(column)
            if value in (None, ""):
                continue
            response = self._rated(number, column)
            try:
                whole = int(str(value).removesuffix(".0"))
            except ValueError:
                self.reader.unexpected(column, value, "a whole number")
                continue
            made.append(RatingRecord(dimension=dimension, response=response, value=whole))
        return made

    def _rated(self, number: str, column: str) -> str | None:
        """The response that a rating is of; None for the comparison as a whole."""
        if not number:
            return None
        place = self._place(number.lower())
        if place is None or place >= len(self.responses):
            self.reader.problem(column, f"a rating of response {number}", "the number of a response")
            return None
        return self.responses[place].id
