from __future__ import annotations

import json
import re

import pytest

from exports.accounting import Accounting
from exports.formats import FORMATS, Format, FormatError, choose, detect, get
from exports.options import ExportOptions
from exports.problems import ProblemList
from tests.unit.exports.samples import REPOSITORY, prompt, task, wins

MESSAGES = [{"role": "user", "content": "x"}]
TEXTS = {"prompt": "x", "chosen": "y", "rejected": "z"}
CONVERSATION = {"prompt": MESSAGES, "chosen": MESSAGES, "rejected": MESSAGES}
TASK = {"id": "t", "prompts": []}
SAMPLES = {
    "tiebreak": TASK,
    "pairwise": TEXTS,
    "trl_preference": CONVERSATION,
    "hh_rlhf": {"chosen": "\n\nHuman: x\n\nAssistant: y", "rejected": "\n\nHuman: x\n\nAssistant: z"},
    "turbo_alignment_pairs": {"id": "1", "context": MESSAGES, "answer_w": MESSAGES[0], "answer_l": MESSAGES[0]},
    "openai_preference": {
        "input": {"messages": MESSAGES},
        "preferred_output": MESSAGES,
        "non_preferred_output": MESSAGES,
    },
    "ranked": {"id": "1", "prompt": MESSAGES, "responses": ["y", "z"], "ranks": [1, 2], "annotator": "a"},
    "scale": {"task_id": "t", "status": "completed", "threads": []},
    "dataloop": {"shebang": "dataloop", "prompts": {"1": []}},
    "turbo_alignment_chat": {"id": "1", "messages": [{"role": "bot", "content": "x"}]},
    "turbo_alignment_kto": {"id": "1", "context": MESSAGES, "answer": MESSAGES[0], "is_desirable": True},
    "turbo_alignment_classification": {"id": "1", "messages": MESSAGES, "label": 1},
    "turbo_alignment_sampling": {"id": "1", "dataset_name": "d", "messages": MESSAGES, "answers": []},
    "turbo_alignment_multimodal": {"id": "1", "messages": [{"role": "user", "type": "text", "content": "x"}]},
    "grouped": {"prompt": MESSAGES, "pairs": [["y", "z"]]},
}
SAMPLES |= {
    path.stem: json.loads(re.findall(r"```json\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)[0])
    for path in sorted((REPOSITORY / "docs" / "formats").glob("*.md"))
    if path.stem not in {*SAMPLES, "columns"}
}


def test_names_are_those_of_the_formats() -> None:
    assert {name: each.name for name, each in FORMATS.items()} == {name: name for name in FORMATS}
    assert all(each.label and each.description and (each.can_read or each.can_write) for each in FORMATS.values())


def test_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(FormatError, match=r"no format called 'csv'. Known formats: .*tiebreak.*pairwise"):
        get("csv")


def test_every_readable_format_has_a_sample() -> None:
    assert set(SAMPLES) == {name for name, each in FORMATS.items() if each.can_read and name != "columns"}


@pytest.mark.parametrize("name", SAMPLES)
def test_format_is_told_by_the_shape_of_the_rows(name: str) -> None:
    row = SAMPLES[name]
    assert detect([row, row]) == [name]
    assert choose([row]).name == name


NOT_OF_TEXTS = frozenset({"trl_vision", "turbo_alignment_multimodal", "ultrafeedback"})
"""Formats that write nothing of a record without pictures or ratings."""


@pytest.mark.parametrize("name", [name for name in SAMPLES if FORMATS[name].can_write and name not in NOT_OF_TEXTS])
def test_what_a_format_writes_is_told_as_that_format(name: str) -> None:
    record = task(prompt(wins("a", margin=1)), prompt(wins("b", margin=2), key="q"))
    for options in (ExportOptions(), ExportOptions(margin="absolute", consensus="majority")):
        rows = list(FORMATS[name].write([record], options, Accounting()))
        assert detect(rows) == [name]


def test_only_the_first_rows_are_looked_at() -> None:
    assert detect([TEXTS] * 20 + [TASK]) == ["pairwise"]


@pytest.mark.parametrize(
    "rows", [[], [TEXTS, TASK], [None], ["x"], [[]], [{"chosen": "y", "rejected": "z"}], [{}], list(SAMPLES.values())]
)
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
        list(Mute().write([task(prompt(wins("a")))], ExportOptions(), Accounting()))
    assert not Mute().sniff({})
