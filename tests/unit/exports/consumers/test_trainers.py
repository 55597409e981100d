"""What the other trainers do with their data before training, after their readers' code, and the package `datasets`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from exports.formats import FORMATS, get
from exports.formats.axolotl import TEMPLATE
from exports.options import ExportOptions
from tests.unit.exports.consumers.project import PICTURE, PICTURES, RECORDS, rows
from tests.unit.exports.formats.rows import loaded
from tests.unit.exports.samples import prompt, response, task, text, wins

TABLES = [n for n, each in FORMATS.items() if each.can_write and "files" not in each.containers and n != "tiebreak"]


@pytest.mark.parametrize("name", TABLES)
def test_datasets_loads_what_was_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = rows(name, rewrites="pairs")
    dataset = loaded(found, tmp_path, monkeypatch)
    assert dataset.num_rows == len(found)
    assert set(dataset.column_names) == set().union(*found)


@pytest.mark.parametrize("name", [name for name in TABLES if "parquet" in FORMATS[name].containers])
def test_columns_have_one_kind_each_in_arrow(name: str) -> None:
    found = rows(name)
    table = pa.Table.from_pylist(found)
    kinds = {field.name: field.type for field in table.schema}
    assert pa.null() not in kinds.values()
    assert {frozenset(row) for row in found} == {frozenset(found[0])}


def llama_factory_pair(row: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Whether LLaMA-Factory's sharegpt converter keeps a pair, which else it drops with a warning."""
    columns = entry["columns"]
    turns = [turn["from"] for turn in row[columns["messages"]]]
    turns = turns[1:] if turns[0] == "system" else turns
    in_turn = all(turn == ("gpt" if index % 2 else "human") for index, turn in enumerate(turns))
    sides = [row[columns[side]] for side in ("chosen", "rejected")]
    texts = [turn["value"] for turn in (*row[columns["messages"]], *sides)]
    pictures = row.get(columns.get("images", ""), [])
    assert sum(side.count("<image>") for side in texts) == len(pictures)
    return len(turns) % 2 == 1 and in_turn and all(isinstance(side, dict) and side["from"] == "gpt" for side in sides)


@pytest.mark.parametrize("name", ["llama_factory_pair", "llama_factory_vision"])
def test_llama_factory_keeps_every_pair(name: str) -> None:
    ((file, info),) = get(name).companions(["train.jsonl"], ExportOptions())
    assert (file, list(info), info["train"]["file_name"]) == ("dataset_info.json", ["train"], "train.jsonl")  # type: ignore[call-overload, index]
    assert info["train"]["ranking"] is True  # type: ignore[index]
    assert all(llama_factory_pair(row, info["train"]) for row in rows(name))  # type: ignore[index]


def test_llama_factory_puts_the_place_of_a_picture_where_it_was() -> None:
    row = rows("llama_factory_vision")[1]
    assert row["conversations"][1] == {"from": "human", "value": "<image>\nWhat is this?"}
    assert row["images"] == [PICTURE]


def test_llama_factory_kto_never_has_an_empty_answer_and_tags_are_booleans() -> None:
    empty = task(prompt(wins("a"), responses=[response("a"), response("b", " ")]), key="e")
    found = rows("llama_factory_kto", [*RECORDS, empty])
    assert all(row["kto_tag"] in (True, False) and isinstance(row["kto_tag"], bool) for row in found)
    assert all(row["conversations"][-1]["value"].strip() for row in found)
    entry = next(iter(get("llama_factory_kto").companions(["a.json", "b.json"], ExportOptions())))[1]
    assert "ranking" not in entry["a"]  # type: ignore[index]


@pytest.mark.parametrize("name", ["llama_factory_pair", "ms_swift", "openrlhf", "verl"])
def test_words_that_a_trainer_takes_for_a_picture_are_refused(name: str) -> None:
    typed = task(prompt(wins("a"), content=text("What does <image> mean?")), key="x")
    answered = task(prompt(wins("a"), responses=[response("a", "Use <video>."), response("b")]), key="y")
    assert len(rows(name, [*RECORDS, typed, answered])) == len(rows(name))


def axolotl_answer(content: str) -> str:
    """What Axolotl trains on: the answer after a dummy question in the template, from where it is first found."""
    rendered = f"{TEMPLATE}{content.strip()}<|im_end|>"
    return rendered[rendered.find(content) :].removesuffix("<|im_end|>")


def test_axolotl_trains_on_the_answers_as_they_are() -> None:
    short = task(prompt(wins("a"), responses=[response("a", "user"), response("b")]), key="s")
    found = rows("axolotl", [*RECORDS, short])
    assert len(found) == len(rows("axolotl"))
    assert axolotl_answer("user") != "user"
    for row in found:
        assert [axolotl_answer(row[side]["content"]) for side in ("chosen", "rejected")] == [
            row[side]["content"] for side in ("chosen", "rejected")
        ]


def test_ms_swift_keeps_every_row() -> None:
    for row in rows("ms_swift"):
        assert row["messages"][-1]["role"] == "assistant"
        assert row["rejected_response"] not in (None, row["messages"][-1]["content"])
    for row in rows("ms_swift_vision", PICTURES):
        for side, images in (("messages", "images"), ("rejected_messages", "rejected_images")):
            assert sum(message["content"].count("<image>") for message in row[side]) == len(row[images])


def test_nemo_rl_finds_two_completions_with_different_ranks() -> None:
    for row in rows("nemo_rl"):
        better, worse = sorted(row["completions"], key=lambda completion: completion["rank"])
        assert (better["rank"], worse["rank"]) == (0, 1)
        assert better["completion"] != worse["completion"]


def test_verl_glues_prompt_and_answer_into_readable_text() -> None:
    wholes = [row["prompt"] + row["chosen"] for row in rows("verl")]
    assert wholes[-1] == "Question?\nanswer b"
    assert wholes[0] == "System: Be brief.\n\nHuman: Where is Paris?\n\nAssistant: On the river Seine."


def test_openai_learns_the_last_answer_alone() -> None:
    messages = rows("openai_chat")[-2]["messages"]
    assert [(message["role"], message.get("weight")) for message in messages] == [
        ("system", None),
        ("user", None),
        ("assistant", 0),
        ("user", None),
        ("assistant", None),
    ]


def test_openai_lines_are_json_without_a_blank_one() -> None:
    for row in rows("openai_preference"):
        assert "\n" not in json.dumps(row)
        assert list(row) == ["input", "preferred_output", "non_preferred_output"]
