from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.accounting import Accounting
from exports.formats import get
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import Message, TaskRecord, text_of
from exports.writers import ShardWriter
from tests.llmfao import pairs_as_records
from tests.unit.exports.samples import REAL_DATA, image, prompt, response, task, tasks, text, wins

TRL = get("trl_preference")


def said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


ROW = {
    "prompt": [said("system", "Be brief."), said("user", "Sky?")],
    "chosen": [said("assistant", "blue")],
    "rejected": [said("assistant", "green")],
}


def read(*rows: object) -> tuple[list[TaskRecord], list[tuple[str, str]]]:
    problems = ProblemList()
    records = [record for _, record in TRL.read(enumerate(rows, 1), "f.jsonl", problems)]
    return records, [(problem.field, problem.found) for problem in problems]


def written(*records: TaskRecord, **options: Any) -> tuple[list[dict[str, Any]], Accounting]:
    accounting = Accounting()
    return list(TRL.write(records, ExportOptions(**options), accounting)), accounting


def test_conversation_is_read_as_context_and_prompt() -> None:
    (record,), problems = read(ROW)
    (turn,) = record.prompts
    texts = {each.id: text_of(each.content) for each in turn.responses}
    assert record.context == [Message(role="system", content=text("Be brief."))]
    assert (turn.content, texts[str(turn.annotations[0].winner)], problems) == (text("Sky?"), "blue", [])


def test_conversation_that_ends_in_a_tool_result_has_an_empty_prompt() -> None:
    row = ROW | {"prompt": [said("user", "6*7?"), said("assistant", ""), said("tool", "42")]}
    (record,), problems = read(row)
    assert ([message.role for message in record.context], record.prompts[0].content, problems) == (
        ["user", "assistant", "tool"],
        [],
        [],
    )
    assert written(record)[0][0]["prompt"] == row["prompt"]


def test_rows_of_text_are_read_as_by_pairwise() -> None:
    row = {"prompt": "Sky?", "chosen": "blue", "rejected": "green", "margin": 2}
    (_, expected), *_ = get("pairwise").read([(1, row)], "f", ProblemList())
    assert read(row) == ([expected], [])


def test_row_without_a_prompt_is_refused_with_a_clear_message() -> None:
    problems = ProblemList()
    rows = [(4, {"chosen": "The sky is blue.", "rejected": "The sky is black."})]
    assert list(TRL.read(rows, "f.jsonl", problems)) == []
    assert [str(each) for each in problems] == [
        (
            "f.jsonl, line 4, prompt: found nothing; expected the prompt of the row "
            "(the conversation that both sides answer; it is not guessed from them)."
        )
    ]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"prompt": "Sky?"}, "prompt"),
        ({"prompt": []}, "prompt"),
        ({"prompt": [said("user", "x"), said("assistant", "y")]}, "prompt[1].role"),
        ({"prompt": [said("system", "x")]}, "prompt[0].role"),
        ({"prompt": [said("bot", "x")]}, "prompt[0].role"),
        ({"prompt": [{"role": ["user"], "content": "x"}]}, "prompt[0].role"),
        ({"prompt": [{"role": "user"}]}, "prompt[0].content"),
        ({"prompt": [{"role": "user", "content": [{"type": "image"}]}]}, "prompt[0].content"),
        ({"prompt": [said("user", "x") | {"tool_calls": []}]}, "prompt[0].tool_calls"),
        ({"prompt": ["x"]}, "prompt[0]"),
        ({"chosen": []}, "chosen"),
        ({"chosen": "x"}, "chosen"),
        ({"chosen": None}, "chosen"),
        ({"rejected": [said("user", "x")]}, "rejected"),
        ({"rejected": [said("assistant", "x")] * 2}, "rejected"),
        ({"margin": "1"}, "margin"),
    ],
)
def test_wrong_value_is_reported_with_its_field(changes: dict[str, Any], field: str) -> None:
    records, problems = read(ROW | changes)
    assert (records, [each for each, _ in problems]) == ([], [field])


def test_written_row_is_conversational() -> None:
    (row,), accounting = written(task(prompt(wins("b"))))
    assert row == {
        "prompt": [said("user", "Question?")],
        "chosen": [said("assistant", "answer b")],
        "rejected": [said("assistant", "answer a")],
        "id": "t:p:b:a:ann",
        "task": "t",
        "annotator": "ann",
    }
    assert accounting == Accounting(votes_in=1, votes_exported=1, rows_out=1)


def test_media_are_dropped_with_a_reason() -> None:
    shown = task(prompt(wins("a"), responses=[response("a", image()), response("b")]))
    assert written(shown)[1].drops == {"media_in_text_format": 1}


@given(st.lists(tasks(), max_size=3), st.sampled_from(["none", "absolute"]), st.sampled_from(["each", "majority"]))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_all_rows_have_the_same_columns_and_kinds(records: list[TaskRecord], margin: str, consensus: str) -> None:
    rows, accounting = written(*records, margin=margin, consensus=consensus)
    assert accounting.rows_out == len(rows)
    assert len({tuple((key, type(value)) for key, value in row.items()) for row in rows}) <= 1
    for row in rows:
        assert row["prompt"][-1]["role"] in ("user", "tool")
        assert [side[0]["role"] for side in (row["chosen"], row["rejected"])] == ["assistant", "assistant"]
        assert "margin" not in row or isinstance(row["margin"], float)
        sides = [row[side][0]["content"] for side in ("chosen", "rejected")]
        assert sides[0] != sides[1]
        assert all(side and side == side.strip() for side in sides)


def test_datasets_loads_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    monkeypatch.setitem(os.environ, "HF_HOME", str(tmp_path / "home"))
    datasets = pytest.importorskip("datasets")
    records = [
        task(prompt(wins("b", margin=2), content=text(f"Question\u2028 {number}?")), key=str(number))
        for number in range(50)
    ]
    records.append(
        task(prompt(wins("a", margin=1)), key="2025-01-01", context=[Message(role="system", content=text("x"))])
    )
    rows, _ = written(*records, margin="absolute")
    loaded = load(datasets, rows, tmp_path)
    assert loaded.column_names == ["prompt", "chosen", "rejected", "margin", "id", "task", "annotator"]
    assert loaded.to_list() == rows


def test_datasets_loads_real_conversations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = REAL_DATA / "llmfao" / "pairs-crowd.jsonl"
    if not path.exists():
        pytest.skip(f"real data not at {path} (set TIEBREAK_REAL_DATA)")
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    judged = [
        task(prompt(wins("x"), content=each.prompts[0].content, responses=each.prompts[0].responses), key=each.id)
        for each in pairs_as_records(path)
    ]
    rows, accounting = written(*judged)
    assert (accounting.drops["empty_response"], len(rows)) == (
        289,
        2139 - 289 - accounting.drops.get("identical_responses", 0),
    )
    loaded = load(datasets, rows, tmp_path)
    assert loaded.to_list() == rows


def load(datasets: Any, rows: list[dict[str, Any]], folder: Path) -> Any:
    with ShardWriter(folder, "train.jsonl") as shard:
        for row in rows:
            shard.write(row)
    files = str(folder / "train.jsonl")
    return datasets.load_dataset("json", data_files=files, split="train", cache_dir=str(folder / "cache"))
