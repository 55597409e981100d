"""Reads every type of turbo-alignment except ddpo, which has the rows of the pairs."""

from __future__ import annotations

from typing import Any

import pytest

from exports.formats import FORMATS, detect, get
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import Part, TaskRecord, text_of
from tests.unit.exports.formats.rows import again, read, real_rows
from tests.unit.exports.samples import text

CHAT, KTO, SAMPLING, MULTIMODAL, CLASSES = (
    f"turbo_alignment_{name}" for name in ("chat", "kto", "sampling", "multimodal", "classification")
)


def said(role: str, content: str, **more: object) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


ASKED = [said("system", "Be brief."), said("user", "Sky?")]


def chat(key: object, answer: str | None = None, **fields: object) -> dict[str, Any]:
    return {"id": key, "messages": [*ASKED, *([said("bot", answer)] if answer is not None else [])], **fields}


def kto(key: str, answer: str, label: object, **fields: object) -> dict[str, Any]:
    return {"id": key, "context": ASKED, "answer": said("bot", answer), "is_desirable": label, **fields}


def sampling(**fields: object) -> dict[str, Any]:
    answers = [{"id": "0", "content": "good"}, {"id": "1", "content": "not bad", "sequence_score": 0.5}]
    return {"id": "p1", "dataset_name": "demo", "messages": ASKED, "answers": answers, **fields}


def shown(record: TaskRecord) -> list[str]:
    return [text_of(each.content) for each in record.prompts[0].responses]


@pytest.mark.parametrize(
    ("file", "name", "tasks", "responses", "votes"),
    [
        ("dpo_chat.jsonl", "turbo_alignment_pairs", 16, 32, 16),
        ("train_preferences.jsonl", "turbo_alignment_pairs", 16, 32, 16),
        ("train_preferences_2.jsonl", "turbo_alignment_pairs", 10, 20, 10),
        ("train_chat.jsonl", CHAT, 2, 2, 0),
        ("train_chat_rag.jsonl", CHAT, 2, 1, 0),
        ("train_classification.jsonl", CLASSES, 4, 2, 0),
        ("train_kto.jsonl", KTO, 3, 4, 3),
        ("inference_out.jsonl", SAMPLING, 3, 6, 0),
        ("image_chat.jsonl", MULTIMODAL, 4, 4, 0),
    ],
)
def test_every_real_file_is_recognised_and_read_whole(
    file: str, name: str, tasks: int, responses: int, votes: int
) -> None:
    rows = [row for row in real_rows(f"turbo-alignment/{file}") if row]
    records, problems = read(name, *rows)
    prompts = [prompt for record in records for prompt in record.prompts]
    assert detect(rows) == [name]
    assert problems == []
    assert len(records) == tasks
    assert sum(len(each.responses) for each in prompts) == responses
    assert sum(len(each.annotations) for each in prompts) == votes


def test_answers_to_one_conversation_are_the_responses_of_one_task() -> None:
    (record, other), problems = read(CHAT, chat("1", "blue", meta={"x": 1}), chat(2), chat("3", "green", label="t"))
    assert problems == []
    assert (record.id, record.prompts[0].content, shown(record)) == ("1", text("Sky?"), ["blue", "green"])
    assert [each.metadata["rows"] for each in record.prompts[0].responses] == [
        [{"id": "1", "x": 1}],
        [{"id": "3", "label": "t"}],
    ]
    assert (other.id, other.prompts[0].responses) == ("2", [])


def test_what_the_assistant_says_several_times_in_a_row_is_one_answer() -> None:
    given = {"id": "1", "messages": [*ASKED, said("bot", "good"), said("assistant", "hi")]}
    (record,), problems = read(CHAT, given)
    assert (record.prompts[0].responses[0].content, problems) == ([Part.of_text("good"), Part.of_text("hi")], [])


@pytest.mark.parametrize("name", [CHAT, KTO, SAMPLING, MULTIMODAL, CLASSES])
def test_row_without_an_id_has_one_that_stays_the_same(name: str) -> None:
    row = {CHAT: chat("1", "x"), KTO: kto("1", "x", True), SAMPLING: sampling(), CLASSES: chat("1", "x", label=1)}.get(
        name, {"id": "1", "messages": [said("user", "Hi", type="text"), said("bot", "x", type="text")]}
    )
    del row["id"]
    (record,), problems = read(name, row)
    assert (len(record.id), problems) == (20, [])
    assert read(name, row)[0] == [record]


@pytest.mark.parametrize(
    ("labels", "outcome", "winner"),
    [
        ([True, False], "winner", "a"),
        ([False, False], "all_bad", None),
        ([True, True], "tie", None),
        (["yes", "0"], "winner", "a"),
        ([1, 0.0], "winner", "a"),
        ([True], "winner", "a"),
    ],
)
def test_labels_say_who_won(labels: list[object], outcome: str, winner: str | None) -> None:
    (record,), problems = read(KTO, *(kto(str(n), f"answer {n}", label) for n, label in enumerate(labels)))
    (vote,) = record.prompts[0].annotations
    assert (vote.annotator, vote.outcome, vote.winner, problems) == ("imported", outcome, winner, [])
    assert [(each.dimension, each.response) for each in vote.ratings] == [
        ("desirable", key) for key in "abcd"[: len(labels)]
    ]
    assert get(KTO).scales == {"desirable": (0, 1)}


@pytest.mark.parametrize("labels", [[("x", True), ("y", True), ("z", False)], [("x", True), ("x", False)]])
def test_labels_that_say_no_winner_are_kept_without_a_judgement(labels: list[tuple[str, bool]]) -> None:
    (record,), problems = read(KTO, *(kto(str(n), *each) for n, each in enumerate(labels)))
    assert (record.prompts[0].annotations, problems) == ([], [])
    assert all("desirable" in each.metadata for each in record.prompts[0].responses)


def test_labels_of_classes_mean_good_and_bad_only_if_a_person_says_so() -> None:
    rows = [chat("1", "x", label=1), chat("2", "y", label=0)]
    (record,), problems = read(CLASSES, *rows)
    assert (record.prompts[0].annotations, problems) == ([], [])
    assert [each.metadata["rows"][0]["label"] for each in record.prompts[0].responses] == [1, 0]
    assert [each.proposed for each in get(CLASSES).mappable(rows)] == ["desirable"]
    assert [each.proposed for each in get(CLASSES).mappable([chat("1", "x", label=7)])] == ["metadata"]
    setup = Setup(mapping={"label": "desirable"})
    ((_, said_so),) = get(CLASSES).read(enumerate(rows, 1), "f", ProblemList(), setup)
    assert said_so.prompts[0].annotations[0].winner == "a"


def test_rewards_and_scores_are_metadata_and_make_no_judgement() -> None:
    (record,), problems = read(SAMPLING, sampling(rewards={"0": 1.0, "1": 0.0}, meta={"x": 1}))
    assert problems == []
    assert [each.metadata for each in record.prompts[0].responses] == [
        {"id": "0", "reward": 1.0},
        {"id": "1", "sequence_score": 0.5, "reward": 0.0},
    ]
    assert (record.metadata, record.prompts[0].annotations) == ({"x": 1, "dataset_name": "demo"}, [])


def test_entries_of_one_speaker_are_the_parts_of_one_message() -> None:
    entries = [said("user", "cat.jpg", type="image"), said("user", "What?", type="text")]
    (record,), problems = read(MULTIMODAL, {"id": "0", "messages": [*entries, said("bot", "A cat.", type="text")]})
    content = [Part(type="image", path="cat.jpg"), Part.of_text("What?")]
    assert (record.prompts[0].content, shown(record), problems) == (content, ["A cat."], [])


@pytest.mark.parametrize(
    ("name", "row", "problem"),
    [
        (CHAT, [], ("", "an empty list")),
        (CHAT, chat(1.5), ("id", "the number 1.5")),
        (CHAT, {"id": "1", "messages": []}, ("messages", "an empty list")),
        (CHAT, {"id": "1", "messages": [said("bot", "x")]}, ("messages", "no user before the answer")),
        (CHAT, {"id": "1", "messages": [said("tool", "x")]}, ("messages[0].role", '"tool"')),
        (CHAT, {"id": "1", "messages": [said("user", [])]}, ("messages[0].content", "an empty list")),  # type: ignore[arg-type]
        (KTO, kto("1", "x", None), ("is_desirable", "null")),
        (KTO, kto("1", "x", 2), ("is_desirable", "the number 2")),
        (KTO, kto("1", "x", 0.5), ("is_desirable", "the number 0.5")),
        (KTO, kto("1", "x", True) | {"answer": said("user", "x")}, ("answer.role", '"user"')),
        (KTO, kto("1", "x", True) | {"answer": "x"}, ("answer", '"x"')),
        (CLASSES, chat("1", "x"), ("label", "nothing")),
        (CLASSES, chat("1", "x", label="x"), ("label", '"x"')),
        (SAMPLING, sampling(dataset_name=None), ("dataset_name", "null")),
        (SAMPLING, sampling(answers="x"), ("answers", '"x"')),
        (SAMPLING, sampling(answers=[{"id": "0", "content": "x"}] * 2), ("answers[1].id", '"0" twice')),
        (SAMPLING, sampling(rewards={"7": 1}), ("rewards.7", "a reward for no answer")),
        (SAMPLING, sampling(rewards={"0": "x"}), ("rewards.0", '"x"')),
        (MULTIMODAL, {"id": "1", "messages": [said("user", "x")]}, ("messages[0].type", "null")),
        (
            MULTIMODAL,
            {"id": "1", "messages": [said("assistant", "x", type="text")]},
            ("messages[0].role", '"assistant"'),
        ),
        (MULTIMODAL, {"id": "1", "messages": [said("user", "x", type="video")]}, ("messages[0].type", '"video"')),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_field(name: str, row: object, problem: tuple[str, str]) -> None:
    records, problems = read(name, row)
    assert records == []
    assert problem in problems


@pytest.mark.parametrize("label", [True, False])
def test_single_answers_come_back_as_they_were(label: bool) -> None:
    row = kto("1", "blue", label)
    written = again(KTO, row, labels="ratings", label_dimension="desirable", good_from=1, bad_to=0)
    assert [{**each, "id": "1"} for each in written] == [row]


def test_ddpo_is_written_only_and_its_rows_are_read_as_pairs() -> None:
    row = {"id": "1", "context": ASKED, "answer_w": said("bot", "x"), "answer_l": said("bot", "y")}
    assert not FORMATS["turbo_alignment_ddpo"].can_read
    assert detect([row]) == ["turbo_alignment_pairs"]
