from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from exports.formats import get
from exports.formats.base import RowReader
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import Message, TaskRecord
from tests.unit.exports.formats.rows import read, written
from tests.unit.exports.samples import image, prompt, response, says, task, tasks, text, wins

DATALOOP = "dataloop"
CAT = "https://gate.dataloop.ai/api/v1/items/6489600c8d5a1c350e55116a/stream"


def element(value: object, kind: str = "application/text") -> dict[str, Any]:
    return {"mimetype": kind, "value": value}


def said(value: object, to: str = "1", kind: str = "text", **user: object) -> dict[str, Any]:
    system = {"promptId": to, "automated": True}
    return {"id": "a1", "type": kind, "label": "q", "coordinates": value, "metadata": {"system": system, "user": user}}


def item(*annotations: dict[str, Any], prompts: dict[str, Any] | None = None, **fields: object) -> dict[str, Any]:
    given = {"1": [element("Which animal?")]} if prompts is None else prompts
    return {
        "shebang": "dataloop",
        "metadata": {"dltype": "prompt"},
        "prompts": given,
        "annotations": list(annotations),
        **fields,
    }


def test_item_of_the_documentation_has_prompts_without_responses() -> None:
    pair = {"prompt1": [element("Which animal?"), element(CAT, "image/jpeg")], "prompt2": [element("Its eyes?")]}
    given = {"shebang": "dataloop", "metadata": {"dltype": "prompt"}, "prompts": pair}
    (record,), problems = read(DATALOOP, given)
    assert problems == []
    assert [each.id for each in record.prompts] == ["prompt1", "prompt2"]
    assert [(part.type, part.path) for part in record.prompts[0].content] == [("text", None), ("image", CAT)]
    assert record.prompts[0].responses == []
    assert record.id == read(DATALOOP, json.loads(json.dumps(given)))[0][0].id


@pytest.mark.parametrize(
    ("kind", "part"), [("image/*", "image"), ("image/png", "image"), ("audio/*", "audio"), ("video/mp4", "video")]
)
def test_concrete_types_and_wildcards_are_read(kind: str, part: str) -> None:
    (record,), problems = read(DATALOOP, item(prompts={"1": [element("x.bin", kind)]}))
    assert (record.prompts[0].content[0].type, problems) == (part, [])


def test_responses_stand_at_their_prompts_with_model_and_confidence() -> None:
    prompts = {"1": [element("One?")], "2": [element("Two?")]}
    model = {"name": "model1", "confidence": 0.9, "model_id": "m-7"}
    given = item(
        said("x", "1", model=model, annotation_type="prediction"),
        said("u", "2"),
        said({"ref": "https://example.org/a.png", "refType": "url", "mimetype": None}, "1", "ref_image"),
        said("https://example.org/stream", "2", "binary"),
        prompts=prompts,
    )
    (record,), problems = read(DATALOOP, given)
    one, two = record.prompts
    assert problems == []
    assert [(each.id, each.model) for each in one.responses] == [("a", "model1"), ("b", None)]
    assert (one.responses[1].content[0].type, two.responses[1].content[0].type) == ("image", "file")
    metadata = one.responses[0].metadata
    assert (metadata["confidence"], metadata["model_id"], metadata["automated"]) == (0.9, "m-7", True)
    assert metadata["annotation_type"] == "prediction"


def test_people_are_pseudonyms_everywhere() -> None:
    mail = "lior@dataloop.ai"
    answer = said("x") | {"creator": mail, "updatedBy": mail, "hash": f"1_2_q_{mail}", "note": f"by {mail}"}
    (record,), problems = read(DATALOOP, item(answer, id="i1", creator=mail, name="a.json"))
    assert (record.id, problems) == ("i1", [])
    assert record.metadata["creator"].startswith("person-")
    assert record.metadata["creator"] == record.prompts[0].responses[0].metadata["creator"]
    assert "dataloop.ai" not in repr(record)


def test_role_and_other_metadata_of_a_prompt() -> None:
    prompts = {
        "s": [element("Be brief."), element({"role": "system"}, "metadata")],
        "1": [element("Hi"), element({"role": "user", "topic": "greeting"}, "metadata")],
    }
    (record,), problems = read(DATALOOP, item(said("Hello"), prompts=prompts))
    assert problems == []
    assert record.context == [Message(role="system", content=text("Be brief."))]
    assert record.metadata == {"prompts": {"1": {"topic": "greeting"}}}


def test_judgement_in_the_namespace_rlhf() -> None:
    judged = {"winner": "m2", "likert": 6, "likert_points": 7, "justification": "@Response 2 is right."}
    prompts = {"1": [element("Hi"), element({"role": "user", "rlhf": judged}, "metadata")]}
    given = item(
        said("x", model={"name": "m1"}, rlhf={"ratings": {"tone": 2}, "rank": 2}),
        said("y", model={"name": "m2"}, rlhf={"ratings": {"tone": 3}, "rank": 1}),
        prompts=prompts,
    )
    (record,), problems = read(DATALOOP, given)
    (vote,) = record.prompts[0].annotations
    assert problems == []
    assert (vote.annotator, vote.winner, vote.margin, vote.ranking) == ("imported", "b", 2, [["b"], ["a"]])
    assert [(each.response, each.value) for each in vote.ratings] == [("a", 2), ("b", 3)]
    assert [each.response for each in vote.references] == ["b"]


def judged(value: object) -> dict[str, Any]:
    return {"1": [element("Hi"), element({"rlhf": value}, "metadata")]}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], [("", "an empty list")]),
        (item(prompts={}), [("prompts", "an empty object")]),
        (item(prompts={"1": []}), [("prompts.1", "an empty list")]),
        (item(prompts={"1": [{"value": "x"}]}), [("prompts.1[0].mimetype", "null")]),
        (item(prompts={"1": [element("x", "text/plain")]}), [("prompts.1[0].mimetype", '"text/plain"')]),
        (item(prompts={"1": [element(None)]}), [("prompts.1[0].value", "null")]),
        (item(prompts={"1": [element("x", "metadata")]}), [("prompts.1[0].value", '"x"')]),
        (item(said("x", "first")), [("annotations[0].metadata.system.promptId", '"first"')]),
        (item(said("x", kind="class")), [("annotations[0].type", '"class"')]),
        (item(said(None)), [("annotations[0].coordinates", "null")]),
        (item(said("x", kind="ref_image")), [("annotations[0].coordinates", '"x"')]),
        (item(said("x"), prompts=judged({"winner": "z"})), [("prompts.1.rlhf.winner", '"z"')]),
        (item(said("x"), said("y"), prompts=judged({"likert": 9})), [("prompts.1.rlhf.likert", "the number 9")]),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_field(given: object, problem: list[tuple[str, str]]) -> None:
    assert read(DATALOOP, given) == ([], problem)


def test_orphan_says_which_prompts_there_are() -> None:
    problems = ProblemList()
    list(get(DATALOOP).read([(1, item(said("x", "first")))], "a.json", problems))
    (sentence,) = (str(each) for each in problems)
    assert sentence == (
        'a.json, line 1, annotations[0].metadata.system.promptId: found "first"; '
        "expected the key of a prompt of the item: 1."
    )


def test_export_without_its_prompts_is_refused_unless_the_file_is_beside_it() -> None:
    exported = item(said("x"), name="dog.json")
    prompts = exported.pop("prompts")
    assert read(DATALOOP, exported) == ([], [("prompts", "null")])
    setup = Setup(companions={"items/dog.json": json.dumps({"prompts": prompts}).encode()})
    record = get(DATALOOP).read_row(exported, RowReader("f", 1, ProblemList(), setup))
    assert record is not None
    assert record.prompts[0].content == text("Which animal?")


def test_list_of_items_is_as_many_tasks() -> None:
    records, problems = read(DATALOOP, [item(id="x"), item(id="y")])
    assert ([each.id for each in records], problems) == (["x", "y"], [])


def test_what_was_written_comes_back_with_every_judgement() -> None:
    votes = [wins("b", margin=2, justification="@B is right"), says("tie", by="bob")]
    replies = [response("a", [*text("one"), *image("media/a.png")], model="m1"), response("b")]
    record = task(
        prompt(*votes, responses=replies), context=[Message(role="system", content=text("Be brief."))], key="t:1"
    )
    rows, _ = written(DATALOOP, record)
    assert read(DATALOOP, *rows) == ([record], [])


@given(tasks())
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_rows_of_any_record_come_back_as_they_were(record: TaskRecord) -> None:
    rows, _ = written(DATALOOP, record, include_returned=True, include_suspended=True)
    for row in rows:
        (again,), problems = read(DATALOOP, row)
        assert problems == []
        assert written(DATALOOP, again, include_returned=True)[0] == [row]
