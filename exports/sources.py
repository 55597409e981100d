"""The rows of one data file: JSON Lines, a JSON list, one JSON object, CSV or Parquet; told from the first bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, NoReturn

from exports.archives import BROKEN, ZIP_MAGICS, Limits
from exports.cells import TableRow, unguarded
from exports.parquet_rows import MAGIC as PARQUET_MAGIC
from exports.parquet_rows import parquet_rows
from exports.problems import Problem, ProblemError, ProblemList
from exports.strict_json import (
    LINE_LIMIT,
    UTF8_BOM,
    check,
    iter_array,
    iter_lines,
    loads,
    refuse_wide_encoding,
    text_of_bytes,
)

GZIP_MAGIC = b"\x1f\x8b"
HEAD = 65_536
BUFFER = 1 << 18  # bytes
MAX_COLUMNS = 1000
DAMAGED = "a damaged or incomplete file"
DELIMITERS = ",;\t"
ROWS_WITHIN = ("tasks", "data", "items", "rows", "records")
"""Keys under which an answer of an interface holds its rows, when everything beside them is plain."""
Rows = Iterator[tuple[int, object] | Problem]


@dataclass
class DataFile:
    """One file of rows. `by_index`: rows are numbered from 0 by element instead of from 1 by line."""

    name: str
    limits: Limits
    source: Callable[[], IO[bytes]]
    kind: str = ""

    def __post_init__(self) -> None:
        self.kind = self._kind()

    @property
    def by_index(self) -> bool:
        return self.kind in ("array", "object")

    def rows(self) -> Rows:
        """Yield (number, decoded value) for each good row and a `Problem` for each bad one, in the order of the file.

        May be called again; each call reads from the start. A fault of the file itself (too large when unpacked,
        damaged) is the last thing that comes.
        """
        reader = {"lines": _lines, "array": _elements, "object": _object, "csv": _csv, "parquet": _parquet}[self.kind]
        try:
            with self._open() as stream:
                for row in reader(stream, self.limits):
                    yield row.at(self.name, row.line) if isinstance(row, Problem) else row
        except ProblemError as error:
            yield error.problem.at(self.name, error.problem.line)
        except BROKEN:
            yield Problem(self.name, None, "", DAMAGED, "a file that unpacks to its end")

    def good_rows(self, problems: ProblemList) -> Iterator[tuple[int, object]]:
        """The good rows only; problems are added to `problems`, which places them as this file numbers its rows."""
        problems.by_index = self.by_index
        for row in self.rows():
            if isinstance(row, Problem):
                problems.add(row)
            else:
                yield row

    def _open(self) -> io.BufferedReader:
        return io.BufferedReader(_Capped(self.source(), self.limits.data), BUFFER)

    def _kind(self) -> str:
        """Look at the first bytes: what they are decides, not the name of the file. Raises `ProblemError`."""
        try:
            with self._open() as stream:
                head = stream.read(HEAD)
                kind = _kind_of(head)
                return self._whole_or_lines() if kind == "lines" else kind
        except ProblemError as error:
            raise ProblemError(error.problem.at(self.name, None)) from error
        except BROKEN as error:
            raise ProblemError(Problem(self.name, None, "", DAMAGED, "a file that unpacks")) from error

    def _whole_or_lines(self) -> str:
        """Whether text that starts with a brace is one object over several lines, or one object per line."""
        with self._open() as stream:
            first = stream.readline(LINE_LIMIT).removeprefix(UTF8_BOM).strip()
            if _is_json(first) or not (rest := stream.read(self.limits.array - len(first) + 1)).strip():
                return "lines"
        whole = len(first) + len(rest) <= self.limits.array and _is_json(first + b"\n" + rest)
        return "object" if whole or first == b"{" else "lines"


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


class _Capped(io.RawIOBase):
    """A stream that gives at most `limit` bytes and raises `ProblemError` when there are more."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream, self._left, self._limit = stream, limit, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        piece = self._stream.read(min(len(buffer), self._left + 1))
        if len(piece) > self._left:
            _refuse(f"more than {self._limit:,} bytes of data (unpacked)", f"at most {self._limit:,} bytes")
        self._left -= len(piece)
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _kind_of(head: bytes) -> str:
    refuse_wide_encoding(head)
    if head.startswith((GZIP_MAGIC, *ZIP_MAGICS)):
        _refuse("an archive inside the archive", "data that is packed once")
    if head.startswith(PARQUET_MAGIC):
        return "parquet"
    start = head.removeprefix(UTF8_BOM).lstrip(b" \t\r\n")
    if not start:
        _refuse("an empty file", "at least one row")
    if start.startswith(b"["):
        return "array"
    if start.startswith(b"{"):
        return "lines"
    if not _looks_like_csv(head.removeprefix(UTF8_BOM)):
        _refuse(
            "a file that starts neither like JSON nor like a table",
            "objects of JSON (one per line, or in one list), CSV with a row of column names, or Parquet",
        )
    return "csv"


def _looks_like_csv(head: bytes) -> bool:
    """Text whose first line names two or more columns."""
    first = head.split(b"\n", 1)[0]
    if b"\x00" in head or first.lstrip().startswith((b"<", b"%PDF")):
        return False
    try:
        line = first.decode()
    except UnicodeDecodeError:
        return False
    return line.isprintable() or "\t" in line or line.endswith("\r") if _delimiter(line) else False


def _delimiter(line: str) -> str:
    """The sign that parts the columns of a first line, or "" for a single column."""
    counts = {sign: len(next(csv.reader([line], delimiter=sign), [])) for sign in DELIMITERS}
    best = max(counts, key=lambda sign: counts[sign])
    return best if counts[best] > 1 else ""


def _lines(stream: io.BufferedReader, limits: Limits) -> Rows:
    for number, line in iter_lines(stream):
        try:
            yield number, loads(line)
        except ProblemError as error:
            yield error.problem.at("", number)


def _text(stream: io.BufferedReader, limits: Limits) -> str:
    data = stream.read(limits.array + 1)
    if len(data) > limits.array:
        _refuse(f"one document of more than {limits.array:,} bytes", "a smaller file, or one object per line (JSONL)")
    return text_of_bytes(data.removeprefix(UTF8_BOM))


def _elements(stream: io.BufferedReader, limits: Limits) -> Rows:
    yield from iter_array(_text(stream, limits))


def _object(stream: io.BufferedReader, limits: Limits) -> Rows:
    """One object: a row of its own, or what holds the rows in a list under one of the usual names."""
    value = loads(_text(stream, limits).encode(), limit=limits.array)
    for key in ROWS_WITHIN:
        if isinstance(value, dict) and isinstance(value.get(key), list) and value[key]:
            others = [held for name, held in value.items() if name != key]
            if not any(isinstance(held, (list, dict)) for held in others):
                yield from enumerate(value[key])
                return
    yield 0, value


def _csv(stream: io.BufferedReader, limits: Limits) -> Rows:
    """Rows of text by column name, numbered by the line on which they begin."""
    numbers = _Lines(stream)
    head = next(iter(numbers))
    csv.field_size_limit(LINE_LIMIT)
    delimiter = _delimiter(head.rstrip("\r\n")) or ","
    table = csv.reader(_chained(head, numbers), delimiter=delimiter, strict=True)
    try:
        columns = _columns(next(table))
        began = numbers.count + 1
        for cells in table:
            number, began = began, numbers.count + 1
            if not cells:
                continue
            if len(cells) != len(columns):
                found = f"{len(cells)} cells"
                yield Problem("", number, "", found, f"{len(columns)} cells, one for each column of the first line")
                continue
            try:
                # An apostrophe before a formula sign keeps spreadsheets from running it, and is not part of the text.
                check(row := TableRow(zip(columns, map(unguarded, cells), strict=True)))
                yield number, row
            except ProblemError as error:
                yield error.problem.at("", number)
    except csv.Error as error:
        raise ProblemError(
            Problem("", numbers.count, "", f"a broken table ({error})", "cells with balanced quotes")
        ) from error


class _Lines:
    """The lines of a table as text, counted. Raises `ProblemError` with the line for bytes that are not UTF-8."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.stream, self.count = stream, 0

    def __iter__(self) -> Iterator[str]:
        while line := self.stream.readline(LINE_LIMIT + 1):
            self.count += 1
            if len(line) > LINE_LIMIT:
                raise ProblemError(
                    Problem("", self.count, "", f"more than {LINE_LIMIT:,} bytes in one line", "shorter lines")
                )
            try:
                yield text_of_bytes(line.removeprefix(UTF8_BOM) if self.count == 1 else line)
            except ProblemError as error:
                raise ProblemError(error.problem.at("", self.count)) from error


def _chained(first: str, rest: _Lines) -> Iterator[str]:
    yield first
    yield from rest


def _columns(names: list[str]) -> list[str]:
    if len(names) > MAX_COLUMNS:
        _refuse(f"{len(names):,} columns", f"at most {MAX_COLUMNS:,}")
    for name in names:
        if not name.strip():
            _refuse("a column without a name", "a name for each column in the first line")
        if names.count(name) > 1:
            _refuse(f"the column {name!r} twice", "column names that differ")
    check(names)
    return names


def _parquet(stream: io.BufferedReader, limits: Limits) -> Rows:
    for number, row in parquet_rows(stream, limits):
        try:
            check(row)
            yield number, row
        except ProblemError as error:
            yield error.problem.at("", number)


def _refuse(found: str, expected: str) -> NoReturn:
    raise ProblemError(Problem("", None, "", found, expected))
