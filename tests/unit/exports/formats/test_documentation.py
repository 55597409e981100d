"""The page about formats shows every one that is written, and each one that is read has a page with an example."""

from __future__ import annotations

import json
import re

import pytest

from exports.formats import FORMATS, get
from exports.formats.setup import Setup
from exports.problems import ProblemList
from tests.unit.exports.samples import REPOSITORY

PAGE = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^##? |\Z)", PAGE, re.MULTILINE | re.DOTALL))
READABLE = [name for name, each in FORMATS.items() if each.can_read]
_EXAMPLE = re.compile(r"^## Example\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def test_every_written_format_has_a_section() -> None:
    assert set(SECTIONS) == {name for name, each in FORMATS.items() if each.can_write}


@pytest.mark.parametrize("name", SECTIONS)
def test_rows_on_the_page_are_fit(name: str) -> None:
    for example in re.findall(r"```json\n(.*?)```", SECTIONS[name], re.DOTALL):
        assert list(get(name).problems_of(json.loads(example))) == []


@pytest.mark.parametrize("name", READABLE)
def test_example_of_a_readable_format_is_read_without_a_problem(name: str) -> None:
    page = (REPOSITORY / "docs" / "formats" / f"{name}.md").read_text(encoding="utf-8")
    (section,) = _EXAMPLE.findall(page)
    examples = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    assert examples
    for example in examples:
        problems = ProblemList()
        rows = [json.loads(example)]
        confirmed = Setup(mapping={each.key: each.proposed for each in get(name).mappable(rows)})
        assert list(get(name).read(enumerate(rows, 1), "example.jsonl", problems, confirmed))
        assert [str(each) for each in problems] == []


@pytest.mark.parametrize("name", READABLE)
def test_readable_format_says_what_it_is_recognised_by(name: str) -> None:
    said = get(name).recognised_by
    assert said
    assert not said.endswith(".")
