"""One archive of everything that belongs to an export. Equal files give equal bytes."""

import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from exports.writers import AtomicFile, Sink

ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # a real time would change the bytes from run to run
LEVEL = 3
BLOCK = 1 << 20


class Archive:
    """A zip that is written as one stream. ``beat`` is called after every block: a long file must keep the lease."""

    def __init__(self, archive: zipfile.ZipFile, beat: Callable[[], None]) -> None:
        self.archive, self.beat = archive, beat

    def add_file(self, path: Path, name: str = "", *, packed: bool = False) -> None:
        """Add a file. ``packed``: it is compressed already."""
        with path.open("rb") as source:
            self.add(name or path.name, source, packed=packed)

    def add(self, name: str, source: IO[bytes], *, packed: bool) -> None:
        info = zipfile.ZipInfo(name, ZIP_TIME)
        info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        info._compresslevel = LEVEL  # type: ignore[attr-defined]  # `open` has no other way to say it
        with self.archive.open(info, "w", force_zip64=True) as target:
            while block := source.read(BLOCK):
                target.write(block)
                self.beat()


@contextmanager
def archive_in(file: AtomicFile, beat: Callable[[], None]) -> Iterator[Archive]:
    """Open ``file`` as an archive to write to."""
    with file, zipfile.ZipFile(cast(IO[bytes], Sink(file)), "w", zipfile.ZIP_DEFLATED) as archive:
        yield Archive(archive, beat)


def remove_others(folder: Path) -> None:
    """Remove what other attempts and the pieces have left beside ``folder``."""
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
