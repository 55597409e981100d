"""One vote read as an order of response ids: which pairs it gives, how strong, and when it gives none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

import msgspec

from exports.options import ExportOptions
from exports.records import AnnotationRecord

IdPair = tuple[str, str]
"""(better, worse)"""


class Ballot(msgspec.Struct, frozen=True):
    """One usable vote. `groups`: response ids, best first, inner = tie, except that the losers of a vote that only
    names a winner are in no order. `selected`: the pairs it gives. `no_pairs`: its reason when it gives none.
    """

    annotation: AnnotationRecord
    groups: list[list[str]]
    selected: list[IdPair]
    no_pairs: str

    def covers(self, first: str, second: str) -> bool:
        """Whether the vote says anything about these two responses."""
        if self._only_winner():
            return self.annotation.winner in (first, second)
        judged = {response for group in self.groups for response in group}
        return first in judged and second in judged

    def ties(self, first: str, second: str) -> bool:
        """Whether the vote calls these two equal."""
        return self.covers(first, second) and any(first in group and second in group for group in self.groups)

    def prefers(self, better: str, worse: str) -> bool:
        """Whether the vote puts the one before the other."""
        if not self.covers(better, worse):
            return False
        place = {response: index for index, group in enumerate(self.groups) for response in group}
        return place[better] < place[worse]

    def margin_of(self, pair: IdPair) -> float | None:
        """The strength of this pair in steps of the scale, or None.

        The strength belongs to winner against runner-up and is never copied to other pairs. A vote that only names
        a winner among more than two does not say who the runner-up is.
        """
        if self.annotation.margin is None or self.annotation.outcome != "winner" or len(self.groups) < 2:
            return None
        if self._only_winner() and len(self.groups[1]) > 1:
            return None
        return float(self.annotation.margin) if pair[0] in self.groups[0] and pair[1] in self.groups[1] else None

    def _only_winner(self) -> bool:
        return self.annotation.outcome == "winner" and len(ranked_groups(self.annotation)) < 2


def ranked_groups(annotation: AnnotationRecord) -> list[list[str]]:
    """The ranking without empty groups."""
    return [list(group) for group in annotation.ranking if group]


def why_set_aside(annotation: AnnotationRecord, options: ExportOptions) -> str | None:
    """The reason why this annotation is not to be used whatever it says, or None."""
    if annotation.state == "returned" and not options.include_returned:
        return "returned"
    return "suspended" if annotation.suspended and not options.include_suspended else None


def why_no_vote(
    annotation: AnnotationRecord, ids: Sequence[str], options: ExportOptions, *, least: int = 2
) -> str | None:
    """The reason why this annotation takes no part at all, or None. `least`: how many responses it must be about."""
    if reason := why_set_aside(annotation, options):
        return reason
    if annotation.outcome == "cannot_judge":
        return "cannot_judge"
    if _contradicts_itself(annotation, ids):
        return "contradiction"
    return "single_response" if len(ids) < least else None


def why_too_weak(ballots: Sequence[Ballot], options: ExportOptions) -> str | None:
    """The reason why the votes of people who read the same are too few or too different, or None.

    The agreement is the share of the most common verdict (which winner, a tie, or all bad) in whole per cent, so that
    two of three are the 0.67 that people write for it.
    """
    if len(ballots) < options.min_votes:
        return "too_few_votes"
    if not options.min_agreement:
        return None
    verdicts = Counter((ballot.annotation.outcome, ballot.annotation.winner) for ballot in ballots)
    agreement = max(verdicts.values()) / len(ballots)
    return "low_agreement" if round(100 * agreement) < round(100 * options.min_agreement) else None


def _contradicts_itself(annotation: AnnotationRecord, ids: Sequence[str]) -> bool:
    groups = ranked_groups(annotation)
    ranked = [response for group in groups for response in group]
    if len(set(ranked)) != len(ranked) or not set(ranked) <= set(ids) or (annotation.margin or 0) < 0:
        return True
    best = groups[0] if groups else []
    if annotation.outcome == "winner":
        return annotation.winner not in ids or best not in ([], [annotation.winner])
    return annotation.winner is not None or bool(annotation.margin) or _names_a_tie_with_one(annotation, best)


def _names_a_tie_with_one(annotation: AnnotationRecord, best: list[str]) -> bool:
    """A tie whose ranking has one response alone at the top says two things at once."""
    return annotation.outcome == "tie" and len(best) == 1


def ballot_of(annotation: AnnotationRecord, ids: Sequence[str], ranking_pairs: str) -> Ballot:
    """Read a vote that `why_no_vote` has nothing against. `ranking_pairs`: see `ExportOptions`."""
    if annotation.outcome == "all_bad":
        return Ballot(annotation, [list(ids)], [], "all_bad")
    groups = ranked_groups(annotation)
    if annotation.outcome == "winner" and len(groups) < 2:
        groups = [[str(annotation.winner)], [response for response in ids if response != annotation.winner]]
    groups = groups or [list(ids)]
    return Ballot(annotation, groups, list(select(groups, ranking_pairs)), "tie")


def select(groups: Sequence[Sequence[str]], ranking_pairs: str) -> Iterator[IdPair]:
    """The pairs of a ranking: every better response against every worse one, of the groups that the mode pairs up.

    "all" gives C(n, 2) pairs less those inside a group.
    """
    if ranking_pairs == "best_vs_rest":
        steps = [(groups[0], worse) for worse in groups[1:]]
    elif ranking_pairs == "best_vs_worst":
        steps = [(groups[0], groups[-1])] if len(groups) > 1 else []
    elif ranking_pairs == "adjacent":
        steps = list(pairwise(groups))
    else:
        steps = list(combinations(groups, 2))
    for better, worse in steps:
        yield from product(better, worse)
