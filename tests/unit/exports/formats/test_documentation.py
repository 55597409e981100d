"""The page about formats shows every one, with rows that its consumer would take."""

from __future__ import annotations

import json
import re

import pytest

from exports.formats import FORMATS, get
from tests.unit.exports.samples import REPOSITORY

PAGE = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^##? )", PAGE, re.MULTILINE | re.DOTALL))


def test_every_format_has_a_section() -> None:
    assert set(SECTIONS) == set(FORMATS)


@pytest.mark.parametrize("name", SECTIONS)
def test_rows_on_the_page_are_fit(name: str) -> None:
    for example in re.findall(r"```json\n(.*?)```", SECTIONS[name], re.DOTALL):
        assert list(get(name).problems_of(json.loads(example))) == []
