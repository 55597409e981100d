"""Acceptance sampling: how many judgements of a lot must be reviewed before it may pass or has to go back.

A lot holds ``size`` judgements. After a look at ``n`` of them, drawn at random, with ``d`` defects among them, the lot
passes when the upper bound on its defect rate is not above the limit. Else the sample grows to the size at which ``d``
defects would pass. More than ``most`` defects send the lot back. Since a lot is looked at up to ``most + 1`` times,
each look uses a smaller risk than the plan's, chosen so that a lot at the limit passes with at most the plan's risk:
exactly, for draws without replacement.

No library is needed: counts of defects are hypergeometric, and their probabilities are quotients of binomials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, lgamma, log, log1p

ACCEPT, ENLARGE, RETURN = "accept", "enlarge", "return"
HALVINGS = 60  # of an interval: more than a double can tell apart


def hypergeometric(defects: int, size: int, bad: int, drawn: int) -> float:
    """Return the probability of so many ``defects`` among ``drawn`` of ``size``, ``bad`` of which are defective."""
    if not max(0, drawn - (size - bad)) <= defects <= min(bad, drawn):
        return 0.0
    return exp(_log_comb(bad, defects) + _log_comb(size - bad, drawn - defects) - _log_comb(size, drawn))


def at_most(defects: int, size: int, bad: int, drawn: int) -> float:
    """Return the probability of ``defects`` or fewer."""
    return min(1.0, sum(hypergeometric(each, size, bad, drawn) for each in range(defects + 1)))


def _log_comb(n: int, k: int) -> float:
    return log(comb(n, k)) if n < 400 else lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def clopper_pearson(defects: int, drawn: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact two-sided interval of a rate, for a lot that is large against the sample."""
    if not drawn:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if not defects else _root(lambda p: 1 - _binomial_at_most(defects - 1, drawn, p) - tail)
    high = 1.0 if defects == drawn else _root(lambda p: tail - _binomial_at_most(defects, drawn, p))
    return low, high


def upper_bound(defects: int, drawn: int, confidence: float) -> float:
    """Return the one-sided upper bound on a rate after Clopper and Pearson."""
    return 1.0 if defects >= drawn else _root(lambda p: (1 - confidence) - _binomial_at_most(defects, drawn, p))


def _binomial_at_most(defects: int, drawn: int, rate: float) -> float:
    if rate in {0.0, 1.0}:
        return 1.0 if rate == 0.0 or defects >= drawn else 0.0
    logs = (_log_comb(drawn, k) + k * log(rate) + (drawn - k) * log1p(-rate) for k in range(defects + 1))
    return sum(exp(each) for each in logs)


def _root(rising: Callable[[float], float]) -> float:
    """Return where a rising function of 0…1 is zero."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def bound_in_lot(defects: int, drawn: int, size: int, risk: float) -> float:
    """Return the upper bound on the defect rate of a lot of ``size``: exact, draws without replacement."""
    low, high = defects, size - (drawn - defects)  # possible numbers of defects in the lot
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if at_most(defects, size, middle, drawn) > risk else (low, middle - 1)
    return low / size if size else 0.0


@dataclass(frozen=True)
class Plan:
    """``samples[d]``: how many must be looked at to pass with ``d`` defects. The last one is the most ever needed."""

    size: int
    limit: float
    risk: float
    samples: tuple[int, ...]

    @property
    def most(self) -> int:
        """How many defects can still pass."""
        return len(self.samples) - 1

    def decide(self, reviewed: int, defects: int) -> tuple[str, int]:
        """Return what becomes of the lot, and how many have to be looked at altogether for that."""
        if defects > self.most:
            return RETURN, reviewed
        needed = self.samples[defects]
        return (ACCEPT, reviewed) if reviewed >= needed else (ENLARGE, needed)

    def run(self, defective: Sequence[bool]) -> tuple[str, int]:
        """Return the decision about a lot whose items come in random order, and how many were looked at."""
        reviewed = 0
        while True:
            decision, needed = self.decide(reviewed, sum(defective[:reviewed]))
            if decision != ENLARGE:
                return decision, reviewed
            reviewed = needed

    def outcomes(self, bad: int) -> tuple[float, float]:
        """Return the probability that a lot with ``bad`` defects passes, and how many are looked at on average."""
        return _outcomes(self.samples, self.size, bad)

    def curve(self, rates: Sequence[float]) -> list[tuple[float, float, float]]:
        """Return (rate, probability to pass, reviews on average): the operating-characteristic curve."""
        return [(rate, *self.outcomes(round(rate * self.size))) for rate in rates]


def _outcomes(samples: Sequence[int], size: int, bad: int) -> tuple[float, float]:
    passed, looked = 0.0, 0.0
    # Sample size that is looked at next, to (looked at so far, defects so far, probability of that).
    waiting: dict[int, list[tuple[int, int, float]]] = {samples[0]: [(0, 0, 1.0)]}
    while waiting:
        target = min(waiting)
        for reviewed, found, chance in waiting.pop(target):
            for more in range(min(bad - found, target - reviewed) + 1):
                each = chance * hypergeometric(more, size - reviewed, bad - found, target - reviewed)
                total = found + more
                if total < len(samples) and samples[total] > target:
                    waiting.setdefault(samples[total], []).append((target, total, each))
                else:
                    looked += each * target
                    passed += each if total < len(samples) else 0.0
    return passed, looked


def _samples(size: int, limit: float, risk: float, most: int) -> tuple[int, ...]:
    found: list[int] = []
    drawn = 1
    for defects in range(most + 1):
        while drawn < size and bound_in_lot(defects, drawn, size, risk) > limit:
            drawn += 1
        if bound_in_lot(defects, drawn, size, risk) > limit:
            break
        found.append(drawn)
    return tuple(found)


@lru_cache(maxsize=256)
def plan_for(size: int, limit: float, risk: float, most: int) -> Plan:
    """Return the plan for a lot: a lot with more than ``limit`` defects passes with at most ``risk``.

    Even one defect may be too many for a very small lot; it is then looked at as a whole.
    """
    bad = min(size, int(limit * size + 1e-9) + 1)  # the best of the lots that must not pass
    low, high = 0.0, risk  # of one look
    best = _samples(size, limit, risk, most) or (size,)
    if _outcomes(best, size, bad)[0] <= risk:
        return Plan(size, limit, risk, best)
    best = (size,)
    for _ in range(12):
        middle = (low + high) / 2
        samples = _samples(size, limit, middle, most) or (size,)
        if _outcomes(samples, size, bad)[0] <= risk:
            low, best = middle, samples
        else:
            high = middle
    return Plan(size, limit, risk, best)
