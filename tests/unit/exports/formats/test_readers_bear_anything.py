"""No reader raises, whatever stands in a row: it gives a coherent record or says what is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.formats import FORMATS
from exports.formats.base import Format, RowReader
from exports.formats.coherence import check_task
from exports.problems import ProblemList
from tests.unit.exports.samples import REPOSITORY

READABLE = [name for name, each in FORMATS.items() if each.can_read]
ODD: list[Any] = [None, True, 0, -1, 2.5, 10**30, "", " ", "x", "a@b.org", [], {}, [[]], [{}], {"role": "user"}, ["x"]]


def examples(name: str) -> list[Any]:
    path = REPOSITORY / "docs" / "formats" / f"{name}.md"
    if not path.exists():
        return []
    return [json.loads(each) for each in re.findall(r"```json\n(.*?)```", path.read_text("utf-8"), re.DOTALL)]


def places(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside the value, as the steps that lead there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [before, *(place for key, each in inner for place in places(each, (*before, key)))]


def spoiled(value: Any, place: tuple[Any, ...], odd: Any) -> Any:
    """The value with something odd at the place."""
    if not place:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = spoiled(value[place[0]], place[1:], odd)
    return copy


def check(each: Format, row: object) -> None:
    problems = ProblemList()
    records = list(each.read([(1, row)], "f.jsonl", problems))
    assert records or len(problems)
    assert isinstance(each.sniff(row), bool)
    for line, record in records:
        again = ProblemList()
        check_task(record, RowReader("f.jsonl", line, again))
        assert [str(problem) for problem in again] == []
    assert all(problem.expected for problem in problems)
    list(each.mappable([row]))


@pytest.mark.parametrize("name", READABLE)
def test_something_odd_at_any_place_of_an_example_raises_nothing(name: str) -> None:
    for example in examples(name):
        for place in places(example):
            for odd in ODD:
                check(FORMATS[name], spoiled(example, place, odd))


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_value_under_any_column_raises_nothing(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(READABLE))
    rows = [each for each in examples(name) if isinstance(each, dict)] or [{}]
    row = {key: data.draw(_values) if data.draw(st.booleans()) else value for key, value in rows[0].items()}
    check(FORMATS[name], row)
