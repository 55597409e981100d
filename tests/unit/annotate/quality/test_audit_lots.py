"""Acceptance sampling against published values and against chance itself."""

import random
from math import isclose

import pytest

from annotate.quality.audit_lots import (
    ACCEPT,
    ENLARGE,
    RETURN,
    at_most,
    bound_in_lot,
    clopper_pearson,
    hypergeometric,
    plan_for,
    upper_bound,
)


@pytest.mark.parametrize(
    ("defects", "drawn", "low", "high"),
    [
        # Brown, Cai and DasGupta's and R's binom.test: exact 95 % intervals.
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (4, 20, 0.0573, 0.4366),
        (10, 10, 0.6915, 1.0),
        (81, 263, 0.2527, 0.3676),
    ],
)
def test_the_interval_is_that_of_clopper_and_pearson(defects: int, drawn: int, low: float, high: float) -> None:
    found = clopper_pearson(defects, drawn)

    assert found == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_nothing_drawn_says_nothing() -> None:
    assert clopper_pearson(0, 0) == (0.0, 1.0)


def test_no_defects_among_22_bound_the_rate_at_ten_per_cent() -> None:
    # 1 - 0.1 ** (1 / 22): the smallest sample without defects that shows less than 10 % with 90 % confidence.
    assert upper_bound(0, 22, 0.9) == pytest.approx(1 - 0.1 ** (1 / 22))
    assert upper_bound(0, 21, 0.9) > 0.1 > upper_bound(0, 22, 0.9)


def test_draws_without_replacement() -> None:
    # Two aces in a hand of five cards: 4C2 · 48C3 / 52C5.
    assert hypergeometric(2, 52, 4, 5) == pytest.approx(0.039930, abs=1e-6)
    assert hypergeometric(6, 52, 4, 5) == 0.0
    assert isclose(at_most(4, 52, 4, 5), 1.0)


def test_the_bound_of_a_lot_is_known_when_all_was_seen() -> None:
    assert bound_in_lot(3, 30, 30, 0.1) == pytest.approx(0.1)
    assert bound_in_lot(0, 10, 1000, 0.1) == pytest.approx(upper_bound(0, 10, 0.9), abs=0.003)


def test_a_plan_accepts_enlarges_or_returns() -> None:
    plan = plan_for(200, 0.1, 0.1, 3)
    first, second = plan.samples[:2]

    assert plan.decide(first, 0) == (ACCEPT, first)
    assert plan.decide(first - 1, 0) == (ENLARGE, first)
    assert plan.decide(first, 1) == (ENLARGE, second)
    assert plan.decide(second, 1) == (ACCEPT, second)
    assert plan.decide(first, 4) == (RETURN, first)


@pytest.mark.parametrize("size", [10, 57, 200, 1000])
def test_a_lot_beyond_the_limit_passes_with_no_more_than_the_risk(size: int) -> None:
    plan = plan_for(size, 0.1, 0.1, 3)

    for bad in range(int(0.1 * size) + 1, min(size, int(0.2 * size) + 2)):
        assert plan.outcomes(bad)[0] <= 0.1 + 1e-9


def test_the_curve_falls() -> None:
    passes = [chance for _, chance, _ in plan_for(300, 0.1, 0.1, 3).curve([0, 0.02, 0.05, 0.1, 0.2])]

    assert passes[0] == pytest.approx(1.0)
    assert passes == sorted(passes, reverse=True)


def test_the_curve_is_what_happens() -> None:
    plan, chance = plan_for(200, 0.1, 0.1, 3), random.Random(5)
    lot = [True] * 10 + [False] * 190
    runs = 4000
    accepted = looked = 0
    for _ in range(runs):
        chance.shuffle(lot)
        decision, reviewed = plan.run(lot)
        accepted += decision == ACCEPT
        looked += reviewed
    expected, average = plan.outcomes(10)

    assert accepted / runs == pytest.approx(expected, abs=4 * (expected * (1 - expected) / runs) ** 0.5)
    assert looked / runs == pytest.approx(average, abs=1.0)


def test_tiny_lots_are_looked_at_whole() -> None:
    assert plan_for(1, 0.1, 0.1, 3).samples == (1,)
    assert plan_for(1, 0.1, 0.1, 3).decide(1, 1) == (RETURN, 1)
