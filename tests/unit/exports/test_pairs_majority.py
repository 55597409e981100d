from __future__ import annotations

from typing import Any

import pytest

from exports.accounting import Accounting
from exports.conversation import TEXT
from exports.options import ExportOptions
from exports.pairs import Pair, pairs_of
from exports.records import AnnotationRecord
from tests.unit.exports.samples import prompt, response, says, task, wins


def majority(*votes: AnnotationRecord, ids: str = "ab", **options: Any) -> tuple[list[Pair], Accounting]:
    return of_task(task(prompt(*votes, ids=ids)), **options)


def of_task(record: Any, **options: Any) -> tuple[list[Pair], Accounting]:
    accounting = Accounting()
    pairs = list(pairs_of(record, ExportOptions(consensus="majority", **options), accounting, TEXT))
    accounting.check()
    return pairs, accounting


def shown(pairs: list[Pair]) -> list[tuple[str, int, int]]:
    return [(pair.id, pair.votes, pair.voters) for pair in pairs]


def test_more_than_half_gives_one_row_and_the_others_are_a_minority() -> None:
    pairs, accounting = majority(wins("a"), wins("b", by="bob"), wins("a", by="cy"))
    assert shown(pairs) == [("t:p:a:b:majority", 2, 3)]
    assert accounting == Accounting(votes_in=3, votes_exported=2, drops={"minority": 1}, pair_drops={"minority": 1})


def test_half_is_no_majority() -> None:
    pairs, accounting = majority(wins("a"), wins("b", by="bob"))
    assert (pairs, accounting.drops) == ([], {"no_majority": 2})


@pytest.mark.parametrize("outcome", ["tie", "all_bad"])
def test_votes_for_neither_count_against_a_majority(outcome: str) -> None:
    pairs, accounting = majority(wins("a"), says(outcome, by="bob"))
    assert (pairs, accounting.drops) == ([], {"no_majority": 1, outcome: 1})


def test_majority_of_ties_overrules_a_winner() -> None:
    pairs, accounting = majority(wins("a"), says("tie", by="bob"), says("all_bad", by="cy"))
    assert (pairs, accounting.drops) == ([], {"minority": 1, "tie": 1, "all_bad": 1})


def test_vote_that_cannot_judge_does_not_count() -> None:
    pairs, accounting = majority(wins("a"), says("cannot_judge", by="bob"))
    assert (shown(pairs), accounting.drops) == ([("t:p:a:b:majority", 1, 1)], {"cannot_judge": 1})


def test_margin_is_the_mean_of_those_who_agree() -> None:
    pairs, _ = majority(
        wins("a", margin=1), wins("a", margin=2, by="bob"), wins("b", margin=3, by="cy"), margin="absolute"
    )
    assert [(pair.id, pair.margin) for pair in pairs] == [("t:p:a:b:majority", 1.5)]


def test_votes_without_a_margin_are_dropped_before_counting_when_margins_are_asked() -> None:
    pairs, accounting = majority(wins("a", margin=1), wins("b", by="bob"), wins("b", by="cy"), margin="absolute")
    assert (shown(pairs), accounting.drops) == ([("t:p:a:b:majority", 1, 1)], {"missing_margin": 2})


def test_rankings_are_counted_pair_by_pair() -> None:
    first, second = wins("a", ranking=[["a"], ["b"], ["c"]]), wins("a", ranking=[["a"], ["c"], ["b"]], by="bob")
    pairs, accounting = majority(first, second, wins("b", by="cy", ranking=[["b"], ["c"], ["a"]]), ids="abc")
    assert shown(pairs) == [("t:p:a:b:majority", 2, 3), ("t:p:a:c:majority", 2, 3), ("t:p:b:c:majority", 2, 3)]
    assert (accounting.votes_exported, accounting.drops) == (3, {})


def test_cycle_keeps_each_pair_that_most_support() -> None:
    orders = ["abc", "bca", "cab"]
    votes = [wins(order[0], by=order, ranking=[[each] for each in order]) for order in orders]
    assert shown(majority(*votes, ids="abc")[0]) == [
        ("t:p:a:b:majority", 2, 3),
        ("t:p:c:a:majority", 2, 3),
        ("t:p:b:c:majority", 2, 3),
    ]


def test_votes_that_name_only_a_winner_do_not_count_on_the_others() -> None:
    pairs, _ = majority(wins("a"), wins("a", by="bob", ranking=[["a"], ["b"], ["c"]]), ids="abc")
    assert shown(pairs) == [("t:p:a:b:majority", 2, 2), ("t:p:a:c:majority", 2, 2), ("t:p:b:c:majority", 1, 1)]


def test_unusable_majority_is_dropped_with_the_reason_of_the_pair() -> None:
    record = task(prompt(wins("a"), wins("a", by="bob"), responses=[response("a", ""), response("b")]))
    pairs, accounting = of_task(record)
    assert (pairs, accounting.drops) == ([], {"empty_response": 2})


def test_people_who_read_different_conversations_are_counted_apart() -> None:
    first = prompt(wins("a"), wins("b", by="bob"), wins("a", by="cy"), key="1")
    second = prompt(wins("a"), wins("a", by="bob"), wins("b", by="cy"), says("tie", by="dee"), key="2")
    pairs, accounting = of_task(task(first, second))
    assert shown(pairs) == [("t:1:a:b:majority", 2, 3), ("t:2:a:b:majority", 1, 1)]
    assert accounting.drops == {"minority": 1, "no_majority": 2, "no_path": 1}


def test_same_majority_in_two_conversations_has_two_ids() -> None:
    first = prompt(wins("a"), wins("b", by="bob"), key="1")
    second = prompt(wins("a"), wins("a", by="bob"), key="2")
    assert shown(of_task(task(first, second))[0]) == [("t:2:a:b:majority", 1, 1), ("t:2:a:b:majority#2", 1, 1)]
