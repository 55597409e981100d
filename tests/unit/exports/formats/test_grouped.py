from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.formats.row_ids import row_id
from exports.records import TaskRecord, text_of
from tests.unit.exports.formats.rows import again, loaded, read, written
from tests.unit.exports.samples import prompt, says, task, tasks, text, wins

GROUPED = "grouped"
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Sky?"}]
ROW = {"prompt": ASKED, "pairs": [["blue", "green"], ["blue", "black"], ["black", "green"], ["blue", "green"]]}


def test_row_is_a_task_with_a_vote_for_each_pair() -> None:
    (record,), problems = read(GROUPED, ROW)
    (turn,) = record.prompts
    texts = {each.id: text_of(each.content) for each in turn.responses}
    assert (record.id, turn.content, record.metadata, problems) == (row_id(ROW), text("Sky?"), {}, [])
    assert (sorted(texts), sorted(texts.values())) == (["a", "b", "c"], ["black", "blue", "green"])
    assert [vote.annotator for vote in turn.annotations] == ["pair-1", "pair-2", "pair-3", "pair-4"]
    assert [[[texts[key] for key in group] for group in vote.ranking] for vote in turn.annotations] == [
        [[chosen], [rejected]] for chosen, rejected in ROW["pairs"]
    ]
    assert all([vote.winner] == vote.ranking[0] for vote in turn.annotations)


def test_order_and_ids_do_not_tell_which_one_was_chosen() -> None:
    swapped = ROW | {"pairs": [[rejected, chosen] for chosen, rejected in reversed(ROW["pairs"])]}
    assert read(GROUPED, ROW)[0][0].prompts[0].responses == read(GROUPED, swapped)[0][0].prompts[0].responses


@pytest.mark.parametrize("row", [ROW, ROW | {"pairs": [["x", "y"], ["y", "x"]]}])
def test_clean_row_comes_back_as_it_was(row: dict[str, Any]) -> None:
    assert again(GROUPED, row) == [row]


def test_margins_are_read_and_written_when_asked_for() -> None:
    row = ROW | {"margins": [2.0, 1.0, 3.0, 1.0]}
    assert again(GROUPED, row, margin="absolute") == [row]


def test_margins_that_are_no_steps_are_kept_as_metadata() -> None:
    (record,), _ = read(GROUPED, ROW | {"margins": [2, 0.5, 0, 1]})
    assert record.metadata == {"margins": [2, 0.5, 0, 1]}
    assert [vote.margin for vote in record.prompts[0].annotations] == [None] * 4


def test_id_is_read_and_other_columns_are_metadata() -> None:
    (record,), problems = read(GROUPED, ROW | {"id": "x", "annotator": "bob", "margin": 3, "source": "web"})
    assert (record.id, record.metadata, problems) == ("x", {"annotator": "bob", "margin": 3, "source": "web"}, [])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"prompt": ""}, ("prompt", '""')),
        ({"prompt": None}, ("prompt", "null")),
        ({"prompt": [{"role": "function", "content": "x"}]}, ("prompt[0].role", '"function"')),
        ({"pairs": []}, ("pairs", "an empty list")),
        ({"pairs": {"x": "y"}}, ("pairs", "an object")),
        ({"pairs": [["x", "y"], ["x"]]}, ("pairs[1]", "a list")),
        ({"pairs": ["xy"]}, ("pairs[0]", '"xy"')),
        ({"pairs": [["x", 1]]}, ("pairs[0][1]", "the number 1")),
        ({"pairs": [[None, "x"]]}, ("pairs[0][0]", "null")),
        ({"pairs": [["x", "x"]]}, ("pairs[0]", "the same text twice")),
        ({"pairs": [[str(n), "x"] for n in range(26)]}, ("pairs", "27 different texts")),
        ({"margins": 3}, ("margins", "the number 3")),
        ({"margins": [1]}, ("margins", "1 margins")),
        ({"margins": [1, 2, None, 3]}, ("margins[2]", "null")),
        ({"margins": [1, 2, 3, -1]}, ("margins[3]", "the number -1")),
        ({"margins": [True, 2, 3, 1]}, ("margins[0]", "true")),
        ({"id": ""}, ("id", '""')),
    ],
)
def test_wrong_value_is_reported_with_its_field(changes: dict[str, Any], problem: tuple[str, str]) -> None:
    assert read(GROUPED, ROW | changes) == ([], [problem])


def test_missing_columns_are_all_reported_and_good_rows_kept() -> None:
    records, problems = read(GROUPED, {}, [], ROW)
    assert ([record.id for record in records], [field for field, _ in problems]) == (
        [row_id(ROW)],
        ["prompt", "pairs", ""],
    )


def test_written_row_has_all_votes_on_a_prompt() -> None:
    votes = [wins("a", ranking=[["a"], ["b"], ["c"]]), wins("c", by="bob"), says("tie", by="cy")]
    rows, accounting = written(GROUPED, task(prompt(*votes, ids="abc")), ranking_pairs="best_vs_worst")
    assert rows == [
        {
            "prompt": [{"role": "user", "content": "Question?"}],
            "pairs": [["answer a", "answer c"], ["answer c", "answer a"], ["answer c", "answer b"]],
        }
    ]
    assert (accounting.votes_in, accounting.votes_exported, accounting.drops) == (3, 2, {"tie": 1})


def test_options_for_pairs_apply() -> None:
    votes = [wins("a", margin=2), wins("a", margin=1, by="bob"), wins("b", margin=1, by="cy")]
    (row,), accounting = written(GROUPED, task(prompt(*votes)), consensus="majority", margin="absolute")
    assert (row["pairs"], row["margins"]) == ([["answer a", "answer b"]], [1.5])
    assert accounting.drops == {"minority": 1}


def test_each_conversation_is_a_row() -> None:
    first = prompt(wins("a"), wins("b", by="bob"), key="1")
    second = prompt(wins("a"), wins("a", by="bob"), key="2")
    rows, accounting = written(GROUPED, task(first, second), task(first, key="u"))
    assert [(len(row["prompt"]), len(row["pairs"])) for row in rows] == [(1, 2), (3, 1), (3, 1), (1, 2)]
    assert accounting.votes_exported == 6


@given(st.lists(tasks(), max_size=3, unique_by=lambda record: record.id))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_whatever_is_written_comes_back(records: list[TaskRecord]) -> None:
    rows, _ = written(GROUPED, *records)
    assert again(GROUPED, *rows) == rows


def test_datasets_loads_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [task(prompt(wins("b", margin=2), content=text(f"Why {n}?")), key=str(n)) for n in range(20)]
    rows, _ = written(GROUPED, *records, margin="absolute")
    assert loaded(rows, tmp_path, monkeypatch).to_list() == rows
