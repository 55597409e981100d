"""Public rankings, battles and ratings: each example becomes the task and the judgements that it means."""

from __future__ import annotations

from typing import Any

import pytest

from exports.records import text_of
from tests.unit.exports.formats.public import ARENA, BATTLE, PICK, TALK_A, TALK_B, message, only, texts, votes


def test_nectar_ranks_from_one_and_takes_the_transcript_apart() -> None:
    row = {
        "prompt": "\n\nHuman: Hi\n\nAssistant: Hello\n\nHuman: And? \n\nAssistant: ",
        "answers": [{"answer": "x", "model": "m1", "rank": 2}, {"answer": "y", "model": "m2", "rank": 1}],
    }
    record = only("nectar", row)
    assert votes(record) == [("imported", "winner", "b", None)]
    assert [text_of(each.content) for each in record.context] == ["Hi", "Hello"]
    assert text_of(record.prompts[0].content) == "And?"


def test_image_reward_ranks_have_ties_and_gaps() -> None:
    record = only("image_reward", {"id": "1", "prompt": "a cat", "generations": ["a", "b", "c"], "ranking": [4, 1, 4]})
    assert record.prompts[0].annotations[0].ranking == [["b"], ["a", "c"]]
    assert [part.path for r in record.prompts[0].responses for part in r.content] == ["a", "b", "c"]


def test_hpd_reads_preferences_and_the_ranks_of_each_annotator() -> None:
    record = only("hpd", {"prompt": "a cat", "file_path": ["a.jpg", "b.jpg"], "human_preference": [0, 1]})
    assert votes(record)[0][2] == "b"
    raw = [{"rank": [1, 0], "user_hash": "u1"}, {"rank": [0, 1], "user_hash": "u2"}]
    record = only("hpd", {"prompt": "c", "image_path": ["a.jpg", "b.jpg"], "rank": [0, 1], "raw_annotations": raw})
    assert [(each[0], each[2]) for each in votes(record)] == [("u1", "b"), ("u2", "a")]


@pytest.mark.parametrize(
    ("labels", "vote"), [((1, 0), ("winner", "a")), ((0, 1), ("winner", "b")), ((0.5, 0.5), ("tie", None))]
)
def test_pick_a_pic_labels_of_a_half_are_ties(labels: tuple[float, float], vote: tuple[str, str | None]) -> None:
    record = only("pick_a_pic", {**PICK, "label_0": labels[0], "label_1": labels[1]})
    assert votes(record)[0][:3] == ("7", *vote)


def test_pick_a_pic_bytes_become_media_inside_the_row() -> None:
    row = {**PICK, "label_0": 1, "label_1": 0, "jpg_0": {"bytes": "iVBORw0KGgo=", "path": None}}
    record = only("pick_a_pic", row)
    assert record.prompts[0].responses[0].content[0].path == "data:image/jpeg;base64,iVBORw0KGgo="


def test_reward_bench_lists_are_groups_in_an_order_that_tells_nothing() -> None:
    record = only("reward_bench", {"id": "1", "prompt": "Name", "chosen": ["red", "blue"], "rejected": ["dog"]})
    by_id = {each.id: text_of(each.content) for each in record.prompts[0].responses}
    groups = [[by_id[name] for name in group] for group in record.prompts[0].annotations[0].ranking]
    assert [sorted(group) for group in groups] == [["blue", "red"], ["dog"]]
    assert votes(record)[0][1] == "tie"


def test_open_assistant_trees_and_their_single_messages_give_the_same_tasks() -> None:
    replies = [
        {"message_id": n, "parent_id": "t", "text": n.upper(), "role": "assistant", "rank": rank, "replies": []}
        for n, rank in [("a", 1), ("b", 0), ("c", None)]
    ]
    replies[1]["replies"] = [{"message_id": "u", "parent_id": "b", "text": "More?", "role": "prompter", "replies": []}]
    root = {"message_id": "t", "text": "q", "role": "prompter", "replies": replies}
    record = only("open_assistant", {"message_tree_id": "T", "tree_state": "ready_for_export", "prompt": root})
    assert (record.id, texts(record), votes(record)) == ("t", ["A", "B", "C"], [("imported", "winner", "b", None)])
    flat = [{**root, "replies": None, "parent_id": None}, *replies, replies[1]["replies"][0]]
    rows = [{**row, "message_tree_id": "T"} for row in flat]
    assert texts(only("open_assistant", *rows)) == texts(record)


@pytest.mark.parametrize(
    ("winner", "vote"),
    [
        ("model_a", ("winner", "a")),
        ("model_b", ("winner", "b")),
        ("tie", ("tie", None)),
        ("tie (bothbad)", ("all_bad", None)),
        ("both_bad", ("all_bad", None)),
    ],
)
def test_arena_verdicts_in_both_spellings(winner: str, vote: tuple[str, str | None]) -> None:
    record = only("arena", {**ARENA, "winner": winner, "tstamp": 1682351591.13})
    assert votes(record)[0][:3] == ("arena_user_1", *vote)
    assert record.prompts[0].annotations[0].submitted_at == "2023-04-24T15:53:11.130000+00:00"
    assert record.id == "q1"


def test_arena_blocks_with_pictures_are_read() -> None:
    asked = [{"type": "text", "text": "What?"}, {"type": "image", "image": "cat.png", "mimeType": "image/png"}]
    talks = [[message("user", asked), message("assistant", [{"type": "text", "text": said}])] for said in "AB"]
    row = {
        "id": "x",
        "model_a": "m",
        "model_b": "n",
        "winner": "both_bad",
        "conversation_a": talks[0],
        "conversation_b": talks[1],
    }
    record = only("arena", row)
    assert [part.type for part in record.prompts[0].content] == ["text", "image"]
    assert (record.id, texts(record)) == ("x", ["A", "B"])


def test_conversations_that_went_different_ways_keep_all_that_was_said() -> None:
    more = [message("user", "And?"), message("assistant", "More")]
    record = only("arena", {**ARENA, "turn": 2, "conversation_a": [*TALK_A, *more], "conversation_b": [*TALK_B, *more]})
    assert texts(record)[0] == "Assistant: A\n\nHuman: And?\n\nAssistant: More"
    assert text_of(record.prompts[0].content) == "Hi"


def test_mt_bench_votes_on_one_pair_are_one_task_and_the_first_turn_ends_with_its_reply() -> None:
    more = [message("user", "And?"), message("assistant", "More")]
    row = {"question_id": 81, **BATTLE, "winner": "model_a", "judge": "expert_0", "turn": 1}
    row |= {"conversation_a": [*TALK_A, *more], "conversation_b": [*TALK_B, *more]}
    record = only("mt_bench", row, {**row, "judge": "author_1", "winner": "tie"})
    assert texts(record) == ["A", "B"]
    assert [(each[0], each[1]) for each in votes(record)] == [("expert_0", "winner"), ("author_1", "tie")]


def test_ultrafeedback_ratings_are_numbers_in_text_and_others_are_kept_aside() -> None:
    annotations = {"honesty": {"Rating": "3", "Rationale": "Fine."}, "helpfulness": {"Rating": "N/A", "Rationale": ""}}
    completion = {"model": "m1", "principle": "honesty", "response": "a", "annotations": annotations}
    record = only("ultrafeedback", {"instruction": "q", "models": ["m1"], "completions": [completion, completion]})
    ratings = record.prompts[0].annotations[0].ratings
    assert [(r.dimension, r.response, r.value, r.justification) for r in ratings] == [
        ("honesty", "a", 3, "Fine."),
        ("honesty", "b", 3, "Fine."),
    ]
    kept = record.prompts[0].responses[0].metadata
    assert kept == {"principle": "honesty", "annotation helpfulness": {"Rating": "N/A", "Rationale": ""}}


def test_vl_feedback_structs_of_lists_become_responses() -> None:
    rated = [{"Helpfulness": {"Rating": value, "Rationale": "r"}} for value in ("5", "N/A")]
    held = {"model": ["m1", "m2"], "response": ["A cat.", "A dog."], "annotations": rated}
    record = only("vl_feedback", {"id": "1", "prompt": "What?", "img_path": "a.jpg", "completions": held})
    assert [part.path for part in record.prompts[0].content] == ["a.jpg", None]
    assert [(r.response, r.value) for r in record.prompts[0].annotations[0].ratings] == [("a", 5)]


def test_prism_scores_decide_and_not_the_random_choice_on_ties() -> None:
    def reply(score: int, name: str, *, chosen: bool) -> dict[str, Any]:
        return {"turn": 0, "role": "model", "content": name, "model_name": name, "score": score, "if_chosen": chosen}

    history = [{"turn": 0, "role": "user", "content": "Hi"}, reply(80, "m", chosen=True), reply(80, "n", chosen=False)]
    record = only("prism", {"conversation_id": "c1", "user_id": "u1", "conversation_history": history})
    assert votes(record) == [("u1", "tie", None, None)]
    assert [response.continues for response in record.prompts[0].responses] == [True, False]


def test_align_anything_asks_about_a_picture() -> None:
    row = {"question": "What?", "image": "a.jpg", "response_1": "A cat.", "response_2": "A dog.", "overall_response": 1}
    record = only("align_anything", row)
    assert [part.type for part in record.prompts[0].content] == ["image", "text"]
    assert votes(record)[0][2] == "a"
