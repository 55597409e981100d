"""Formats of trainers are told apart, and no value in a row is more than a problem."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from exports import formats
from exports.cells import TableRow
from tests.unit.exports.formats.public import JSON
from tests.unit.exports.formats.training import (
    SHAREGPT,
    VISION,
    A,
    B,
    Q,
    argilla,
    best,
    only,
    read,
    region,
    studio,
    texts,
)

GOOD: dict[str, dict[str, Any]] = {
    "trl_unpaired": {"prompt": Q, "completion": A, "label": True},
    "trl_prompt_completion": {"prompt": Q, "completion": A},
    "trl_prompt_only": {"prompt": Q},
    "trl_implicit": {"chosen": [*Q, *A], "rejected": [*Q, *B]},
    "trl_vision": VISION,
    "trl_preference": {"prompt": Q, "chosen": A, "rejected": B},
    "pairwise": {"prompt": "q", "chosen": "a", "rejected": "b"},
    "ranked": {"prompt": "q", "responses": ["a", "b"], "ranks": [1, 2]},
    "grouped": {"prompt": "q", "pairs": [["a", "b"]]},
    "hh_rlhf": {"chosen": "\n\nHuman: Hi\n\nAssistant: a", "rejected": "\n\nHuman: Hi\n\nAssistant: b"},
    "llama_factory_pair": SHAREGPT,
    "llama_factory_kto": {
        "conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}],
        "kto_tag": True,
    },
    "ms_swift": {"messages": [*Q, *A], "rejected_response": "b"},
    "nemo_rl": {"context": Q, "completions": [{"rank": 0, "completion": A}, {"rank": 1, "completion": B}]},
    "openai_chat": {"messages": [*Q, *A]},
    "axolotl": {"messages": Q, "chosen": A[0], "rejected": B[0]},
    "label_studio": studio(region("pairwise", {"selected": "left"})),
    "argilla": argilla(preference=["response2", "response1"]),
}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_each_is_recognised_as_itself_and_nothing_else(name: str) -> None:
    assert formats.detect([GOOD[name]]) == [name]
    assert formats.get(name).recognised_by


@pytest.mark.parametrize("name", sorted(GOOD))
@given(value=JSON, column=JSON)
def test_no_value_in_any_column_is_more_than_a_problem(name: str, value: Any, column: Any) -> None:
    keys = sorted(GOOD[name])
    key = keys[hash(repr(column)) % len(keys)]
    read(name, {**GOOD[name], key: value}, value)
    formats.get(name).sniff({**GOOD[name], key: value})
    list(formats.get(name).mappable([{**GOOD[name], key: value}, value]))


@pytest.mark.parametrize("name", ["pairwise", "ranked", "grouped"])
def test_rows_of_tables_hold_json_in_cells(name: str) -> None:
    row = TableRow({key: value if isinstance(value, str) else json.dumps(value) for key, value in GOOD[name].items()})
    assert formats.detect([row]) == [name]
    assert best(only(name, row)) == "a" or texts(only(name, row))
