"""Zip files from strangers: everything is checked from the directory of the archive before a byte is unpacked."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from exports.problems import Problem, ProblemError
from exports.safe_names import name_key, unsafe_because, visible

ARCHIVE_ENDINGS = (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar", ".zst", ".jar")
ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
RATIO_FLOOR = 1_000_000
_END, _END64, _LOCATOR64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, struct.error, UnicodeDecodeError)
"""What the standard library raises for damaged or exotic archives."""


@dataclass(frozen=True)
class Limits:
    """Caps for one upload, in bytes unless the name says otherwise."""

    data: int = 2_000_000_000
    """The unpacked data file (JSON Lines)."""
    array: int = 50_000_000
    """A data file that is one JSON array: it is decoded from memory."""
    group: int = 200_000_000
    """One group of rows of a Parquet file, unpacked."""
    embedded: int = 4_000_000
    """One media file inside a row."""
    media: int = 200_000_000
    """One media file."""
    total: int = 10_000_000_000
    """All files of an archive, unpacked."""
    members: int = 100_000
    """Number of files and folders in an archive."""
    ratio: int = 100
    """Unpacked size over packed size, for files beyond 1 MB."""


def open_zip(file: BinaryIO, name: str, limits: Limits) -> tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]:
    """Open an archive and return it with its files by name, folders left out.

    Raises `ProblemError` for: a damaged archive; more members than allowed; names that leave the folder or are twins
    ignoring case; links and special files; encryption; archives inside; overlapping members; and sizes or ratios
    beyond `limits`. Nothing is written to disk, here or later.
    """
    # The directory is bounded first, because opening it makes an object per entry. 512 bytes hold a long name.
    if _directory_size(file) > limits.members * 512:
        _refuse(name, "a directory of too many files", f"at most {limits.members:,} files in an archive")
    try:
        archive = zipfile.ZipFile(file)
    except BROKEN as error:
        raise ProblemError(Problem(name, None, "", "a damaged zip file", "an archive that opens")) from error
    infos = archive.infolist()
    if len(infos) > limits.members:
        _refuse(name, f"{len(infos):,} files", f"at most {limits.members:,} files in an archive")
    twins: dict[str, str] = {}
    for info in infos:
        _check_member(info, name, limits)
        key = name_key(info.filename.rstrip("/"))
        if key in twins:
            _refuse(name, "two files of one name (ignoring case)", "names that differ", info.filename)
        twins[key] = info.filename
    _check_sizes(infos, name, limits)
    return archive, {info.filename: info for info in infos if not info.is_dir()}


def _check_member(info: zipfile.ZipInfo, name: str, limits: Limits) -> None:
    # `orig_filename` is what the archive says; `filename` was cut at a NUL already.
    if reason := unsafe_because(info.orig_filename.removesuffix("/")):
        _refuse(name, reason, "relative names inside the archive", info.orig_filename)
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        _refuse(name, "a link or special file", "files and folders only", info.filename)
    if info.flag_bits & 0x1:
        _refuse(name, "an encrypted file", "files without a password", info.filename)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        _refuse(name, "an unusual compression", "stored or deflated files", info.filename)
    if info.filename.lower().endswith(ARCHIVE_ENDINGS):
        _refuse(name, "an archive inside the archive", "files that are not packed again", info.filename)
    if info.file_size > RATIO_FLOOR and info.file_size > limits.ratio * max(info.compress_size, 1):
        _refuse(name, f"a file that unpacks to over {limits.ratio} times its size", "ordinary files", info.filename)


def _check_sizes(infos: list[zipfile.ZipInfo], name: str, limits: Limits) -> None:
    total = sum(info.file_size for info in infos)
    if total > limits.total:
        _refuse(name, f"{total:,} bytes when unpacked", f"at most {limits.total:,} bytes")
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            _refuse(name, "files that overlap", "an archive made by an ordinary program", info.filename)
        # 30 bytes of header before the name are the least that a member takes besides its data.
        end = info.header_offset + 30 + len(info.orig_filename) + info.compress_size


def _directory_size(file: BinaryIO) -> int:
    """The size in bytes that the archive states for its directory, found where `zipfile` will look for it.

    The end record is 22 bytes at the very end, or before a comment of up to 65,535 bytes; the records of the 64-bit
    variant, 56 and 20 bytes, come right before it. Where the two disagree, the larger size counts.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - 65_535 - 22 - 76))
    tail = file.read()
    file.seek(0)
    end = len(tail) - 22
    if end < 0 or not (tail[end:].startswith(_END) and tail.endswith(b"\0\0")):
        end = tail.rfind(_END)
    if end < 0 or len(tail) < end + 22:
        return 0
    sizes = [int(struct.unpack_from("<L", tail, end + 12)[0]) % 0xFFFFFFFF]
    if end >= 76 and tail[end - 20 :].startswith(_LOCATOR64) and tail[end - 76 :].startswith(_END64):
        sizes.append(int(struct.unpack_from("<Q", tail, end - 76 + 40)[0]))
    return max(sizes)


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, limit: int) -> bytes:
    """One member whole, at most `limit` bytes. Raises `ProblemError` if it is larger, damaged or packed again."""
    if info.file_size > limit:
        _refuse(name, f"a file of {info.file_size:,} bytes", f"at most {limit:,} bytes", info.filename)
    try:
        data = archive.read(info)
    except BROKEN as error:
        problem = Problem(name, None, visible(info.filename), "a damaged file", "an archive that unpacks")
        raise ProblemError(problem) from error
    if data.startswith(ZIP_MAGICS):
        _refuse(name, "an archive inside the archive", "files that are not packed again", info.filename)
    return data


def is_hidden(path: str) -> bool:
    """Files that file managers add by themselves."""
    steps = path.split("/")
    return steps[0] == "__MACOSX" or steps[-1] in (".DS_Store", "Thumbs.db", "desktop.ini")


def _refuse(file: str, found: str, expected: str, member: str = "") -> NoReturn:
    raise ProblemError(Problem(file, None, visible(member[:200]), found, expected))
