"""turbo-alignment's records on what its formats write: its fields and quirks, after its documentation and fixtures.

Ids are texts (numbers are taken as such), roles are system, user and bot, unknown keys are refused in samplings only,
a repeated id silently replaces a row, and a blank line stops the reader.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from exports.formats import FORMATS
from exports.formats.base import TURBO
from tests.unit.exports.consumers.project import PICTURE, rows

NAMES = [name for name, each in FORMATS.items() if each.group == TURBO and each.can_write]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class Said(msgspec.Struct):
    role: Literal["system", "user", "bot"]
    content: str
    disable_loss: bool = False


class Part(msgspec.Struct):
    role: Literal["system", "user", "bot"]
    type: Literal["text", "image", "audio"]
    content: str


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    id: Text
    content: str


class Chat(msgspec.Struct):
    id: Text
    messages: list[Said]
    label: str | None = None
    meta: dict[str, Any] | None = None


class Classification(msgspec.Struct):
    id: Text
    messages: list[Said]
    label: int | None


class Sampling(msgspec.Struct, forbid_unknown_fields=True):
    id: Text
    dataset_name: str
    messages: list[Said]
    answers: list[Answer]
    rewards: dict[str, float] | None = None
    label: str | None = None
    meta: dict[str, Any] | None = None


class Pair(msgspec.Struct):
    id: Text
    context: list[Said]
    answer_w: Said
    answer_l: Said
    precomputed_margin: float | None = None


class Kto(msgspec.Struct):
    id: Text
    context: list[Said]
    answer: Said
    is_desirable: bool


class Multimodal(msgspec.Struct):
    id: Text
    messages: list[Part]


RECORDS: dict[str, type[msgspec.Struct]] = {
    "turbo_alignment_pairs": Pair,
    "turbo_alignment_ddpo": Pair,
    "turbo_alignment_chat": Chat,
    "turbo_alignment_kto": Kto,
    "turbo_alignment_classification": Classification,
    "turbo_alignment_sampling": Sampling,
    "turbo_alignment_multimodal": Multimodal,
}


def read(name: str, found: list[dict[str, Any]], folder: Path) -> list[Any]:
    """As the trainer reads: line by line, into a table by id."""
    file = folder / "train.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    records = [msgspec.convert(json.loads(line), RECORDS[name]) for line in lines]
    return list({record.id: record for record in records}.values())  # type: ignore[attr-defined]


def test_every_dataset_type_has_its_record() -> None:
    assert sorted(NAMES) == sorted(RECORDS)


@pytest.mark.parametrize("name", NAMES)
def test_trainer_keeps_every_row(name: str, tmp_path: Path) -> None:
    found = rows(name, rewrites="pairs", tie_labels=True)
    assert len(read(name, found, tmp_path)) == len(found)


@pytest.mark.parametrize("name", ["turbo_alignment_pairs", "turbo_alignment_ddpo"])
def test_margin_stands_on_every_row_or_on_none(name: str, tmp_path: Path) -> None:
    margins = [pair.precomputed_margin for pair in read(name, rows(name, margin="absolute"), tmp_path)]
    assert margins == [2.0, 1.0, 1.0, 1.0, 1.0]
    assert all("precomputed_margin" not in row for row in rows(name))


def test_rewards_are_shares_of_beaten_rivals_or_ratings() -> None:
    by_votes = {row["id"]: row["rewards"] for row in rows("turbo_alignment_sampling")}
    assert by_votes == {
        "t1:1": {"a": 0.5, "b": 0.5},
        "t1:2": {"c": 0.25, "d": 1.0, "e": 0.25},
        "t2:p": {"a": 0, "b": 1},
    }
    (rated,) = rows("turbo_alignment_sampling", labels="ratings")
    assert rated["rewards"] == {"a": 3.0, "b": 3.0}


def test_multimodal_rows_have_a_message_for_each_part() -> None:
    assert rows("turbo_alignment_multimodal")[0]["messages"] == [
        {"role": "user", "type": "image", "content": PICTURE},
        {"role": "user", "type": "text", "content": "What is this?"},
        {"role": "bot", "type": "text", "content": "A cat sleeps."},
    ]
