"""The second half of an export: the rows of all pieces become files of the chosen kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from exports.columns import Columns
from exports.containers import Container, RowSink
from exports.formats.base import Format
from exports.options import FileOptions
from exports.parquet import LoadMedia, Schema
from exports.row_json import decode
from exports.writers import AtomicFile, WrittenFile

Beat = Callable[[int], None]
"""Called with the number of rows done."""


@dataclass(frozen=True)
class Piece:
    """The rows of one range of tasks: a folder with a file of JSON Lines per split. `rows` and `bytes` by split."""

    folder: Path
    rows: dict[str, int]
    bytes: dict[str, int]

    def path(self, split: str) -> Path:
        return self.folder / f"{split}.jsonl"


@dataclass(frozen=True)
class DataFile:
    """A finished file of rows of one split."""

    split: str
    written: WrittenFile


def container_of(each: Format, options: FileOptions, pieces: list[Piece], beat: Beat) -> Container:
    """The kind of files to write. CSV and Parquet need every row read, to know the columns before the first one."""
    name = options.container or each.containers[0]
    compression = options.compression if name in ("jsonl", "json", "csv") else "none"
    if name not in ("csv", "parquet"):
        return Container(name, compression)
    columns = Columns()
    for piece in pieces:
        for split in piece.rows:
            for line in lines_of(piece, split):
                columns.see(decode(line))
        beat(columns.rows)
    images = each.image_columns if options.embed_media else ()
    return Container(name, compression, columns, Schema(columns, images) if name == "parquet" else None)


def file_names(split: str, rows: int, rows_per_file: int, ending: str) -> list[str]:
    """The names of the files of a split, such as "train-00001-of-00003.jsonl". No rows, no files."""
    count = math.ceil(rows / rows_per_file) if rows_per_file else min(rows, 1)
    return [f"{split}-{number:05}-of-{count:05}{ending}" for number in range(1, count + 1)]


def lines_of(piece: Piece, split: str) -> Iterator[bytes]:
    """The rows of a piece, encoded, without line feeds. Raises `OSError` when the file is not what was written."""
    path = piece.path(split)
    if path.stat().st_size != piece.bytes[split]:
        raise OSError(f"The intermediate file {path.name} has changed since it was written.")
    with path.open("rb") as file:
        for line in file:
            yield line[:-1]


class Assembly:
    """Writes the files of one split after another into `folder`."""

    def __init__(self, folder: Path, container: Container, rows_per_file: int, load: LoadMedia, beat: Beat) -> None:
        self.folder, self.container, self.rows_per_file = folder, container, rows_per_file
        self.load, self.beat = load, beat
        self.done = 0

    def split(self, split: str, pieces: list[Piece]) -> Iterator[DataFile]:
        """Yield the files of a split as they are finished."""
        rows = sum(piece.rows.get(split, 0) for piece in pieces)
        lines = (line for piece in pieces if split in piece.rows for line in lines_of(piece, split))
        for name in file_names(split, rows, self.rows_per_file, self.container.ending):
            with AtomicFile(self.folder, name) as file:
                sink = self.container.opened(file, self.load)
                self._fill(sink, file, lines, self.rows_per_file or rows)
                sink.close()
            yield DataFile(split, file.written)

    def _fill(self, sink: RowSink, file: AtomicFile, lines: Iterator[bytes], wanted: int) -> None:
        """Put the next rows into one file."""
        for line in lines:
            sink.write_line(line)
            self.done += 1
            if not self.done % 500:
                self.beat(self.done)
            if file.rows == wanted:
                return
