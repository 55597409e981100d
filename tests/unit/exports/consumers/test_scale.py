"""Scale's own SDK, and the helper functions of its documentation, on what the scale format writes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.exports.consumers.project import PICTURE, PICTURES, rows


def user_prompts(task: dict[str, Any]) -> dict[str, str]:
    """As documented: the one message of each turn whose source is the user."""
    found = {}
    for turn in task["threads"][0]["turns"]:
        users = [message for message in turn["messages"] if message["source_id"].lower() == "user"]
        assert len(users) == 1
        found[turn["id"]] = users[0]["content"]["text"]
    return found


def model_responses(task: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """As documented: the messages of the assistant, of which there is one at least."""
    found = {}
    for turn in task["threads"][0]["turns"]:
        found[turn["id"]] = [message for message in turn["messages"] if message["role"].lower() == "assistant"]
        assert found[turn["id"]]
    return found


def values(annotations: list[dict[str, Any]]) -> dict[str, Any]:
    return {annotation["key"]: annotation["value"] for annotation in annotations}


def test_sdk_reads_every_detailed_task() -> None:
    models = pytest.importorskip("scaleapi.api_client.v2.models.task")
    found = [models.Task.from_dict(row) for row in rows("scale")]
    assert [task.task_id for task in found] == ["t1:ann", "t1:bob", "t1:cy", "t2:bob"]
    first = found[0].threads[0].turns[0]
    assert [message.source_id for message in first.messages] == ["system", "user", "m1", "m2"]
    likert = next(each.actual_instance for each in first.annotations if each.actual_instance.key == "likert_value")
    assert (likert.value, likert.possible_values) == (2, [1, 2, 3, 4, 5, 6, 7])


@pytest.mark.parametrize("detail", ["detailed", "terse"])
def test_documented_helpers_return_what_was_annotated(detail: str) -> None:
    task = rows("scale", detail=detail)[0]
    assert user_prompts(task) == {"t1%3Aann:1": "Where is Paris?", "t1%3Aann:2": "And how many\npeople live there?"}
    turns = {turn["id"]: values(turn["annotations"]) for turn in task["threads"][0]["turns"]}
    assert turns["t1%3Aann:1"] == {
        "selected_model_id": "m1",
        "outcome": "winner",
        "likert_value": 2,
        "justification": "@Response 2 is right, @Response 1 is not.",
    }
    assert turns["t1%3Aann:2"] == {
        "selected_model_id": "m1#2",
        "outcome": "winner",
        "margin": 1,
        "ranking": [["m1#2"], ["m1", "m1#3"]],
    }
    first, second = model_responses(task)["t1%3Aann:1"]
    assert values(first["annotations"]) == {"truthfulness": 5, "truthfulness_justification": "It is right."}
    assert values(second["annotations"]) == {"truthfulness": 2, "rewrite": "It lies on the Seine."}


def test_terse_annotations_are_key_and_value_alone() -> None:
    turn = rows("scale", detail="terse")[0]["threads"][0]["turns"][0]
    annotations = [*turn["annotations"], *(each for message in turn["messages"] for each in message["annotations"])]
    assert {tuple(annotation) for annotation in annotations} == {("key", "value")}


def test_tie_is_the_middle_of_the_line() -> None:
    task = rows("scale")[2]
    assert values(task["threads"][0]["turns"][0]["annotations"]) == {"outcome": "tie", "likert_value": 4}


def test_media_are_attachments() -> None:
    (message, *_) = rows("scale", PICTURES)[0]["threads"][0]["turns"][0]["messages"]
    assert message["content"] == {
        "text": "What is this?",
        "attachments": [{"mime_type": "image/png", "url": PICTURE}],
    }
