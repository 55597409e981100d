"""Differences word by word: right in both directions, and safe as HTML."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rendering.diff import diff_html, similarity


def without(markup: str, tag: str) -> str:
    """The text that is left when everything in the tag is taken out."""
    kept = re.sub(rf"<{tag}>.*?</{tag}>", "", markup, flags=re.DOTALL)
    return html.unescape(re.sub(r"</?(?:ins|del)>", "", kept))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("the cat sat", "the dog sat", "the <del>cat</del><ins>dog</ins> sat"),
        ("same", "same", "same"),
        ("", "new", "<ins>new</ins>"),
        ("gone", "", "<del>gone</del>"),
        ("", "", ""),
        ("a < b", "a < c", "a &lt; <del>b</del><ins>c</ins>"),
        ("这是好的答案", "这是坏的答案", "这是<del>好</del><ins>坏</ins>的答案"),
        ("one, two", "uno; two", "<del>one,</del><ins>uno;</ins> two"),
        ("big a red", "small a blue", "<del>big a red</del><ins>small a blue</ins>"),
    ],
)
def test_changed_words_are_marked(old: str, new: str, expected: str) -> None:
    assert diff_html(old, new) == expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_both_texts_can_be_read_from_the_difference(old: str, new: str) -> None:
    markup = diff_html(old, new)

    assert without(markup, "ins") == old
    assert without(markup, "del") == new


@given(st.text(alphabet="<>&\"' ab", max_size=40), st.text(alphabet="<>&\"' ab", max_size=40))
def test_no_markup_of_the_texts_survives(old: str, new: str) -> None:
    assert set(re.findall(r"<[^>]*>", diff_html(old, new))) <= {"<ins>", "</ins>", "<del>", "</del>"}


def test_similarity_counts_words() -> None:
    assert similarity("a b c", "a b c") == 1
    assert similarity("one two", "") == 0
    assert 0 < similarity("one two three", "one two four") < 1
