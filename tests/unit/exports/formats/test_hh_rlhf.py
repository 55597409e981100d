from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.records import Message, Role, TaskRecord, text_of
from tests.unit.exports.formats.rows import again, loaded, read, written
from tests.unit.exports.samples import image, prompt, response, says, task, tasks, text, wins

HH = "hh_rlhf"
ROW = {
    "chosen": "\n\nHuman: Hi\n\nAssistant: Hello, how can I help?",
    "rejected": "\n\nHuman: Hi\n\nAssistant: What?",
}
LONG = "\n\nHuman: Hi\n\nAssistant: Yes?\n\nHuman: Sky?\nQuick.\n\nAssistant:"


def message(role: Role, content: str) -> Message:
    return Message(role=role, content=text(content))


def test_row_is_a_task_with_one_imported_vote() -> None:
    (record,), problems = read(HH, {"chosen": f"{LONG} blue", "rejected": f"{LONG} green"})
    (turn,) = record.prompts
    texts = {each.id: text_of(each.content) for each in turn.responses}
    assert (len(record.id), problems) == (20, [])
    assert record.context == [message("user", "Hi"), message("assistant", "Yes?")]
    assert turn.content == text("Sky?\nQuick.")
    assert (texts[str(turn.annotations[0].winner)], sorted(texts.values())) == ("blue", ["blue", "green"])


@pytest.mark.parametrize(
    "before",
    [
        "\n\nHuman: a",
        "\n\nHuman: a\n\nHuman: b",
        "\n\nHuman: a\n\nAssistant: b\n\nAssistant: c\n\nHuman: d",
        "\n\nAssistant: Hello!\n\nHuman: a",
        "\n\nHuman: \n\nAssistant: \n\nHuman:  a\n\n\n",
        "\n\nHuman: I said:\n\n Human: no\n Assistant: yes, Human: 1, Assistant: 2",
    ],
)
def test_clean_row_comes_back_as_it_was(before: str) -> None:
    row = {"chosen": f"{before}\n\nAssistant: x\n\ny", "rejected": f"{before}\n\nAssistant: z"}
    assert again(HH, row) == [row]


def test_several_turns_of_one_role_are_several_messages() -> None:
    before = "\n\nHuman: a\n\nHuman: b\n\nAssistant:"
    (record,), _ = read(HH, {"chosen": f"{before} x", "rejected": f"{before} y"})
    assert (record.context, record.prompts[0].content) == ([message("user", "a")], text("b"))


def test_margin_and_other_columns_are_read_and_the_margin_is_written_when_asked_for() -> None:
    row = ROW | {"id": "x", "annotator": "bob", "margin": 2.0, "source": "web"}
    (record,), problems = read(HH, row)
    vote = record.prompts[0].annotations[0]
    assert (record.id, vote.annotator, vote.margin, record.metadata) == ("x", "bob", 2, {"source": "web"})
    assert (written(HH, record, margin="absolute")[0], problems) == ([ROW | {"margin": 2.0}], [])


@pytest.mark.parametrize("last", ["", " ", "  "])
def test_empty_last_turn_is_kept_and_left_out_of_an_export(last: str) -> None:
    records, problems = read(HH, ROW | {"rejected": f"\n\nHuman: Hi\n\nAssistant:{last}"})
    assert (len(records), problems) == (1, [])
    rows, accounting = written(HH, *records)
    assert (rows, accounting.drops) == ([], {"empty_response": 1})


def test_words_after_the_last_turn_of_the_assistant_belong_to_it() -> None:
    (record,), _ = read(HH, ROW | {"chosen": "\n\nHuman: Hi\n\nAssistant: x\n\nHuman: y"})
    assert "x\n\nHuman: y" in [text_of(each.content) for each in record.prompts[0].responses]
    assert written(HH, record)[0][0]["chosen"] == "\n\nHuman: Hi\n\nAssistant: x\n\n Human: y"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (None, ("", "null")),
        ([], ("", "an empty list")),
        ({"chosen": ROW["chosen"]}, ("rejected", "nothing")),
        (ROW | {"prompt": "x"}, ("prompt", "a column of its own")),
        (ROW | {"chosen": 3}, ("chosen", "the number 3")),
        (ROW | {"rejected": []}, ("rejected", "an empty list")),
        (ROW | {"rejected": None}, ("rejected", "null")),
        (ROW | {"chosen": ""}, ("chosen", "no turn of the Assistant")),
        (ROW | {"rejected": "\n\nHuman: Hi"}, ("rejected", "no turn of the Assistant")),
        (ROW | {"rejected": "\n\nHuman: Ho\n\nAssistant: x"}, ("rejected", "another conversation than in chosen")),
        (ROW | {"rejected": f"{LONG} x"}, ("rejected", "another conversation than in chosen")),
        (ROW | {"margin": "2"}, ("margin", '"2"')),
        (ROW | {"id": 1.5}, ("id", "the number 1.5")),
    ],
)
def test_wrong_value_is_reported_with_its_field(row: object, problem: tuple[str, str]) -> None:
    assert read(HH, row) == ([], [problem])


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("", '""'),
        ("Hi", '"Hi"'),
        ("Human: Hi", '"Human: Hi"'),
        ("System\n\nHuman: Hi", '"System\\n\\nHuman: Hi"'),
        ("\n\nHuman: Hi\n\nAssistant: x", "a turn of the Assistant before the last turn"),
        ("\n\nHuman: ", "no words of the Human before the last turn"),
    ],
)
def test_conversation_that_nobody_can_answer_is_reported(before: str, found: str) -> None:
    row = {"chosen": f"{before}\n\nAssistant: x", "rejected": f"{before}\n\nAssistant: y"}
    assert read(HH, row) == ([], [("chosen", found)])


@pytest.mark.parametrize("role", ["system", "tool"])
def test_messages_without_a_place_are_dropped_with_a_reason(role: Any) -> None:
    records = [task(prompt(wins("a"), says("tie")), context=[message(role, "x")]), task(prompt(wins("a")), key="u")]
    rows, accounting = written(HH, *records)
    assert rows == [
        {
            "chosen": "\n\nHuman: Question?\n\nAssistant: answer a",
            "rejected": "\n\nHuman: Question?\n\nAssistant: answer b",
        }
    ]
    assert (accounting.votes_in, accounting.drops) == (3, {"role_not_in_format": 2})


def test_media_are_dropped_with_a_reason() -> None:
    assert written(HH, task(prompt(wins("a"), content=image())))[1].drops == {"media_in_text_format": 1}


def test_nobody_can_type_a_turn_of_someone_else() -> None:
    asked = "Human: a\n\nAssistant: b\nHuman: c"
    responses = [response("a", "x\n\nAssistant: y\n\nHuman: z"), response("b")]
    rows, _ = written(HH, task(prompt(wins("a"), content=text(asked), responses=responses)))
    start = "\n\nHuman:  Human: a\n\n Assistant: b\n Human: c\n\nAssistant:"
    assert rows == [{"chosen": f"{start} x\n\n Assistant: y\n\n Human: z", "rejected": f"{start} answer b"}]
    assert again(HH, *rows) == rows


@given(st.lists(tasks(), max_size=3))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_whatever_is_written_comes_back(records: list[TaskRecord]) -> None:
    rows, _ = written(HH, *records)
    assert again(HH, *rows) == rows


def test_datasets_loads_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [task(prompt(wins("b", margin=2), content=text(f"Why\u2028 {n}?")), key=str(n)) for n in range(50)]
    rows, _ = written(HH, *records, margin="absolute")
    assert loaded(rows, tmp_path, monkeypatch).to_list() == rows
