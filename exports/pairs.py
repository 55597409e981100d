"""From judgements to pairs: the one set of rules that every format of pairs uses.

One vote is one annotation of one prompt. A vote with a ranking may give several pairs, a tie gives none, and every
vote that gives no row is counted under a reason, so that votes in = votes exported + votes dropped, always.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Literal

import msgspec

from exports.accounting import Accounting
from exports.ballots import Ballot
from exports.consensus import RULINGS
from exports.conversation import Carrier
from exports.margins import scaled, signed
from exports.options import ExportOptions
from exports.records import Message, ResponseRecord, TaskRecord
from exports.rewrites import rewrites_of
from exports.turns import Group, Turn, row_id

Source = Literal["vote", "rewrite"]
Fates = list[list[str | None]]
"""Of each ballot of a group: for each thing made of it, why that is not written, or None."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One preference, ready to be written: clean text, no white space around the responses.

    `messages` is the conversation that both responses answer, `metadata` that of the task. `annotator` is a
    pseudonym, or the name of the consensus. `votes` of the `voters` who judged the two support it, `share` counts ties
    as half a vote. `margin` is 0 or more, on the scale of the options. `is_in_order`: the chosen one stands first in
    the task. `source`: a pair of "rewrite" has a text by the annotator over the response that they rewrote.
    `occurrence` counts from 1 the same preference by the same annotator on the same prompt.
    """

    task: str
    prompt: str
    messages: list[Message]
    chosen: ResponseRecord
    rejected: ResponseRecord
    annotator: str
    margin: float | None
    is_in_order: bool
    votes: int
    voters: int
    share: float
    source: Source
    occurrence: int
    metadata: dict[str, Any]

    @property
    def id(self) -> str:
        """`<task>:<prompt>:<chosen>:<rejected>:<annotator>`, then `:rewrite` for one; see `row_id`."""
        pieces = [self.task, self.prompt, self.chosen.id, self.rejected.id, self.annotator]
        return row_id([*pieces, "rewrite"] if self.source == "rewrite" else pieces, self.occurrence)

    @property
    def signed_margin(self) -> float | None:
        """The margin against the task's order of responses: negative where the first of the two is the chosen one."""
        return None if self.margin is None else signed(self.margin, is_first_better=self.is_in_order)


def pairs_of(task: TaskRecord, options: ExportOptions, accounting: Accounting, carrier: Carrier) -> Iterator[Pair]:
    """Every pair of `task`, in the order of prompts, conversations and annotations; those of rewrites last."""
    for turn in range(len(task.prompts)):
        yield from _Pairs(task, turn, options, accounting, carrier).rows()


class _Pairs(Turn):
    def rows(self) -> Iterator[Pair]:
        self.seen: dict[tuple[str, ...], int] = {}
        self.place = {response: index for index, response in enumerate(self.responses)}
        for group in self.groups():
            fates: Fates = [[] for _ in group.ballots]
            if self.options.rewrites != "only":
                yield from self._of_each(group, fates) if self._is_each(group) else self._of_all(group, fates)
            if self.options.rewrites != "none":
                yield from self._of_rewrites(group, fates)
            for ballot, fate in zip(group.ballots, fates, strict=True):
                for reason in fate:
                    if reason is not None:
                        self.accounting.drop_pair(reason)
                no_rewrite = self.options.rewrites == "only"
                self.settle(ballot, fate, otherwise="no_rewrite" if no_rewrite else ballot.no_pairs)

    def _of_each(self, group: Group, fates: Fates) -> Iterator[Pair]:
        for ballot, fate in zip(group.ballots, fates, strict=True):
            for better, worse in ballot.selected:
                chosen, rejected = self.responses[better], self.responses[worse]
                margin = ballot.margin_of((better, worse))
                fate.append(self._why_none(chosen, rejected, margin))
                if fate[-1] is None:
                    yield self._pair(group, chosen, rejected, ballot.annotation.annotator, margin)

    def _of_all(self, group: Group, fates: Fates) -> Iterator[Pair]:
        rule = RULINGS[self.options.consensus]
        taking_part = [index for index, ballot in enumerate(group.ballots) if self._takes_part(ballot)]
        for index in set(range(len(group.ballots))) - set(taking_part):
            fates[index].append("missing_margin")
        ballots = [group.ballots[index] for index in taking_part]
        selected = {pair for ballot in ballots for pair in ballot.selected}
        for first, second in combinations(self.responses, 2):
            if (first, second) not in selected and (second, first) not in selected:
                continue
            ruling = rule(ballots, first, second)
            chosen, rejected = (self.responses[key] for key in ruling.pair)
            reason = ruling.reason or self._why_none(chosen, rejected, ruling.margin)
            for index, own in ruling.parts.items():
                fates[taking_part[index]].append(own or reason)
            if reason is None:
                counts = (ruling.votes, ruling.voters, ruling.share)
                yield self._pair(group, chosen, rejected, self.options.consensus, ruling.margin, counts)

    def _takes_part(self, ballot: Ballot) -> bool:
        """With margins asked for, a majority is one of those who gave any."""
        needs = self.options.consensus == "majority" and self.options.margin != "none" and bool(ballot.selected)
        return not needs or ballot.annotation.margin is not None

    def _is_each(self, group: Group) -> bool:
        """Whether every vote stands for itself; an adjudication always does."""
        return self.options.consensus == "each" or group.ballots[0].annotation.kind == "adjudication"

    def _of_rewrites(self, group: Group, fates: Fates) -> Iterator[Pair]:
        for ballot, fate in zip(group.ballots, fates, strict=True):
            for rewrite, original in rewrites_of(ballot, self.responses):
                fate.append(self._why_none(rewrite, original, None))
                if fate[-1] is None:
                    yield self._pair(group, rewrite, original, ballot.annotation.annotator, None, source="rewrite")

    def _why_none(self, chosen: ResponseRecord, rejected: ResponseRecord, margin: float | None) -> str | None:
        reason = self.why_no_pair(chosen, rejected)
        return reason or ("missing_margin" if self.options.margin != "none" and margin is None else None)

    def _pair(
        self,
        group: Group,
        chosen: ResponseRecord,
        rejected: ResponseRecord,
        annotator: str,
        steps: float | None,
        counts: tuple[int, int, float] = (1, 1, 1.0),
        source: Source = "vote",
    ) -> Pair:
        key = (chosen.id, rejected.id, annotator, source)
        self.seen[key] = self.seen.get(key, 0) + 1
        votes, voters, share = counts
        return Pair(
            task=self.task.id,
            prompt=self.prompt.id,
            messages=group.messages,
            chosen=chosen,
            rejected=rejected,
            annotator=annotator,
            margin=None if steps is None or self.options.margin == "none" else scaled(steps, self.options),
            is_in_order=self.place[chosen.id] < self.place[rejected.id],
            votes=votes,
            voters=voters,
            share=share,
            source=source,
            occurrence=self.seen[key],
            metadata=self.task.metadata,
        )
