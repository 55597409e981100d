from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exports.accounting import Accounting
from exports.records import Message, text_of
from tests.unit.exports.formats.rows import again, loaded, read, real_rows, written
from tests.unit.exports.samples import image, prompt, response, task, text, wins

TURBO = "turbo_alignment_pairs"


def said(role: str, content: str, **more: object) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


ROW = {
    "id": "0",
    "context": [said("system", "Be brief."), said("user", "Hi"), said("bot", "Yes?"), said("user", "Sky?")],
    "answer_w": said("bot", "blue"),
    "answer_l": said("bot", "green"),
}


def without_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "id"} for row in rows]


def test_row_is_a_task_with_one_imported_vote() -> None:
    (record,), problems = read(TURBO, ROW)
    (turn,) = record.prompts
    texts = {each.id: text_of(each.content) for each in turn.responses}
    assert (record.id, turn.content, record.metadata, problems) == ("0", text("Sky?"), {}, [])
    assert record.context == [
        Message(role="system", content=text("Be brief.")),
        Message(role="user", content=text("Hi")),
        Message(role="assistant", content=text("Yes?")),
    ]
    assert (texts[str(turn.annotations[0].winner)], sorted(texts.values())) == ("blue", ["blue", "green"])


def test_clean_row_comes_back_with_an_id_of_its_pair() -> None:
    row = ROW | {"precomputed_margin": 2.0}
    (out,) = again(TURBO, row, margin="absolute")
    winner = read(TURBO, row)[0][0].prompts[0].annotations[0].winner
    assert out.pop("id") == f"0:1:{winner}:{'b' if winner == 'a' else 'a'}:imported"
    assert [out] == without_id([row])


def test_other_spellings_are_read() -> None:
    row = {
        "id": 7,
        "source": "example",
        "context": [said("user", "Hi", disable_loss=True)],
        "answer_w": said("assistant", "x"),
        "answer_l": said("bot", "y", disable_loss=False),
        "precomputed_margin": None,
    }
    (record,), problems = read(TURBO, row)
    assert (record.id, record.metadata, problems) == ("7", {"source": "example"}, [])
    assert record.prompts[0].annotations[0].margin is None


def test_columns_of_other_formats_are_metadata() -> None:
    (record,), _ = read(TURBO, ROW | {"prompt": "x", "margin": 3, "precomputed_margin": 0.5})
    assert record.metadata == {"prompt": "x", "margin": 3, "precomputed_margin": 0.5}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": 1.5}, ("id", "the number 1.5")),
        ({"id": True}, ("id", "true")),
        ({"id": ""}, ("id", '""')),
        ({"context": []}, ("context", "an empty list")),
        ({"context": "Hi"}, ("context", '"Hi"')),
        ({"context": None}, ("context", "null")),
        ({"context": [said("bot", "x")]}, ("context[0].role", '"bot" as the last role')),
        ({"context": [said("tool", "x")]}, ("context[0].role", '"tool"')),
        ({"context": [{"role": ["user"], "content": "x"}]}, ("context[0].role", "a list")),
        ({"context": [said("user", "x", name="y")]}, ("context[0].name", "an unknown key")),
        ({"context": [{"role": "user", "content": ["x"]}]}, ("context[0].content", "a list")),
        ({"answer_w": "blue"}, ("answer_w", '"blue"')),
        ({"answer_w": said("user", "x")}, ("answer_w.role", '"user"')),
        ({"answer_l": {"role": "bot"}}, ("answer_l.content", "null")),
        ({"answer_l": []}, ("answer_l", "an empty list")),
        ({"precomputed_margin": "2"}, ("precomputed_margin", '"2"')),
        ({"precomputed_margin": -1}, ("precomputed_margin", "the number -1")),
    ],
)
def test_wrong_value_is_reported_with_its_field(changes: dict[str, Any], problem: tuple[str, str]) -> None:
    assert read(TURBO, ROW | changes) == ([], [problem])


def test_missing_columns_are_all_reported_and_good_rows_kept() -> None:
    records, problems = read(TURBO, {"id": "x"}, 3, ROW)
    assert ([record.id for record in records], [field for field, _ in problems]) == (
        ["0"],
        ["context", "answer_w", "answer_l", ""],
    )


def test_every_pair_of_a_ranking_has_an_id_of_its_own() -> None:
    vote = wins("a", margin=1, ranking=[["a"], ["b"], ["c"]])
    rows, accounting = written(TURBO, task(prompt(vote, ids="abc")))
    assert rows[0] == {
        "id": "t:p:a:b:ann",
        "context": [said("user", "Question?")],
        "answer_w": said("bot", "answer a"),
        "answer_l": said("bot", "answer b"),
    }
    assert [row["id"] for row in rows] == ["t:p:a:b:ann", "t:p:a:c:ann", "t:p:b:c:ann"]
    assert accounting == Accounting(votes_in=1, votes_exported=1, rows_out=3)


def test_margin_is_on_every_row_or_on_none() -> None:
    record = task(prompt(wins("a", margin=3), wins("b", by="bob")))
    assert ["precomputed_margin" in row for row in written(TURBO, record)[0]] == [False, False]
    rows, accounting = written(TURBO, record, margin="absolute")
    assert ([row["precomputed_margin"] for row in rows], accounting.drops) == ([3.0], {"missing_margin": 1})


def test_what_has_no_place_is_dropped_with_a_reason() -> None:
    called = task(prompt(wins("a"), content=[]), context=[Message(role="tool", content=text("42"))])
    shown = task(prompt(wins("a"), responses=[response("a", image()), response("b")]), key="u")
    rows, accounting = written(TURBO, called, shown)
    assert (rows, accounting.drops) == ([], {"role_not_in_format": 1, "media_in_text_format": 1})


def test_datasets_loads_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [task(prompt(wins("b", margin=2), content=text(f"Why {n}?")), key=str(n)) for n in range(50)]
    rows, _ = written(TURBO, *records, margin="absolute")
    assert loaded(rows, tmp_path, monkeypatch).to_list() == rows


@pytest.mark.parametrize("name", ["train_preferences", "train_preferences_2", "dpo_chat"])
def test_real_pairs_go_through_and_come_out_the_same(name: str) -> None:
    rows = real_rows(f"turbo-alignment/{name}.jsonl")
    out = again(TURBO, *rows)
    assert without_id(out) == without_id(rows)
    assert len({row["id"] for row in out}) == len(rows)
