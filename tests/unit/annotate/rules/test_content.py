"""Content: what is a list of parts, what no database may hold, and how typed text is stored."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.content import (
    MAX_TEXT,
    assets_of,
    clean_written_text,
    content_problems,
    text_of,
    text_problems,
)

SHA = "0123456789abcdef" * 4
TEXT = {"type": "text", "text": "Hello."}
any_text = st.text(st.characters())  # with lone surrogates and NUL
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=10,
)


def problems(content: object) -> list[tuple[str, str, str]]:
    return list(content_problems(content, "content"))


@pytest.mark.parametrize(
    "content",
    [
        [TEXT],
        [{"type": "text", "text": ""}],
        [TEXT, TEXT],
        [TEXT, {"type": "image", "asset": SHA, "name": "a picture"}],
        [{"type": kind, "asset": SHA} for kind in ["image", "audio", "video", "file"]],
        [{"type": "text", "text": "x" * MAX_TEXT}],
        [{"type": "text", "text": "😀 שלום \u202e"}],
    ],
    ids=["text", "nothing said", "two texts", "image", "files", "a million", "unicode"],
)
def test_good_content_has_no_problem(content: list[Any]) -> None:
    assert problems(content) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Hello.", ("content", "str", "a list of parts")),
        (None, ("content", "NoneType", "a list of parts")),
        ({"type": "text"}, ("content", "dict", "a list of parts")),
        ((TEXT,), ("content", "tuple", "a list of parts")),
        ([], ("content", "an empty list", "at least one part")),
        (["Hello."], ("content[0]", "str", "an object with a type")),
        ([TEXT, None], ("content[1]", "NoneType", "an object with a type")),
        ([{}], ("content[0].type", "None", "one of text, image, audio, video, file")),
        ([{"type": "html"}], ("content[0].type", "'html'", "one of text, image, audio, video, file")),
        ([{"type": ["text"]}], ("content[0].type", "['text']", "one of text, image, audio, video, file")),
        ([{"type": "text"}], ("content[0].text", "None", "text")),
        ([{"type": "text", "text": 3}], ("content[0].text", "3", "text")),
        ([{"type": "text", "text": "a\0b"}], ("content[0].text", "a NUL character", "text without NUL")),
        ([{"type": "text", "text": "\ud800"}], ("content[0].text", "half of a surrogate pair", "valid Unicode")),
        (
            [{"type": "text", "text": "x" * (MAX_TEXT + 1)}],
            ("content[0].text", "1,000,001 characters", "at most 1,000,000"),
        ),
    ],
)
def test_bad_content_is_named_with_its_place(content: object, expected: tuple[str, str, str]) -> None:
    assert problems(content) == [expected]


@pytest.mark.parametrize(
    "asset", [None, "", 3, SHA[:-1], SHA + "0", SHA.upper(), f"../{SHA}", SHA[:-1] + "g", [SHA], f"{SHA}\n"]
)
@pytest.mark.parametrize("kind", ["image", "audio", "video", "file"])
def test_a_file_needs_the_hash_of_a_stored_file(kind: str, asset: object) -> None:
    assert [field for field, _, _ in problems([{"type": kind, "asset": asset}])] == ["content[0].asset"]


def test_every_problem_is_named() -> None:
    found = problems([{"type": "text", "text": "\0\ud800"}, 1, {"type": "image"}])

    assert [field for field, _, _ in found] == ["content[0].text", "content[0].text", "content[1]", "content[2].asset"]


@given(json_values)
def test_no_value_breaks_the_check(content: object) -> None:
    for field, found, expected in content_problems(content, "content"):
        assert field.startswith("content")
        assert len(found) < 2000
        assert expected


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_ordinary_text_has_no_problem(text: str) -> None:
    assert list(text_problems(text, "text")) == []


# ------------------------------------------------------------------------------------------------ written text
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Because.\t\n", "Because."),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("e\u0301", "é"),
        ("a\0b", "ab"),
        ("\ud800!", "?!"),
        ("\0 \0", ""),
        ("a  b", "a  b"),
        ("\u200f\u202eabc", "\u200f\u202eabc"),
    ],
    ids=["outer space", "line ends", "NFC", "NUL", "surrogate", "only NUL", "inner space", "direction marks"],
)
def test_typed_text_is_stored_clean(typed: str, stored: str) -> None:
    assert clean_written_text(typed) == stored


@given(any_text)
def test_cleaned_text_is_storable_normal_and_stays_as_it_is(typed: str) -> None:
    cleaned = clean_written_text(typed)

    assert list(text_problems(cleaned, "text")) == []
    assert cleaned == unicodedata.normalize("NFC", cleaned).strip()
    assert "\r" not in cleaned
    assert clean_written_text(cleaned) == cleaned


# ----------------------------------------------------------------------------------------------------- reading
def test_text_and_files_are_read_in_order() -> None:
    content = [TEXT, {"type": "image", "asset": SHA}, {"type": "text", "text": "Bye."}, {"type": "file", "asset": "b"}]

    assert text_of(content) == "Hello.\n\nBye."
    assert assets_of(content) == [SHA, "b"]
    assert (text_of([]), assets_of([])) == ("", [])
