"""Files that are either whole or not there: written beside their name, synced, then renamed into place."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from exports.row_json import encode
from exports.safe_names import unsafe_because

PART_SUFFIX = ".part"
CHUNK = 1 << 20
TOGETHER = 1 << 16  # bytes of lines that are hashed and written at once


@dataclass(frozen=True)
class WrittenFile:
    """A finished file. `sha256` is in hex, `bytes` its size, `rows` the lines in it."""

    name: str
    sha256: str
    rows: int
    bytes: int


class AtomicFile:
    """Context manager that writes `folder/name` by way of `name.part`.

    Leaving it normally flushes, syncs and renames, and fills `written`; leaving it by an exception removes the part
    file, so that a reader never sees half a file. Raises `ValueError` for a name that is not flat and plain, and
    `OSError` (disk full, for example) from the write that failed.
    """

    def __init__(self, folder: Path, name: str) -> None:
        reason = "a name with a folder in it" if "/" in name else unsafe_because(name)
        if reason:
            raise ValueError(f"Cannot write a file called {name!r}: found {reason}.")
        self.folder, self.name = folder, name
        self.part = folder / (name + PART_SUFFIX)
        self.rows = self.size = 0
        self._hash = hashlib.sha256()
        self._file: BinaryIO | None = None
        self._written: WrittenFile | None = None

    @property
    def written(self) -> WrittenFile:
        """What was written; raises `ValueError` before the file is in place."""
        if self._written is None:
            raise ValueError(f"{self.name} is not finished.")
        return self._written

    def __enter__(self) -> AtomicFile:
        self._file = self.part.open("wb")
        return self

    def write_bytes(self, data: bytes, *, rows: int = 0) -> None:
        if self._file is None:
            raise ValueError(f"{self.name} is not open: use it in a `with` block.")
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)
        self.rows += rows

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._file is not None
        try:
            with self._file:
                if kind is not None:
                    return
                self._file.flush()
                os.fsync(self._file.fileno())
            os.replace(self.part, self.folder / self.name)
            _sync_folder(self.folder)
        finally:
            self._file = None
            self.part.unlink(missing_ok=True)
        self._written = WrittenFile(self.name, self._hash.hexdigest(), self.rows, self.size)


class ShardWriter(AtomicFile):
    """Writes JSON Lines: UTF-8 without a byte order mark, one object per line, no blank lines, line feed at the end."""

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder, name)
        self._lines: list[bytes] = []
        self._waiting = 0

    def __enter__(self) -> ShardWriter:
        super().__enter__()
        return self

    def write(self, row: Mapping[str, Any]) -> None:
        """Add one row. Raises `ValueError` for NaN, infinity or a lone surrogate: no trainer could read them."""
        if self._file is None:
            raise ValueError(f"{self.name} is not open: use it in a `with` block.")
        line = encode(row)
        self._lines.append(line)
        self._waiting += len(line)
        if self._waiting >= TOGETHER:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._lines:
            self.write_bytes(b"\n".join([*self._lines, b""]), rows=len(self._lines))
        self._lines, self._waiting = [], 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._pass_on()
        except BaseException as failure:
            super().__exit__(type(failure), failure, failure.__traceback__)
            raise
        super().__exit__(kind, error, trace)


class Sink:
    """An atomic file as zipfile, pyarrow and compressors see it: it can only be written to, so that it is one stream
    and its hash is made on the way."""

    closed = False

    def __init__(self, file: AtomicFile) -> None:
        self.file = file

    def write(self, data: Any, /) -> int:
        self.file.write_bytes(bytes(data))
        return len(data)

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        return self.file.size

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """The file is closed by who opened it."""


def write_manifest(folder: Path, manifest: Mapping[str, Any], *, name: str = "manifest.json") -> WrittenFile:
    """Write `manifest` as JSON with sorted keys and two spaces of indent: equal content gives equal bytes.

    Nothing is added here, so put no clock time into it that differs between two runs over the same data.
    """
    text = json.dumps(manifest, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=2)
    with AtomicFile(folder, name) as file:
        file.write_bytes(text.encode("utf-8") + b"\n")
    return file.written


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hex, read in pieces of 1 MiB."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut. Windows cannot open a folder, and does not need to."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
