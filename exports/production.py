"""Making the files of one export: shard, manifest, archive. Equal data and options give equal bytes."""

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.db import transaction

from annotate.actions.jobs import JobFailed, Lease
from annotate.models import Asset, Task
from exports import formats
from exports.models import Export, ExportFile
from exports.pairs import Accounting, ExportOptions
from exports.reading import records
from exports.records import TaskRecord
from exports.writers import AtomicFile, ShardWriter, WrittenFile, write_manifest

MANIFEST_VERSION = 1
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # a real time would change the bytes from run to run


class Production:
    """One attempt at an export, in a folder of its own."""

    def __init__(self, job: Export, folder: Path, lease: Lease) -> None:
        self.job, self.folder, self.lease = job, folder, lease
        self.format = formats.get(job.format)
        self.accounting = Accounting()
        self.total = Task.objects.filter(project=job.project, pk__lte=job.watermark.get("task", 0)).count()

    def run(self) -> dict[str, Any]:
        """Write everything; return the fields of the finished job."""
        data = self._write_data()
        manifest = self._manifest(data)
        files = [data, write_manifest(self.folder, manifest)]
        files.append(self._write_archive([file.name for file in files]))
        with transaction.atomic():
            self.lease.beat(self.total, self.total, force=True)
            self.job.files.all().delete()
            ExportFile.objects.bulk_create(
                ExportFile(export=self.job, name=f.name, sha256=f.sha256, bytes=f.bytes, rows=f.rows) for f in files
            )
        self._remove_other_attempts()
        return {"rows": data.rows, "manifest": manifest, "progress": self.total, "total": self.total}

    @property
    def stem(self) -> str:
        return f"{self.job.project.slug}-{self.job.format}"

    def _records(self) -> Iterator[TaskRecord]:
        for count, record in enumerate(records(self.job.project, self.job.watermark), start=1):
            self.lease.beat(count, self.total)
            yield record

    def _write_data(self) -> WrittenFile:
        options = msgspec.convert(self.job.options, ExportOptions)
        with ShardWriter(self.folder, f"{self.stem}.jsonl") as shard:
            for row in self.format.write(self._records(), options, self.accounting):
                shard.write(row)
        self.accounting.check()
        return shard.written

    def _manifest(self, data: WrittenFile) -> dict[str, Any]:
        return {
            "manifest_version": MANIFEST_VERSION,
            "project": self.job.project.slug,
            "format": self.job.format,
            "options": self.job.options,
            "watermark": self.job.watermark,
            "accounting": self.accounting.as_dict(),
            "files": [{"name": data.name, "rows": data.rows, "bytes": data.bytes, "sha256": data.sha256}],
        }

    def _write_archive(self, names: list[str]) -> WrittenFile:
        """Put the files into one zip, with the media that they name where the format carries media."""
        file = AtomicFile(self.folder, f"{self.stem}.zip")
        with file, zipfile.ZipFile(_Sink(file), "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                with (self.folder / name).open("rb") as source:
                    self._add(archive, name, source, zipfile.ZIP_DEFLATED)
            if self.format.media:
                self._add_media(archive)
        return file.written

    def _add_media(self, archive: zipfile.ZipFile) -> None:
        used = Asset.objects.filter(
            task_assets__task__project=self.job.project, task_assets__task__pk__lte=self.job.watermark.get("task", 0)
        )
        for asset in used.distinct().order_by("sha256").iterator(chunk_size=500):
            self.lease.beat(self.total, self.total)
            name = f"media/{asset.sha256}.{str(asset.file.name).rsplit('.', 1)[-1]}"
            try:
                with asset.file.open("rb") as source:
                    self._add(archive, name, source, zipfile.ZIP_STORED)
            except FileNotFoundError as error:
                raise JobFailed(f"The stored file of {asset} is missing. Restore it from a backup.") from error

    @staticmethod
    def _add(archive: zipfile.ZipFile, name: str, source: Any, compression: int) -> None:
        info = zipfile.ZipInfo(name, ZIP_TIME)
        info.compress_type, info.external_attr = compression, 0o644 << 16
        with archive.open(info, "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target, 1 << 20)

    def _remove_other_attempts(self) -> None:
        for other in self.folder.parent.iterdir():
            if other != self.folder:
                shutil.rmtree(other, ignore_errors=True)


class _Sink:
    """A file that can only be written to, so that the zip is one stream and its hash is made on the way."""

    def __init__(self, file: AtomicFile) -> None:
        self.file = file

    def write(self, data: bytes, /) -> int:
        self.file.write_bytes(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """The file is closed by who opened it."""
