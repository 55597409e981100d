"""Rows in the shapes of public datasets, and flat ones for analysts, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from exports.options import Rubric
from exports.records import AnnotationRecord, Message, RatingRecord, ReviewRecord
from tests.unit.exports.consumers.project import RUBRIC, TIME
from tests.unit.exports.formats.rows import written
from tests.unit.exports.samples import prompt, response, says, task, text, wins


def votes(*annotations: AnnotationRecord, **fields: Any) -> Any:
    return task(prompt(*annotations, **fields))


def test_helpsteer3_has_every_vote_with_its_sign_and_reasons() -> None:
    ratings = [RatingRecord(dimension=key, response="b", value=1, justification=f"Poor {key}.") for key in ("x", "y")]
    first = wins(
        "a",
        margin=2,
        ratings=ratings,
        justification="@A beats response B.",
        display_order=["a", "b"],
        submitted_at=TIME,
    )
    record = votes(first, wins("a", by="bob", margin=1), says("tie", by="cy"))
    (row,), accounting = written("helpsteer3", record, rubric=RUBRIC)
    assert row == {
        "domain": "general",
        "language": "unknown",
        "context": [{"role": "user", "content": "Question?"}],
        "response1": "answer a",
        "response2": "answer b",
        "overall_preference": -1,
        "individual_preference": [
            {
                "score": -2,
                "reasoning": "@Response 1 beats @Response 2.",
                "feedback1": "",
                "feedback2": "Poor x. Poor y.",
            },
            {"score": -1, "reasoning": "", "feedback1": "", "feedback2": ""},
            {"score": 0, "reasoning": "", "feedback1": "", "feedback2": ""},
        ],
    }
    assert accounting.votes_exported == 3


def test_helpsteer3_keeps_a_tie_as_0() -> None:
    (row,), _ = written("helpsteer3", votes(says("tie"), wins("b", by="bob", margin=1), wins("a", by="cy", margin=1)))
    assert row["overall_preference"] == 0


def test_helpsteer3_brings_other_lines_to_three_steps() -> None:
    records = [task(prompt(wins("b", margin=step)), key=f"{step}") for step in (1, 2, 3, 4)]
    rows, _ = written("helpsteer3", *records, rubric=Rubric(margin_levels=4, allow_tie=False))
    assert [row["overall_preference"] for row in rows] == [1, 2, 2, 3]


@pytest.mark.parametrize(
    ("annotations", "fields", "reasons"),
    [
        ([wins("a", margin=1)], {"ids": "abc"}, {"not_two_responses": 1}),
        ([wins("a")], {}, {"missing_margin": 1}),
        ([says("all_bad")], {}, {"all_bad": 1}),
        ([wins("a", margin=3), wins("b", by="bob", margin=3)], {}, {"spread_too_wide": 2}),
        ([wins("a", margin=1)], {"responses": [response("a", "x"), response("b", "x ")]}, {"identical_responses": 1}),
    ],
)
def test_helpsteer3_leaves_out_what_it_cannot_say(annotations: Any, fields: Any, reasons: dict[str, int]) -> None:
    rows, accounting = written("helpsteer3", votes(*annotations, **fields))
    assert (rows, accounting.drops) == ([], reasons)


def test_ultrafeedback_ratings_are_texts_and_missing_ones_are_named() -> None:
    rated = wins("a", ratings=[RatingRecord(dimension="truthfulness", response="a", value=4, justification="True.")])
    record = task(prompt(rated), context=[Message(role="system", content=text("Be brief."))])
    (row,), _ = written("ultrafeedback", record, rubric=RUBRIC)
    assert (row["instruction"], row["models"], row["annotator"]) == ("Question?", ["a", "b"], "ann")
    assert [each["custom_system_prompt"] for each in row["completions"]] == ["Be brief."] * 2
    assert [each["annotations"] for each in row["completions"]] == [
        {"truthfulness": {"Rating": "4", "Rationale": "True."}},
        {"truthfulness": {"Rating": "N/A", "Rationale": ""}},
    ]


@pytest.mark.parametrize(
    ("vote", "winner"),
    [
        (wins("a"), "model_a"),
        (wins("b"), "model_b"),
        (says("tie"), "tie"),
        (says("all_bad"), "tie (bothbad)"),
    ],
)
def test_arena_knows_ties_and_both_bad(vote: AnnotationRecord, winner: str) -> None:
    (row,), _ = written("arena", votes(vote))
    assert row["winner"] == winner


def test_arena_names_two_answers_of_one_model_apart() -> None:
    responses = [response("a", model="m"), response("b", model="m")]
    record = votes(wins("a", submitted_at="1970-01-01T00:01:00Z"), responses=responses)
    (row,), _ = written("arena", record)
    assert (row["model_a"], row["model_b"], row["judge"], row["tstamp"], row["turn"]) == ("m", "m#2", "ann", 60.0, 1)
    (row,), _ = written("arena", record, include_models=False)
    assert (row["model_a"], row["model_b"]) == ("a", "b")


def test_annotations_table_has_every_annotation_even_those_that_judge_nothing() -> None:
    review = ReviewRecord(reviewer="rev", verdict="accept", at=TIME)
    vote = wins("a", margin=2, ranking=[["a"], ["b", "c"]], display_order=["c", "a", "b"], reviews=[review], seconds=9)
    record = votes(
        vote,
        says("cannot_judge", by="bob", reason="No idea"),
        says("tie", by="rev", kind="adjudication"),
        says("tie", by="cy", state="returned"),
        responses=[response(key, model="m") for key in "abc"],
    )
    rows, accounting = written("annotations", record)
    assert [(row["annotator"], row["kind"], row["outcome"]) for row in rows] == [
        ("ann", "annotation", "winner"),
        ("bob", "annotation", "cannot_judge"),
        ("rev", "adjudication", "tie"),
    ]
    first = rows[0]
    assert (first["ranking"], first["shown"], first["winner_model"], first["margin"]) == (
        "a > b = c",
        "c > a > b",
        "m",
        2,
    )
    assert (first["reviews"], first["last_verdict"], first["seconds"]) == (1, "accept", 9)
    assert rows[1]["reason"] == "No idea"
    assert (accounting.votes_exported, accounting.drops) == (2, {"returned": 1})
    assert "winner_model" not in written("annotations", record, include_models=False)[0][0]


def test_ratings_table_has_a_row_for_each_rating() -> None:
    ratings = [
        RatingRecord(dimension="help", response="a", value=4, justification="Good."),
        RatingRecord(dimension="issues", response="b", tags=["rude", "wrong"]),
        RatingRecord(dimension="overall", text="Close."),
    ]
    rows, accounting = written("ratings", votes(wins("a", ratings=ratings), wins("b", by="bob")))
    assert [(row["dimension"], row["response"], row["value"], row["text"], row["tags"]) for row in rows] == [
        ("help", "a", 4, "", ""),
        ("issues", "b", None, "", "rude | wrong"),
        ("overall", "", None, "Close.", ""),
    ]
    assert accounting.drops == {"no_rating": 1}


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [("pairwise", "margin", [-2.0, 1.0]), ("trl_reward", "margin", [2.0, 1.0]), ("grouped", "margins", [[-2.0, 1.0]])],
)
def test_signed_margins_are_for_tables_and_never_for_a_loss(name: str, column: str, expected: list[Any]) -> None:
    rows, _ = written(name, votes(wins("a", margin=2), wins("b", by="bob", margin=1)), margin="signed")
    assert [row[column] for row in rows] == expected


def test_columns_of_a_consensus_tell_how_many_agree() -> None:
    record = votes(wins("a"), says("tie", by="bob"))
    (row,), _ = written("trl_preference", record, consensus="soft", rewrites="pairs")
    assert (row["votes"], row["voters"], row["p_chosen"], row["source"], row["annotator"]) == (
        1,
        2,
        0.75,
        "vote",
        "soft",
    )
