"""What a format is: one file per format, both directions, no Django."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import TEXT, Carrier
from exports.formats.setup import NO_SETUP, Mappable, Setup
from exports.options import ExportOptions
from exports.problems import Problem, ProblemList, describe
from exports.records import TaskRecord

Row = tuple[int, object]
"""A row with its line number (from 1), or with its index (from 0) when the file is one JSON array."""


class FormatError(ValueError):
    """A format that is unknown, cannot do what was asked, or could not be told from the rows."""


TABLES: tuple[str, ...] = ("jsonl", "json", "csv", "parquet")

TRL, TURBO, TRAINERS, PUBLIC, ANALYSE, KEEP = (
    gettext_noop("Train with TRL"),
    gettext_noop("turbo-alignment"),
    gettext_noop("Other trainers"),
    gettext_noop("Public dataset shapes"),
    gettext_noop("Analyse"),
    gettext_noop("Keep everything"),
)
"""The groups in which the formats are offered."""

VOTES = frozenset({"adjudications", "min_votes", "min_agreement", "include_returned", "include_suspended"})
"""The options that every format heeds which counts votes."""
PAIRS = VOTES | {"ranking_pairs", "consensus", "rewrites"}
COMPLETIONS = VOTES | {"consensus", "rewrites"}
MARGINS = frozenset({"margin", "margin_scale"})
LABELS = VOTES | {"consensus", "labels", "label_dimension", "good_from", "bad_to", "tie_labels"}


class Format:
    """Base of all formats. A subclass fills the class attributes and overrides `read_row`, `rows` and `sniff`.

    `carrier`: which messages and media can be carried; votes on anything else are dropped with a reason.
    `media`: rows name media by the paths `media/<sha256>.<type>`, which `media_of` gives; in Parquet the columns named
    in `image_columns` hold the pictures themselves.
    `containers`: the files that it can be written to, the usual one first; "files" makes each row a file of its own.
    `needs`: what a record must hold beside outcome, winner, margin and ranking: "ratings", "rewrites", "reviews",
    "details". `uses`: the names of the options that change the rows.
    `recognised_by`: what in a row shows that it is in this format, as the end of "Recognised by …". `scales`: the least
    and most points of the dimensions that the format defines itself. `reads_all_files`: the rows of all files of an
    upload are read as one, because they belong together.
    `consumer`: who this is for, as a choice; `carries`, `leaves_out`: one sentence each. `group`: one of the above.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    description: ClassVar[str]
    consumer: ClassVar[str] = ""
    group: ClassVar[str] = TRAINERS
    carries: ClassVar[str] = ""
    leaves_out: ClassVar[str] = ""
    can_read: ClassVar[bool] = False
    can_write: ClassVar[bool] = False
    carrier: ClassVar[Carrier] = TEXT
    media: ClassVar[bool] = False
    image_columns: ClassVar[tuple[str, ...]] = ()
    containers: ClassVar[tuple[str, ...]] = TABLES
    needs: ClassVar[frozenset[str]] = frozenset()
    uses: ClassVar[frozenset[str]] = frozenset()
    recognised_by: ClassVar[str] = ""
    reads_all_files: ClassVar[bool] = False
    scales: ClassVar[Mapping[str, tuple[int, int]]] = {}

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        """Yield (line, record) for each good row; report every bad one to `problems` and go on."""
        for line, row in rows:
            record = self.read_row(row, RowReader(file, line, problems, setup))
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

    def companions(self, files: Sequence[str], options: ExportOptions) -> Iterator[tuple[str, object]]:
        """Yield (name, content) of each JSON file that must lie beside the data `files`, such as dataset_info.json."""
        return iter(())

    def file_name(self, row: dict[str, Any]) -> str:
        """The name of the file that holds `row` alone. Only for formats whose `containers` have "files"."""
        raise FormatError(f"The format {self.name} does not make a file of each row. Choose another kind of file.")

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        """Yield the path of every media file that `row` names, in order, repetitions included."""
        return iter(())

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        """Yield a sentence for each thing that would make the consumer refuse a row, or learn nonsense from it.

        `row` is as it was read back from a file: columns of Parquet and CSV hold null where a row had no such key.
        """
        return iter(())

    def sniff(self, row: object) -> bool:
        """Whether `row` has the shape of this format."""
        return False

    def mappable(self, rows: Iterable[object], setup: Setup = NO_SETUP) -> Sequence[Mappable]:
        """The keys or columns of the first `rows` whose meaning a person must confirm; none for most formats."""
        return ()


class RowReader:
    """Says what is wrong with one row: bound to its place, so that checks only name the field."""

    def __init__(self, file: str, line: int, problems: ProblemList, setup: Setup = NO_SETUP) -> None:
        self.file, self.line, self.problems, self.setup = file, line, problems, setup
        self.failed = False

    def problem(self, field: str, found: str, expected: str) -> None:
        self.failed = True
        self.problems.add(Problem(self.file, self.line, field, found, expected))

    def unexpected(self, field: str, value: object, expected: str) -> None:
        """A value of the wrong kind; the message shows it."""
        self.problem(field, describe(value), expected)
