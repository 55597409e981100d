"""All answers to one prompt with a number for each: how well it did in the votes, or how it was rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exports.accounting import Accounting
from exports.ballots import Ballot
from exports.conversation import Carrier
from exports.labels import rated_dimension, ratings_on
from exports.margins import mean
from exports.options import ExportOptions
from exports.records import Message, ResponseRecord, TaskRecord
from exports.turns import Turn, row_id


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """The clean `responses` to `messages` in the task's order, and the reward of each by response id."""

    task: str
    prompt: str
    messages: list[Message]
    responses: list[ResponseRecord]
    rewards: Mapping[str, float]
    occurrence: int

    @property
    def id(self) -> str:
        """`<task>:<prompt>`; further conversations up to the same prompt end in `#2`, `#3`, …"""
        return row_id((self.task, self.prompt), self.occurrence)


def samplings_of(
    task: TaskRecord, options: ExportOptions, accounting: Accounting, carrier: Carrier
) -> Iterator[Sampling]:
    """One row per prompt and conversation with votes on it.

    Rewards of winners: the mean share of its rivals that a response beat, ties as half, over the votes (Copeland's
    score). Rewards of ratings: the mean number on the dimension of the labels; what nobody rated is left out.
    """
    for turn in range(len(task.prompts)):
        yield from _Samplings(task, turn, options, accounting, carrier).rows()


class _Samplings(Turn):
    def rows(self) -> Iterator[Sampling]:
        self.least = 1 if self.options.labels == "ratings" else 2
        seen: Counter[str] = Counter()
        usable = {key: each for key, each in self.responses.items() if self.why_no_response(each) is None}
        for group in self.groups():
            scores = [self._scores(ballot, list(usable)) for ballot in group.ballots]
            for ballot, given in zip(group.ballots, scores, strict=True):
                self.settle(ballot, [given if isinstance(given, str) else None])
            known = [given for given in scores if not isinstance(given, str)]
            rewards = {key: reward for key in usable if (reward := mean(given.get(key) for given in known)) is not None}
            if rewards:
                seen[self.prompt.id] += 1
                yield Sampling(
                    task=self.task.id,
                    prompt=self.prompt.id,
                    messages=group.messages,
                    responses=[usable[key] for key in rewards],
                    rewards=rewards,
                    occurrence=seen[self.prompt.id],
                )

    def _scores(self, ballot: Ballot, usable: list[str]) -> Mapping[str, float] | str:
        """The number that a vote gives to each response, or the reason why it gives none."""
        if self.options.labels == "ratings":
            dimension = rated_dimension(ballot.annotation, self.options)
            rated = {} if dimension is None else ratings_on(ballot.annotation, dimension)
            return {key: float(value) for key, value in rated.items() if key in usable} or "no_rating"
        if ballot.annotation.outcome == "all_bad":
            return "all_bad"
        scores = {}
        for key in usable:
            rivals = [rival for rival in usable if rival != key and ballot.covers(key, rival)]
            beaten = sum(1.0 if ballot.prefers(key, rival) else ballot.ties(key, rival) / 2 for rival in rivals)
            if rivals:
                scores[key] = beaten / len(rivals)
        return scores or "empty_response"
