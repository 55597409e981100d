from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exports.accounting import Accounting
from exports.formats.row_ids import row_id
from exports.records import Message, text_of
from tests.unit.exports.formats.rows import again, loaded, read, written
from tests.unit.exports.samples import image, prompt, response, task, text, wins

OPENAI = "openai_preference"
TOOL = {"type": "function", "function": {"name": "weather", "parameters": {}}}


def said(role: str, content: str, **more: object) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


MESSAGES = [said("system", "Be brief."), said("user", "Sky?")]
ROW = {
    "input": {"messages": MESSAGES},
    "preferred_output": [said("assistant", "blue")],
    "non_preferred_output": [said("assistant", "green")],
}


def asked(**changes: Any) -> dict[str, Any]:
    return ROW | {"input": {"messages": MESSAGES} | changes}


def test_row_is_a_task_with_one_imported_vote() -> None:
    (record,), problems = read(OPENAI, ROW)
    (turn,) = record.prompts
    texts = {each.id: text_of(each.content) for each in turn.responses}
    assert record.context == [Message(role="system", content=text("Be brief."))]
    assert (record.id, turn.content, record.metadata, problems) == (row_id(ROW), text("Sky?"), {}, [])
    assert (texts[str(turn.annotations[0].winner)], sorted(texts.values())) == ("blue", ["blue", "green"])


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        asked(tools=[], parallel_tool_calls=True),
        asked(tools=[TOOL], parallel_tool_calls=False),
        asked(messages=[said("user", "6*7?"), said("assistant", ""), said("tool", "42")]),
    ],
)
def test_clean_row_comes_back_as_it_was(row: dict[str, Any]) -> None:
    assert again(OPENAI, row) == [row]


def test_tools_are_read_into_the_metadata() -> None:
    (record,), _ = read(OPENAI, asked(tools=[TOOL], parallel_tool_calls=None) | {"source": "web"})
    assert record.metadata == {"tools": [TOOL], "source": "web"}


def test_weight_of_a_message_is_not_kept() -> None:
    messages = [said("user", "Hi"), said("assistant", "Yes?", weight=0), said("user", "Sky?")]
    assert again(OPENAI, asked(messages=messages))[0]["input"]["messages"][1] == said("assistant", "Yes?")


@pytest.mark.parametrize("tools", ["hammer", ["hammer"], [{"name": "x"}], {"type": "x"}, None])
def test_metadata_that_only_have_the_name_of_tools_are_not_written(tools: Any) -> None:
    record = task(prompt(wins("a")), metadata={"tools": tools, "parallel_tool_calls": "yes"})
    assert written(OPENAI, record)[0][0]["input"] == {"messages": [said("user", "Question?")]}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"input": MESSAGES}, ("input", "a list")),
        ({"input": None}, ("input", "null")),
        ({"input": {}}, ("input.messages", "null")),
        ({"input": {"messages": []}}, ("input.messages", "an empty list")),
        ({"input": {"messages": "Sky?"}}, ("input.messages", '"Sky?"')),
        ({"input": {"messages": [said("assistant", "x")]}}, ("input.messages[0].role", '"assistant" as the last role')),
        ({"input": {"messages": [said("function", "x")]}}, ("input.messages[0].role", '"function"')),
        ({"input": {"messages": ["x"]}}, ("input.messages[0]", '"x"')),
        (asked(messages=[said("user", "x", tool_calls=[])]), ("input.messages[0].tool_calls", "an unknown key")),
        (asked(messages=[{"role": "user", "content": [{"type": "text"}]}]), ("input.messages[0].content", "a list")),
        (asked(temperature=1), ("input.temperature", "an unknown key")),
        (asked(tools="x"), ("input.tools", '"x"')),
        (asked(tools=[3]), ("input.tools", "a list")),
        (asked(parallel_tool_calls=1), ("input.parallel_tool_calls", "the number 1")),
        (asked(tools=[TOOL]) | {"tools": []}, ("tools", "the same key as input.tools")),
        ({"preferred_output": []}, ("preferred_output", "an empty list")),
        ({"preferred_output": "blue"}, ("preferred_output", '"blue"')),
        ({"preferred_output": [said("user", "x")]}, ("preferred_output", "messages of user")),
        (
            {"non_preferred_output": [said("assistant", "x")] * 2},
            ("non_preferred_output", "messages of assistant, assistant"),
        ),
        ({"non_preferred_output": [said("assistant", None)]}, ("non_preferred_output[0].content", "null")),  # type: ignore[arg-type]
    ],
)
def test_wrong_value_is_reported_with_its_field(changes: dict[str, Any], problem: tuple[str, str]) -> None:
    assert read(OPENAI, ROW | changes) == ([], [problem])


def test_missing_columns_are_all_reported_and_good_rows_kept() -> None:
    records, problems = read(OPENAI, {"input": {}}, [], ROW)
    assert ([record.id for record in records], [field for field, _ in problems]) == (
        [row_id(ROW)],
        ["preferred_output", "non_preferred_output", ""],
    )


def test_margins_have_no_place_and_cost_no_vote() -> None:
    record = task(prompt(wins("a", margin=3), wins("b", by="bob")))
    rows, accounting = written(OPENAI, record, margin="absolute")
    assert rows[0] == {
        "input": {"messages": [said("user", "Question?")]},
        "preferred_output": [said("assistant", "answer a")],
        "non_preferred_output": [said("assistant", "answer b")],
    }
    assert accounting == Accounting(votes_in=2, votes_exported=2, rows_out=2)


def test_media_are_dropped_with_a_reason() -> None:
    shown = task(prompt(wins("a"), responses=[response("a", image()), response("b")]))
    assert written(OPENAI, shown)[1].drops == {"media_in_text_format": 1}


def test_datasets_loads_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        task(
            prompt(wins("b"), content=text(f"Why {n}?")), key=str(n), context=[Message(role="tool", content=text("x"))]
        )
        for n in range(50)
    ]
    rows, _ = written(OPENAI, *records)
    assert loaded(rows, tmp_path, monkeypatch).to_list() == rows
