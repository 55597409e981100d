from __future__ import annotations

from typing import Any

import pytest

from exports.conversation import (
    EVERYTHING,
    PLACEHOLDERS,
    TEXT,
    Carrier,
    clean_response,
    clean_text,
    messages_to,
    path_to,
    same_content,
    why_unusable,
)
from exports.records import Message, Part, TaskRecord
from tests.unit.exports.samples import image, prompt, response, says, task, text, wins


def test_clean_text_is_nfc_with_line_feeds() -> None:
    assert clean_text("e\u0301\r\nb\rc ") == "é\nb\rc "


def test_clean_response_loses_outer_white_space_and_empty_text() -> None:
    kept = response("a", [*text(" \n"), *image(), *text(" x\r\ny \n")])
    assert clean_response(kept).content == [*image(), Part.of_text("x\ny")]
    assert clean_response(response("a", " \n\u2003")).content == []


def test_same_content_compares_after_cleaning() -> None:
    first, second = clean_response(response("a", "caf\u00e9\r\n")), clean_response(response("b", " cafe\u0301"))
    assert same_content(first, second)


def test_same_content_looks_at_media_too() -> None:
    assert same_content(response("a", image("x.png")), response("b", image("x.png")))
    assert not same_content(response("a", image("x.png")), response("b", image("y.png")))


def conversation() -> TaskRecord:
    """Three turns: the first continued with b; the second was won by a (ann) and tied (bob)."""
    first = prompt(wins("a"), key="1", responses=[response("a"), response("b", " answer b ", continues=True)])
    second = prompt(wins("a"), says("tie", by="bob"), key="2")
    system = Message(role="system", content=text("Be brief."))
    return task(first, second, prompt(key="3", content=text("Last?")), context=[system])


def test_path_follows_the_response_that_continues_and_then_the_own_winner() -> None:
    assert path_to(conversation(), 0, "ann") == ()
    assert path_to(conversation(), 2, "ann") == ("b", "a")


@pytest.mark.parametrize("annotator", ["bob", "nobody"])
def test_path_is_unknown_without_an_own_winner(annotator: str) -> None:
    assert path_to(conversation(), 2, annotator) is None


def test_path_uses_the_last_winner_of_the_annotator_and_no_adjudication() -> None:
    votes = [wins("a"), wins("b"), says("tie"), wins("a", kind="adjudication")]
    assert path_to(task(prompt(*votes), prompt(key="q")), 1, "ann") == ("b",)


def test_messages_follow_the_path_with_clean_answers() -> None:
    assert messages_to(conversation(), 2, ("b", "a")) == [
        Message(role="system", content=text("Be brief.")),
        Message(role="user", content=text("Question?")),
        Message(role="assistant", content=text("answer b")),
        Message(role="user", content=text("Question?")),
        Message(role="assistant", content=text("answer a")),
        Message(role="user", content=text("Last?")),
    ]


def test_prompt_without_content_adds_no_message() -> None:
    tool = Message(role="tool", content=text("42"))
    assert messages_to(task(prompt(content=[]), context=[tool]), 0, ()) == [tool]


@pytest.mark.parametrize(
    ("roles", "last", "media", "reason"),
    [
        ([], text(""), False, "empty_prompt"),
        (["user"], text(" \n"), False, "empty_prompt"),
        (["user"], text("x"), False, None),
        (["tool"], text("x"), False, None),
        (["user", "assistant"], text("x"), False, "context_not_ending_in_user"),
        (["system"], text("x"), False, "context_not_ending_in_user"),
        (["user"], image(), False, "media_in_text_format"),
        (["user"], image(), True, None),
    ],
)
def test_why_unusable(roles: list, last: list[Part], media: bool, reason: str | None) -> None:
    messages = [Message(role=role, content=last) for role in roles]
    assert why_unusable(messages, EVERYTHING if media else TEXT) == reason


def test_media_anywhere_in_the_conversation_counts() -> None:
    messages = [Message(role="user", content=content) for content in (image(), text("x"))]
    assert why_unusable(messages) == "media_in_text_format"


@pytest.mark.parametrize(("role", "reason"), [("system", "role_not_in_format"), ("assistant", None)])
def test_conversation_with_a_role_that_the_format_lacks_is_unusable(role: Any, reason: str | None) -> None:
    messages = [Message(role=role, content=text("x")), Message(role="user", content=text("y"))]
    assert why_unusable(messages, Carrier(roles=frozenset({"user", "assistant"}))) == reason
    assert why_unusable(messages) is None


@pytest.mark.parametrize(
    ("carrier", "content", "reason"),
    [
        (Carrier(in_messages=frozenset({"image"})), image(), None),
        (Carrier(in_messages=frozenset({"audio"})), image(), "media_kind_not_in_format"),
        (Carrier(not_in_text=PLACEHOLDERS), text("what is <image> for?"), "placeholder_in_text"),
        (TEXT, text("what is <image> for?"), None),
        (TEXT, text("half a \ud83d"), "broken_text"),
        (TEXT, text("a whole \U0001f600"), None),
    ],
)
def test_content_that_a_format_cannot_carry_is_refused_by_name(carrier: Carrier, content: Any, reason: str) -> None:
    assert why_unusable([Message(role="user", content=content)], carrier) == reason


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        (["user"], None),
        (["system", "user", "assistant", "user"], None),
        (["user", "user"], "roles_not_alternating"),
        (["user", "system", "user"], "roles_not_alternating"),
        (["assistant", "user"], "roles_not_alternating"),
    ],
)
def test_trainer_that_wants_turns_in_order_gets_no_others(roles: list[Any], reason: str | None) -> None:
    messages = [Message(role=role, content=text("x")) for role in roles]
    assert why_unusable(messages, Carrier(alternating=True)) == reason


def test_path_of_an_adjudication_follows_the_adjudications() -> None:
    first = prompt(wins("a"), wins("b", by="rev", kind="adjudication"), key="1")
    record = task(first, prompt(key="2"))
    assert path_to(record, 1, "rev", adjudicated=True) == ("b",)
    assert path_to(record, 1, "ann") == ("a",)
    assert path_to(record, 1, "rev") is None
