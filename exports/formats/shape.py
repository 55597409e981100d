"""Compare decoded JSON with a struct and name every difference, where msgspec's own conversion stops at the first."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from exports.formats.base import RowReader
from exports.strict_json import join


def check_shape(value: object, struct: type[msgspec.Struct], reader: RowReader) -> None:
    """Report each unknown key, missing key and value of the wrong kind in `value`, with its field path.

    Knows what the records are made of: structs, lists, objects, text, whole numbers, booleans, choices and null.
    """
    _check(value, _type_info(struct), "", reader)


@cache
def _type_info(struct: type[msgspec.Struct]) -> inspect.Type:
    """Cached: working it out takes longer than checking a row."""
    return inspect.type_info(struct)


def _check(value: object, kind: inspect.Type, path: str, reader: RowReader) -> None:
    if isinstance(kind, inspect.UnionType):
        if value is None and kind.includes_none:
            return
        (kind,) = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
    if isinstance(kind, inspect.AnyType):
        return
    if not _fits(value, kind):
        reader.unexpected(path, value, _name(kind))
    elif isinstance(kind, inspect.StructType) and isinstance(value, dict):
        _check_struct(value, kind, path, reader)
    elif isinstance(kind, inspect.ListType) and isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, kind.item_type, f"{path}[{index}]", reader)


def _check_struct(value: dict[str, Any], kind: inspect.StructType, path: str, reader: RowReader) -> None:
    fields = {field.encode_name: field for field in kind.fields}
    for key in value:
        if key not in fields:
            reader.problem(join(path, key), "an unknown key", f"only the keys {', '.join(fields)}")
    for key, field in fields.items():
        if key in value:
            _check(value[key], field.type, join(path, key), reader)
        elif field.required:
            reader.problem(join(path, key), "nothing", _name(field.type))


def _fits(value: object, kind: inspect.Type) -> bool:
    match kind:
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case inspect.ListType():
            return isinstance(value, list)
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.LiteralType():
            return isinstance(value, str) and value in kind.values
    raise TypeError(f"No rule for {kind!r}: add one to `_fits` and `_name`.")


def _name(kind: inspect.Type) -> str:
    match kind:
        case inspect.StructType() | inspect.DictType():
            return "an object"
        case inspect.ListType():
            return "a list"
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number"
        case inspect.LiteralType():
            return "one of " + ", ".join(str(value) for value in kind.values)
    raise TypeError(f"No rule for {kind!r}: add one to `_fits` and `_name`.")
