"""From ranks to groups, and from groups to the winner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.judgement import outcome_of_ranking, ranking_from_ranks


@pytest.mark.parametrize(
    ("ranks", "ranking", "outcome"),
    [
        ({}, (), ("", None)),
        ({"a": 1}, (("a",),), ("winner", "a")),
        ({"a": 2, "b": 1}, (("b",), ("a",)), ("winner", "b")),
        ({"a": 1, "b": 1, "c": 9}, (("a", "b"), ("c",)), ("tie", None)),
        ({"a": 7, "b": 3, "c": 3}, (("b", "c"), ("a",)), ("tie", None)),
        ({"a": 4, "b": 4}, (("a", "b"),), ("tie", None)),
    ],
)
def test_ranks_become_groups_and_the_single_first_wins(
    ranks: dict[str, int], ranking: tuple[tuple[str, ...], ...], outcome: tuple[str, str | None]
) -> None:
    assert ranking_from_ranks(ranks) == ranking
    assert outcome_of_ranking(ranking) == outcome


@given(st.dictionaries(st.sampled_from("abcdefghi"), st.integers(-9999, 9999), min_size=1))
def test_a_ranking_keeps_every_response_and_its_order(ranks: dict[str, int]) -> None:
    ranking = ranking_from_ranks(ranks)
    place = {response: index for index, group in enumerate(ranking) for response in group}

    assert set(place) == set(ranks)
    assert all((place[a] < place[b]) == (ranks[a] < ranks[b]) for a in ranks for b in ranks)
