"""From judgements to rankings: one row per vote that orders the responses, by the rules that pairs are made by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from exports.accounting import Accounting
from exports.ballots import Ballot
from exports.conversation import Carrier
from exports.margins import scaled
from exports.options import ExportOptions
from exports.records import Message, ResponseRecord, TaskRecord
from exports.turns import Turn, row_id


@dataclass(frozen=True)
class Ranking:
    """One vote, ready to be written. `groups`: the clean responses, best first, inner = tie.

    `messages` is the conversation that they answer. `margin` is that of winner against runner-up on the scale of the
    options, 0 for several best ones, None unless asked for. `occurrence` counts from 1 the votes of the same
    annotator on the same prompt.
    """

    task: str
    prompt: str
    messages: list[Message]
    groups: list[list[ResponseRecord]]
    annotator: str
    margin: float | None
    occurrence: int

    @property
    def id(self) -> str:
        """`<task>:<prompt>:<annotator>`, see `exports.turns.row_id`."""
        return row_id((self.task, self.prompt, self.annotator), self.occurrence)


def rankings_of(
    task: TaskRecord, options: ExportOptions, accounting: Accounting, carrier: Carrier
) -> Iterator[Ranking]:
    """The ranking of every vote of `task`, in the order of prompts and annotations; ties are rankings too.

    A winner without a ranking stands before all others, which then share the second place. A vote of which any two
    responses cannot be set against each other is dropped whole, under the reason of the first such pair. The options
    for pairs and for consensus change nothing.
    """
    for turn in range(len(task.prompts)):
        yield from _Rankings(task, turn, options, accounting, carrier).rows()


class _Rankings(Turn):
    def rows(self) -> Iterator[Ranking]:
        voted: Counter[str] = Counter()
        for group in self.groups():
            for ballot in group.ballots:
                reason = self._why_none(ballot)
                self.settle(ballot, [reason])
                if reason:
                    continue
                annotator, margin = ballot.annotation.annotator, self._margin(ballot)
                voted[annotator] += 1
                yield Ranking(
                    task=self.task.id,
                    prompt=self.prompt.id,
                    messages=group.messages,
                    groups=[[self.responses[key] for key in keys] for keys in ballot.groups],
                    annotator=annotator,
                    margin=margin if self.options.margin != "none" else None,
                    occurrence=voted[annotator],
                )

    def _why_none(self, ballot: Ballot) -> str | None:
        if ballot.annotation.outcome == "all_bad":
            return "all_bad"
        judged = [self.responses[key] for group in ballot.groups for key in group]
        reasons = (self.why_no_pair(*pair) for pair in combinations(judged, 2))
        reason = next((each for each in reasons if each), None)
        return reason or ("missing_margin" if self.options.margin != "none" and self._margin(ballot) is None else None)

    def _margin(self, ballot: Ballot) -> float | None:
        if ballot.annotation.outcome == "tie":
            return 0.0
        return None if ballot.annotation.margin is None else scaled(float(ballot.annotation.margin), self.options)
