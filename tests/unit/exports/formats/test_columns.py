"""Any table, by what a person says of its columns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import formats
from tests.unit.exports.formats.public import JSON, only, read, votes

MAPPING = {"q": "prompt", "one": "response:1", "two": "response:2", "who": "annotator", "won": "winner", "key": "id"}


def row(**changes: Any) -> dict[str, Any]:
    return {"key": "k", "q": "Why?", "one": "Because.", "two": "So.", "who": "w1", "won": "one", "more": "5"} | changes


@pytest.mark.parametrize(
    ("won", "vote"),
    [
        ("one", ("winner", "a")),
        ("B", ("winner", "b")),
        ("Response 2", ("winner", "b")),
        ("left", ("winner", "a")),
        ("1", ("winner", "a")),
        ("tie", ("tie", None)),
        ("both_bad", ("all_bad", None)),
        ("skip", ("cannot_judge", None)),
    ],
)
def test_winners_of_a_table_are_named_in_any_usual_way(won: str, vote: tuple[str, str | None]) -> None:
    record = only("columns", row(won=won), mapping=MAPPING)
    assert votes(record)[0][:3] == ("w1", *vote)
    assert (record.id, record.metadata) == ("k", {"more": "5"})


def test_rows_of_a_table_with_one_id_are_votes_on_one_task() -> None:
    record = only("columns", row(), row(who="w2", won="tie"), row(who="w3", won=""), mapping=MAPPING)
    assert [each[:2] for each in votes(record)] == [("w1", "winner"), ("w2", "tie")]


def test_rows_of_a_table_without_id_are_tasks_of_their_own_and_the_same_every_time() -> None:
    mapping = {key: value for key, value in MAPPING.items() if value != "id"}
    first, _ = read("columns", row(), row(q="How?"), mapping=mapping)
    again, _ = read("columns", row(q="How?"), row(), mapping=mapping)
    assert {record.id for record in first} == {record.id for record in again}
    assert len(first) == 2


@pytest.mark.parametrize(
    ("mapping", "found"),
    [
        ({}, "no column that means the prompt"),
        ({"q": "prompt"}, "no column that means a response"),
        ({**MAPPING, "more": "prompt"}, 'two columns that mean "prompt"'),
        ({**MAPPING, "more": "nonsense"}, 'the meaning "nonsense", which there is not'),
    ],
)
def test_mappings_that_make_no_tasks_are_refused(mapping: dict[str, str], found: str) -> None:
    assert read("columns", row(), mapping=mapping) == ([], [f": {found}"])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"won": "three"}, "won"),
        ({"won": "C"}, "won"),
        ({"q": ""}, "q"),
        ({"q": {"a": 1}}, "q"),
        ({"one": ["x"]}, "one"),
    ],
)
def test_cells_that_mean_nothing_are_reported_with_their_column(changes: dict[str, Any], field: str) -> None:
    records, problems = read("columns", row(**changes), mapping=MAPPING)
    assert records == []
    assert any(problem.startswith(f"{field}: ") for problem in problems)


def test_votes_on_other_content_under_the_same_id_are_reported() -> None:
    records, problems = read("columns", row(), row(two="Other."), mapping=MAPPING)
    assert (records, problems) == ([], ["two: another content than in the first row with this id"])


def test_rankings_ratings_margins_and_models_of_a_table() -> None:
    mapping = {"q": "prompt", "all": "responses", "order": "ranking", "h1": "rating:help:1", "whole": "rating:clarity"}
    cells = {"q": "Why?", "all": '["x", {"text": "y", "model": "m"}]', "order": "2 > 1", "h1": "4", "whole": "2"}
    record = only("columns", cells, mapping=mapping)
    [annotation] = record.prompts[0].annotations
    assert annotation.ranking == [["b"], ["a"]]
    assert [(r.dimension, r.response, r.value) for r in annotation.ratings] == [("help", "a", 4), ("clarity", None, 2)]
    assert record.prompts[0].responses[1].model == "m"


def test_a_proposal_is_made_for_the_usual_names() -> None:
    first = {
        "id": 0,
        "question": "?",
        "answer_a": "x",
        "answer_b": "y",
        "model_a": "m",
        "winner": "a",
        "judge": "w",
        "extra": 1,
    }
    proposed = {column.key: column.proposed for column in formats.get("columns").mappable([first])}
    assert proposed == {
        "id": "id",
        "question": "prompt",
        "answer_a": "response:1",
        "answer_b": "response:2",
        "model_a": "model:1",
        "winner": "winner",
        "judge": "annotator",
        "extra": "metadata",
    }


@given(
    cells=st.dictionaries(st.sampled_from(sorted(MAPPING)), JSON),
    mapping=st.dictionaries(
        st.sampled_from(sorted(MAPPING)),
        st.sampled_from(
            [
                "prompt",
                "response:1",
                "response:2",
                "responses",
                "context",
                "ranking",
                "winner",
                "margin",
                "rating:x:1",
                "image:1",
                "media:1",
                "system",
            ]
        ),
    ),
)
def test_no_table_and_no_mapping_is_more_than_a_problem(cells: dict[str, Any], mapping: dict[str, str]) -> None:
    read("columns", row(**cells), "not an object", mapping=mapping)
    formats.get("columns").mappable([cells, 5])
