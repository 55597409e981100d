"""The kinds of files that rows can become, each written as a stream and read back the same way."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol, cast

import zstandard

from exports.cells import cell, value_of
from exports.columns import Columns
from exports.parquet import LoadMedia, ParquetRows, Schema, read_rows
from exports.row_json import decode
from exports.writers import AtomicFile, Sink

ENDINGS = {"none": "", "gzip": ".gz", "zstd": ".zst"}
BLOCK = 1 << 20
BROKEN = (EOFError, csv.Error, zlib.error, zstandard.ZstdError)
"""What the libraries raise for files that were cut short, beside `ValueError` and `OSError`."""
csv.field_size_limit(1 << 30)


class RowSink(Protocol):
    """Something that takes rows until it is closed. A line is a row as `exports.row_json` encodes it."""

    def write_line(self, line: bytes) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Container:
    """How rows become files. `columns` is needed for csv and parquet, `schema` for parquet."""

    name: str
    compression: str = "none"
    columns: Columns | None = None
    schema: Schema | None = None

    @property
    def ending(self) -> str:
        """The ending of a file name, such as ".jsonl.gz"."""
        return f".{self.name}" + ("" if self.name == "parquet" else ENDINGS[self.compression])

    @property
    def is_packed(self) -> bool:
        """Whether packing it once more would gain nothing."""
        return self.name == "parquet" or self.compression != "none"

    def opened(self, file: AtomicFile, load: LoadMedia) -> RowSink:
        """Start to write into `file`, which is open. `load`: gives the bytes of a media file by its path."""
        if self.name == "parquet":
            assert self.schema is not None
            return ParquetRows(file, self.schema, load)
        stream = _packer(file, self.compression)
        if self.name == "csv":
            assert self.columns is not None
            return _CsvRows(file, stream, self.columns)
        return _JsonRows(file, stream) if self.name == "json" else _Lines(file, stream)

    def rows_of(self, path: Path) -> Iterator[dict[str, Any]]:
        """Yield the rows of a file. Raises `ValueError` or `OSError` for one that is not whole or not of this kind."""
        try:
            yield from self._rows_of(path)
        except BROKEN as error:
            raise ValueError(f"the file is damaged or incomplete: {error}") from error

    def _rows_of(self, path: Path) -> Iterator[dict[str, Any]]:
        if self.name == "parquet":
            assert self.schema is not None
            yield from read_rows(path, self.schema)
            return
        with _unpacked(path, self.compression) as stream:
            if self.name == "csv":
                assert self.columns is not None
                yield from _csv_rows(stream, self.columns)
            else:
                yield from _json_rows(stream) if self.name == "json" else map(decode, stream)


# --------------------------------------------------------------------------------------------------- writing
class _Lines:
    def __init__(self, file: AtomicFile, stream: IO[bytes]) -> None:
        self.file, self.stream = file, stream

    def write_line(self, line: bytes) -> None:
        self.stream.write(line + b"\n")
        self.file.rows += 1

    def close(self) -> None:
        self.stream.close()


class _JsonRows(_Lines):
    """One list, a row per line: `datasets` and people can read it, and it is written as a stream."""

    def write_line(self, line: bytes) -> None:
        self.stream.write((b",\n" if self.file.rows else b"[\n") + line)
        self.file.rows += 1

    def close(self) -> None:
        self.stream.write(b"\n]\n" if self.file.rows else b"[]\n")
        self.stream.close()


class _CsvRows:
    """RFC 4180 in UTF-8: a header, text in quotes, lines that end in CR LF."""

    def __init__(self, file: AtomicFile, stream: IO[bytes], columns: Columns) -> None:
        self.file, self.stream, self.columns = file, stream, columns
        self.text = io.StringIO(newline="")
        self.writer = csv.writer(self.text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
        self.writer.writerow(columns.kinds)
        self._pass_on()

    def write_line(self, line: bytes) -> None:
        row = decode(line)
        self.writer.writerow([cell(row.get(name), kind) for name, kind in self.columns.kinds.items()])
        self.file.rows += 1
        if self.text.tell() >= BLOCK:
            self._pass_on()

    def close(self) -> None:
        self._pass_on()
        self.stream.close()

    def _pass_on(self) -> None:
        self.stream.write(self.text.getvalue().encode())
        self.text.seek(0)
        self.text.truncate()


def _packer(file: AtomicFile, compression: str) -> IO[bytes]:
    sink = cast(IO[bytes], Sink(file))
    if compression == "gzip":  # without name and time, so that equal rows are equal bytes
        return cast(IO[bytes], gzip.GzipFile(filename="", mode="wb", fileobj=sink, mtime=0, compresslevel=6))
    if compression == "zstd":
        return cast(IO[bytes], zstandard.ZstdCompressor(level=3).stream_writer(sink, closefd=False))
    return cast(IO[bytes], io.BufferedWriter(cast(io.RawIOBase, _Raw(file)), BLOCK))


class _Raw(io.RawIOBase):
    """An atomic file under a buffer: hashing and writing a line at a time would cost more than making it."""

    def __init__(self, file: AtomicFile) -> None:
        self.file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.file.write_bytes(bytes(data))
        return len(data)


# --------------------------------------------------------------------------------------------------- reading
def _unpacked(path: Path, compression: str) -> AbstractContextManager[IO[bytes]]:
    if compression == "gzip":
        return cast(IO[bytes], gzip.open(path, "rb"))
    if compression == "zstd":
        opener = cast(Callable[..., IO[bytes]], zstandard.open)
        return io.BufferedReader(cast(io.RawIOBase, opener(path, "rb")))
    return path.open("rb")


def _json_rows(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    """The rows of a list that `_JsonRows` wrote, one at a time."""
    first = stream.readline()
    if first == b"[]\n":
        return
    if first != b"[\n":
        raise ValueError("the list does not begin as it should")
    for line in stream:
        if line == b"]\n":
            return
        yield decode(line.removesuffix(b"\n").removesuffix(b","))
    raise ValueError("the list has no end")


def _csv_rows(stream: IO[bytes], columns: Columns) -> Iterator[dict[str, Any]]:
    reader = csv.reader(io.TextIOWrapper(stream, encoding="utf-8", newline=""), strict=True)
    names = list(columns.kinds)
    if next(reader, None) != names:
        raise ValueError("the file has other columns than it should")
    for cells in reader:
        if len(cells) != len(names):
            raise ValueError(f"a line has {len(cells)} cells instead of {len(names)}")
        yield {
            name: value_of(text, columns.kinds[name], has_gaps=name in columns.gaps)
            for name, text in zip(names, cells, strict=True)
        }
