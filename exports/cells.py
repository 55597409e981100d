"""Values as cells of CSV and back. A spreadsheet that opens the file must not run what a stranger wrote.

Text that a spreadsheet would take for a formula gets an apostrophe in front. Numbers are written as numbers, so -3
stays -3; the text "-3" becomes '-3. Taking away one apostrophe of those before a formula sign gives the text back.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from exports.columns import Kind

_FORMULA = re.compile("'*[=+\\-@\\t\\r\\n＝＋－＠]")
_GUARDED = re.compile("'+[=+\\-@\\t\\r\\n＝＋－＠]")


class TableRow(dict[str, Any]):
    """A row of CSV: all its values are text, also those that are meant as numbers, lists or objects."""


def guarded(text: str) -> str:
    """`text` such that no spreadsheet takes it for a formula."""
    return "'" + text if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell[1:] if _GUARDED.match(cell) else cell


def cell(value: object, kind: Kind) -> object:
    """One value as a cell: text, a number, true or false; lists and objects as JSON; nothing for null."""
    if value is None:
        return None
    if isinstance(value, bool) and kind == "bool":
        return "true" if value else "false"
    if isinstance(value, str) and kind == "text":
        return guarded(value)
    if kind in ("int", "float"):
        return value
    return orjson.dumps(value).decode()  # begins with a bracket, a quote, a letter or a digit


def value_of(cell: str, kind: Kind, *, has_gaps: bool) -> Any:
    """The value that a cell of a column of this kind stands for. Raises `ValueError` for what it cannot be.

    CSV knows no difference between no text and nothing: an empty cell is null where the column `has_gaps`.
    """
    if cell == "" and (has_gaps or kind != "text"):
        return None
    if kind == "text":
        return unguarded(cell)
    if kind == "bool":
        return {"true": True, "false": False}[cell]
    if kind == "int":
        return int(cell)
    return float(cell) if kind == "float" else orjson.loads(cell)
