"""The files are loaded again, as a trainer would, before anybody is told that they are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exports.assembly import Beat, DataFile
from exports.columns import Columns, described, is_mixed
from exports.containers import Container
from exports.formats.base import Format
from exports.writers import sha256_of

MOST_PROBLEMS = 5
FindMedia = Callable[[str], bool]


class NotProved(Exception):
    """A file is not what it should be. The message says which one, where and why."""


@dataclass
class Proof:
    """Checks the files of one export. `media`: the paths that the rows name, found on the way."""

    format: Format
    container: Container
    find_media: FindMedia
    beat: Beat
    columns: Columns = field(default_factory=Columns)
    media: set[str] = field(default_factory=set)
    files: int = 0

    def check(self, folder: Path, files: Sequence[DataFile]) -> None:
        """Load every file: it must be whole, hold as many rows as were counted, and no row that its consumer refuses.

        Raises `NotProved` with the first few reasons.
        """
        for file in files:
            path, rows = folder / file.written.name, self.columns.rows
            if sha256_of(path) != file.written.sha256:
                raise NotProved(f"{file.written.name} is not what was written.")
            try:
                self._check_rows(file.written.name, self.container.rows_of(path))
            except (ValueError, OSError) as error:
                raise NotProved(f"{file.written.name} cannot be loaded: {error}") from error
            found = self.columns.rows - rows
            if found != file.written.rows:
                raise NotProved(f"{file.written.name} holds {found:,} rows, expected {file.written.rows:,}.")
            self.files += 1
        self._check_columns()

    def _check_rows(self, name: str, rows: Iterator[dict[str, Any]]) -> None:
        problems: list[str] = []
        for number, row in enumerate(rows, start=1):
            self.columns.see(row)
            problems += [f"{name}, row {number:,}: {problem}" for problem in self._problems(row)]
            if len(problems) >= MOST_PROBLEMS:
                break
            if not number % 500:
                self.beat(self.columns.rows)
        if problems:
            raise NotProved(" ".join(problems[:MOST_PROBLEMS]))

    def _problems(self, row: dict[str, Any]) -> Iterator[str]:
        yield from self.format.problems_of(row)
        if row.get("chosen") is not None and row.get("chosen") == row.get("rejected"):
            yield "chosen and rejected are the same."
        for path in self.format.media_of(row):
            if path not in self.media:
                self.media.add(path)
                if not self.find_media(path):
                    yield f"the file {path} is missing. Restore it from a backup."

    def _check_columns(self) -> None:
        """Loaders give a column one type. A format that could be Parquet promises that its columns have one."""
        if "parquet" not in self.format.containers:
            return
        mixed = [name for name, kind in self.columns.kinds.items() if is_mixed(kind)]
        if mixed and self.container.name in ("jsonl", "json"):
            raise NotProved(f"The column {mixed[0]} holds values of different kinds, which no loader takes.")

    def as_dict(self) -> dict[str, Any]:
        """What was found, for the manifest."""
        return {
            "loaded_again": True,
            "files": self.files,
            "rows": self.columns.rows,
            "columns": {name: described(kind) for name, kind in self.columns.kinds.items()},
            "media": len(self.media),
            "problems": 0,
        }
