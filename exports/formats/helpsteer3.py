"""Rows in the shape of NVIDIA's HelpSteer3: two responses, every vote on a scale from -3 to 3, and their consensus.

Below 0 the first response is better, 0 is a tie. As for HelpSteer2, the three closest votes count and a prompt on
which they lie more than 2 apart is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.ballots import Ballot
from exports.consensus import WIDEST, closest
from exports.formats import proof
from exports.formats.base import PUBLIC, VOTES, Format, RowReader
from exports.formats.helpsteer_reading import helpsteer3_task
from exports.formats.messages import messages_of
from exports.margins import signed
from exports.mentions import numbered
from exports.options import ExportOptions
from exports.records import TaskRecord, text_of
from exports.turns import Group, Turn

STRONGEST = 3


class HelpSteer3(Format):
    """Strengths on a line with other than 3 steps are brought to 3. `feedback1` and `2` are the reasons of ratings."""

    name = "helpsteer3"
    label = gettext_noop("HelpSteer3 preference")
    description = gettext_noop("Two responses with all votes from -3 to 3, their reasons, and the overall preference.")
    group = PUBLIC
    consumer = gettext_noop("My tools read the shape of NVIDIA's HelpSteer3")
    carries = gettext_noop(
        "The conversation, two responses, up to three votes with strength and reasons, and their consensus."
    )
    leaves_out = gettext_noop(
        "Prompts with more than two responses, votes without a strength, rewrites and media are left out."
    )
    recognised_by = gettext_noop("response1, response2 and overall_preference")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    needs = frozenset({"ratings", "details"})
    uses = VOTES

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return helpsteer3_task(row, reader)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"context", "response1", "response2", "overall_preference"} <= row.keys()

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for turn in range(len(record.prompts)):
            yield from _Preferences(record, turn, options, accounting, self.carrier).rows()

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "domain", "language")
        yield from proof.messages(row, "context")
        yield from proof.texts(row, "response1", "response2")
        yield from proof.differ(row, "response1", "response2")
        votes = row.get("individual_preference")
        if not isinstance(votes, list) or not 1 <= len(votes) <= STRONGEST:
            yield "individual_preference must be a list of one to three votes."
            votes = []
        scores = [vote.get("score") if isinstance(vote, dict) else None for vote in votes]
        for score in (*scores, row.get("overall_preference")):
            if isinstance(score, bool) or not isinstance(score, int) or abs(score) > STRONGEST:
                yield "Every preference must be a whole number from -3 to 3."


class _Preferences(Turn):
    def rows(self) -> Iterator[dict[str, Any]]:
        for group in self.groups():
            scores = [self._score(ballot) for ballot in group.ballots]
            known = {index: score for index, score in enumerate(scores) if not isinstance(score, str)}
            kept = closest(known) if known else []
            spread = max(known[key] for key in kept) - min(known[key] for key in kept) if kept else 0
            whole = None if kept and spread <= WIDEST else "spread_too_wide" if kept else "no_majority"
            for index, (ballot, score) in enumerate(zip(group.ballots, scores, strict=True)):
                outlier = None if index in kept else "outlier"
                self.settle(ballot, [score if isinstance(score, str) else whole or outlier])
            if kept and whole is None:
                yield self._row(group, {index: known[index] for index in kept})

    def _score(self, ballot: Ballot) -> int | str:
        """From -3 to 3, or the reason why there is none."""
        if len(self.responses) != 2:
            return "not_two_responses"
        if ballot.annotation.outcome == "all_bad":
            return "all_bad"
        first, second = self.responses
        if reason := self.why_no_pair(self.responses[first], self.responses[second]):
            return reason
        if ballot.annotation.outcome == "tie":
            return 0
        if not ballot.annotation.margin:
            return "missing_margin"
        levels = max(self.options.rubric.margin_levels, ballot.annotation.margin)
        strength = max(1, math.floor(ballot.annotation.margin * STRONGEST / levels + 0.5))
        return int(signed(strength, is_first_better=ballot.annotation.winner == first))

    def _row(self, group: Group, scores: dict[int, int]) -> dict[str, Any]:
        middle = sum(scores.values()) / len(scores)
        overall = int(math.copysign(math.floor(abs(middle) + 0.5), middle))
        first, second = (text_of(response.content) for response in self.responses.values())
        return {
            "domain": self._metadata("domain", "general"),
            "language": self._metadata("language", "unknown"),
            "context": messages_of(group.messages),
            "response1": first,
            "response2": second,
            "overall_preference": overall,
            "individual_preference": [self._vote(group.ballots[index], score) for index, score in scores.items()],
        }

    def _vote(self, ballot: Ballot, score: int) -> dict[str, Any]:
        order = list(self.responses)
        reasons = [[each.justification for each in ballot.annotation.ratings if each.response == key] for key in order]
        feedback = [" ".join(reason.strip() for reason in each if reason.strip()) for each in reasons]
        reasoning = numbered(ballot.annotation, order)
        return {"score": score, "reasoning": reasoning, "feedback1": feedback[0], "feedback2": feedback[1]}

    def _metadata(self, key: str, otherwise: str) -> str:
        value = self.task.metadata.get(key)
        return value if isinstance(value, str) and value else otherwise
