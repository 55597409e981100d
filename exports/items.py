"""Datasets in which each row is a file of its own. They exist only inside the archive: a folder of a hundred thousand
files serves nobody on the server."""

import hashlib
import io
from pathlib import Path
from typing import IO, Any, cast

from annotate.actions.jobs import JobFailed
from exports.assembly import DataFile
from exports.containers import Container
from exports.formats.base import Format
from exports.packing import Archive
from exports.row_json import encode
from exports.safe_names import name_key, unsafe_because
from exports.writers import AtomicFile, WrittenFile

ITEMS = "items"
SUMS = "SHA256SUMS"


def add_items(
    archive: Archive, folder: Path, data: list[DataFile], container: Container, format_: Format
) -> tuple[WrittenFile, int]:
    """Put a file for each row of ``data`` into ``items/``; with several splits, into a folder of each in there.

    Return the file of their checksums, as ``sha256sum -c`` reads it, and how many bytes they have together.

    :raises JobFailed: when two rows want the same name, or one an impossible name.
    """
    names: set[str] = set()
    size = 0
    is_split = len({file.split for file in data}) > 1
    with AtomicFile(folder, SUMS) as sums:
        for file in data:
            inner = f"{ITEMS}/{file.split}" if is_split else ITEMS
            for row in container.rows_of(folder / file.written.name):
                name = f"{inner}/{_name(format_, row, names)}"
                content = encode(row)
                archive.add(name, cast(IO[bytes], io.BytesIO(content)), packed=False)
                sums.write_bytes(f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode(), rows=1)
                size += len(content)
    archive.add_file(folder / SUMS)
    return sums.written, size


def _name(format_: Format, row: dict[str, Any], taken: set[str]) -> str:
    name = format_.file_name(row)
    reason = unsafe_because(name) or ("a folder in it" if "/" in name else "")
    if reason:
        raise JobFailed(f"A row cannot become a file called {name!r}: found {reason}.")
    if name_key(name) in taken:
        raise JobFailed(f"Two rows want to be the file {name!r}. Choose another kind of file.")
    taken.add(name_key(name))
    return name
