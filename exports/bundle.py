"""Reading an uploaded file: JSON Lines, a JSON array, either in gzip, or a zip of one of them with its media."""

from __future__ import annotations

import gzip
import io
import posixpath
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, NoReturn, cast

from exports.archives import BROKEN, ZIP_MAGICS, Limits, is_hidden, open_zip, read_member
from exports.problems import Problem, ProblemError, ProblemList
from exports.safe_names import visible
from exports.strict_json import UTF8_BOM, iter_array, iter_lines, loads, refuse_wide_encoding, text_of_bytes

GZIP_MAGIC = b"\x1f\x8b"
HEAD = 65_536
LIMITS = Limits()
DATA_ENDINGS = (".jsonl", ".ndjson", ".json")
MANIFEST_NAME = "manifest.json"
_DAMAGED = "a damaged or incomplete file"


class Bundle:
    """An opened upload. Use it in a `with` block.

    `file`: the name of the data file, for messages. `names`: the media files that came with it. `by_index`: the data
    is one JSON array, so rows are numbered from 0 by element instead of from 1 by line.
    """

    def __init__(
        self, file: str, limits: Limits, source: Callable[[], IO[bytes]], archive: zipfile.ZipFile | None = None
    ) -> None:
        self.file, self.limits = file, limits
        self._source, self._archive = source, archive
        self._media: dict[str, zipfile.ZipInfo] = {}
        self.names: list[str] = []
        self.by_index = self._starts_as_array()

    def add_media(self, members: dict[str, zipfile.ZipInfo]) -> None:
        """Offer these members of the archive to `media`."""
        self.names = list(members)
        self._media = {unicodedata.normalize("NFC", name): info for name, info in members.items()}

    def rows(self) -> Iterator[tuple[int, object] | Problem]:
        """Yield (number, decoded value) for each good row and a `Problem` for each bad one, in the order of the file.

        May be called again; each call reads from the start. A fault of the file itself (too large when unpacked,
        damaged) is the last thing that comes.
        """
        try:
            with self._open() as stream:
                yield from self._elements(stream) if self.by_index else self._lines(stream)
        except ProblemError as error:
            yield error.problem.at(self.file, None)
        except BROKEN:
            yield Problem(self.file, None, "", _DAMAGED, "a file that unpacks to its end")

    def good_rows(self, problems: ProblemList) -> Iterator[tuple[int, object]]:
        """The good rows only; problems are added to `problems`."""
        for row in self.rows():
            if isinstance(row, Problem):
                problems.add(row)
            else:
                yield row

    def problem_list(self) -> ProblemList:
        """An empty list that places problems as this file numbers its rows."""
        return ProblemList(by_index=self.by_index)

    def media(self, path: str) -> bytes | None:
        """The media file that `path` names, seen from the data file or else from the top of the archive.

        None if there is no such file. Raises `ProblemError` if it is too large or damaged.
        """
        wanted = unicodedata.normalize("NFC", path)
        beside = posixpath.join(posixpath.dirname(self.file), wanted)
        info = self._media.get(beside) or self._media.get(wanted)
        if info is None or self._archive is None:
            return None
        return read_member(self._archive, info, self.file, self.limits.media)

    def close(self) -> None:
        if self._archive is not None:
            # The archive was given an open file, which it leaves open when it is closed itself.
            file = self._archive.fp
            self._archive.close()
            if file is not None:
                file.close()

    def __enter__(self) -> Bundle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> io.BufferedReader:
        return io.BufferedReader(_Capped(self._source(), self.limits.data))

    def _lines(self, stream: io.BufferedReader) -> Iterator[tuple[int, object] | Problem]:
        for number, line in iter_lines(stream):
            try:
                yield number, loads(line)
            except ProblemError as error:
                yield error.problem.at(self.file, number)

    def _elements(self, stream: io.BufferedReader) -> Iterator[tuple[int, object] | Problem]:
        data = stream.read(self.limits.array + 1)
        if len(data) > self.limits.array:
            _refuse(
                f"a list of more than {self.limits.array:,} bytes", "a smaller file, or one object per line (JSONL)"
            )
        for row in iter_array(text_of_bytes(data.removeprefix(UTF8_BOM))):
            yield row.at(self.file, None) if isinstance(row, Problem) else row

    def _starts_as_array(self) -> bool:
        """Look at the first bytes: what they are decides, not the name of the file. Raises `ProblemError`."""
        try:
            with self._open() as stream:
                head = stream.read(HEAD)
            start = _refuse_other_content(head)
        except ProblemError as error:
            raise ProblemError(error.problem.at(self.file, None)) from error
        except BROKEN as error:
            raise ProblemError(Problem(self.file, None, "", _DAMAGED, "a file that unpacks")) from error
        return start.startswith(b"[")


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


def open_bundle(path: Path, *, name: str | None = None, limits: Limits = LIMITS) -> Bundle:
    """Open an upload. `name`: what its owner called it, for messages only.

    What the file is comes from its first bytes. Raises `ProblemError` when it cannot be read at all: another kind of
    file, a damaged or hostile archive, none or several data files in a zip.
    """
    shown = visible((name or path.name)[:200])
    with path.open("rb") as file:
        head = file.read(4)
    if head.startswith(ZIP_MAGICS):
        return _open_zip_bundle(path, shown, limits)
    if head.startswith(GZIP_MAGIC):
        return Bundle(shown, limits, lambda: cast(IO[bytes], gzip.open(path, "rb")))
    return Bundle(shown, limits, lambda: path.open("rb"))


def _open_zip_bundle(path: Path, shown: str, limits: Limits) -> Bundle:
    file = path.open("rb")
    try:
        archive, members = open_zip(file, shown, limits)
        members = {name: info for name, info in members.items() if not is_hidden(name)}
        data = _data_member(shown, list(members))
        info = members.pop(data)
        bundle = Bundle(data, limits, lambda: archive.open(info), archive)
    except ProblemError:
        file.close()
        raise
    bundle.add_media(members)
    return bundle


def _data_member(shown: str, names: list[str]) -> str:
    # The archive of an export also holds its description.
    data = [name for name in names if name.lower().endswith(DATA_ENDINGS)]
    candidates = [name for name in data if posixpath.basename(name) != MANIFEST_NAME] or data
    if len(candidates) == 1:
        return candidates[0]
    listed = ", ".join(visible(name) for name in candidates[:5])
    found = f"{len(candidates)} data files ({listed})" if candidates else "no data file"
    raise ProblemError(Problem(shown, None, "", found, "one file that ends in .jsonl or .json, and its media"))


def _refuse_other_content(head: bytes) -> bytes:
    """The first bytes without mark and space, if they can be JSON rows. Raises `ProblemError`."""
    refuse_wide_encoding(head)
    start = head.removeprefix(UTF8_BOM).lstrip(b" \t\r\n")
    if not start:
        _refuse("an empty file", "at least one row")
    if head.startswith((GZIP_MAGIC, *ZIP_MAGICS)):
        _refuse("an archive inside the archive", "data that is packed once")
    if not start.startswith((b"{", b"[")):
        _refuse("a file that does not start like JSON", "objects of JSON, one per line (JSONL) or in one list")
    if start.startswith(b"{") and start.split(b"\n", 1)[0].strip() == b"{" and len(start) > 1:
        _refuse("an object that goes over several lines", "one object per line (JSONL), or a list of objects")
    return start


def _refuse(found: str, expected: str) -> NoReturn:
    raise ProblemError(Problem("", None, "", found, expected))
