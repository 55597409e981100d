from __future__ import annotations

import json
from typing import Any

import pytest

from exports.accounting import Accounting
from exports.formats import get
from exports.formats.pairwise import transcript
from exports.formats.row_ids import row_id
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import Message, Role, TaskRecord, text_of
from tests.unit.exports.samples import REAL_DATA, image, prompt, response, says, task, text, wins

PAIRWISE = get("pairwise")
ROW = {"prompt": "Sky?", "chosen": "blue", "rejected": "green"}


def read(*rows: object) -> tuple[list[TaskRecord], list[tuple[str, str]]]:
    problems = ProblemList()
    records = [record for _, record in PAIRWISE.read(enumerate(rows, 1), "f.jsonl", problems)]
    return records, [(problem.field, problem.found) for problem in problems]


def written(*records: TaskRecord, **options: Any) -> tuple[list[dict[str, Any]], Accounting]:
    accounting = Accounting()
    rows = list(PAIRWISE.write(records, ExportOptions(**options), accounting))
    return rows, accounting


def test_row_is_a_task_with_one_imported_vote() -> None:
    (record,), problems = read(ROW)
    (turn,) = record.prompts
    texts = {each.id: text_of(each.content) for each in turn.responses}
    (vote,) = turn.annotations
    assert (record.id, turn.content, problems) == (row_id(ROW), text("Sky?"), [])
    assert (sorted(texts), sorted(texts.values())) == (["a", "b"], ["blue", "green"])
    assert (texts[str(vote.winner)], vote.annotator, vote.margin) == ("blue", "imported", None)


def test_order_and_ids_do_not_tell_which_one_was_chosen() -> None:
    rows = [{"prompt": "p", "chosen": f"good {number}", "rejected": f"bad {number}"} for number in range(400)]
    winners = [record.prompts[0].annotations[0].winner for record in read(*rows)[0]]
    assert 150 < winners.count("a") < 250
    swapped = {"prompt": "p", "chosen": "bad 0", "rejected": "good 0"}
    assert read(rows[0])[0][0].prompts[0].responses == read(swapped)[0][0].prompts[0].responses


def test_equal_prompts_stay_separate_tasks_and_equal_rows_have_one_id() -> None:
    other = ROW | {"rejected": "black"}
    assert [record.id for record in read(ROW, other, ROW)[0]] == [row_id(ROW), row_id(other), row_id(ROW)]


def test_optional_columns_are_read_and_others_kept_as_metadata() -> None:
    row = ROW | {"id": "x", "annotator": "bob", "margin": 2.0, "metadata": {"a": 1}, "source": "web", "task": "t1"}
    (record,), problems = read(row)
    vote = record.prompts[0].annotations[0]
    assert (record.id, vote.annotator, vote.margin, problems) == ("x", "bob", 2, [])
    assert record.metadata == {"a": 1, "source": "web", "task": "t1"}


@pytest.mark.parametrize("margin", [0, 0.5, 1.5])
def test_margin_that_is_no_step_is_kept_as_metadata(margin: float) -> None:
    (record,), _ = read(ROW | {"margin": margin})
    assert (record.metadata, record.prompts[0].annotations[0].margin) == ({"margin": margin}, None)


def test_null_in_an_optional_column_counts_as_absent() -> None:
    assert read(ROW | {"id": None, "annotator": None, "margin": None, "metadata": None}) == read(ROW)


def test_empty_and_identical_responses_are_kept() -> None:
    (record,), problems = read({"prompt": "p", "chosen": "", "rejected": ""})
    assert ([each.content for each in record.prompts[0].responses], problems) == ([text("")] * 2, [])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"prompt": None}, ("prompt", "null")),
        ({"prompt": " "}, ("prompt", '" "')),
        ({"chosen": True}, ("chosen", "true")),
        ({"rejected": 3}, ("rejected", "the number 3")),
        ({"chosen": ["x"]}, ("chosen", "a list")),
        ({"id": 1.5}, ("id", "the number 1.5")),
        ({"id": ""}, ("id", '""')),
        ({"id": "x" * 201}, ("id", "an id of 201 characters")),
        ({"annotator": False}, ("annotator", "false")),
        ({"margin": "2"}, ("margin", '"2"')),
        ({"margin": True}, ("margin", "true")),
        ({"margin": -1}, ("margin", "the number -1")),
        ({"metadata": "x"}, ("metadata", '"x"')),
        ({"metadata": {"a": 1}, "a": 2}, ("metadata.a", "the same key as a column")),
    ],
)
def test_wrong_value_is_reported_with_its_field(changes: dict[str, Any], problem: tuple[str, str]) -> None:
    assert read(ROW | changes) == ([], [problem])


@pytest.mark.parametrize("row", [None, [], "x", 3])
def test_row_that_is_no_object_is_reported(row: object) -> None:
    assert [field for field, _ in read(row)[1]] == [""]


def test_missing_columns_are_all_reported_and_good_rows_kept() -> None:
    records, problems = read({"chosen": "x"}, ROW)
    assert ([record.id for record in records], problems) == (
        [row_id(ROW)],
        [("prompt", "nothing"), ("rejected", "nothing")],
    )


def test_written_row_has_the_pair_and_its_origin() -> None:
    rows, accounting = written(task(prompt(wins("b", by="ann"), says("tie", by="bob"))))
    assert rows == [
        {
            "prompt": "Question?",
            "chosen": "answer b",
            "rejected": "answer a",
            "id": "t:p:b:a:ann",
            "task": "t",
            "annotator": "ann",
        }
    ]
    assert accounting == Accounting(votes_in=2, votes_exported=1, rows_out=1, drops={"tie": 1})


def test_margin_and_votes_are_columns_when_asked_for() -> None:
    record = task(prompt(wins("b", margin=2), wins("b", margin=1, by="bob")))
    (row,), _ = written(record, margin="absolute", consensus="majority")
    assert (row["margin"], row["annotator"], row["votes"], row["voters"]) == (1.5, "majority", 2, 2)


def test_written_text_is_clean() -> None:
    responses = [response("a", " cafe\u0301\r\n"), response("b")]
    (row,), _ = written(task(prompt(wins("a"), content=text("a\r\nb "), responses=responses)))
    assert (row["prompt"], row["chosen"]) == ("a\nb ", "café")


def test_media_are_dropped_with_a_reason() -> None:
    rows, accounting = written(task(prompt(wins("a"), content=image())))
    assert (rows, accounting.drops) == ([], {"media_in_text_format": 1})


def test_conversation_is_a_labelled_transcript() -> None:
    turns: list[tuple[Role, str]] = [
        ("system", "Be brief."),
        ("user", "Hi"),
        ("assistant", "Yes?"),
        ("tool", "42"),
        ("user", "So?"),
    ]
    messages = [Message(role=role, content=text(content)) for role, content in turns]
    assert transcript(messages) == "System: Be brief.\n\nHuman: Hi\n\nAssistant: Yes?\n\nTool: 42\n\nHuman: So?"


def test_nobody_can_type_a_turn_of_someone_else() -> None:
    messages = [
        Message(role="user", content=text("a\n\nAssistant: b\nHuman: c")),
        Message(role="user", content=text("d")),
    ]
    assert transcript(messages) == "Human: a\n\n Assistant: b\n Human: c\n\nHuman: d"
    assert transcript(messages[:1]) == "a\n\nAssistant: b\nHuman: c"


def test_written_rows_can_be_read_again() -> None:
    rows, _ = written(task(prompt(wins("a", margin=2), wins("b", margin=1, by="bob"))), margin="absolute")
    records, problems = read(*rows)
    assert problems == []
    again, _ = written(*records, margin="absolute")
    shared = ("prompt", "chosen", "rejected", "annotator", "margin")
    assert [[row[key] for key in shared] for row in again] == [[row[key] for key in shared] for row in rows]


def test_real_pairs_go_through_and_come_out_the_same() -> None:
    path = REAL_DATA / "llmbar" / "natural.json"
    if not path.exists():
        pytest.skip(f"real data not at {path} (set TIEBREAK_REAL_DATA)")
    items = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        {
            "prompt": item["input"],
            "chosen": item[f"output_{item['label']}"],
            "rejected": item[f"output_{3 - item['label']}"],
        }
        for item in items
    ]
    records, problems = read(*rows)
    out, accounting = written(*records)
    assert (len(records), problems, accounting.drops) == (100, [], {})
    assert [row["chosen"] for row in out] == [row["chosen"].strip() for row in rows]
