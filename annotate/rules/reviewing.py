"""Which judgements reviewers are shown, and why. Reasons are signals with their numbers; they never decide anything."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz

WORDS_PER_SECOND = 15  # nobody reads faster, skimming included
SIMILAR_SHARE = 90  # per cent of two reasons that say the same
SIMILAR_LENGTH = 40  # shorter reasons are alike by nature
PASTED_SHARE = 80  # per cent of a reason
GOLD_LEAST, GOLD_SHARE = 5, 70  # known answers given, per cent of them right
RULES = ("coherence", "flags", "too_fast", "repeated", "pasted", "gold")
"""The rules that a project can switch on, beside the sample and what people ask for."""


@dataclass(frozen=True)
class Policy:
    """How a project chooses. Shares in per cent; ``rules`` out of ``RULES``."""

    share: int
    new_share: int
    new_count: int
    rules: Set[str]


@dataclass(frozen=True)
class Facts:
    """What is known about a judgement when it is submitted. ``None``: unknown.

    :param place: how many the person had submitted in this batch before.
    :param experience: how many in the project before.
    :param gold: (right, given) answers to tasks whose answer is known.
    """

    seed: str
    place: int
    experience: int
    justification: str = ""
    words: int = 0
    seconds: int | None = None
    pasted: int | None = None
    warnings: Set[str] = frozenset()
    flags: Set[str] = frozenset()
    own_similarity: int = 0
    other_similarity: int = 0
    gold: tuple[int, int] = (0, 0)
    was_returned: bool = False


@dataclass
class Found:
    """Why a judgement is to be reviewed, and the numbers that say so."""

    reasons: list[str] = field(default_factory=list)
    signals: dict[str, Any] = field(default_factory=dict)


def is_drawn(share: int, seed: str, place: int) -> bool:
    """Say whether the ``place``-th judgement (0, 1, …) of a person in a batch belongs to the sample.

    One of each 100/share in a row is drawn, which one the seed decides: the share holds for each person and batch, and
    nobody can tell in advance.
    """
    if share <= 0:
        return False
    stride = max(100 / share, 1.0)
    block = int((place + 1e-9) / stride)
    while _start(block + 1, stride) <= place:
        block += 1
    first, end = _start(block, stride), _start(block + 1, stride)
    digest = hashlib.sha256(f"{seed}:{block}".encode()).digest()
    return place == first + int.from_bytes(digest[:8]) % max(end - first, 1)


def _start(block: int, stride: float) -> int:
    return int(block * stride + 1e-9)


def why_reviewed(facts: Facts, policy: Policy) -> Found:
    """Return why reviewers are shown the judgement; no reasons when they are not."""
    found = Found(signals=signals_of(facts))
    if facts.was_returned:
        found.reasons.append("mended")
    found.reasons += _sample(facts, policy)
    if facts.warnings and "coherence" in policy.rules:
        found.reasons.append("coherence")
    if facts.flags and "flags" in policy.rules:
        found.reasons.append("flags")
    signals = found.signals
    if "too_fast" in policy.rules and signals.get("too_fast"):
        found.reasons.append("too_fast")
    if "repeated" in policy.rules and max(facts.own_similarity, facts.other_similarity) >= SIMILAR_SHARE:
        found.reasons.append("repeated")
    if "pasted" in policy.rules and signals.get("pasted_share", 0) >= PASTED_SHARE:
        found.reasons.append("pasted")
    right, given = facts.gold
    if "gold" in policy.rules and given >= GOLD_LEAST and 100 * right < GOLD_SHARE * given:
        found.reasons.append("gold")
    return found


def _sample(facts: Facts, policy: Policy) -> list[str]:
    if policy.share >= 100:
        return ["all"]
    if facts.experience < policy.new_count and policy.new_share > policy.share:
        return ["newcomer"] if is_drawn(policy.new_share, facts.seed, facts.place) else []
    return ["sample"] if is_drawn(policy.share, facts.seed, facts.place) else []


def signals_of(facts: Facts) -> dict[str, Any]:
    """Return the numbers that are worth showing."""
    signals: dict[str, Any] = {}
    if facts.seconds is not None and facts.words:
        least = facts.words / WORDS_PER_SECOND
        signals |= {"seconds": facts.seconds, "words": facts.words, "too_fast": facts.seconds < least}
    if facts.pasted is not None and len(facts.justification) >= SIMILAR_LENGTH:
        signals["pasted_share"] = min(100, round(100 * facts.pasted / len(facts.justification)))
    if facts.own_similarity:
        signals["own_similarity"] = facts.own_similarity
    if facts.other_similarity:
        signals["other_similarity"] = facts.other_similarity
    if facts.gold[1]:
        signals["gold"] = list(facts.gold)
    return signals


def is_comparable(text: str) -> bool:
    """Say whether a reason is long enough to be compared with others: short ones are alike by nature."""
    return len(_normal(text)) >= SIMILAR_LENGTH


def most_similar(text: str, others: Iterable[str]) -> int:
    """Return how much of the text the nearest of the others shares, in per cent; 0 for a short text."""
    if not is_comparable(text):
        return 0
    normal = _normal(text)
    return round(max((fuzz.ratio(normal, _normal(other)) for other in others), default=0))


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


# ---------------------------------------------------------------------------------------------------- disagreement
@dataclass(frozen=True)
class Said:
    """The part of a judgement that people can disagree on. ``ratings``: (dimension, response) to a number."""

    outcome: str
    winner: int | None
    margin: int | None
    ratings: Mapping[tuple[str, int | None], int] = field(default_factory=dict)


@dataclass(frozen=True)
class DisagreementRule:
    """What counts as a disagreement: spreads from that size on; 0 switches a spread off."""

    outcome: bool = True
    margin_spread: int = 0
    dimension_spread: int = 0


def disagreements(said: Sequence[Said], rule: DisagreementRule) -> list[str]:
    """Return what the judgements of one prompt disagree on: outcome, margin, keys of dimensions."""
    counted = [each for each in said if each.outcome != "cannot_judge"]
    if len(counted) < 2:
        return []
    about = []
    if rule.outcome and len({(each.outcome, each.winner) for each in counted}) > 1:
        about.append("outcome")
    if rule.margin_spread and _margin_spread(counted) >= rule.margin_spread:
        about.append("margin")
    if rule.dimension_spread:
        about += _wide_dimensions(counted, rule.dimension_spread)
    return about


def _margin_spread(said: Sequence[Said]) -> int:
    """On the line from the one response to the other: margins for different winners add up."""
    by_winner: dict[int | None, list[int]] = {}
    for each in said:
        if each.margin is not None:
            by_winner.setdefault(each.winner, []).append(each.margin)
    tops = sorted((max(margins) for winner, margins in by_winner.items() if winner is not None), reverse=True)
    if len(tops) > 1:
        return tops[0] + tops[1]
    every = [margin for margins in by_winner.values() for margin in margins]
    return max(every) - min(every) if every else 0


def _wide_dimensions(said: Sequence[Said], spread: int) -> list[str]:
    values: dict[tuple[str, int | None], list[int]] = {}
    for each in said:
        for cell, value in each.ratings.items():
            values.setdefault(cell, []).append(value)
    return sorted({key for (key, _), given in values.items() if max(given) - min(given) >= spread})
