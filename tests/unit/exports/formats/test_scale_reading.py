from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.formats import get
from exports.formats.base import RowReader
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import AnnotationRecord, TaskRecord, text_of
from tests.unit.exports.formats.rows import read, written
from tests.unit.exports.likely import likely_tasks
from tests.unit.exports.samples import prompt, response, task, text, wins

SCALE = "scale"


def note(key: str, value: object, **more: object) -> dict[str, Any]:
    return {"key": key, "value": value, **more}


def answer(model: str, said: str, *annotations: dict[str, Any], **content: object) -> dict[str, Any]:
    return {
        "role": "assistant",
        "source_id": model,
        "content": {"text": said, **content},
        "annotations": list(annotations),
    }


def asked(said: str = "Hi", role: str = "user") -> dict[str, Any]:
    return {"role": role, "source_id": "user", "content": {"text": said}, "annotations": []}


def turn(*annotations: dict[str, Any], messages: list[Any] | None = None, name: str = "tu0") -> dict[str, Any]:
    messages = messages or [asked(), answer("model_1", "Hello"), answer("model_2", "Hey!")]
    return {"id": name, "messages": messages, "annotations": list(annotations)}


def row(*turns: dict[str, Any], **fields: object) -> dict[str, Any]:
    thread = {"id": "th0", "turns": list(turns), "annotations": []}
    given = {"task_id": "t1", "project": "p1", "status": "completed", "created_at": "2025-01-01T00:00:00Z"}
    return {**given, "threads": [thread], **fields}


def judged(*annotations: dict[str, Any], **fields: Any) -> AnnotationRecord:
    (record,), problems = read(SCALE, row(turn(*annotations, **fields)))
    assert problems == []
    return record.prompts[0].annotations[0]


def read_with(mapping: dict[str, str], given: object) -> TaskRecord | None:
    return get(SCALE).read_row(given, RowReader("f", 1, ProblemList(), Setup(mapping=mapping)))


def test_terse_sample_of_the_documentation_is_read_whole() -> None:
    first = [note("instruction_following", 1), note("truthfulnes_justiifcation", "Wrong.")]
    second = [note("tone", 2), note("rewrite", "Model 2 rewritten")]
    messages = [asked(), answer("model_1", "one", *first), answer("model_2", "two", *second)]
    reason = "@Response 2 is much better than @Response 1."
    said = [note("selected_model_id", "model_2"), note("likert_value", 6), note("justification", reason)]
    (record,), problems = read(SCALE, row(turn(*said, messages=messages), batch="b1"))
    (asked_for,) = record.prompts
    (vote,) = asked_for.annotations
    assert problems == []
    assert (record.id, asked_for.id, asked_for.content) == ("t1", "tu0", text("Hi"))
    assert [(each.id, each.model) for each in asked_for.responses] == [("a", "model_1"), ("b", "model_2")]
    assert (vote.outcome, vote.winner, vote.margin, vote.justification) == ("winner", "b", 2, reason)
    assert [(each.dimension, each.response, each.value) for each in vote.ratings] == [
        ("instruction_following", "a", 1),
        ("tone", "b", 2),
    ]
    assert [(each.response, text_of(each.content)) for each in vote.rewrites] == [("b", "Model 2 rewritten")]
    assert [(each.text, each.response) for each in vote.references] == [("@Response 2", "b"), ("@Response 1", "a")]
    assert asked_for.responses[0].metadata == {"annotations": {"truthfulnes_justiifcation": "Wrong."}}
    assert record.metadata == {
        "project": "p1",
        "batch": "b1",
        "status": "completed",
        "created_at": "2025-01-01T00:00:00Z",
    }


def test_detailed_annotations_say_the_size_of_the_line() -> None:
    said = note("likert_value", 1, id="x", type="integer", possible_values=[[1, 2, 3, 4, 5, 6, 7, 8]])
    vote = judged(said)
    assert (vote.winner, vote.margin) == ("a", 4)


@pytest.mark.parametrize(
    ("value", "points", "verdict"),
    [
        (1, 7, ("winner", "a", 3)),
        (4, 7, ("tie", None, None)),
        (7, 7, ("winner", "b", 3)),
        (4, 8, ("winner", "a", 1)),
        (5, 8, ("winner", "b", 1)),
        (1, 2, ("winner", "a", 1)),
    ],
)
def test_point_on_the_line_gives_the_verdict_and_its_strength(value: int, points: int, verdict: object) -> None:
    vote = judged(note("likert_value", value, possible_values=list(range(1, points + 1))))
    assert (vote.outcome, vote.winner, vote.margin) == verdict


def test_size_of_the_line_is_chosen_where_the_file_does_not_say_it() -> None:
    record = read_with({"likert_points": "8"}, row(turn(note("likert_value", 8))))
    assert record is not None
    assert record.prompts[0].annotations[0].margin == 4
    proposed = {each.key: each.proposed for each in get(SCALE).mappable([row(turn(note("likert_value", 6)))])}
    assert proposed == {"likert_points": "7"}


def test_selected_model_that_answered_nothing_is_reported_and_not_guessed() -> None:
    records, problems = read(SCALE, row(turn(note("selected_model_id", "base_model"))))
    assert (records, problems) == ([], [("threads[0].turns[0].annotations[0].value", '"base_model"')])


@pytest.mark.parametrize(
    ("task_row", "field", "found"),
    [
        (row(status="pending", threads=[]), "threads", "nothing, for the task is pending"),
        (row(status="error", threads=[]), "threads", "nothing, for the task is error"),
        (row(threads=[]), "threads", "an empty list"),
        (row(status="cancelled"), "status", '"cancelled"'),
        (row(turn(), threads=[{}, {}]), "threads", "2 threads"),
        (row(), "threads[0].turns", "an empty list"),
        (row(turn(messages=[answer("m", "x")])), "threads[0].turns[0].messages", "no user message"),
        (row(turn(messages=[asked()])), "threads[0].turns[0].messages", "0 responses"),
        (
            row(turn(messages=[asked(), asked(), answer("m", "x")])),
            "threads[0].turns[0].messages[1].role",
            "a second user message",
        ),
        (row(turn(messages=[asked(role="tool")])), "threads[0].turns[0].messages[0].role", '"tool"'),
        (row(turn(note("likert_value", "6"))), "threads[0].turns[0].annotations[0].value", '"6"'),
        (row(turn(note("likert_value", 6.0))), "threads[0].turns[0].annotations[0].value", "the number 6.0"),
        (row(turn(note("likert_value", 9))), "threads[0].turns[0].annotations[0].value", "the number 9"),
        (
            row(turn(note("selected_model_id", "model_1"), note("likert_value", 6))),
            "threads[0].turns[0].annotations",
            '"model_1" as the better one, but 6 on the line',
        ),
        (
            row(turn(messages=[asked(), answer("m", "x", note("rewrite", 3)), answer("n", "y")])),
            "threads[0].turns[0].messages[1].annotations[0].value",
            "the number 3",
        ),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_field(task_row: object, field: str, found: str) -> None:
    records, problems = read(SCALE, task_row)
    assert records == []
    assert (field, found) in problems


def test_sensitive_task_without_threads_is_refused_with_that_reason() -> None:
    given = row(sensitive_content_reports=[{"type": "x", "message": "y"}])
    del given["threads"]
    problems = ProblemList()
    list(get(SCALE).read([(1, given)], "f.jsonl", problems))
    assert [str(each) for each in problems] == [
        "f.jsonl, line 1, threads: found nothing, for the task was reported as sensitive; expected a thread with turns."
    ]


def test_task_that_is_not_complete_has_no_judgements_but_keeps_what_was_said() -> None:
    (record,), problems = read(SCALE, row(turn(note("selected_model_id", "model_1")), status="pending"))
    assert (record.prompts[0].annotations, problems) == ([], [])
    assert record.metadata["turns"]["tu0"] == {"annotations": {"unfinished": {"winner": "a"}}}


def test_turns_before_the_first_judged_one_are_the_context() -> None:
    before = turn(messages=[asked("Be brief.", "system"), asked("One?"), answer("m", "1")], name="x")
    first = turn(note("selected_model_id", "model_2"), name="y")
    second = turn(note("likert_value", 2), name="z")
    (record,), problems = read(SCALE, row(before, first, second))
    assert problems == []
    assert [message.role for message in record.context] == ["system", "user", "assistant"]
    assert [each.id for each in record.prompts] == ["y", "z"]
    assert [each.id for each in record.prompts[0].responses if each.continues] == ["b"]
    assert not any(each.continues for each in record.prompts[1].responses)


def test_rankings_with_and_without_ties() -> None:
    choices = note("order", ["model_2", "model_1"], type="ranked_choices")
    groups = note("order", [["model_2", "model_1"]], type="ranked_groups")
    assert (judged(choices).winner, judged(choices).ranking) == ("b", [["b"], ["a"]])
    assert (judged(groups).outcome, judged(groups).ranking) == ("tie", [["b", "a"]])


def test_ratings_alone_judge_nothing_and_say_so() -> None:
    messages = [asked(), answer("m", "x", note("tone", 1, justification="Rude.")), answer("n", "y")]
    vote = judged(messages=messages)
    assert (vote.outcome, vote.reason) == ("cannot_judge", "The source has no comparison of the responses.")
    assert (vote.ratings[0].value, vote.ratings[0].justification) == (1, "Rude.")


def test_what_could_not_be_assessed_is_no_rating() -> None:
    said = [note("tone", 1, not_applicable=True), note("truth", None, cannot_assess=True), note("style", 2.5)]
    messages = [asked(), answer("m", "x", *said), answer("n", "y")]
    (record,), problems = read(SCALE, row(turn(note("likert_value", 2), messages=messages)))
    assert (problems, record.prompts[0].annotations[0].ratings) == ([], [])
    assert record.prompts[0].responses[0].metadata["annotations"] == {
        "tone": {"value": 1, "not_applicable": True},
        "truth": {"value": None, "cannot_assess": True},
        "style": 2.5,
    }


def test_odd_keys_are_proposed_and_mapped() -> None:
    said = [note("truthfulness", 1), note("truthfulnes_justiifcation", "Wrong."), note("best", "model_1")]
    given = row(turn(note("best", "model_1"), messages=[asked(), answer("model_1", "x", *said[:2]), answer("n", "y")]))
    proposed = {each.key: each.proposed for each in get(SCALE).mappable([given])}
    assert proposed == {
        "truthfulness": "dimension",
        "truthfulnes_justiifcation": "justification:truthfulness",
        "best": "leave_out",
    }
    record = read_with(proposed | {"best": "winner"}, given)
    assert record is not None
    (vote,) = record.prompts[0].annotations
    assert (vote.winner, vote.ratings[0].justification) == ("a", "Wrong.")


def test_attachments_are_parts_and_other_contents_metadata() -> None:
    files = [
        {"mime_type": "image/png", "url": "media/a.png", "name": "a.png", "file_size_in_bytes": 3},
        {"mime_type": "audio/wav", "scale_url": "https://example.org/b.wav"},
        {"mime_type": "text/csv", "content": "YQ=="},
    ]
    messages = [asked(), answer("m", "x", attachments=files, reasoning=[{"content": "Hm."}]), answer("n", "y")]
    (record,), problems = read(SCALE, row(turn(note("likert_value", 2), messages=messages)))
    one = record.prompts[0].responses[0]
    assert problems == []
    assert [(part.type, part.path) for part in one.content[1:]] == [
        ("image", "media/a.png"),
        ("audio", "https://example.org/b.wav"),
        ("file", "data:text/csv;base64,YQ=="),
    ]
    assert one.metadata["reasoning"] == [{"content": "Hm."}]


def test_who_did_the_work_is_a_pseudonym() -> None:
    given = row(
        turn(note("likert_value", 2)),
        project={"id": "p", "name": "P", "by": "bob@example.org", "created_at": "2025-01-01T00:00:00Z"},
    )
    given["threads"][0]["submissions"] = [{"contributor_id": "ann@example.org", "submitted_at": "2025-01-02T00:00:00Z"}]
    (record,), problems = read(SCALE, given)
    (vote,) = record.prompts[0].annotations
    assert problems == []
    assert re.fullmatch(r"person-[0-9a-f]{8}", vote.annotator)
    assert vote.submitted_at == "2025-01-02T00:00:00Z"
    assert record.metadata["project"]["name"] == "P"
    assert "example.org" not in json.dumps(record.metadata)


@pytest.mark.parametrize("detail", ["detailed", "terse"])
def test_what_was_written_is_read_and_written_again(detail: str) -> None:
    replies = [response("a", model="m1"), response("b", model="m2")]
    record = task(prompt(wins("b", justification="@B is kind", margin=1), responses=replies))
    rows, _ = written(SCALE, record, detail=detail)
    records, problems = read(SCALE, *rows)
    assert problems == []
    (vote,) = records[0].prompts[0].annotations
    assert (vote.annotator, vote.winner, vote.justification) == ("ann", "b", "@Response 2 is kind")
    assert [each.model for each in records[0].prompts[0].responses] == ["m1", "m2"]


@given(likely_tasks(), st.sampled_from(["detailed", "terse"]))
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_rows_of_any_record_are_read_with_who_won(record: TaskRecord, detail: str) -> None:
    rows, _ = written(SCALE, record, detail=detail)
    for given_row in rows:
        (again,), problems = read(SCALE, given_row)
        assert problems == []
        read_again = written(SCALE, again, detail=detail)[0]
        assert [winners(each) for each in read_again] == [winners(given_row)]


def winners(given_row: dict[str, Any]) -> list[object]:
    notes = [each for turn in given_row["threads"][0]["turns"] for each in turn["annotations"]]
    return [each["value"] for each in notes if each["key"] in ("selected_model_id", "outcome")]
