from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.accounting import Accounting
from exports.bundle import open_bundle
from exports.formats import get
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import TaskRecord
from exports.writers import ShardWriter
from tests.unit.exports.samples import REAL_DATA, prompt, says, task, tasks, text, wins

TIEBREAK = get("tiebreak")


def written(*records: TaskRecord) -> tuple[list[dict[str, Any]], Accounting]:
    accounting = Accounting()
    rows = list(TIEBREAK.write(records, ExportOptions(), accounting))
    accounting.check()
    return rows, accounting


def read(*rows: object) -> tuple[list[TaskRecord], list[tuple[str, str]]]:
    """Records, and (field, found) of every problem."""
    problems = ProblemList()
    records = [record for _, record in TIEBREAK.read(enumerate(rows, 1), "f.jsonl", problems)]
    return records, [(problem.field, problem.found) for problem in problems]


def row(**changes: Any) -> dict[str, Any]:
    return msgspec.to_builtins(task(prompt(wins("a")))) | changes


def judged(**fields: Any) -> dict[str, Any]:
    """A row whose only annotation has `fields` on top of a plain winner."""
    result = row()
    result["prompts"][0]["annotations"][0] |= fields
    return result


ANNOTATION = "prompts[0].annotations[0]"


@given(st.lists(tasks(), max_size=3))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_write_then_read_gives_the_same_records(records: list[TaskRecord]) -> None:
    rows, accounting = written(*records)
    again, problems = read(*json.loads(json.dumps(rows)))
    assert (again, problems, accounting.rows_out) == (records, [], len(records))


@given(records=st.lists(tasks(), min_size=1, max_size=3))
@settings(
    max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None
)
def test_file_comes_back_byte_for_byte(records: list[TaskRecord], tmp_path: Path) -> None:
    def write(name: str, given_records: list[TaskRecord]) -> bytes:
        with ShardWriter(tmp_path, name) as shard:
            for each in written(*given_records)[0]:
                shard.write(each)
        return (tmp_path / name).read_bytes()

    first = write("first.jsonl", records)
    problems = ProblemList()
    with open_bundle(tmp_path / "first.jsonl") as bundle:
        again = [record for _, record in TIEBREAK.read(bundle.good_rows(problems), bundle.file, problems)]
    assert (write("second.jsonl", again), list(problems)) == (first, [])


def test_accounting_counts_every_vote_as_exported() -> None:
    _, accounting = written(task(prompt(wins("a"), says("tie"), wins("a", kind="adjudication"))))
    assert accounting == Accounting(votes_in=2, votes_exported=2, rows_out=1, adjudications=1)


def test_lines_come_with_their_records() -> None:
    assert [line for line, _ in TIEBREAK.read([(3, row()), (9, row())], "f", ProblemList())] == [3, 9]


@pytest.mark.parametrize("value", [None, 1, "x", [], [row()], True])
def test_row_that_is_no_object_is_reported(value: object) -> None:
    assert [field for field, _ in read(value)[1]] == [""]


def test_every_problem_of_every_row_is_reported_and_good_rows_are_kept() -> None:
    bad = {"id": 7, "prompts": [{"id": "p", "content": [{"type": "txt"}], "reponses": []}], "x": 1}
    records, problems = read(bad, row(), row(id=""))
    assert problems == [
        ("x", "an unknown key"),
        ("id", "the number 7"),
        ("prompts[0].reponses", "an unknown key"),
        ("prompts[0].content[0].type", '"txt"'),
        ("prompts[0].responses", "nothing"),
        ("id", "an id of 0 characters"),
    ]
    assert len(records) == 1


def test_problem_is_a_sentence_that_says_what_to_do() -> None:
    problems = ProblemList()
    list(TIEBREAK.read([(7, row(prompts="none"))], "tasks.jsonl", problems))
    assert [str(each) for each in problems] == ['tasks.jsonl, line 7, prompts: found "none"; expected a list.']


@pytest.mark.parametrize(
    ("changes", "field", "found"),
    [
        ({"id": True}, "id", "true"),
        ({"id": None}, "id", "null"),
        ({"id": ["a"]}, "id", "a list"),
        ({"id": "x" * 201}, "id", "an id of 201 characters"),
        ({"id": "x" * 10_000}, "id", "an id of 10000 characters"),
        ({"id": "a\u202eb"}, "id", r'"a\u202eb"'),
        ({"id": " a"}, "id", '" a"'),
        ({"priority": "1"}, "priority", '"1"'),
        ({"priority": 1.0}, "priority", "the number 1.0"),
        ({"priority": False}, "priority", "false"),
        ({"overlap": 0}, "overlap", "the number 0"),
        ({"metadata": []}, "metadata", "an empty list"),
        ({"context": [{"role": "bot", "content": []}]}, "context[0].role", '"bot"'),
        ({"context": [{"role": "user", "content": "hi"}]}, "context[0].content", '"hi"'),
        ({"context": [{"role": "user", "content": []}]}, "context[0].content", "an empty list"),
        ({"prompts": []}, "prompts", "an empty list"),
        ({"__proto__": {}}, "__proto__", "an unknown key"),
    ],
)
def test_wrong_value_of_a_task_is_reported_with_its_field(changes: dict[str, Any], field: str, found: str) -> None:
    assert read(row(**changes)) == ([], [(field, found)])


@pytest.mark.parametrize("key", ["new", "export", "..", "%2f", "00012", "__proto__", "constructor", "a:b", "名前"])
def test_ids_are_data(key: str) -> None:
    records, problems = read(row(id=key))
    assert ([record.id for record in records], problems) == ([key], [])


@pytest.mark.parametrize("second", ["a", "e\u0301"])
def test_ids_given_twice_are_reported(second: str) -> None:
    value = row()
    first = {"a": "a", "e\u0301": "é"}[second]
    value["prompts"][0] |= {"annotations": []}
    value["prompts"][0]["responses"][0]["id"], value["prompts"][0]["responses"][1]["id"] = first, second
    assert read(value) == ([], [("prompts[0].responses[1].id", f'"{second}" twice')])


def test_prompt_ids_given_twice_are_reported() -> None:
    value = row()
    value["prompts"] *= 2
    assert read(value) == ([], [("prompts[1].id", '"p" twice')])


def test_two_responses_that_continue_are_reported() -> None:
    value = row()
    for response in value["prompts"][0]["responses"]:
        response["continues"] = True
    assert read(value) == ([], [("prompts[0].responses", "several that continue the conversation")])


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ({"type": "text"}, ".text"),
        ({"type": "text", "text": "x", "asset": "a" * 64}, ""),
        ({"type": "image"}, ""),
        ({"type": "image", "asset": "a" * 64, "path": "a.png"}, ""),
        ({"type": "image", "asset": "A" * 64}, ".asset"),
        ({"type": "image", "path": "a.png", "text": "x"}, ".text"),
        ({"type": "image", "path": "../a.png"}, ".path"),
        ({"type": "image", "path": "/etc/passwd"}, ".path"),
        ({"type": "image", "path": "file:///etc/passwd"}, ".path"),
    ],
)
def test_part_that_is_not_one_thing_is_reported(part: dict[str, Any], field: str) -> None:
    value = row()
    value["prompts"][0]["content"] = [part]
    records, problems = read(value)
    assert (records, [each for each, _ in problems]) == ([], ["prompts[0].content[0]" + field])


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"winner": "z"}, "winner"),
        ({"winner": None}, "winner"),
        ({"outcome": "tie"}, "winner"),
        ({"outcome": "all_bad"}, "winner"),
        ({"outcome": "win"}, "outcome"),
        ({"outcome": "tie", "winner": None, "margin": 1}, "margin"),
        ({"outcome": "cannot_judge", "winner": None, "margin": 1}, "margin"),
        ({"margin": 0}, "margin"),
        ({"margin": -2}, "margin"),
        ({"margin": "2"}, "margin"),
        ({"ranking": [["a"], ["z"]]}, "ranking[1][0]"),
        ({"ranking": [["a"], ["b", "a"]]}, "ranking[1][1]"),
        ({"ranking": ["a"]}, "ranking[0]"),
        ({"display_order": ["a", "a"]}, "display_order[1]"),
        ({"display_order": ["left"]}, "display_order[0]"),
        ({"ratings": [{"dimension": "tone", "response": "z"}]}, "ratings[0].response"),
        ({"ratings": [{"dimension": ""}]}, "ratings[0].dimension"),
        ({"ratings": [{"dimension": "t", "value": 1}, {"dimension": "t", "value": 2}]}, "ratings[1]"),
        ({"rewrites": [{"response": "z", "content": [{"type": "text", "text": ""}]}]}, "rewrites[0].response"),
        ({"rewrites": [{"response": "a", "content": []}]}, "rewrites[0].content"),
        ({"annotator": ""}, "annotator"),
        ({"state": "draft"}, "state"),
        ({"seconds": -1}, "seconds"),
        ({"rubric_version": 0}, "rubric_version"),
        ({"reviews": [{"reviewer": "r", "verdict": "reject", "at": "2025-01-01T00:00:00Z"}]}, "reviews[0].verdict"),
        ({"reviews": [{"reviewer": "r", "verdict": "fix"}]}, "reviews[0].at"),
    ],
)
def test_incoherent_annotation_is_reported_with_its_field(fields: dict[str, Any], field: str) -> None:
    records, problems = read(judged(**fields))
    assert (records, [each for each, _ in problems]) == ([], [f"{ANNOTATION}.{field}"])


@pytest.mark.parametrize(
    "time", ["2024-02-30T00:00:00Z", "2025-01-01T00:00:00", "0000-01-01T00:00:00Z", "-1", "", "now"]
)
def test_time_that_is_none_or_has_no_zone_is_reported(time: str) -> None:
    assert [field for field, _ in read(judged(submitted_at=time))[1]] == [f"{ANNOTATION}.submitted_at"]


def test_empty_prompt_is_good_only_where_the_context_asks() -> None:
    tool = [{"role": "tool", "content": [{"type": "text", "text": "42"}]}]
    value = row(context=tool)
    value["prompts"][0]["content"] = []
    assert read(value)[1] == []
    assert read(value | {"context": []})[1] == [("prompts[0].content", "an empty list")]


def test_empty_response_is_kept_as_a_text_part() -> None:
    value = row()
    value["prompts"][0]["responses"][0]["content"] = [{"type": "text", "text": ""}]
    (record,), _ = read(value)
    assert record.prompts[0].responses[0].content == text("")


def test_real_rankings_of_images_go_through() -> None:
    path = REAL_DATA / "imagereward" / "test.json"
    if not path.exists():
        pytest.skip(f"real data not at {path} (set TIEBREAK_REAL_DATA)")
    rows = [_imagereward(item) for item in json.loads(path.read_text(encoding="utf-8"))]
    records, problems = read(*rows)
    assert (len(records), problems) == (466, [])
    assert written(*records)[0] == rows


def _imagereward(item: dict[str, Any]) -> dict[str, Any]:
    """One item as a row: rank 1 is best, equal ranks are a tie."""
    keys = [f"r{number}" for number in range(len(item["generations"]))]
    groups: dict[int, list[str]] = {}
    for key, rank in zip(keys, item["ranking"], strict=True):
        groups.setdefault(rank, []).append(key)
    ranking = [groups[rank] for rank in sorted(groups)]
    verdict = {"outcome": "tie"} if len(ranking[0]) > 1 else {"outcome": "winner", "winner": ranking[0][0]}
    responses = [
        {"id": key, "content": [{"type": "image", "path": path}]}
        for key, path in zip(keys, item["generations"], strict=True)
    ]
    annotation = {"annotator": "imported", **verdict, "ranking": ranking}
    content = [{"type": "text", "text": item["prompt"]}]
    prompts = [{"id": "1", "content": content, "responses": responses, "annotations": [annotation]}]
    return {"id": item["id"], "prompts": prompts}
