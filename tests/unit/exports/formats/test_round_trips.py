"""What is written in a format and read again says the same, as far as the format can carry it.

``write(read(write(r)))`` equals ``write(r)`` for every readable and written format of judgements between texts; what
was read back holds the same question, the same answers and the same winner.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports.accounting import Accounting
from exports.formats import get
from exports.formats.setup import Setup
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import AnnotationRecord, Message, Part, PromptRecord, ResponseRecord, TaskRecord, text_of

# Words only: what a format does to odd text is the business of its own tests.
WORDS = st.text("abcdefgh xyzé日", max_size=20).map(lambda text: f"so {text}".strip())
PAIRS = (
    *("pairwise", "trl_preference", "trl_implicit", "turbo_alignment_pairs", "openai_preference", "hh_rlhf"),
    *("llama_factory_pair", "axolotl", "ms_swift", "nemo_rl", "arena", "helpsteer3", "grouped", "ranked", "scale"),
)
"""Formats that say which of two answers is better."""
ANSWERS = ("trl_unpaired", "trl_prompt_completion", "openai_chat", "llama_factory_kto", "turbo_alignment_kto")
"""Formats of single answers: two rows about one question are one task again."""
FLATTENED = frozenset({"pairwise", "hh_rlhf"})
"""Formats whose conversations are one text, which is not taken apart again in the same messages."""


@st.composite
def tasks(draw: st.DrawFn) -> TaskRecord:
    first, second = draw(st.lists(WORDS, min_size=2, max_size=2, unique=True))
    earlier = [
        Message(role=role, content=[Part.of_text(draw(WORDS))])  # type: ignore[arg-type]
        for role in ("user", "assistant") * draw(st.integers(0, 1))
    ]
    responses = [
        ResponseRecord(id=key, content=[Part.of_text(text)], model=f"model {key}")
        for key, text in (("a", first), ("b", second))
    ]
    vote = AnnotationRecord(
        annotator="w1", outcome="winner", winner=draw(st.sampled_from("ab")), margin=draw(st.integers(1, 3))
    )
    question = [Part.of_text(draw(WORDS))]
    prompt = PromptRecord(id="1", content=question, responses=responses, annotations=[vote])
    return TaskRecord(id=draw(st.text("abc", min_size=1, max_size=5)), context=earlier, prompts=[prompt])


def write(name: str, *records: TaskRecord) -> list[dict[str, Any]]:
    return list(get(name).write(records, ExportOptions(), Accounting()))


def read(name: str, rows: list[dict[str, Any]]) -> list[TaskRecord]:
    problems, format_ = ProblemList(), get(name)
    setup = Setup(mapping={column.key: column.proposed for column in format_.mappable(rows)})
    records = [record for _, record in format_.read(enumerate(rows, 1), "f.jsonl", problems, setup)]
    assert [str(problem) for problem in problems] == []
    return records


def without_ids(value: Any) -> Any:
    """The rows without what names the row, its task and the annotator: a reader gives those anew."""
    named = ("id", "task", "annotator", "question_id", "judge", "task_id", "created_at", "completed_at", "tstamp")
    if isinstance(value, dict):
        return {key: without_ids(held) for key, held in value.items() if key not in named}
    return [without_ids(each) for each in value] if isinstance(value, list) else value


def best(record: TaskRecord) -> str:
    [vote] = record.prompts[0].annotations
    return next(text_of(each.content) for each in record.prompts[0].responses if each.id == vote.winner)


@pytest.mark.parametrize("name", PAIRS)
@given(task=tasks())
@settings(max_examples=25)
def test_a_preference_comes_back(name: str, task: TaskRecord) -> None:
    rows = write(name, task)
    (record,) = read(name, rows)
    assert best(record) == best(task)
    assert {text_of(each.content) for each in record.prompts[0].responses} == {
        text_of(each.content) for each in task.prompts[0].responses
    }
    if name not in FLATTENED:
        assert text_of(record.prompts[0].content) == text_of(task.prompts[0].content)
        assert [(each.role, text_of(each.content)) for each in record.context] == [
            (each.role, text_of(each.content)) for each in task.context
        ]
    if name != "scale":  # its ids stand in many places
        assert without_ids(write(name, record)) == without_ids(rows)


@pytest.mark.parametrize("name", ANSWERS)
@given(task=tasks())
@settings(max_examples=25)
def test_single_answers_come_back_as_one_task(name: str, task: TaskRecord) -> None:
    rows = write(name, task)
    (record,) = read(name, rows)
    told = {text_of(each.content) for each in record.prompts[0].responses}
    assert told <= {text_of(each.content) for each in task.prompts[0].responses}
    assert best(task) in told
    assert text_of(record.prompts[0].content) == text_of(task.prompts[0].content)
    if record.prompts[0].annotations and len(told) > 1:
        assert best(record) == best(task)


@given(task=tasks())
def test_our_own_format_brings_everything_back(task: TaskRecord) -> None:
    assert read("tiebreak", write("tiebreak", task)) == [task]
