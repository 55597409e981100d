from __future__ import annotations

from typing import Any

import pytest

from exports.accounting import Accounting
from exports.conversation import TEXT
from exports.labels import labels_of
from exports.options import DimensionScale, ExportOptions, Rubric
from exports.records import AnnotationRecord, RatingRecord
from tests.unit.exports.samples import prompt, response, says, task, wins

HELP = Rubric(dimensions=(DimensionScale(key="help", lowest=1, highest=5),))


def labelled(*votes: AnnotationRecord, **options: Any) -> tuple[list[tuple[str, bool]], dict[str, int]]:
    fields = options.pop("fields", {})
    accounting = Accounting()
    found = list(labels_of(task(prompt(*votes, **fields)), ExportOptions(**options), accounting, TEXT))
    accounting.check()
    return [(label.id.removeprefix("t:p:"), label.is_good) for label in found], accounting.drops


def rated(*values: int | None, by: str = "ann", dimension: str = "help", outcome: str = "winner") -> AnnotationRecord:
    ratings = [
        RatingRecord(dimension=dimension, response=key, value=value) for key, value in zip("abc", values, strict=False)
    ]
    fields: dict[str, Any] = {"by": by, "ratings": ratings}
    return wins("a", **fields) if outcome == "winner" else says(outcome, **fields)


def test_winner_is_good_and_all_others_bad() -> None:
    assert labelled(wins("a"), fields={"ids": "abc"}) == ([("a:ann", True), ("b:ann", False), ("c:ann", False)], {})


@pytest.mark.parametrize(("outcome", "is_good"), [("tie", True), ("all_bad", False)])
def test_ties_give_labels_only_when_asked(outcome: str, is_good: bool) -> None:
    assert labelled(says(outcome)) == ([], {outcome: 1})
    assert labelled(says(outcome), tie_labels=True) == ([("a:ann", is_good), ("b:ann", is_good)], {})


def test_tie_at_the_top_of_a_ranking_makes_the_rest_bad() -> None:
    vote = says("tie", ranking=[["a", "b"], ["c"]])
    found, _ = labelled(vote, tie_labels=True, fields={"ids": "abc"})
    assert found == [("a:ann", True), ("b:ann", True), ("c:ann", False)]


@pytest.mark.parametrize(
    ("values", "limits", "expected"),
    [
        ((5, 1), {}, {"a": True, "b": False}),
        ((4, 2), {}, {"a": True, "b": False}),
        ((4, 3), {}, {"a": True}),
        ((4, 3), {"good_from": 5, "bad_to": 3}, {"b": False}),
        ((2, 2), {"good_from": 2}, {"a": True, "b": True}),
    ],
)
@pytest.mark.parametrize("outcome", ["winner", "tie", "all_bad"])
def test_ratings_are_good_or_bad_by_the_limits_whatever_the_outcome(
    values: tuple[int, ...], limits: dict[str, int], expected: dict[str, bool], outcome: str
) -> None:
    found, drops = labelled(rated(*values, outcome=outcome), labels="ratings", rubric=HELP, **limits)
    assert (dict(found), drops) == ({f"{key}:ann": good for key, good in expected.items()}, {})


@pytest.mark.parametrize(
    ("vote", "options", "reason"),
    [
        (wins("a"), {"rubric": HELP}, "no_rating"),
        (rated(5, 1, dimension="tone"), {"rubric": HELP}, "no_rating"),
        (rated(3, 3), {"rubric": HELP}, "between_thresholds"),
        (rated(5, 1), {}, "no_thresholds"),
        (rated(5, 1), {"good_from": 4}, "no_thresholds"),
        (rated(5, 1), {"rubric": HELP, "label_dimension": "tone"}, "no_rating"),
        (rated(None, None), {"rubric": HELP}, "no_rating"),
    ],
)
def test_vote_without_a_usable_rating_is_dropped_with_its_reason(
    vote: AnnotationRecord, options: dict[str, Any], reason: str
) -> None:
    assert labelled(vote, labels="ratings", **options) == ([], {reason: 1})


def test_rating_of_a_single_response_is_enough() -> None:
    assert labelled(rated(5), labels="ratings", rubric=HELP, fields={"ids": "a"})[0] == [("a:ann", True)]


def test_without_a_project_the_first_rated_dimension_counts() -> None:
    found, _ = labelled(rated(5, 1, dimension="tone"), labels="ratings", good_from=4, bad_to=2)
    assert found == [("a:ann", True), ("b:ann", False)]


def test_majority_labels_each_response_by_more_than_half() -> None:
    votes = (wins("a"), wins("a", by="bob"), wins("b", by="cy"))
    found, drops = labelled(*votes, consensus="majority")
    assert (found, drops) == ([("a:majority", True), ("b:majority", False)], {"minority": 1})
    assert labelled(*votes[1:], consensus="majority") == ([], {"no_majority": 2})


def test_empty_answers_get_no_label() -> None:
    found, drops = labelled(wins("a"), fields={"responses": [response("a"), response("b", " ")]})
    assert (found, drops) == ([("a:ann", True)], {})
