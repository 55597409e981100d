from __future__ import annotations

import pytest

from exports.formats import FORMATS, Format, FormatError, choose, detect, get
from exports.pairs import Accounting, ExportOptions
from exports.problems import ProblemList

MESSAGES = [{"role": "user", "content": "x"}]
TEXTS = {"prompt": "x", "chosen": "y", "rejected": "z"}
CONVERSATION = {"prompt": MESSAGES, "chosen": MESSAGES, "rejected": MESSAGES}
TASK = {"id": "t", "prompts": []}


def test_names_are_those_of_the_formats() -> None:
    assert {name: each.name for name, each in FORMATS.items()} == {name: name for name in FORMATS}
    assert all(each.label and each.description and (each.can_read or each.can_write) for each in FORMATS.values())


def test_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(FormatError, match=r"no format called 'csv'. Known formats: .*tiebreak.*pairwise"):
        get("csv")


@pytest.mark.parametrize(
    ("row", "names"),
    [(TEXTS, ["pairwise"]), (CONVERSATION, ["trl_preference"]), (TASK, ["tiebreak"])],
)
def test_format_is_told_by_the_shape_of_the_rows(row: object, names: list[str]) -> None:
    assert detect([row, row]) == names
    assert choose([row]).name == names[0]


def test_only_the_first_rows_are_looked_at() -> None:
    assert detect([TEXTS] * 20 + [TASK]) == ["pairwise"]


@pytest.mark.parametrize("rows", [[], [TEXTS, TASK], [None], ["x"], [[]], [{"chosen": "y", "rejected": "z"}], [{}]])
def test_rows_that_fit_no_format_are_not_guessed(rows: list[object]) -> None:
    assert detect(rows) == []
    with pytest.raises(FormatError, match=r"fit no known format\. Name the format with --format"):
        choose(rows)


def test_rows_that_fit_several_formats_are_not_guessed() -> None:
    with pytest.raises(FormatError, match=r"several formats \(tiebreak, pairwise\)"):
        choose([TASK | TEXTS])


def test_format_that_cannot_do_it_says_so() -> None:
    class Mute(Format):
        name = "mute"

    with pytest.raises(FormatError, match="mute cannot be read"):
        list(Mute().read([(1, {})], "f", ProblemList()))
    with pytest.raises(FormatError, match="mute cannot be written"):
        Mute().write([], ExportOptions(), Accounting())
    assert not Mute().sniff({})
