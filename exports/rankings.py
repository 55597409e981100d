"""From judgements to rankings: one row per vote that orders the responses, by the rules that pairs are made by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations

from exports.ballots import Ballot
from exports.conversation import ROLES
from exports.pairs import Accounting, ExportOptions, IdPath, Turn, row_id
from exports.records import Message, ResponseRecord, TaskRecord


@dataclass(frozen=True)
class Ranking:
    """One vote, ready to be written. `groups`: the clean responses, best first, inner = tie.

    `messages` is the conversation that they answer. `margin` is that of winner against runner-up in steps of the
    project's scale, 0 for several best ones, None unless asked for. `occurrence` counts from 1 the votes of the same
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
        """`<task>:<prompt>:<annotator>`, see `exports.pairs.row_id`."""
        return row_id((self.task, self.prompt, self.annotator), self.occurrence)


def rankings_of(
    task: TaskRecord,
    options: ExportOptions,
    accounting: Accounting,
    *,
    media: bool,
    roles: Collection[str] = ROLES,
) -> Iterator[Ranking]:
    """The ranking of every vote of `task`, in the order of prompts and annotations; ties are rankings too.

    A winner without a ranking stands before all others, which then share the second place. A vote of which any two
    responses cannot be set against each other is dropped whole, under the reason of the first such pair. `options`:
    `margin` and `include_returned` count, the ones for pairs do not.
    """
    for turn in range(len(task.prompts)):
        yield from _RankedTurn(task, turn, options, accounting, media, roles).rankings()


class _RankedTurn(Turn):
    def rankings(self) -> Iterator[Ranking]:
        voted: Counter[str] = Counter()
        for ballot, path in self.votes():
            reason = self._why_none(ballot, path)
            if reason or path is None:
                self.accounting.drop(reason or "no_path")
                continue
            self.accounting.votes_exported += 1
            annotator = ballot.annotation.annotator
            voted[annotator] += 1
            yield Ranking(
                task=self.task.id,
                prompt=self.prompt.id,
                messages=self.conversation(path),
                groups=[[self.responses[key] for key in group] for group in ballot.groups],
                annotator=annotator,
                margin=_margin(ballot) if self.options.margin != "none" else None,
                occurrence=voted[annotator],
            )

    def _why_none(self, ballot: Ballot, path: IdPath | None) -> str | None:
        if ballot.annotation.outcome == "all_bad":
            return "all_bad"
        reason = self.why_no_conversation(path)
        judged = [key for group in ballot.groups for key in group]
        reasons = (self.why_no_pair(pair) for pair in combinations(judged, 2))
        reason = reason or next((each for each in reasons if each), None)
        return reason or ("missing_margin" if self.options.margin != "none" and _margin(ballot) is None else None)


def _margin(ballot: Ballot) -> float | None:
    if ballot.annotation.outcome == "tie":
        return 0.0
    return None if ballot.annotation.margin is None else float(ballot.annotation.margin)
