"""Exports of Label Studio and Argilla come back as tasks with the judgements of their people."""

from __future__ import annotations

from typing import Any

import pytest

from exports import formats
from tests.unit.exports.formats.training import (
    CONFIG,
    FIELDS,
    USER,
    argilla,
    best,
    only,
    outcomes,
    read,
    region,
    studio,
)


def test_left_and_right_are_the_order_in_the_configuration() -> None:
    row = studio(region("pairwise", {"selected": "left"}))
    assert best(only("label_studio", row)) == "a"
    assert best(only("label_studio", row, companions={"config.xml": CONFIG})) == "b"
    named = studio(region("pairwise", {"selected": "t1"}))
    assert best(only("label_studio", named, companions={"config.xml": CONFIG})) == "a"


def test_ratings_reasons_times_and_people_of_label_studio_are_kept() -> None:
    row = studio(
        region("pairwise", {"selected": "right"}),
        region("rating", {"rating": 4}, "quality"),
        region("textarea", {"text": ["Because."]}, "why"),
        completed_by={"id": 9, "email": "eve@example.org"},
    )
    [vote] = only("label_studio", row, companions={"config.xml": CONFIG}).prompts[0].annotations
    assert (vote.annotator, vote.seconds, vote.justification) == ("9", 4, "Because.")
    assert [(r.dimension, r.response, r.value) for r in vote.ratings] == [("quality", "a", 4)] or vote.ratings[
        0
    ].value == 4


@pytest.mark.parametrize("annotation", [{"was_cancelled": True}, {"result": []}])
def test_cancelled_and_empty_annotations_are_no_votes(annotation: dict[str, Any]) -> None:
    row = studio(region("pairwise", {"selected": "left"}), **annotation)
    assert only("label_studio", row).prompts[0].annotations == []


@pytest.mark.parametrize("value", [["m2", "m1"], {"cmp": ["m2", "m1"]}, {"_": [], "best": ["m2", "m1"]}])
def test_rankers_name_the_items_best_first(value: Any) -> None:
    items = [{"id": "m1", "text": "a"}, {"id": "m2", "text": "b"}]
    row = studio(region("ranker", {"ranker": value}))
    row["data"] = {"prompt": "q", "items": items}
    record = only("label_studio", row, mapping={"prompt": "prompt", "items": "responses"})
    assert record.prompts[0].annotations[0].ranking == [["b"], ["a"]]


def test_a_winner_that_names_no_response_is_reported() -> None:
    _, problems = read("label_studio", studio(region("pairwise", {"selected": "middle"})))
    assert problems == ['annotations[0].result[0].value.selected: "middle"']


def test_argilla_rankings_ratings_labels_and_texts_are_one_vote_of_a_person() -> None:
    record = only("argilla", argilla(preference=["response2", "response1"], quality=4, why="Because."))
    [vote] = record.prompts[0].annotations
    assert (vote.annotator, vote.ranking, vote.ratings[0].value) == (USER, [["b"], ["a"]], 4)
    assert "Because." in vote.justification
    assert record.metadata == {"k": 1}


@pytest.mark.parametrize(
    "value",
    [
        {"rank": [1, 1], "value": ["response2", "response1"]},
        [{"rank": 1, "value": "response1"}, {"rank": 1, "value": "response2"}],
    ],
)
def test_equal_ranks_of_argilla_1_are_ties(value: Any) -> None:
    row = {**FIELDS, "id": "1", "ranking": [{"user_id": USER, "value": value, "status": "submitted"}]}
    assert formats.detect([row]) == ["argilla"]
    assert outcomes(only("argilla", row)) == ["tie"]


def test_flat_columns_of_argilla_2_and_their_statuses() -> None:
    row = {
        **FIELDS,
        "id": "1",
        "status": "completed",
        "preference.responses": ["response1", "response2"],
        "preference.responses.users": ["u1", "u2"],
        "preference.responses.status": ["submitted", "discarded"],
    }
    assert formats.detect([row]) == ["argilla"]
    assert best(only("argilla", row)) == "a"
