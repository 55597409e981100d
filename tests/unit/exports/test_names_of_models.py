"""Names of models in what annotators would read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.identities import MASK, masked, may_name, names_in, names_in_bytes
from exports.guard import findings, mask
from exports.records import Part, PromptRecord, ResponseRecord, TaskRecord


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("As Claude, I cannot.", ["Claude"]),
        ("I am ChatGPT, made by OpenAI.", ["ChatGPT", "OpenAI"]),
        ("GPT-4o and gpt-4-turbo", ["GPT-4o", "gpt-4-turbo"]),
        ("Llama-2-70b-chat or Mixtral 8x7B", ["Llama-2-70b-chat", "Mixtral 8x7B"]),
        ("made with Stable Diffusion", ["Stable Diffusion"]),
        ("gрt-4 in Cyrillic", ["gрt-4"]),
        ("g\u200bpt-4 with a gap nobody sees", ["g\u200bpt-4"]),
        ("ｇｐｔ-4 wide", ["ｇｐｔ-4"]),
        ("gpt‑4 with another hyphen", ["gpt‑4"]),
        ("a llama, a falcon, a gemini and a claw", []),
        ("He bought a palm tree and wrote a command.", []),
        ("egypt-4", []),
        ("Это просто русский текст.", []),
        ("これは普通の文章です。", []),
    ],
)
def test_names_are_found_as_they_are_written(text: str, names: list[str]) -> None:
    assert [name.name for name in names_in(text)] == names
    assert may_name(text) or not names


def test_the_models_of_the_data_are_names_too() -> None:
    assert [name.name for name in names_in("I, Zorp-7, say zorp-7b.", ["zorp-7"])] == ["Zorp-7"]
    assert names_in("ab is short", ["ab"]) == []


@given(st.text(), st.lists(st.text(min_size=3, max_size=8), max_size=3))
def test_masking_leaves_no_name_and_nothing_else_changes(text: str, models: list[str]) -> None:
    names = names_in(text, models)
    assert all(text[name.start : name.end] == name.name for name in names)
    pieces, after = [], 0
    for name in names:
        assert name.start >= after
        pieces.append(text[after : name.start])
        after = name.end
    assert masked(text, names) == MASK.join([*pieces, text[after:]])


@given(st.text())
def test_the_quick_look_never_misses(text: str) -> None:
    text = f"{text} Claude {text}"
    assert may_name(text) or not names_in(text)


def test_names_inside_media_are_found_by_their_text() -> None:
    assert names_in_bytes(b"\x89PNG\x00tEXtSoftware\x00Midjourney v6\x00\xff") == ["Midjourney"]
    assert names_in_bytes(bytes(range(256)) * 100) == []


def task(*contents: list[Part]) -> TaskRecord:
    responses = [
        ResponseRecord(id="ab"[place], content=content, model=f"model-{place}")
        for place, content in enumerate(contents)
    ]
    prompt = PromptRecord(id="1", content=[Part.of_text("Is ChatGPT good?")], responses=responses)
    return TaskRecord(id="t", prompts=[prompt])


def test_texts_and_file_names_of_responses_are_looked_at_and_prompts_are_not() -> None:
    picture = Part(type="image", path="a.png", name="dall-e-3.png")
    found = findings(task([Part.of_text("By model-1.")], [picture]))
    assert [(each.kind, each.field, each.name) for each in found] == [
        ("text", "prompts[0].responses[0].content[0].text", "model-1"),
        ("file name", "prompts[0].responses[1].content[0].name", "dall-e-3"),
    ]
    assert findings(task([Part.of_text("One.")], [Part.of_text("Two.")])) == []


def test_a_masked_task_has_no_findings_and_keeps_its_models() -> None:
    record = mask(task([Part.of_text("By model-1 and GPT-4.")], [Part(type="image", path="a.png", name="sdxl.png")]))
    assert findings(record) == []
    assert record.prompts[0].responses[0].content == [Part.of_text(f"By {MASK} and {MASK}.")]
    assert record.prompts[0].responses[1].content[0].name == f"{MASK}.png"
    assert record.prompts[0].responses[0].model == "model-0"
