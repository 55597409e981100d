"""The responses to one question of an Argilla record, in the ways in which its versions write them."""

from __future__ import annotations

from typing import Any, NamedTuple

SUBMITTED = (None, "submitted")


class Answered(NamedTuple):
    """What one person answered."""

    user: object
    value: Any


def answers_of(value: object, users: object, statuses: object) -> list[Answered]:
    """The submitted answers: objects with user_id and value, or plain values beside lists of users and statuses."""
    if not isinstance(value, list):
        return []
    if isinstance(users, list):
        states = statuses if isinstance(statuses, list) else [None] * len(value)
        triples = zip(value, users, states, strict=False)
        return [Answered(user, held) for held, user, state in triples if state in SUBMITTED]
    if not all(isinstance(each, dict) and "value" in each and "user_id" in each for each in value):
        return []
    return [Answered(each["user_id"], each["value"]) for each in value if each.get("status") in SUBMITTED]


def is_flat(row: dict[str, Any]) -> bool:
    """Whether a row has columns of responses (version 2), or lists of answers with users (version 1)."""
    if any(key.endswith(".responses") for key in row):
        return True
    return any(bool(answers_of(value, None, None)) and _has_status(value) for value in row.values())


def _has_status(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) and "status" in each for each in value)
