"""Several files as one upload: a zip, made in a temporary file and given out in blocks."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

BLOCK = 1 << 20


def zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield the bytes of a zip that holds the files, each given by its name and its content in pieces."""
    with tempfile.TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w") as archive:
            for name, pieces in files:
                with archive.open(name, "w", force_zip64=True) as member:
                    for piece in pieces:
                        member.write(piece)
        packed.seek(0)
        yield from iter(lambda: packed.read(BLOCK), b"")


def blocks_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file."""
    with path.open("rb") as stream:
        yield from iter(lambda: stream.read(BLOCK), b"")
