"""The ids of a file of any size, and where each came first, without holding them in memory."""

from __future__ import annotations

import sqlite3
import unicodedata
from types import TracebackType


class SeenIds:
    """Kept in a temporary file of SQLite that is gone when it is closed. Use it in a `with` block."""

    def __init__(self) -> None:
        self._store = sqlite3.connect("", isolation_level=None)
        self._store.execute("PRAGMA synchronous=OFF")
        self._store.execute("PRAGMA journal_mode=OFF")
        self._store.execute("PRAGMA cache_size=-16000")  # KiB
        self._store.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID")

    def first_line(self, name: str, line: int) -> int | None:
        """The line on which this id came before, or None if it is new; then it is kept with `line`.

        Two ids that look the same, being written in different normal forms, are the same.
        """
        key = name if name.isascii() else unicodedata.normalize("NFC", name)
        if self._store.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, line)).rowcount:
            return None
        found = self._store.execute("SELECT line FROM seen WHERE id = ?", (key,)).fetchone()
        return int(found[0])

    def __enter__(self) -> SeenIds:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()
