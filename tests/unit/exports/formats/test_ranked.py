from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exports.formats.row_ids import row_id
from exports.records import text_of
from tests.unit.exports.formats.rows import again, loaded, read, written
from tests.unit.exports.samples import prompt, says, task, text, wins

RANKED = "ranked"
ROW = {
    "id": "x",
    "prompt": [{"role": "user", "content": "Sky?"}],
    "responses": ["blue", "azure", "green", "black"],
    "ranks": [1, 2, 2, 3],
    "annotator": "bob",
}


def without_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "id"} for row in rows]


def test_row_is_a_task_with_one_imported_ranking() -> None:
    (record,), problems = read(RANKED, ROW)
    (turn,) = record.prompts
    (vote,) = turn.annotations
    texts = {each.id: text_of(each.content) for each in turn.responses}
    assert (record.id, turn.content, problems) == ("x", text("Sky?"), [])
    assert sorted(texts) == ["a", "b", "c", "d"]
    assert [[texts[key] for key in group] for group in vote.ranking] == [["blue"], ["azure", "green"], ["black"]]
    assert (texts[str(vote.winner)], vote.outcome, vote.annotator, vote.margin) == ("blue", "winner", "bob", None)


def test_order_and_ids_do_not_tell_which_one_was_best() -> None:
    other_way = ROW | {"responses": list(reversed(ROW["responses"]))}
    assert read(RANKED, ROW)[0][0].prompts[0].responses == read(RANKED, other_way)[0][0].prompts[0].responses


@pytest.mark.parametrize("ranks", [[1, 2, 3, 4], [1, 2, 2, 3], [1, 1, 2, 2], [1, 1, 1, 1], [1, 2, 2, 2]])
def test_clean_row_comes_back_with_an_id_of_its_vote(ranks: list[int]) -> None:
    row = ROW | {"ranks": ranks}
    out = again(RANKED, row)
    assert (without_id(out), out[0]["id"]) == (without_id([row]), "x:1:bob")


def test_several_best_responses_are_a_tie() -> None:
    (record,), _ = read(RANKED, ROW | {"ranks": [1, 1, 2, 3]})
    (vote,) = record.prompts[0].annotations
    assert (vote.outcome, vote.winner, [len(group) for group in vote.ranking]) == ("tie", None, [2, 1, 1])


def test_row_without_ranks_is_in_order_and_a_prompt_may_be_text() -> None:
    given = {"prompt": "Sky?", "responses": ["blue", "green"], "ranks": None}
    (row,) = again(RANKED, given)
    assert row == ROW | {
        "id": f"{row_id({'prompt': 'Sky?', 'responses': ['blue', 'green']})}:1:imported",
        "responses": ["blue", "green"],
        "ranks": [1, 2],
        "annotator": "imported",
    }


def test_gaps_after_a_tie_say_the_same() -> None:
    assert without_id(again(RANKED, ROW | {"ranks": [1, 2, 2, 4]})) == without_id([ROW])


def test_margin_is_read_and_written_when_asked_for() -> None:
    row = ROW | {"margin": 2.0}
    assert without_id(again(RANKED, row, margin="absolute")) == without_id([row])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"prompt": " "}, ("prompt", '" "')),
        ({"prompt": []}, ("prompt", "an empty list")),
        ({"prompt": 3}, ("prompt", "the number 3")),
        ({"prompt": [{"role": "bot", "content": "x"}]}, ("prompt[0].role", '"bot"')),
        ({"prompt": [{"role": "assistant", "content": "x"}]}, ("prompt[0].role", '"assistant" as the last role')),
        ({"responses": "blue"}, ("responses", '"blue"')),
        ({"responses": ["blue"]}, ("responses", "1 responses")),
        ({"responses": ["x"] * 27}, ("responses", "27 responses")),
        ({"responses": ["x", None]}, ("responses[1]", "null")),
        ({"ranks": "1"}, ("ranks", '"1"')),
        ({"ranks": [1, 2]}, ("ranks", "2 ranks")),
        ({"ranks": [1, 2, "2", 3]}, ("ranks[2]", '"2"')),
        ({"ranks": [1, True, 2, 3]}, ("ranks[1]", "true")),
        ({"ranks": [0, 1, 2, 3]}, ("ranks[0]", "the number 0")),
        ({"ranks": [1, 2, 1, 3]}, ("ranks[2]", "1 after 2")),
        ({"annotator": 3}, ("annotator", "the number 3")),
        ({"margin": 2, "ranks": [1, 1, 2, 3]}, ("margin", "2 with several best responses")),
    ],
)
def test_wrong_value_is_reported_with_its_field(changes: dict[str, Any], problem: tuple[str, str]) -> None:
    assert read(RANKED, ROW | changes) == ([], [problem])


def test_missing_columns_are_all_reported_and_good_rows_kept() -> None:
    records, problems = read(RANKED, {"ranks": [1]}, None, ROW)
    assert ([record.id for record in records], [field for field, _ in problems]) == (["x"], ["prompt", "responses", ""])


def test_written_row_is_one_vote() -> None:
    record = task(prompt(wins("b"), says("tie", by="bob"), says("all_bad", by="cy"), ids="abc"))
    rows, accounting = written(RANKED, record, consensus="majority", ranking_pairs="adjacent")
    asked = [{"role": "user", "content": "Question?"}]
    assert rows == [
        {
            "id": "t:p:ann",
            "prompt": asked,
            "responses": ["answer b", "answer a", "answer c"],
            "ranks": [1, 2, 2],
            "annotator": "ann",
        },
        {
            "id": "t:p:bob",
            "prompt": asked,
            "responses": ["answer a", "answer b", "answer c"],
            "ranks": [1, 1, 1],
            "annotator": "bob",
        },
    ]
    assert (accounting.votes_in, accounting.votes_exported, accounting.drops) == (3, 2, {"all_bad": 1})


def test_datasets_loads_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [task(prompt(wins("b", margin=2), content=text(f"Why {n}?")), key=str(n)) for n in range(20)]
    rows, _ = written(RANKED, *records, margin="absolute")
    assert loaded(rows, tmp_path, monkeypatch).to_list() == rows
