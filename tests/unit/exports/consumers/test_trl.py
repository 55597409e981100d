"""What TRL does with its data before training, on what the formats for it write.

The rules are those of `trl/data_utils.py` of release 1.16.0 (`is_conversational`, `maybe_extract_prompt`,
`prepare_multimodal_messages`), written again in short: installing TRL would bring a whole deep-learning stack.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exports.formats import FORMATS
from exports.formats.base import TRL
from tests.unit.exports.consumers.project import PICTURE, rows
from tests.unit.exports.formats.rows import loaded

NAMES = [name for name, each in FORMATS.items() if each.group == TRL and each.can_write]
COLUMNS = ("prompt", "chosen", "rejected", "completion", "messages")


def is_conversational(example: dict[str, Any]) -> bool:
    """TRL looks at any one of the columns: here all must agree, as nobody knows which one it takes."""
    kinds = {isinstance(example[key][0], dict) and "role" in example[key][0] for key in COLUMNS if key in example}
    assert len(kinds) == 1
    return kinds.pop()


def extracted(example: dict[str, Any]) -> dict[str, Any]:
    """The prompt that TRL finds in an implicit pair: everything before the first difference."""
    pairs = enumerate(zip(example["chosen"], example["rejected"], strict=False))
    first = next(index for index, (chosen, rejected) in pairs if chosen != rejected)
    return {"prompt": example["chosen"][:first], **{key: example[key][first:] for key in ("chosen", "rejected")}}


def place_images(messages: list[dict[str, Any]], images: list[Any]) -> None:
    """TRL stops unless every image block gets a picture; other roles than these it does not know."""
    assert {message["role"] for message in messages} <= {"system", "user", "assistant", "tool"}
    places = sum(block["type"] == "image" for message in messages for block in message["content"])
    if places != len(images):
        raise ValueError(f"{len(images)} images, {places} places")


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_conversational_with_the_columns_of_the_first(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = loaded(rows(name), tmp_path, monkeypatch)
    assert all(is_conversational(example) for example in dataset)
    assert all(value is not None for example in dataset for value in example.values())


def test_reward_rows_always_have_a_margin_above_or_at_zero() -> None:
    assert [row["margin"] for row in rows("trl_reward", margin="none")] == [2.0, 1.0, 1.0, 1.0, 1.0]
    assert [row["margin"] for row in rows("trl_reward", margin="signed")] == [2.0, 1.0, 1.0, 1.0, 1.0]


def test_margins_on_other_scales() -> None:
    margins = {scale: rows("trl_reward", margin_scale=scale)[0]["margin"] for scale in ("raw", "unit", "llama2")}
    assert margins == {"raw": 2.0, "unit": pytest.approx(2 / 3), "llama2": 0.5}


def test_prompt_of_an_implicit_pair_is_found_again() -> None:
    explicit, implicit = rows("trl_preference"), rows("trl_implicit")
    for row, whole in zip(explicit, implicit, strict=True):
        assert extracted(whole) == {key: row[key] for key in ("prompt", "chosen", "rejected")}


def test_pictures_fill_the_places_in_the_prompt_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for example in loaded(rows("trl_vision"), tmp_path, monkeypatch):
        assert example["images"] == [PICTURE]
        place_images(example["prompt"], example["images"])
        place_images(example["chosen"] + example["rejected"], [])


def test_unpaired_rows_have_real_booleans_and_both_of_them() -> None:
    by_winner = [row["label"] for row in rows("trl_unpaired")]
    assert set(map(type, by_winner)) == {bool}
    assert set(by_winner) == {True, False}
    rated = [(row["completion"][0]["content"], row["label"]) for row in rows("trl_unpaired", labels="ratings")]
    assert rated == [
        ("On the river Seine.", True),
        ("In the north, I think.", False),
        ("On the river Seine.", False),
        ("In the north, I think.", True),
    ]


def test_completions_are_winners_and_what_people_wrote() -> None:
    found = [
        (row["source"], row["completion"][0]["content"]) for row in rows("trl_prompt_completion", rewrites="pairs")
    ]
    assert found[:3] == [
        ("vote", "On the river Seine."),
        ("vote", "In the north, I think."),
        ("rewrite", "It lies on the Seine."),
    ]
    assert {row["source"] for row in rows("trl_prompt_completion", rewrites="only")} == {"rewrite"}
