"""What a format is: one file per format, both directions, no Django."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from exports.conversation import ROLES
from exports.pairs import Accounting, ExportOptions
from exports.problems import Problem, ProblemList, describe
from exports.records import TaskRecord

Row = tuple[int, object]
"""A row with its line number (from 1), or with its index (from 0) when the file is one JSON array."""


class FormatError(ValueError):
    """A format that is unknown, cannot do what was asked, or could not be told from the rows."""


class Format:
    """Base of all formats. A subclass fills the class attributes and overrides `read_row`, `rows` and `sniff`.

    `media`: whether images, audio and video can be carried; `roles`: which messages can. Votes on anything else are
    dropped with a reason.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    description: ClassVar[str]
    can_read: ClassVar[bool] = False
    can_write: ClassVar[bool] = False
    media: ClassVar[bool] = False
    roles: ClassVar[frozenset[str]] = ROLES

    def read(self, rows: Iterable[Row], file: str, problems: ProblemList) -> Iterator[tuple[int, TaskRecord]]:
        """Yield (line, record) for each good row; report every bad one to `problems` and go on."""
        for line, row in rows:
            record = self.read_row(row, RowReader(file, line, problems))
            if record is not None:
                yield line, record

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        """The record of one row, or None after telling `reader` everything that is wrong with it."""
        raise FormatError(f"The format {self.name} cannot be read. Choose another one for the import.")

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        """Yield the JSON rows of one task, counting its votes in and every drop. Nothing is kept between two tasks:
        any order of tasks, in any number of files, gives the same rows."""
        raise FormatError(f"The format {self.name} cannot be written. Choose another one for the export.")

    def write(
        self, records: Iterable[TaskRecord], options: ExportOptions, accounting: Accounting
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of all `records` in their order; in the end every vote is accounted for."""
        for record in records:
            for row in self.rows(record, options, accounting):
                accounting.rows_out += 1
                yield row
        accounting.check()

    def sniff(self, row: object) -> bool:
        """Whether `row` has the shape of this format."""
        return False


class RowReader:
    """Says what is wrong with one row: bound to its place, so that checks only name the field."""

    def __init__(self, file: str, line: int, problems: ProblemList) -> None:
        self.file, self.line, self.problems = file, line, problems
        self.failed = False

    def problem(self, field: str, found: str, expected: str) -> None:
        self.failed = True
        self.problems.add(Problem(self.file, self.line, field, found, expected))

    def unexpected(self, field: str, value: object, expected: str) -> None:
        """A value of the wrong kind; the message shows it."""
        self.problem(field, describe(value), expected)
