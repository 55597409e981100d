"""What consumers refuse, or learn nonsense from: the checks behind `Format.problems_of`.

Each yields sentences about a row that was read back from a file. Parquet gives null where a row had no such key.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any

from exports.strict_json import join

ROLES = ("system", "user", "assistant", "tool")


def texts(row: dict[str, Any], *columns: str) -> Iterator[str]:
    """Each of `columns` must be there and hold a text that is not blank."""
    for column in columns:
        value = row.get(column)
        if not isinstance(value, str):
            yield f"{column} must be text."
        elif not value.strip():
            yield f"{column} is empty."


def answers(row: dict[str, Any], *columns: str) -> Iterator[str]:
    """Texts that trainers look up in a rendered template: white space around them makes them miss it."""
    yield from texts(row, *columns)
    for column in (column for column in columns if isinstance(row.get(column), str)):
        if row[column] != row[column].strip():
            yield f"{column} has white space around it."


def message(
    value: object, path: str, *, roles: Collection[str], role: str = "role", content: str = "content"
) -> Iterator[str]:
    """One message of text. `role` and `content`: its keys."""
    if not isinstance(value, dict):
        yield f"{path} must be a message."
        return
    if value.get(role) not in roles:
        yield f"{join(path, role)} must be one of {', '.join(roles)}."
    if not isinstance(value.get(content), str):
        yield f"{join(path, content)} must be text."


def messages(
    row: dict[str, Any],
    column: str,
    *,
    roles: Collection[str] = ROLES,
    last: Collection[str] = ("user", "tool"),
    role: str = "role",
    content: str = "content",
) -> Iterator[str]:
    """A list of messages of text, the last one by one of `last`."""
    value = row.get(column)
    if not isinstance(value, list) or not value:
        yield f"{column} must be a list of messages."
        return
    found = [
        problem
        for index, each in enumerate(value)
        for problem in message(each, f"{column}[{index}]", roles=roles, role=role, content=content)
    ]
    yield from found
    if not found and value[-1][role] not in last:
        yield f"{column} must end with {' or '.join(last)}."
    if not found and not value[-1][content].strip():
        yield f"{column} ends with an empty message."


def one_answer(row: dict[str, Any], *columns: str, roles: Collection[str] = ("assistant",)) -> Iterator[str]:
    """Each of `columns` must be a list of one message that says something."""
    for column in columns:
        value = row.get(column)
        if isinstance(value, list) and len(value) > 1:
            yield f"{column} must be one message."
        yield from messages(row, column, roles=roles, last=roles)


def differ(row: dict[str, Any], chosen: str, rejected: str) -> Iterator[str]:
    """A pair teaches nothing when both sides are the same."""
    if row.get(chosen) is not None and row.get(chosen) == row.get(rejected):
        yield f"{chosen} and {rejected} are the same."


def margin(
    row: dict[str, Any], column: str = "margin", *, is_signed: bool = False, is_needed: bool = False
) -> Iterator[str]:
    """A number where the column is there at all; `is_signed`: also below 0."""
    if column not in row:
        if is_needed:
            yield f"{column} is missing."
        return
    value = row[column]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        yield f"{column} must be a number on every row."
    elif value < 0 and not is_signed:
        yield f"{column} must not be below 0: it is taken off the difference of two rewards."


def flag(row: dict[str, Any], column: str) -> Iterator[str]:
    """True or false, not a number or a word for it."""
    if not isinstance(row.get(column), bool):
        yield f"{column} must be true or false."


def named(row: dict[str, Any], *columns: str) -> Iterator[str]:
    """Text that is not empty, such as an id."""
    for column in columns:
        if not isinstance(row.get(column), str) or not row[column]:
            yield f"{column} must be text that is not empty."


def placeholders(texts: Collection[str], media: int, mark: str = "<image>") -> Iterator[str]:
    """As many marks in the texts as there are files; else the trainer stops or mixes them up."""
    found = sum(text.count(mark) for text in texts)
    if found != media:
        yield f"The texts hold {mark} {found} times for {media} files."
