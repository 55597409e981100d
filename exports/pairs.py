"""From judgements to pairs: the one set of rules that every format of pairs uses.

One vote is one annotation of one prompt. A vote with a ranking may give several pairs, a tie gives none, and every
vote that gives no row is counted under a reason, so that votes in = votes exported + votes dropped, always.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import msgspec

from exports.ballots import Ballot, IdPair, ballot_of, why_no_vote
from exports.conversation import ROLES, clean_response, messages_to, path_to, same_content, why_unusable
from exports.records import Message, ResponseRecord, TaskRecord, has_media

IdPath = tuple[str, ...]
"""The ids of the responses on which the conversation went on before a prompt."""


class ExportOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What the person who exports chose.

    `ranking_pairs`: which pairs a ranking of more than two groups gives. `margin`: "absolute" writes the strength of
    the preference (a number of steps on the project's scale, 0 or more) on every row and drops votes without one.
    `consensus`: "each" writes a row per annotator, "majority" one row per pair that most votes support.
    `include_returned`: also use annotations that a reviewer gave back to their author.
    """

    ranking_pairs: Literal["all", "best_vs_rest", "best_vs_worst", "adjacent"] = "all"
    margin: Literal["none", "absolute"] = "none"
    consensus: Literal["each", "majority"] = "each"
    include_returned: bool = False


@dataclass
class Accounting:
    """Counts of one export. `drops` counts votes by reason, `pair_drops` the single pairs of votes by reason.

    A vote of a ranking may lose some of its pairs and still be exported: those are in `pair_drops` only.
    `adjudications` counts the final judgements of reviewers, which are not votes.
    """

    votes_in: int = 0
    votes_exported: int = 0
    rows_out: int = 0
    adjudications: int = 0
    drops: dict[str, int] = field(default_factory=dict)
    pair_drops: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str) -> None:
        self.drops[reason] = self.drops.get(reason, 0) + 1

    def drop_pair(self, reason: str) -> None:
        self.pair_drops[reason] = self.pair_drops.get(reason, 0) + 1

    def check(self) -> None:
        """Raise ValueError unless every vote is accounted for."""
        dropped = sum(self.drops.values())
        if self.votes_in != self.votes_exported + dropped:
            raise ValueError(
                f"The votes do not add up: {self.votes_in} in, {self.votes_exported} exported, {dropped} dropped."
            )

    def as_dict(self) -> dict[str, Any]:
        """The counts for the manifest, reasons in alphabetical order."""
        counts = asdict(self)
        for key in ("drops", "pair_drops"):
            counts[key] = dict(sorted(counts[key].items()))
        return counts


@dataclass(frozen=True)
class Pair:
    """One preference, ready to be written: clean text, no white space around the responses.

    `messages` is the conversation that both responses answer, `metadata` that of the task. `annotator` is a
    pseudonym, or "majority". `votes` of the `voters` who judged the two support it. `margin` is in steps of the
    project's scale. `occurrence` counts from 1 the same preference by the same annotator on the same prompt.
    """

    task: str
    prompt: str
    messages: list[Message]
    chosen: ResponseRecord
    rejected: ResponseRecord
    annotator: str
    margin: float | None
    votes: int
    voters: int
    occurrence: int
    metadata: dict[str, Any]

    @property
    def id(self) -> str:
        """`<task>:<prompt>:<chosen>:<rejected>:<annotator>`, unique as long as task ids are: see `row_id`."""
        pieces = (self.task, self.prompt, self.chosen.id, self.rejected.id, self.annotator)
        return row_id(pieces, self.occurrence)


def row_id(pieces: Iterable[str], occurrence: int) -> str:
    """The pieces with colons between them.

    `%`, `:` and `#` inside a piece are percent-encoded; a repetition by the same annotator ends in `#2`, `#3`, …
    """
    name = ":".join(piece.replace("%", "%25").replace(":", "%3A").replace("#", "%23") for piece in pieces)
    return name if occurrence == 1 else f"{name}#{occurrence}"


def pairs_of(
    task: TaskRecord,
    options: ExportOptions,
    accounting: Accounting,
    *,
    media: bool,
    roles: Collection[str] = ROLES,
) -> Iterator[Pair]:
    """Every pair of `task`, in the order of prompts and annotations.

    `media`: whether the format can carry media; `roles`: those of messages that it can carry. Votes on anything else
    are dropped.
    """
    for turn in range(len(task.prompts)):
        yield from Turn(task, turn, options, accounting, media, roles).pairs()


class Turn:
    """The votes on one prompt of one task."""

    def __init__(
        self,
        task: TaskRecord,
        turn: int,
        options: ExportOptions,
        accounting: Accounting,
        media: bool,
        roles: Collection[str],
    ) -> None:
        self.task, self.turn, self.options, self.accounting = task, turn, options, accounting
        self.media, self.roles = media, roles
        self.prompt = task.prompts[turn]
        self.responses = {response.id: clean_response(response) for response in self.prompt.responses}
        self.conversations: dict[IdPath, list[Message]] = {}
        self.seen: Counter[tuple[str, str, str]] = Counter()

    def votes(self) -> Iterator[tuple[Ballot, IdPath | None]]:
        """Every vote that counts, with its path. The others are counted as dropped, adjudications apart."""
        ids = list(self.responses)
        for annotation in self.prompt.annotations:
            if annotation.kind == "adjudication":
                self.accounting.adjudications += 1
                continue
            self.accounting.votes_in += 1
            reason = why_no_vote(annotation, ids, include_returned=self.options.include_returned)
            if reason:
                self.accounting.drop(reason)
                continue
            ballot = ballot_of(annotation, ids, self.options.ranking_pairs)
            yield ballot, path_to(self.task, self.turn, annotation.annotator)

    def pairs(self) -> Iterator[Pair]:
        by_path: dict[IdPath, list[Ballot]] = {}
        for ballot, path in self.votes():
            reason = self._why_no_pairs(ballot, path)
            if reason:
                self.accounting.drop(reason)
            # Ties and all-bad votes are dropped as well, but go on to be counted against a majority.
            if path is None or (reason and ballot.selected):
                continue
            if self.options.consensus == "majority":
                by_path.setdefault(path, []).append(ballot)
            else:
                yield from self._of_one(ballot, path)
        # People whose conversations differ judged different things: a majority is one of those who read the same.
        for path, ballots in by_path.items():
            yield from self._of_majority(ballots, path)

    def _why_no_pairs(self, ballot: Ballot, path: IdPath | None) -> str | None:
        if not ballot.selected:
            return ballot.no_pairs
        reason = self.why_no_conversation(path)
        if reason is None and self.options.margin != "none" and ballot.annotation.margin is None:
            return "missing_margin"
        return reason

    def why_no_conversation(self, path: IdPath | None) -> str | None:
        """The reason why the conversation along `path` cannot be written, or None."""
        if path is None:
            return "no_path"
        return why_unusable(self.conversation(path), media=self.media, roles=self.roles)

    def conversation(self, path: IdPath) -> list[Message]:
        """The messages that the responses answer; the same list for the same path."""
        if path not in self.conversations:
            self.conversations[path] = messages_to(self.task, self.turn, path)
        return self.conversations[path]

    def _of_one(self, ballot: Ballot, path: IdPath) -> Iterator[Pair]:
        fates: dict[IdPair, str | None] = {}
        for pair in ballot.selected:
            margin = ballot.margin_of(pair)
            fates[pair] = self.why_no_pair(pair) or self._why_no_margin(margin)
            if fates[pair] is None:
                yield self._pair(pair, path, ballot.annotation.annotator, margin, 1, 1)
        self._count(ballot, fates)

    def _of_majority(self, ballots: list[Ballot], path: IdPath) -> Iterator[Pair]:
        position = {response: index for index, response in enumerate(self.responses)}
        pairs = {pair for ballot in ballots for pair in ballot.selected}
        fates: dict[IdPair, str | None] = {}
        for pair in sorted(pairs, key=lambda pair: (position[pair[0]], position[pair[1]])):
            voters = [ballot for ballot in ballots if ballot.covers(*pair)]
            support = [ballot for ballot in voters if pair in ballot.selected]
            margin = _mean([ballot.margin_of(pair) for ballot in support])
            fates[pair] = (
                _why_outvoted(pair, len(support), voters) or self.why_no_pair(pair) or self._why_no_margin(margin)
            )
            if fates[pair] is None:
                yield self._pair(pair, path, "majority", margin, len(support), len(voters))
        for ballot in ballots:
            self._count(ballot, fates)

    def why_no_pair(self, pair: IdPair) -> str | None:
        """The reason why these two responses cannot be set against each other, or None."""
        chosen, rejected = self.responses[pair[0]], self.responses[pair[1]]
        if not self.media and (has_media(chosen.content) or has_media(rejected.content)):
            return "media_in_text_format"
        if not chosen.content or not rejected.content:
            return "empty_response"
        if same_content(chosen, rejected):
            return "identical_responses"
        return None

    def _why_no_margin(self, margin: float | None) -> str | None:
        return "missing_margin" if self.options.margin != "none" and margin is None else None

    def _count(self, ballot: Ballot, fates: dict[IdPair, str | None]) -> None:
        """Count a vote once: exported if any of its pairs was, else dropped under the reason of its first pair."""
        if not ballot.selected:
            return
        reasons = [reason for pair in ballot.selected if (reason := fates[pair]) is not None]
        for reason in reasons:
            self.accounting.drop_pair(reason)
        if len(reasons) < len(ballot.selected):
            self.accounting.votes_exported += 1
        else:
            self.accounting.drop(reasons[0])

    def _pair(self, pair: IdPair, path: IdPath, annotator: str, margin: float | None, votes: int, voters: int) -> Pair:
        self.seen[*pair, annotator] += 1
        return Pair(
            task=self.task.id,
            prompt=self.prompt.id,
            messages=self.conversation(path),
            chosen=self.responses[pair[0]],
            rejected=self.responses[pair[1]],
            annotator=annotator,
            margin=margin if self.options.margin != "none" else None,
            votes=votes,
            voters=voters,
            occurrence=self.seen[*pair, annotator],
            metadata=self.task.metadata,
        )


def _mean(margins: list[float | None]) -> float | None:
    known = [margin for margin in margins if margin is not None]
    return sum(known) / len(known) if known else None


def _why_outvoted(pair: IdPair, support: int, voters: list[Ballot]) -> str | None:
    """None when more than half of the voters support `pair`; "minority" when more than half say otherwise."""
    if 2 * support > len(voters):
        return None
    against = sum((pair[1], pair[0]) in ballot.selected for ballot in voters)
    equal = sum(ballot.ties(*pair) for ballot in voters)
    return "minority" if 2 * max(against, equal) > len(voters) else "no_majority"
