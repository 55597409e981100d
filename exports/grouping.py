"""Rows that belong together though they stand apart in the file, gathered in constant memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import orjson

from exports.formats.base import Row

_TABLE = "CREATE TABLE rows (place INTEGER, key TEXT, line INTEGER, row BLOB)"
_BY_GROUP = """
    SELECT first.place, rows.line, rows.row
    FROM rows JOIN (SELECT key, min(place) AS place FROM rows GROUP BY key) AS first ON first.key = rows.key
    ORDER BY first.place, rows.place
"""


def grouped(rows: Iterable[Row], key: Callable[[Any], str]) -> Iterator[list[Row]]:
    """Yield the rows of each key as a list, in the order in which the keys first appear; rows keep their order.

    The rows wait in a temporary file of SQLite, so that a file of any size can be grouped; only one group is in memory.
    """
    with sqlite3.connect("", isolation_level=None) as store:
        store.execute("PRAGMA synchronous=OFF")
        store.execute("PRAGMA journal_mode=OFF")
        store.execute(_TABLE)
        store.executemany(
            "INSERT INTO rows VALUES (?, ?, ?, ?)",
            ((place, key(row), line, _packed(row)) for place, (line, row) in enumerate(rows)),
        )
        store.execute("CREATE INDEX by_key ON rows (key, place)")
        for _, group in groupby(store.execute(_BY_GROUP), key=lambda found: found[0]):
            yield [(line, _unpacked(row)) for _, line, row in group]
    store.close()


def _packed(row: object) -> bytes | str:
    """The row as JSON: bytes, or text where it holds what the fast encoder refuses, such as a very large number."""
    try:
        return orjson.dumps(row)
    except TypeError:
        return json.dumps(row)


def _unpacked(packed: bytes | str) -> Any:
    return json.loads(packed) if isinstance(packed, str) else orjson.loads(packed)
