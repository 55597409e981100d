"""Public formats are told apart, and no value in a row is more than a problem."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import formats
from tests.unit.exports.formats.public import ARENA, BATTLE, HELPSTEER2, HELPSTEER3, JSON, PANDALM, PICK, SUMMARY, read

GOOD: dict[str, dict[str, Any]] = {
    "llmbar": {"input": "i", "output_1": "a", "output_2": "b", "label": 2},
    "pandalm": {**PANDALM, "annotator1": 2},
    "alpaca_eval": {"instruction": "q", "output_1": "a", "output_2": "b", "preference": 1.2, "annotator": "x"},
    "safe_rlhf": {"prompt": "q", "response_0": "a", "response_1": "b", "better_response_id": 0},
    "shp": {"history": "q", "human_ref_A": "a", "human_ref_B": "b", "labels": 1},
    "webgpt": {"question": {"full_text": "?"}, "answer_0": "A", "answer_1": "B", "score_0": 0.5},
    "summarize_from_feedback": {**SUMMARY, "choice": 1, "worker": "w"},
    "helpsteer2_preference": {**HELPSTEER2, "all_preferences_unprocessed": [{"strength": 1, "justification": ""}]},
    "helpsteer3": {**HELPSTEER3, "individual_preference": [{"score": 1, "reasoning": "r"}]},
    "helpsteer2": {"prompt": "q", "response": "a", "helpfulness": 3, "verbosity": 1},
    "nectar": {"prompt": "q", "answers": [{"answer": "x", "model": "m", "rank": 1}]},
    "image_reward": {"id": "1", "prompt": "p", "generations": ["a", "b"], "ranking": [1, 2]},
    "hpd": {"prompt": "p", "file_path": ["a", "b"], "human_preference": [1, 0]},
    "pick_a_pic": {**PICK, "label_0": 1, "label_1": 0},
    "reward_bench": {"prompt": "p", "chosen": ["a"], "rejected": ["b"], "models": ["m", "n"]},
    "open_assistant": {"message_tree_id": "t", "prompt": {"text": "q", "role": "prompter", "replies": []}},
    "arena": ARENA,
    "mt_bench": {"question_id": 1, **BATTLE, "winner": "tie", "turn": 1},
    "mt_bench_answers": {"question_id": 1, "turns": ["a", "b"]},
    "ultrafeedback": {"instruction": "q", "completions": [{"model": "m", "response": "a", "annotations": {}}]},
    "vl_feedback": {
        "prompt": "q",
        "img_path": "a",
        "completions": {"model": ["m"], "response": ["r"], "annotations": [{}]},
    },
    "prism": {"conversation_id": "c", "conversation_history": [{"turn": 0, "role": "user", "content": "Hi"}]},
    "align_anything": {"question": "q", "response_1": "a", "response_2": "b", "overall_response": 1},
}


@pytest.mark.parametrize("name", sorted(GOOD))
@given(data=st.data())
def test_no_value_in_any_column_is_more_than_a_problem(name: str, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from(sorted(GOOD[name])))
    records, problems = read(name, {**GOOD[name], column: data.draw(JSON)})
    assert len(records) <= 1
    assert records or problems or name in ("open_assistant",)
    formats.get(name).sniff(data.draw(JSON))


@pytest.mark.parametrize("name", sorted(GOOD))
def test_each_is_recognised_as_itself_and_nothing_else(name: str) -> None:
    assert formats.detect([GOOD[name]]) == [name]
