from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.ballots import ballot_of, select, why_no_vote
from exports.options import ExportOptions
from exports.records import AnnotationRecord
from tests.unit.exports.samples import says, wins

GROUPS = [["a"], ["b", "c"], ["d"]]


def joined(pairs: object) -> list[str]:
    return ["".join(pair) for pair in pairs]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("mode", "pairs"),
    [
        ("all", ["ab", "ac", "ad", "bd", "cd"]),
        ("best_vs_rest", ["ab", "ac", "ad"]),
        ("best_vs_worst", ["ad"]),
        ("adjacent", ["ab", "ac", "bd", "cd"]),
    ],
)
def test_select_pairs_up_the_groups_of_the_mode(mode: str, pairs: list[str]) -> None:
    assert joined(select(GROUPS, mode)) == pairs


@pytest.mark.parametrize("mode", ["all", "best_vs_rest", "best_vs_worst", "adjacent"])
def test_select_gives_nothing_for_one_group(mode: str) -> None:
    assert list(select([["a", "b"]], mode)) == []


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_all_pairs_are_n_choose_2_less_those_inside_groups(sizes: list[int]) -> None:
    groups = [[f"{number}.{index}" for index in range(size)] for number, size in enumerate(sizes)]
    expected = comb(sum(sizes), 2) - sum(comb(size, 2) for size in sizes)
    assert len(set(select(groups, "all"))) == expected


@pytest.mark.parametrize(
    ("vote", "reason"),
    [
        (wins("a"), None),
        (wins("a", state="returned"), "returned"),
        (says("cannot_judge", reason="unclear"), "cannot_judge"),
        (says("all_bad"), None),
        (says("tie", margin=0), None),
        (wins("z"), "contradiction"),
        (wins("a", margin=-1), "contradiction"),
        (wins("a", ranking=[["b"], ["a"]]), "contradiction"),
        (wins("a", ranking=[["a", "b"], ["c"]]), "contradiction"),
        (wins("a", ranking=[["a"], ["a"]]), "contradiction"),
        (wins("a", ranking=[["a"], ["z"]]), "contradiction"),
        (says("tie", winner="a"), "contradiction"),
        (says("tie", margin=2), "contradiction"),
        (says("tie", ranking=[["a"], ["b"]]), "contradiction"),
        (says("tie", ranking=[["a", "b"], ["c"]]), None),
    ],
)
def test_why_no_vote(vote: AnnotationRecord, reason: str | None) -> None:
    assert why_no_vote(vote, "abc", ExportOptions()) == reason


def test_returned_vote_is_one_when_included() -> None:
    assert why_no_vote(wins("a", state="returned"), "ab", ExportOptions(include_returned=True)) is None


def test_prompt_with_one_response_has_nothing_to_compare() -> None:
    assert why_no_vote(wins("a"), "a", ExportOptions()) == "single_response"


def test_winner_alone_beats_all_others_and_says_nothing_about_them() -> None:
    ballot = ballot_of(wins("b"), "abc", "all")
    assert joined(ballot.selected) == ["ba", "bc"]
    assert (ballot.covers("a", "c"), ballot.covers("a", "b"), ballot.ties("a", "c")) == (False, True, False)


@pytest.mark.parametrize("ranking", [[["b"]], [[], ["b"], []]])
def test_ranking_that_only_names_the_winner_is_a_winner_alone(ranking: list[list[str]]) -> None:
    assert joined(ballot_of(wins("b", ranking=ranking), "abc", "all").selected) == ["ba", "bc"]


@pytest.mark.parametrize("mode", ["all", "best_vs_rest", "best_vs_worst", "adjacent"])
def test_winner_of_two_is_one_pair_in_every_mode(mode: str) -> None:
    assert joined(ballot_of(wins("b"), "ab", mode).selected) == ["ba"]


@pytest.mark.parametrize(
    "vote", [says("tie"), says("all_bad"), says("tie", ranking=[["a", "b"]]), says("tie", ranking=[[]])]
)
def test_vote_without_a_direction_gives_no_pair_and_ties_all(vote: AnnotationRecord) -> None:
    ballot = ballot_of(vote, "ab", "best_vs_rest")
    assert (ballot.selected, ballot.no_pairs, ballot.ties("a", "b")) == ([], vote.outcome, True)


def test_tie_at_the_top_still_ranks_the_rest() -> None:
    assert joined(ballot_of(says("tie", ranking=[["a", "b"], ["c"]]), "abc", "all").selected) == ["ac", "bc"]


def test_unranked_response_is_not_covered() -> None:
    ballot = ballot_of(wins("a", ranking=[["a"], ["b"]]), "abc", "all")
    assert (ballot.covers("a", "b"), ballot.covers("b", "c")) == (True, False)


def test_margin_belongs_to_winner_against_runner_up() -> None:
    ballot = ballot_of(wins("a", margin=2, ranking=[["a"], ["b", "c"], ["d"]]), "abcd", "all")
    assert [ballot.margin_of(pair) for pair in ballot.selected] == [2.0, 2.0, None, None, None]


@pytest.mark.parametrize(("ids", "margin"), [("ab", 3.0), ("abc", None)])
def test_margin_of_a_winner_alone_is_known_for_two_responses_only(ids: str, margin: float | None) -> None:
    assert ballot_of(wins("a", margin=3), ids, "all").margin_of(("a", "b")) == margin
