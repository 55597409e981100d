"""The order of responses: every response stands in every place equally often, and nobody can guess it."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.display import display_order

# Chi-square, 0.999 quantile, by degrees of freedom (number of responses − 1).
QUANTILE = {1: 10.83, 2: 13.82, 4: 18.47, 8: 26.12}
ids = st.lists(st.integers(1, 2**62), min_size=2, max_size=9, unique=True)


@given(ids, st.text(), st.integers(0, 10_000))
def test_every_response_is_shown_once(response_ids: list[int], seed: str, turn: int) -> None:
    assert sorted(display_order(response_ids, seed, turn)) == sorted(response_ids)


@given(ids, st.text(), st.integers(0, 1000))
def test_over_n_showings_each_response_stands_in_each_place_once(response_ids: list[int], seed: str, rnd: int) -> None:
    n = len(response_ids)
    orders = [display_order(response_ids, seed, rnd * n + turn) for turn in range(n)]

    assert [sorted(place) for place in zip(*orders, strict=True)] == [sorted(response_ids)] * n


@given(ids, st.text(), st.integers(0, 1000))
def test_the_order_does_not_depend_on_how_the_ids_came(response_ids: list[int], seed: str, turn: int) -> None:
    assert display_order(response_ids[::-1], seed, turn) == display_order(response_ids, seed, turn)


@given(st.lists(st.integers(1, 2**62), min_size=2, max_size=2, unique=True), st.text(), st.integers(0, 1000))
def test_two_responses_swap_sides_at_each_showing(pair: list[int], seed: str, turn: int) -> None:
    assert display_order(pair, seed, turn + 1) == display_order(pair, seed, turn)[::-1]


@pytest.mark.parametrize("n", range(3, 10))
def test_two_rounds_show_each_pair_in_both_orders_equally_often(n: int) -> None:
    before: Counter[tuple[int, int]] = Counter()
    for turn in range(2 * n):
        before.update(itertools.combinations(display_order(list(range(n)), "seed", turn), 2))

    assert set(before.values()) == {n}


@pytest.mark.parametrize("n", [2, 3, 5, 9])
@pytest.mark.parametrize("turn", [0, 1, 7])
def test_over_many_tasks_each_response_comes_first_about_equally_often(n: int, turn: int) -> None:
    first = Counter(display_order(list(range(n)), f"task-{task}:{task}", turn)[0] for task in range(3000))
    expected = 3000 / n

    assert sum((first[pk] - expected) ** 2 / expected for pk in range(n)) < QUANTILE[n - 1]


def test_another_seed_gives_another_order() -> None:
    orders = {tuple(display_order([1, 2, 3, 4, 5], f"task-{n}", 0)) for n in range(200)}

    assert len(orders) > 80  # of 120


def test_the_same_question_gives_the_same_order() -> None:
    assert display_order([4, 5, 6], "a:1", 3) == display_order([4, 5, 6], "a:1", 3)
