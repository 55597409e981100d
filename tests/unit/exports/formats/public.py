"""Rows of public datasets, and what was read of them, for the tests of this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from exports import formats
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import TaskRecord, text_of

DATA = Path(__file__).parents[5] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the real data lie beside the project in shared/data")


def read(name: str, *rows: Any, mapping: dict[str, str] | None = None) -> tuple[list[TaskRecord], list[str]]:
    problems = ProblemList()
    setup = Setup(mapping=mapping or {})
    records = [record for _, record in formats.get(name).read(enumerate(rows, 1), "f.jsonl", problems, setup)]
    return records, [f"{each.field}: {each.found}" for each in problems]


def only(name: str, *rows: Any, mapping: dict[str, str] | None = None) -> TaskRecord:
    records, problems = read(name, *rows, mapping=mapping)
    assert problems == []
    assert len(records) == 1
    return records[0]


def votes(record: TaskRecord, turn: int = 0) -> list[tuple[str, str, str | None, int | None]]:
    return [(a.annotator, a.outcome, a.winner, a.margin) for a in record.prompts[turn].annotations]


def texts(record: TaskRecord, turn: int = 0) -> list[str]:
    return [text_of(response.content) for response in record.prompts[turn].responses]


def message(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


TALK_A = [message("user", "Hi"), message("assistant", "A")]
TALK_B = [message("user", "Hi"), message("assistant", "B")]
BATTLE = {"model_a": "m1", "model_b": "m2", "conversation_a": TALK_A, "conversation_b": TALK_B}
ARENA = {"question_id": "q1", **BATTLE, "winner": "tie (bothbad)", "judge": "arena_user_1", "turn": 1, "anony": True}
HELPSTEER2 = {"prompt": "q", "response_1": "a", "response_2": "b", "preference_strength": 1}
HELPSTEER3 = {"context": [message("user", "q")], "response1": "a", "response2": "b", "overall_preference": -2}
PANDALM = {"idx": 0, "cmp_key": "m_n", "instruction": "i", "input": "", "response1": "a", "response2": "b"}
SUMMARY = {"info": {"id": "t", "post": "P", "title": "T"}, "summaries": [{"text": " A", "policy": "s"}, {"text": " B"}]}
PICK = {"caption": "a cat", "image_0_url": "0.jpg", "image_1_url": "1.jpg", "user_id": 7}

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
