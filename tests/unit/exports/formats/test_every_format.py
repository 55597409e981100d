"""What holds for every format, whatever people said and whatever was chosen."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from msgspec.structs import fields, replace

from exports.accounting import Accounting
from exports.formats import FORMATS, Format
from exports.options import ExportOptions
from exports.records import TaskRecord
from exports.wording import REASONS
from tests.unit.exports.likely import likely_tasks
from tests.unit.exports.samples import options, tasks

WRITABLE = {name: each for name, each in FORMATS.items() if each.can_write}
BEST = {
    "chosen": "rejected",
    "answer_w": "answer_l",
    "preferred_output": "non_preferred_output",
    "response1": "response2",
    "conversation_a": "conversation_b",
}
MARK = "ydobon"[::-1]
"""A name of models that no text of an example holds, not even one that is made of the words of this file."""


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers(each)


def written(each: Format, record: TaskRecord, chosen: ExportOptions) -> tuple[list[dict[str, Any]], Accounting]:
    accounting = Accounting()
    rows = list(each.write([record], chosen, accounting))
    return rows, accounting


def with_models(record: TaskRecord) -> TaskRecord:
    prompts = [
        replace(prompt, responses=[replace(each, model=f"{MARK}-{each.id}") for each in prompt.responses])
        for prompt in record.prompts
    ]
    return replace(record, prompts=prompts)


def bare(record: TaskRecord, needs: frozenset[str]) -> TaskRecord:
    """The record as it is read for a format with these needs."""
    parts: dict[str, dict[str, Any]] = {
        "ratings": {"ratings": []},
        "rewrites": {"rewrites": []},
        "reviews": {"reviews": []},
        "details": {
            "justification": "",
            "reason": "",
            "reason_kind": "",
            "display_order": [],
            "seconds": None,
            "active_seconds": None,
            "idle_seconds": None,
            "submitted_at": None,
            "rubric_version": 1,
            "flags": [],
            "references": [],
            "warnings": [],
            "dimension_order": [],
        },
    }
    missing = {key: value for kind, values in parts.items() if kind not in needs for key, value in values.items()}
    prompts = [
        replace(prompt, annotations=[replace(vote, **missing) for vote in prompt.annotations])
        for prompt in record.prompts
    ]
    return replace(record, prompts=prompts)


def check(each: Format, record: TaskRecord, chosen: ExportOptions, other: ExportOptions) -> None:
    rows, accounting = written(each, record, chosen)
    everything = [vote for prompt in record.prompts for vote in prompt.annotations]
    assert accounting.votes_in + accounting.adjudications == len(everything)
    assert accounting.votes_in == accounting.votes_exported + sum(accounting.drops.values())
    assert accounting.rows_out == len(rows)
    assert {*accounting.drops, *accounting.pair_drops} <= set(REASONS)
    assert accounting.adjudications_exported <= accounting.adjudications
    for row in rows:
        assert list(each.problems_of(json.loads(json.dumps(row)))) == []
        assert all(math.isfinite(number) for number in numbers(row))
        assert all(row[best] != row[worse] for best, worse in BEST.items() if best in row and worse in row)
        assert all(path in json.dumps(row, ensure_ascii=False) for path in each.media_of(row))
    for key in ("id", "question_id", "task_id"):
        names = [row[key] for row in rows if key in row]
        assert len(set(names)) == len(names)
    assert written(each, bare(record, each.needs), chosen) == (rows, accounting)
    unused = {field.name for field in fields(ExportOptions)} - each.uses - {"rubric"}
    changed = replace(chosen, **{key: getattr(other, key) for key in unused})
    assert written(each, record, changed) == (rows, accounting)
    unnamed, _ = written(each, with_models(record), replace(chosen, include_models=False))
    assert MARK not in json.dumps(unnamed)


@given(likely_tasks() | likely_tasks() | tasks(), options(), options())
@settings(max_examples=1000, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_every_vote_is_accounted_for_and_every_row_is_fit(
    record: TaskRecord, chosen: ExportOptions, other: ExportOptions
) -> None:
    for name, each in WRITABLE.items():
        note(name)
        check(each, record, chosen, other)


@pytest.mark.parametrize("name", WRITABLE)
def test_format_says_what_it_is_for(name: str) -> None:
    each = WRITABLE[name]
    sentences = (each.label, each.description, each.consumer, each.carries, each.leaves_out, each.group)
    assert all(sentence and len(sentence) <= 130 for sentence in sentences)
    assert all(sentence.endswith(".") for sentence in (each.description, each.carries, each.leaves_out))
    assert each.uses <= {field.name for field in fields(ExportOptions)}
    assert each.needs <= {"ratings", "rewrites", "reviews", "details"}
    assert set(each.containers) <= {"jsonl", "json", "csv", "parquet", "files"}
    assert bool(each.carrier.in_messages | each.carrier.in_responses) == each.media
