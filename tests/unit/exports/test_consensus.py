from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.accounting import Accounting
from exports.consensus import closest
from exports.conversation import TEXT
from exports.options import ExportOptions
from exports.pairs import Pair, pairs_of
from exports.records import AnnotationRecord
from tests.unit.exports.samples import prompt, says, task, wins


def agreed(*votes: AnnotationRecord, ids: str = "ab", **options: Any) -> tuple[list[Pair], Accounting]:
    accounting = Accounting()
    pairs = list(pairs_of(task(prompt(*votes, ids=ids)), ExportOptions(**options), accounting, TEXT))
    accounting.check()
    return pairs, accounting


def strengths(*steps: int) -> list[AnnotationRecord]:
    """A vote for each: above 0 for a, below for b, 0 for a tie."""
    votes = enumerate(steps)
    return [
        wins("a" if step > 0 else "b", by=f"p{index}", margin=abs(step)) if step else says("tie", by=f"p{index}")
        for index, step in votes
    ]


@pytest.mark.parametrize(
    ("steps", "chosen", "margin", "kept"),
    [
        ([2, 2, 3, -3, -3], "a", 2, 3),
        ([1, 1, 2], "a", 1, 3),
        ([3], "a", 3, 1),
        ([1, 2], "a", 2, 2),
        ([-1, -2], "b", 2, 2),
        ([2, 1, 0], "a", 1, 3),
        ([-3, -2, -2, 0, 3], "b", 2, 3),
    ],
)
def test_closest_three_write_the_rounded_mean_of_what_lies_together(
    steps: list[int], chosen: str, margin: float, kept: int
) -> None:
    (pair,), accounting = agreed(*strengths(*steps), consensus="closest_three", margin="absolute")
    assert (pair.chosen.id, pair.margin, pair.annotator) == (chosen, margin, "closest_three")
    assert accounting.votes_exported == kept
    assert accounting.drops == ({"outlier": len(steps) - kept} if len(steps) > kept else {})


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([3, 0, -1], "spread_too_wide"),
        ([1, 0, -1], "no_preference"),
        ([0, 0, 0], None),
        ([2, 2, 2, -2, -2, -2], "no_majority"),
    ],
)
def test_closest_three_write_nothing_without_a_common_preference(steps: list[int], reason: str | None) -> None:
    pairs, accounting = agreed(*strengths(*steps), consensus="closest_three")
    assert (pairs, accounting.drops) == ([], {reason or "tie": len(steps)})


def test_closest_three_need_strengths() -> None:
    votes = (wins("a", margin=2), wins("b", by="bob"), says("all_bad", by="cy"))
    pairs, accounting = agreed(*votes, consensus="closest_three")
    assert [(pair.id, pair.votes, pair.voters) for pair in pairs] == [("t:p:a:b:closest_three", 1, 1)]
    assert accounting.drops == {"missing_margin": 1, "all_bad": 1}


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_closest_three_do_not_depend_on_the_order_of_responses_or_votes(steps: list[int]) -> None:
    def chosen(numbers: list[int]) -> list[tuple[str, float | None]]:
        pairs, _ = agreed(*strengths(*numbers), consensus="closest_three", margin="absolute")
        return [(pair.chosen.id, pair.margin) for pair in pairs]

    swapped = [({"a": "b", "b": "a"}[name], margin) for name, margin in chosen([-step for step in steps])]
    assert chosen(steps) == swapped == chosen(steps[::-1])


def test_closest_are_those_with_the_smallest_spread() -> None:
    assert closest({0: -3, 1: 1, 2: 1, 3: 3, 4: 2}) == [1, 2, 4]
    assert closest({0: 1}) == [0]
    assert closest({0: 1, 1: 2, 2: 3, 3: 4, 4: 5}) == [1, 2, 3]


def test_soft_labels_count_ties_and_all_bad_as_half_a_vote() -> None:
    votes = (wins("a"), wins("a", by="bob"), says("tie", by="cy"), says("all_bad", by="dee"), wins("b", by="eve"))
    (pair,), accounting = agreed(*votes, consensus="soft")
    assert (pair.id, pair.share, pair.votes, pair.voters) == ("t:p:a:b:soft", 0.6, 2, 5)
    assert (accounting.votes_exported, accounting.drops) == (5, {})


def test_soft_label_of_one_half_is_no_preference() -> None:
    pairs, accounting = agreed(wins("a"), wins("b", by="bob"), consensus="soft")
    assert (pairs, accounting.drops) == ([], {"no_majority": 2})


@pytest.mark.parametrize("consensus", ["each", "majority", "closest_three", "soft"])
def test_adjudication_stands_for_its_prompt_when_preferred(consensus: str) -> None:
    votes = (wins("a"), wins("a", by="bob"), wins("b", by="rev", kind="adjudication"), says("tie", by="cy"))
    (pair,), accounting = agreed(*votes, consensus=consensus, adjudications="prefer", min_votes=3, min_agreement=1.0)
    assert pair.id == "t:p:b:a:rev"
    assert accounting == Accounting(votes_in=3, adjudications=1, adjudications_exported=1, drops={"adjudicated": 3})


def test_last_adjudication_stands_and_one_that_contradicts_itself_does_not() -> None:
    first, last = (wins(winner, by="rev", kind="adjudication") for winner in "ab")
    assert [pair.id for pair in agreed(first, last, adjudications="prefer")[0]] == ["t:p:b:a:rev"]
    nonsense = wins("z", by="rev", kind="adjudication")
    pairs, accounting = agreed(wins("a"), nonsense, adjudications="prefer")
    assert [pair.id for pair in pairs] == ["t:p:a:b:ann"]
    assert (accounting.adjudications, accounting.adjudications_exported) == (1, 0)


def test_adjudication_that_could_not_be_judged_leaves_its_prompt_out() -> None:
    final = says("cannot_judge", by="rev", kind="adjudication")
    pairs, accounting = agreed(wins("a"), final, adjudications="prefer")
    assert (pairs, accounting.drops) == ([], {"adjudicated": 1})


def test_prompts_with_too_few_votes_are_left_out_whole() -> None:
    pairs, accounting = agreed(wins("a"), says("tie", by="bob"), says("cannot_judge", by="cy"), min_votes=3)
    assert (pairs, accounting.drops) == ([], {"too_few_votes": 2, "cannot_judge": 1})
    assert len(agreed(wins("a"), says("tie", by="bob"), min_votes=2)[0]) == 1


def test_prompts_on_which_people_disagree_are_left_out_whole() -> None:
    votes = (wins("a"), wins("a", by="bob"), wins("b", by="cy"))
    assert len(agreed(*votes, min_agreement=0.67)[0]) == 3
    pairs, accounting = agreed(*votes, min_agreement=0.68)
    assert (pairs, accounting.drops) == ([], {"low_agreement": 3})


def test_work_of_suspended_members_is_left_out_when_asked() -> None:
    vote = wins("a", suspended=True)
    assert len(agreed(vote)[0]) == 1
    pairs, accounting = agreed(vote, include_suspended=False)
    assert (pairs, accounting.drops) == ([], {"suspended": 1})
