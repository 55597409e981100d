"""From judgements to answers worth learning from: the winners, and what people wrote themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from exports.accounting import Accounting
from exports.conversation import Carrier, same_content
from exports.options import ExportOptions
from exports.records import Message, ResponseRecord, TaskRecord
from exports.rewrites import rewrites_of
from exports.turns import Group, Turn, row_id


@dataclass(frozen=True, kw_only=True)
class Completion:
    """One answer, ready to be written: clean text. `source` is "vote" for a winner and "rewrite" for a human's text.

    `messages` is the conversation that it answers. `annotator` is a pseudonym, or "majority".
    """

    task: str
    prompt: str
    messages: list[Message]
    response: ResponseRecord
    source: str
    annotator: str
    occurrence: int

    @property
    def id(self) -> str:
        """`<task>:<prompt>:<response>:<annotator>`, then `:rewrite` for one; see `exports.turns.row_id`."""
        pieces = [self.task, self.prompt, self.response.id, self.annotator]
        return row_id([*pieces, "rewrite"] if self.source == "rewrite" else pieces, self.occurrence)


def completions_of(
    task: TaskRecord, options: ExportOptions, accounting: Accounting, carrier: Carrier
) -> Iterator[Completion]:
    """Every completion of `task`, in the order of prompts and annotations; rewrites after the winners.

    With any consensus but "each", the winner is whom more than half of the votes name. A rewrite that says what the
    response said is left out.
    """
    for turn in range(len(task.prompts)):
        yield from _Completions(task, turn, options, accounting, carrier).rows()


class _Completions(Turn):
    def rows(self) -> Iterator[Completion]:
        self.seen: Counter[tuple[str, str, str]] = Counter()
        for group in self.groups():
            fates: list[list[str | None]] = [[] for _ in group.ballots]
            if self.options.rewrites != "only":
                yield from self._winners(group, fates)
            if self.options.rewrites != "none":
                yield from self._rewrites(group, fates)
            for ballot, fate in zip(group.ballots, fates, strict=True):
                self.settle(ballot, fate, otherwise="no_rewrite")

    def _winners(self, group: Group, fates: list[list[str | None]]) -> Iterator[Completion]:
        is_each = self.options.consensus == "each" or group.ballots[0].annotation.kind == "adjudication"
        named = Counter(ballot.annotation.winner for ballot in group.ballots)
        first, votes = named.most_common(1)[0]
        is_decided, told = 2 * votes > len(group.ballots), False
        for ballot, fate in zip(group.ballots, fates, strict=True):
            winner = ballot.annotation.winner
            if winner is None:
                fate.append(ballot.annotation.outcome)
                continue
            is_minority = is_decided and winner != first
            outvoted = "minority" if is_minority else None if is_decided else "no_majority"
            fate.append((None if is_each else outvoted) or self.why_no_response(self.responses[winner]))
            if fate[-1] is None and (is_each or not told):
                told = True
                annotator = ballot.annotation.annotator if is_each else "majority"
                yield self._completion(group, self.responses[winner], annotator, "vote")

    def _rewrites(self, group: Group, fates: list[list[str | None]]) -> Iterator[Completion]:
        for ballot, fate in zip(group.ballots, fates, strict=True):
            for rewrite, original in rewrites_of(ballot, self.responses):
                unchanged = "identical_responses" if same_content(rewrite, original) else None
                fate.append(self.why_no_response(rewrite) or unchanged)
                if fate[-1] is None:
                    yield self._completion(group, rewrite, ballot.annotation.annotator, "rewrite")

    def _completion(self, group: Group, response: ResponseRecord, annotator: str, source: str) -> Completion:
        self.seen[response.id, annotator, source] += 1
        return Completion(
            task=self.task.id,
            prompt=self.prompt.id,
            messages=group.messages,
            response=response,
            source=source,
            annotator=annotator,
            occurrence=self.seen[response.id, annotator, source],
        )
