"""An opened upload: one data file, or a zip of data files with their media and settings."""

from __future__ import annotations

import base64
import binascii
import gzip
import posixpath
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, NoReturn, cast

from exports.archives import ZIP_MAGICS, Limits, is_hidden, open_zip, read_member
from exports.problems import Problem, ProblemError, ProblemList
from exports.safe_names import visible
from exports.sources import GZIP_MAGIC, DataFile

LIMITS = Limits()
DATA_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
DESCRIPTIONS = ("manifest.json",)
"""What the archive of an export holds beside its data."""
COMPANIONS = ("dataset_info.json", "settings.json")
COMPANION_ENDING = ".xml"
COMPANION_LIMIT = 1_000_000  # bytes
REMOTE = ("http://", "https://")
Fetch = Callable[[str, int], bytes]


class Bundle:
    """An opened upload. Use it in a `with` block.

    `files`: the data files in the order of their names. `file`: the name of the first, for messages. `names`: the
    media files that came with it. `companions`: the small files of settings, by name.
    """

    def __init__(self, files: Sequence[DataFile], limits: Limits, archive: zipfile.ZipFile | None = None) -> None:
        self.files, self.limits, self.file = files, limits, files[0].name
        self._archive = archive
        self._media: dict[str, zipfile.ZipInfo] = {}
        self.names: list[str] = []
        self.companions: Mapping[str, bytes] = {}
        self.fetch: Fetch | None = None

    def add_media(self, members: dict[str, zipfile.ZipInfo]) -> None:
        """Offer these members of the archive to `media`."""
        self.names = list(members)
        self._media = {unicodedata.normalize("NFC", name): info for name, info in members.items()}

    def rows(self) -> Iterator[tuple[int, object] | Problem]:
        """The rows of all files, as `DataFile.rows` gives them."""
        for file in self.files:
            yield from file.rows()

    def good_rows(self, problems: ProblemList) -> Iterator[tuple[int, object]]:
        """The good rows of all files; problems are added to `problems`."""
        for file in self.files:
            yield from file.good_rows(problems)

    def problem_list(self) -> ProblemList:
        """An empty list that places problems as the first file numbers its rows."""
        return ProblemList(by_index=self.files[0].by_index)

    def media(self, path: str, file: str = "") -> bytes | None:
        """The media file that `path` names: content in itself (`data:`), an address on the web if `fetch` is set, or a
        file seen from the data file `file` or else from the top of the archive.

        None if there is no such file. Raises `ProblemError` if it is too large, damaged or may not be fetched.
        """
        if path.startswith("data:"):
            return _embedded(path, self.limits.embedded)
        if path.startswith(REMOTE):
            if self.fetch is None:
                _refuse(f"the address {visible(path[:200])}", "a file in the upload (fetching from the web is off)")
            return self.fetch(path, self.limits.media)
        wanted = unicodedata.normalize("NFC", path)
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file or self.file), wanted))
        info = self._media.get(beside) or self._media.get(posixpath.normpath(wanted))
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


def open_bundle(path: Path, *, name: str | None = None, limits: Limits = LIMITS) -> Bundle:
    """Open an upload. `name`: what its owner called it, for messages only.

    What the file is comes from its first bytes. Raises `ProblemError` when it cannot be read at all: another kind of
    file, a damaged or hostile archive, no data file in a zip.
    """
    shown = visible((name or path.name)[:200])
    with path.open("rb") as file:
        head = file.read(4)
    if head.startswith(ZIP_MAGICS):
        return _open_zip_bundle(path, shown, limits)
    if head.startswith(GZIP_MAGIC):
        return Bundle([DataFile(shown, limits, lambda: cast(IO[bytes], gzip.open(path, "rb")))], limits)
    return Bundle([DataFile(shown, limits, lambda: path.open("rb"))], limits)


def _open_zip_bundle(path: Path, shown: str, limits: Limits) -> Bundle:
    file = path.open("rb")
    try:
        archive, members = open_zip(file, shown, limits)
        members = {name: info for name, info in members.items() if not is_hidden(name)}
        companions = {name: members.pop(name) for name in list(members) if _is_companion(name)}
        names = _data_members(shown, list(members))
        files = [_member(archive, name, members.pop(name), limits) for name in names]
        bundle = Bundle(files, limits, archive)
        bundle.companions = {
            posixpath.basename(name): read_member(archive, info, shown, COMPANION_LIMIT)
            for name, info in companions.items()
        }
    except ProblemError:
        file.close()
        raise
    bundle.add_media(members)
    return bundle


def _member(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo, limits: Limits) -> DataFile:
    return DataFile(visible(name[:200]), limits, lambda: archive.open(info))


def _is_companion(name: str) -> bool:
    return posixpath.basename(name) in COMPANIONS or name.lower().endswith(COMPANION_ENDING)


def _data_members(shown: str, names: list[str]) -> list[str]:
    data = sorted(name for name in names if name.lower().endswith(DATA_ENDINGS))
    data = [name for name in data if posixpath.basename(name) not in DESCRIPTIONS]
    if not data:
        expected = "files that end in .jsonl, .json, .csv or .parquet, and their media"
        raise ProblemError(Problem(shown, None, "", "no data file", expected))
    return data


def _embedded(path: str, limit: int) -> bytes:
    """The content of a `data:` address in base64."""
    head, _, body = path.partition(",")
    if not head.endswith(";base64"):
        _refuse(f"the address {visible(head[:60])}", "content in base64 (data:<type>;base64,<content>)")
    if len(body) > limit * 4 // 3 + 4:
        _refuse("a file in the row that is too large", f"at most {limit:,} bytes; put larger ones into a zip")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        _refuse("broken base64", "content in base64")


def _refuse(found: str, expected: str) -> NoReturn:
    raise ProblemError(Problem("", None, "", found, expected))
