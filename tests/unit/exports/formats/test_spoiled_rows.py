"""Every format refuses its own rows once they are spoiled in a way that its consumer would not bear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exports.formats import FORMATS, get
from tests.unit.exports.consumers.project import rows

GONE = object()
EMPTY, TOOL = "", [{"role": "tool", "content": "x"}]
PAIR = [("chosen", GONE), ("rejected", "=chosen"), ("margin", float("nan")), ("margin", None), ("margin", "2")]
MESSAGES = [
    *PAIR,
    ("prompt", GONE),
    ("prompt", []),
    ("prompt", "text"),
    ("prompt.-1.role", "bot"),
    ("prompt.-1.role", "assistant"),
    ("prompt.-1.content", " "),
    ("chosen", []),
    ("chosen", "text"),
    ("chosen.0.content", None),
    ("rejected.0.content", EMPTY),
    ("rejected.0.role", "user"),
]
TEXTS = [*PAIR, ("prompt", EMPTY), ("chosen", " padded"), ("rejected", None)]
TURBO = [
    ("id", 7),
    ("id", EMPTY),
    ("context", []),
    ("context.0.role", "tool"),
    ("answer_w", "text"),
    ("answer_w.role", "user"),
    ("answer_l.content", EMPTY),
    ("answer_l", "=answer_w"),
    ("precomputed_margin", None),
    ("precomputed_margin", -1.0),
]
LLAMA = [
    ("conversations", []),
    ("conversations.-1.from", "gpt"),
    ("conversations.-1.value", "two <image> words <image>"),
    ("conversations.0.from", "observation"),
    ("chosen", "text"),
    ("chosen.from", "human"),
    ("rejected.value", EMPTY),
    ("rejected", "=chosen"),
]
TABLE = [("task", EMPTY), ("turn", 0), ("turn", "1"), ("annotator", None)]
SPOILED: dict[str, list[tuple[str, Any]]] = {
    "trl_preference": MESSAGES,
    "trl_reward": [*MESSAGES, ("margin", GONE), ("margin", -1.0), ("margin", True)],
    "openrlhf": [*MESSAGES, ("margin", -1.0)],
    "trl_implicit": [*PAIR, ("chosen.-1.role", "user"), ("chosen.0.content", "another"), ("rejected", TOOL)],
    "trl_unpaired": [("label", 1), ("label", "true"), ("label", GONE), ("completion", []), ("prompt", TOOL[:0])],
    "trl_prompt_completion": [("completion.0.content", EMPTY), ("completion.0.role", "user"), ("prompt", "text")],
    "trl_vision": [
        ("images", []),
        ("images", GONE),
        ("images", ["a", "b"]),
        ("chosen.0.content.0.type", "image"),
        ("prompt.0.content", "text"),
        ("prompt.0.role", "bot"),
        ("rejected", "=chosen"),
    ],
    "turbo_alignment_pairs": TURBO,
    "turbo_alignment_ddpo": TURBO,
    "turbo_alignment_chat": [("id", None), ("messages", []), ("messages.-1.role", "user"), ("messages.0.role", "tool")],
    "turbo_alignment_kto": [("id", 1), ("is_desirable", None), ("is_desirable", "yes"), ("answer.content", EMPTY)],
    "turbo_alignment_classification": [("label", GONE), ("label", True), ("label", 2), ("messages", "text")],
    "turbo_alignment_sampling": [
        ("dataset_name", GONE),
        ("source", "x"),
        ("answers", []),
        ("answers.0.model", "m"),
        ("answers.0.content", EMPTY),
        ("rewards", {}),
        ("rewards", {"a": None, "b": 1.0}),
        ("messages.-1.role", "bot"),
    ],
    "turbo_alignment_multimodal": [
        ("messages.0.type", "video"),
        ("messages.-1.role", "assistant"),
        ("messages", []),
        ("id", EMPTY),
    ],
    "pairwise": TEXTS,
    "verl": [("prompt", "no space at the end"), ("chosen", " padded"), ("rejected", "=chosen"), ("chosen", EMPTY)],
    "openai_preference": [
        ("input", []),
        ("input.messages", []),
        ("preferred_output", []),
        ("preferred_output.0.role", "user"),
        ("non_preferred_output", "=preferred_output"),
    ],
    "openai_chat": [("messages", []), ("messages.-1.role", "user"), ("messages.-1.content", EMPTY)],
    "llama_factory_pair": LLAMA,
    "llama_factory_vision": [*LLAMA, ("images", []), ("images", ["a", "b"])],
    "llama_factory_kto": [
        ("kto_tag", "true"),
        ("kto_tag", 1),
        ("conversations.-1.value", EMPTY),
        ("conversations", []),
        ("conversations.-1.from", "human"),
    ],
    "axolotl": [
        ("messages", []),
        ("chosen.content", EMPTY),
        ("chosen.content", "padded "),
        ("chosen.content", "assistant"),
        ("rejected", "=chosen"),
    ],
    "ms_swift": [
        ("rejected_response", None),
        ("rejected_response", "On the river Seine."),
        ("messages.-1.role", "user"),
        ("margin", None),
    ],
    "ms_swift_vision": [
        ("images", []),
        ("rejected_images", ["a", "b"]),
        ("rejected_messages", "=messages"),
        ("messages.-1.role", "user"),
    ],
    "nemo_rl": [
        ("completions", []),
        ("completions", None),
        ("completions.1.rank", 0),
        ("completions.1.rank", None),
        ("completions.0.completion", []),
        ("context", []),
    ],
    "hh_rlhf": [
        *PAIR,
        ("chosen", "Human: x"),
        ("chosen", "\n\nHuman: x\n\nAssistant: "),
        ("chosen", "\n\nHuman: other\n\nAssistant: y"),
    ],
    "grouped": [
        ("pairs", []),
        ("pairs.0", ["a"]),
        ("pairs.0", ["a", "a"]),
        ("pairs.0.0", EMPTY),
        ("margins", [1.0, 2.0, 3.0, 4.0]),
        ("margins", [None, 1.0]),
        ("prompt", GONE),
    ],
    "helpsteer3": [
        ("overall_preference", 4),
        ("overall_preference", 0.5),
        ("individual_preference", []),
        ("individual_preference.0.score", None),
        ("response1", "=response2"),
        ("response2", EMPTY),
        ("domain", None),
        ("context", []),
    ],
    "ultrafeedback": [
        ("completions", []),
        ("models", ["x"]),
        ("completions.0.response", None),
        ("completions.0.annotations.truthfulness.Rating", 5),
        ("instruction", EMPTY),
    ],
    "arena": [
        ("winner", "both_bad"),
        ("model_a", "=model_b"),
        ("judge", EMPTY),
        ("turn", 0),
        ("tstamp", None),
        ("conversation_a", []),
        ("conversation_a.-1.role", "user"),
    ],
    "scale": [
        ("threads", []),
        ("threads.0.turns", []),
        ("threads.0.turns.0.messages.1.role", "assistant"),
        ("threads.0.turns.0.messages.2.source_id", "user"),
        ("threads.0.turns.0.messages.2.source_id", "m2"),
        ("threads.0.turns.0.messages.2.annotations.0.value", "5"),
        ("threads.0.turns.0.messages.2.annotations.0.value", 9),
        ("threads.0.turns.0.messages.2.annotations.0.type", "likert"),
        ("threads.0.turns.0.messages.2.annotations.0.id", GONE),
        ("threads.0.turns.0.messages.2.content", {}),
        ("threads.0.turns.0.annotations.0.value", "base_model"),
        ("threads.0.turns.0.annotations", None),
        ("threads.0.turns.1.id", "t1%3Aann:1"),
        ("task_id", GONE),
        ("status", None),
    ],
    "dataloop": [
        ("shebang", GONE),
        ("prompts", {}),
        ("prompts.1.0.mimetype", "image/jpeg"),
        ("prompts.1.0.mimetype", GONE),
        ("prompts.1.0.value", None),
        ("annotations.0.type", "binary"),
        ("annotations.0.coordinates", None),
        ("annotations.0.metadata.system.promptId", "9"),
    ],
    "ranked": [
        ("responses", ["a"]),
        ("responses.0", EMPTY),
        ("responses.0", None),
        ("ranks", [1]),
        ("ranks", [2, 1, 1]),
        ("annotator", GONE),
        ("prompt", []),
        ("margin", None),
    ],
    "annotations": [*TABLE, ("outcome", "win"), ("winner", None)],
    "ratings": [*TABLE, ("dimension", EMPTY), ("value", 1.5)],
    "tiebreak": [("id", GONE), ("prompts.0.annotations.0.winner", "z"), ("prompts.0.surprise", 1)],
}
CASES = [(name, place, value) for name, each in SPOILED.items() for place, value in each]


def spoiled(row: dict[str, Any], place: str, value: object) -> dict[str, Any]:
    """The row as it is read back, with `value` at the dotted place; "=key" copies another column."""
    row = json.loads(json.dumps(row))
    *parents, last = place.split(".")
    owner: Any = row
    for step in parents:
        owner = owner[int(step) if isinstance(owner, list) else step]
    key: Any = int(last) if isinstance(owner, list) else last
    if value is GONE:
        del owner[key]
    else:
        owner[key] = row[value[1:]] if isinstance(value, str) and value.startswith("=") else value
    return row


def test_every_format_is_spoiled() -> None:
    assert set(SPOILED) == {name for name, each in FORMATS.items() if each.can_write}


@pytest.mark.parametrize("name", SPOILED)
@pytest.mark.parametrize("margin", ["none", "absolute"])
def test_own_rows_are_fit(name: str, margin: str) -> None:
    for row in rows(name, margin=margin):
        assert list(get(name).problems_of(json.loads(json.dumps(row)))) == []


@pytest.mark.parametrize(("name", "place", "value"), CASES)
def test_spoiled_row_is_refused_in_a_sentence(name: str, place: str, value: object) -> None:
    margin = "absolute" if "margin" in place else "none"
    problems = list(get(name).problems_of(spoiled(rows(name, margin=margin)[0], place, value)))
    assert problems
    assert all(problem.endswith(".") for problem in problems)
