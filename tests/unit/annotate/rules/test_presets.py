"""The ready-made configurations: complete, coherent, and in words that name no side."""

import re
from typing import Any

import pytest

from annotate.rules.presets import DEFINITIONS, PRESETS

DIMENSIONS = [
    pytest.param(dimension, id=f"{name}-{dimension['key']}")
    for name, preset in PRESETS.items()
    for dimension in preset["dimensions"]
]


def project(name: str) -> dict[str, Any]:
    return PRESETS[name]["project"]


def test_the_presets_are_those_of_the_design() -> None:
    assert set(PRESETS) == {"scale", "helpsteer3", "llama2", "hh", "arena", "ranking"}


@pytest.mark.parametrize(
    ("name", "levels", "tie"),
    [
        ("scale", 3, True),
        ("helpsteer3", 3, True),
        ("llama2", 4, False),
        ("hh", 4, False),
        ("arena", 0, True),
        ("ranking", 3, True),
    ],
)
def test_the_line_is_as_long_as_its_model_has_it(name: str, levels: int, tie: bool) -> None:
    assert (project(name)["margin_levels"], project(name)["allow_tie"]) == (levels, tie)


def test_only_arena_and_ranking_offer_all_are_bad() -> None:
    assert {name for name in PRESETS if project(name).get("allow_all_bad")} == {"arena", "ranking"}


def test_helpsteer3_asks_three_people_for_their_reasons() -> None:
    assert (project("helpsteer3")["overlap"], project("helpsteer3")["justification"]) == (3, "required")


def test_ranking_and_scale_take_up_to_nine_responses() -> None:
    assert {name: project(name).get("max_responses", 2) for name in PRESETS} == {
        "scale": 9,
        "helpsteer3": 2,
        "llama2": 2,
        "hh": 2,
        "arena": 2,
        "ranking": 9,
    }


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_dimension_has_a_word_for_every_point_of_its_range(dimension: dict[str, Any]) -> None:
    assert [point["value"] for point in dimension["points"]] == list(
        range(dimension["minimum"], dimension["maximum"] + 1)
    )
    labels = [point["label"] for point in dimension["points"]]
    assert all(labels)
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_dimension_says_what_it_means_without_naming_a_side(dimension: dict[str, Any]) -> None:
    words = " ".join([dimension["definition"], *(point["label"] for point in dimension["points"])])

    assert (dimension["label"], dimension["definition"]) == DEFINITIONS[dimension["key"]]
    assert not re.search(r"\b(left|on the right|first|second|response)\b", words.lower())


@pytest.mark.parametrize("name", PRESETS)
def test_no_dimension_comes_twice(name: str) -> None:
    keys = [dimension["key"] for dimension in PRESETS[name]["dimensions"]]

    assert len(set(keys)) == len(keys)


def test_comparison_dimensions_are_where_the_model_has_them() -> None:
    comparison = [
        (name, dimension["key"])
        for name, preset in PRESETS.items()
        for dimension in preset["dimensions"]
        if dimension["target"] == "comparison"
    ]

    assert comparison == [("llama2", "helpfulness"), ("llama2", "safety")]
