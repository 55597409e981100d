"""Which keys a person may choose."""

import pytest

from annotate.rules.keys import ACTIONS, TAKEN, key_problems, keys_of


def test_usual_keys_are_free_and_different() -> None:
    assert list(key_problems({})) == []
    usual = [key for _, key in ACTIONS.values()]
    assert len(set(usual)) == len(usual)
    assert not set(usual) & TAKEN


def test_chosen_keys_stand_before_the_usual_ones() -> None:
    keys = keys_of({"why": "r", "skip": ""})
    assert (keys["why"], keys["skip"], keys["quote"]) == ("r", "x", "q")


@pytest.mark.parametrize("key", ["r", "ö", "ж", "-", "/", "中"])
def test_any_visible_sign_that_is_free_may_be_chosen(key: str) -> None:
    assert list(key_problems({"why": key})) == []


def test_keys_may_be_swapped() -> None:
    assert list(key_problems({"why": "q", "quote": "w"})) == []


@pytest.mark.parametrize(
    ("chosen", "action", "message"),
    [
        ({"why": "a"}, "why", "The key A rates or chooses a response."),
        ({"why": "1"}, "why", "The key 1 rates or chooses a response."),
        ({"why": "R"}, "why", "Give the small letter 'r'"),
        ({"why": "rr"}, "why", "Found 'rr'. Give one letter or sign."),
        ({"why": " "}, "why", "Found ' '. Give one letter or sign."),
        ({"why": "\x00"}, "why", "Give one letter or sign."),
        ({"fly": "r"}, "fly", "There is no action called 'fly'."),
    ],
)
def test_what_cannot_be_a_key_is_refused_with_the_reason(chosen: dict[str, str], action: str, message: str) -> None:
    problems = dict(key_problems(chosen))
    assert message in problems[action]


def test_one_key_for_two_actions_is_refused_at_both() -> None:
    problems = dict(key_problems({"why": "q"}))
    assert "also that of “Quote the selected text”" in problems["why"]
    assert "also that of “Go to “Why?””" in problems["quote"]
