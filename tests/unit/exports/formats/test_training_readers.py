"""Rows that trainers read come back as tasks, with their judgements and their media."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exports import formats
from exports.records import text_of
from tests.unit.exports.formats.public import message
from tests.unit.exports.formats.training import SHAREGPT, VISION, A, B, Q, best, only, outcomes, read, texts


@pytest.mark.parametrize("prompt", ["q", Q])
@pytest.mark.parametrize(
    ("labels", "outcome"), [((True, False), "winner"), ((True, True), "tie"), ((False, False), "all_bad")]
)
def test_unpaired_rows_with_one_prompt_are_one_task(prompt: Any, labels: tuple[bool, bool], outcome: str) -> None:
    rows = [
        {"prompt": prompt, "completion": text, "label": label} for text, label in zip(["a", "b"], labels, strict=True)
    ]
    record = only("trl_unpaired", *rows)
    assert (sorted(texts(record)), outcomes(record)) == (["a", "b"], [outcome])
    if outcome == "winner":
        assert best(record) == "a"
    ratings = {rating.response: rating.value for rating in record.prompts[0].annotations[0].ratings}
    assert sorted(ratings.values()) == sorted(int(label) for label in labels)  # type: ignore[type-var]


def test_several_good_answers_among_bad_ones_name_no_winner_and_keep_their_labels() -> None:
    rows = [
        {"prompt": "q", "completion": text, "label": label} for text, label in [("a", True), ("b", True), ("c", False)]
    ]
    record = only("trl_unpaired", *rows)
    assert record.prompts[0].annotations == []
    kept = {text_of(each.content): each.metadata["desirable"] for each in record.prompts[0].responses}
    assert kept == {"a": True, "b": True, "c": False}


def test_labels_that_contradict_one_another_are_no_vote() -> None:
    rows = [{"prompt": "q", "completion": "a", "label": label} for label in (True, False)]
    record = only("trl_unpaired", *rows, {"prompt": "q", "completion": "b", "label": True})
    assert (sorted(texts(record)), record.prompts[0].annotations) == (["a", "b"], [])


def test_labels_that_are_no_booleans_are_refused() -> None:
    assert read("trl_unpaired", {"prompt": "q", "completion": "a", "label": 1})[1] == ["label: the number 1"]


def test_completions_of_one_prompt_are_its_responses_without_a_vote() -> None:
    record = only("trl_prompt_completion", *({"prompt": Q, "completion": said} for said in (A, B)))
    assert (sorted(texts(record)), record.prompts[0].annotations) == (["a", "b"], [])


def test_prompts_alone_are_tasks_without_responses() -> None:
    record = only("trl_prompt_only", {"prompt": [message("system", "s"), *Q]})
    assert (record.context[0].role, record.prompts[0].responses) == ("system", [])


def test_implicit_conversations_share_everything_but_the_last_message() -> None:
    record = only("trl_implicit", {"chosen": [*Q, *A], "rejected": [*Q, *B]})
    assert (best(record), text_of(record.prompts[0].content)) == ("a", "q")
    other = [message("user", "other"), *B]
    assert read("trl_implicit", {"chosen": [*Q, *A], "rejected": other})[1] == [
        "rejected: another conversation before the answer than in chosen"
    ]


def test_implicit_texts_are_refused_because_letters_in_common_are_no_prompt() -> None:
    _, problems = read("trl_implicit", {"chosen": "The sky is blue.", "rejected": "The sky is black."})
    assert problems == ["chosen: a whole conversation as one text", "rejected: a whole conversation as one text"]


def test_pictures_fill_the_places_of_the_prompt_in_order() -> None:
    record = only("trl_vision", VISION)
    assert [part.path or part.text for part in record.prompts[0].content] == ["images/1.jpg", "What?"]
    assert best(record) == "A cat."


@pytest.mark.parametrize("images", [[], ["a.jpg", "b.jpg"]])
def test_pictures_that_are_missing_are_reported_and_those_left_over_come_first(images: list[str]) -> None:
    records, problems = read("trl_vision", {**VISION, "images": images})
    if images:
        assert [part.path for part in records[0].prompts[0].content] == ["b.jpg", "a.jpg", None]
    else:
        assert (
            problems == ["prompt[0].content: a place for a image without a image"] or "place for a image" in problems[0]
        )


def test_picture_objects_with_bytes_become_media_inside_the_row() -> None:
    record = only("trl_vision", {**VISION, "images": [{"bytes": "iVBORw==", "path": "x.png"}]})
    assert record.prompts[0].content[0].path == "data:application/octet-stream;base64,iVBORw=="
    assert record.prompts[0].content[0].name == "x.png"


def test_llama_factory_pairs_with_pictures() -> None:
    record = only("llama_factory_pair", SHAREGPT)
    assert [part.path or part.text for part in record.prompts[0].content] == ["images/0001.jpg", "What is this?"]
    assert best(record) == "A cat."


def test_llama_factory_alpaca_pairs_with_history_and_input() -> None:
    row = {
        "instruction": "Add.",
        "input": "1+1",
        "chosen": "2",
        "rejected": "3",
        "system": "s",
        "history": [["h", "i"]],
    }
    record = only("llama_factory_pair", row)
    assert [message.role for message in record.context] == ["system", "user", "assistant"]
    assert (text_of(record.prompts[0].content), best(record)) == ("Add.\n1+1", "2")


def test_dataset_info_says_what_columns_and_tags_are_called() -> None:
    info = {
        "x": {
            "file_name": "my_pref.json",
            "formatting": "sharegpt",
            "ranking": True,
            "columns": {"messages": "talk", "chosen": "good", "rejected": "bad"},
            "tags": {"role_tag": "role", "content_tag": "content"},
        },
        "y": {"file_name": "other.json", "columns": {"messages": "wrong"}},
    }
    row = {"talk": Q, "good": A[0], "bad": B[0]}
    assert best(only("llama_factory_pair", row, companions={"dataset_info.json": json.dumps(info).encode()})) == "a"


def test_llama_factory_kto_answers_of_one_conversation_are_one_task() -> None:
    rows = [
        {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": text}], "kto_tag": tag}
        for text, tag in [("a", False), ("b", True)]
    ]
    record = only("llama_factory_kto", *rows)
    assert (best(record), sorted(texts(record))) == ("b", ["a", "b"])
    assert read("llama_factory_kto", {**rows[0], "kto_tag": "true"})[1] == ['kto_tag: "true"']


@pytest.mark.parametrize(
    "rejected",
    [{"rejected_response": "b"}, {"rejected_response": B}, {"rejected_messages": [*Q, *B]}],
)
def test_ms_swift_writes_the_rejected_answer_in_three_ways(rejected: dict[str, Any]) -> None:
    record = only("ms_swift", {"messages": [*Q, *A], **rejected, "margin": 2.0})
    assert (best(record), sorted(texts(record)), record.prompts[0].annotations[0].margin) == ("a", ["a", "b"], 2)


def test_ms_swift_answers_may_be_pictures() -> None:
    turns = [message("user", "draw a cat"), message("assistant", "<image>")]
    row = {"messages": turns, "images": ["good.png"], "rejected_messages": turns, "rejected_images": ["bad.png"]}
    record = only("ms_swift", row)
    [vote] = record.prompts[0].annotations
    paths = {response.id: response.content[0].path for response in record.prompts[0].responses}
    assert (paths[vote.winner or ""], set(paths.values())) == ("good.png", {"good.png", "bad.png"})


@pytest.mark.parametrize(("ranks", "outcome"), [((1, 0), "winner"), ((0, 0), "tie")])
def test_nemo_ranks_begin_with_the_best_and_may_be_equal(ranks: tuple[int, int], outcome: str) -> None:
    completions = [{"rank": rank, "completion": said} for rank, said in zip(ranks, (A, B), strict=True)]
    record = only("nemo_rl", {"context": Q, "completions": completions})
    assert outcomes(record) == [outcome]
    assert best(record) == ("b" if outcome == "winner" else None)


def test_chats_with_one_question_are_one_task_and_weights_say_nothing() -> None:
    rows = [{"messages": [*Q, {**said[0], "weight": 1}]} for said in (A, B)]
    assert sorted(texts(only("openai_chat", *rows))) == ["a", "b"]


@pytest.mark.parametrize(
    "row",
    [
        {"messages": Q, "chosen": A[0], "rejected": B[0]},
        {"messages": Q, "chosen": A, "rejected": B},
        {"messages": "q", "chosen": "a", "rejected": "b"},
        {"system": "", "input": "q", "chosen": "a", "rejected": "b"},
    ],
)
def test_axolotl_answers_are_texts_messages_or_lists(row: dict[str, Any]) -> None:
    assert formats.detect([row]) == ["axolotl"]
    assert best(only("axolotl", row)) == "a"


def test_rows_without_ids_have_the_same_id_every_time_and_different_ones_differ() -> None:
    rows = [{"prompt": "q", "chosen": "a", "rejected": text} for text in "bc"]
    first = [record.id for record in read("pairwise", *rows)[0]]
    assert first == [record.id for record in read("pairwise", *rows)[0]]
    assert len(set(first)) == 2
