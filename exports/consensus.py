"""What several votes on the same two responses come to: a majority, the three closest, or shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from exports.ballots import Ballot, IdPair
from exports.margins import mean

CLOSEST = 3
WIDEST = 2
"""HelpSteer2 (Wang et al. 2024) keeps the three closest votes of up to five and drops what spreads wider than this."""


@dataclass(frozen=True)
class Ruling:
    """`pair` is (better, worse), or stands for both when `reason` says why there is no ruling.

    `margin` in steps of the scale. `votes` of `voters` support it; `share` is that of the better one. `parts`: index
    of each vote that took part, with the reason why it is not in the row even if there is one.
    """

    pair: IdPair
    reason: str | None
    margin: float | None
    votes: int
    voters: int
    share: float
    parts: Mapping[int, str | None]


def majority(ballots: Sequence[Ballot], first: str, second: str) -> Ruling:
    """More than half of those who judged the two. The margin is the mean of those who agree."""
    voters = [ballot for ballot in ballots if ballot.covers(first, second)]
    sides = {
        pair: [index for index, ballot in enumerate(ballots) if pair in ballot.selected]
        for pair in ((first, second), (second, first))
    }
    pair = max(sides, key=lambda side: len(sides[side]))
    equal = sum(ballot.ties(first, second) for ballot in voters)
    is_decided = 2 * len(sides[pair]) > len(voters)
    parts: dict[int, str | None] = {}
    for side, supporters in sides.items():
        against = max(len(sides[side[1], side[0]]), equal)
        outvoted = "minority" if 2 * against > len(voters) else "no_majority"
        parts |= dict.fromkeys(supporters, None if is_decided and side == pair else outvoted)
    margin = mean(ballots[index].margin_of(pair) for index in sides[pair])
    votes = len(sides[pair])
    share = (votes + equal / 2) / len(voters) if voters else 0.0
    return Ruling(pair, None if is_decided else "no_majority", margin, votes, len(voters), share, parts)


def closest_three(ballots: Sequence[Ballot], first: str, second: str) -> Ruling:
    """The rounded mean of the three strengths that lie closest together, ties being 0.

    Votes that call all responses bad have no strength here, as in HelpSteer2. Fewer than three votes are all used.
    """
    strengths = {index: _strength(ballot, first, second) for index, ballot in enumerate(ballots)}
    known = {index: strength for index, strength in strengths.items() if strength is not None}
    unknown = [index for index, each in strengths.items() if each is None and ballots[index].covers(first, second)]
    parts: dict[int, str | None] = {
        index: "missing_margin" for index in unknown if ballots[index].annotation.outcome != "all_bad"
    }
    if not known:
        return Ruling((first, second), "missing_margin", None, 0, 0, 0.0, parts)
    kept = closest(known)
    if not kept:
        return Ruling((first, second), "no_majority", None, 0, len(known), 0.5, parts | dict.fromkeys(known))
    parts |= {index: None if index in kept else "outlier" for index in known}
    values = [known[index] for index in kept]
    middle = sum(values) / len(values)
    margin = math.floor(abs(middle) + 0.5)
    reason = "spread_too_wide" if max(values) - min(values) > WIDEST else None if margin else "no_preference"
    pair = (first, second) if middle > 0 else (second, first)
    votes = sum(value * middle > 0 for value in values)
    share = (votes + values.count(0) / 2) / len(values)
    return Ruling(pair, reason, float(margin), votes, len(known), share, parts)


def closest(values: Mapping[int, float]) -> list[int]:
    """The keys of the three values that lie closest together, of fewer all.

    Of several such threes the one nearest to the mean of all values, then the one nearest to 0. None at all when two
    of them still say the opposite: the order of the responses must not decide.
    """
    order = sorted(values, key=lambda key: (values[key], key))
    size = min(CLOSEST, len(order))
    overall = sum(values.values()) / len(values)

    def badness(start: int) -> tuple[float, float, float]:
        window = [values[key] for key in order[start : start + size]]
        middle = sum(window) / size
        return max(window) - min(window), abs(middle - overall), abs(middle)

    least = min(badness(start) for start in range(len(order) - size + 1))
    windows = [order[start : start + size] for start in range(len(order) - size + 1) if badness(start) == least]
    middles = {sum(values[key] for key in window) / size for window in windows}
    return sorted(windows[0]) if len(middles) == 1 else []


def soft(ballots: Sequence[Ballot], first: str, second: str) -> Ruling:
    """The share of the votes for the better one, where ties and "all bad" are half a vote for each."""
    voters = {index: ballot for index, ballot in enumerate(ballots) if ballot.covers(first, second)}
    wins = {
        pair: sum(ballot.prefers(*pair) for ballot in voters.values()) for pair in ((first, second), (second, first))
    }
    pair = max(wins, key=lambda side: wins[side])
    equal = len(voters) - sum(wins.values())
    share = (wins[pair] + equal / 2) / len(voters) if voters else 0.5
    margin = mean(ballot.margin_of(pair) for ballot in voters.values() if ballot.prefers(*pair))
    reason = None if 2 * share > 1 else "no_majority"
    return Ruling(pair, reason, margin, wins[pair], len(voters), share, dict.fromkeys(voters))


RULINGS: Mapping[str, Callable[[Sequence[Ballot], str, str], Ruling]] = {
    "majority": majority,
    "closest_three": closest_three,
    "soft": soft,
}
"""By the name of the option `consensus`, except "each"."""


def _strength(ballot: Ballot, first: str, second: str) -> float | None:
    """In steps, more than 0 where the first one is better; None where the vote does not say how much."""
    if ballot.annotation.outcome == "all_bad" or not ballot.covers(first, second):
        return None
    if ballot.ties(first, second):
        return 0.0
    better = ballot.prefers(first, second)
    margin = ballot.margin_of((first, second) if better else (second, first))
    return None if margin is None else margin if better else -margin
