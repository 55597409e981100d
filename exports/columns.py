"""What kind of value each column of a dataset holds, found by looking at every row.

A kind is plain data: None (nothing seen), "bool", "int", "float", "text", ("list", kind), ("object", {key: kind}),
"json" for objects of free keys, which have no type of their own, or "mixed".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Kind = Any
FREE = "metadata"
"""Objects under this key hold whatever an import brought along: no two need to have the same keys."""
INT64 = 1 << 63
_NUMBERS = ("int", "float")


def kind_of(value: object, key: str = "") -> Kind:
    """The kind of one value; `key` is its column, or its name in the object that holds it."""
    if value is None:
        return None
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -INT64 <= value < INT64 else "mixed"
    if isinstance(value, float):
        return "float"
    if isinstance(value, Mapping):
        return "json" if key == FREE else ("object", {name: kind_of(each, name) for name, each in value.items()})
    kind: Kind = None
    for each in value:  # type: ignore[attr-defined]
        kind = merged(kind, kind_of(each))
    return ("list", kind)


def merged(first: Kind, second: Kind) -> Kind:
    """The kind that holds both. Keys of objects keep the order in which they were first seen."""
    if first == second or second is None:
        return first
    if first is None:
        return second
    if first in _NUMBERS and second in _NUMBERS:
        return "float"
    if isinstance(first, str) or isinstance(second, str) or first[0] != second[0]:
        return "mixed"
    if first[0] == "list":
        return ("list", merged(first[1], second[1]))
    return ("object", {key: merged(first[1].get(key), second[1].get(key)) for key in {**first[1], **second[1]}})


class Columns:
    """The columns of rows seen so far, in the order in which they first appeared. `gaps`: those that some row lacks,
    or where it holds null."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.present: dict[str, int] = {}
        self.rows = 0

    def see(self, row: Mapping[str, Any]) -> None:
        self.rows += 1
        kinds = self.kinds
        for column, value in row.items():
            kind = kind_of(value, column)
            if column not in kinds:
                kinds[column] = kind
            elif kinds[column] != kind:
                kinds[column] = merged(kinds[column], kind)
            if value is not None:
                self.present[column] = self.present.get(column, 0) + 1

    @property
    def gaps(self) -> frozenset[str]:
        return frozenset(column for column in self.kinds if self.present.get(column, 0) < self.rows)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Columns:
        columns = cls()
        for row in rows:
            columns.see(row)
        return columns


def is_mixed(kind: Kind) -> bool:
    """Whether values of different kinds meet anywhere in it: a loader that makes typed columns would stumble."""
    if isinstance(kind, tuple):
        inner = kind[1].values() if kind[0] == "object" else [kind[1]]
        return any(is_mixed(each) for each in inner)
    return bool(kind == "mixed")


def described(kind: Kind) -> str:
    """The kind in words, for the manifest and the card."""
    if isinstance(kind, tuple):
        if kind[0] == "list":
            return f"list of {described(kind[1])}" if kind[1] is not None else "empty list"
        return "object with " + ", ".join(kind[1]) if kind[1] else "empty object"
    return {None: "null", "int": "whole number", "float": "number", "bool": "true or false"}.get(kind, str(kind))
