"""Making the files of one export: pieces, data files, proof, card, manifest, archive, in this order.

Equal data and options give equal bytes. Whatever was finished by an earlier attempt or by other workers is used.
"""

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate.actions.jobs import JobFailed, Lease
from exports import doorbells, formats, pieces
from exports.accounting import Accounting
from exports.assembly import Assembly, DataFile, Piece, container_of
from exports.card import card_of
from exports.containers import Container
from exports.enums import ExportStage, PieceState
from exports.items import ITEMS, SUMS, add_items
from exports.media import Media
from exports.models import Export, ExportFile
from exports.options import ExportOptions, FileOptions
from exports.packing import Archive, archive_in, remove_others
from exports.proof import NotProved, Proof
from exports.settling import wait_until_settled
from exports.splits import splits_of
from exports.statistics import Statistics
from exports.superseded import superseded_of
from exports.wording import why_empty
from exports.writers import AtomicFile, WrittenFile, write_manifest

MANIFEST_VERSION = 2
README = "README.md"
PAUSE_SECONDS = 0.1


class Production:
    """One attempt at an export, in a folder of its own."""

    def __init__(self, job: Export, folder: Path, lease: Lease) -> None:
        self.job, self.folder, self.lease = job, folder, lease
        self.format = formats.get(job.format)
        self.options = msgspec.convert(job.options, ExportOptions)
        self.file_options = msgspec.convert(job.file_options, FileOptions)
        self.media = Media()
        self.accounting, self.statistics = Accounting(), Statistics()

    def run(self) -> dict[str, Any]:
        """Write everything; return the fields of the finished job."""
        tasks = self._make_pieces()
        made = self._made_pieces()
        container, data = self._write_data(made)
        proof = self._prove(container, data)
        manifest = self._manifest(data, proof)
        extras = [self._write_card(manifest, data, container), *self._write_companions(data)]
        files = self._pack(data, extras, manifest, container, proof)
        self._name_files(files, tasks)
        remove_others(self.folder)
        return {
            "rows": self.accounting.rows_out,
            "manifest": manifest,
            "progress": tasks,
            "total": tasks,
            "expires_at": timezone.now() + timedelta(days=settings.EXPORT_DAYS) if settings.EXPORT_DAYS else None,
        }

    # ----------------------------------------------------------------------------------------------- pieces
    def _make_pieces(self) -> int:
        """Make all pieces, together with whoever helps; return the number of tasks."""
        wait_until_settled(self.job, lambda: self.lease.beat(0))
        total = pieces.plan(self.job)
        self._stage(ExportStage.READING, total)
        doorbells.ring_for_help(self.job.pk, self.job.pieces.exclude(state=PieceState.DONE).count() - 1)
        while self.job.pieces.exclude(state=PieceState.DONE).exists():
            done = self._done_tasks()
            self.lease.beat(done, total)
            piece = pieces.claim_piece(self.job)
            if piece is None:  # the last ones are in other hands
                time.sleep(PAUSE_SECONDS)
                continue
            pieces.make(piece, lambda more, done=done: self.lease.beat(done + more, total))  # type: ignore[misc]
        return total

    def _done_tasks(self) -> int:
        return sum(self.job.pieces.filter(state=PieceState.DONE).values_list("tasks", flat=True))

    def _made_pieces(self) -> list[Piece]:
        """Return the pieces in the order of their tasks, with their accounts added up."""
        made = []
        for piece in self.job.pieces.select_related("export").order_by("number").iterator(chunk_size=100):
            self.accounting.add(Accounting(**piece.accounting))
            self.statistics.add(Statistics.from_dict(piece.statistics))
            rows = {split: file["rows"] for split, file in piece.files.items()}
            made.append(Piece(piece.folder, rows, {split: file["bytes"] for split, file in piece.files.items()}))
        self.accounting.check()
        self.accounting.superseded = superseded_of(self.job.project, self.job.watermark)
        return made

    # ------------------------------------------------------------------------------------------------ files
    def _write_data(self, made: list[Piece]) -> tuple[Container, list[DataFile]]:
        rows = self.accounting.rows_out
        self._stage(ExportStage.WRITING, rows)
        container = container_of(self.format, self.file_options, made, self._beat)
        assembly = Assembly(self.folder, container, self.file_options.rows_per_file, self.media.load, self._beat)
        return container, [file for split in splits_of(self.file_options) for file in assembly.split(split, made)]

    def _prove(self, container: Container, data: list[DataFile]) -> Proof:
        self._stage(ExportStage.CHECKING, self.accounting.rows_out)
        proof = Proof(self.format, container, self.media.is_there, self._beat)
        try:
            proof.check(self.folder, data)
        except NotProved as error:
            raise JobFailed(f"The files were made, but do not stand up to being loaded again. {error}") from error
        if proof.columns.rows != self.accounting.rows_out:
            raise JobFailed(f"The files hold {proof.columns.rows:,} rows, expected {self.accounting.rows_out:,}.")
        return proof

    def _manifest(self, data: list[DataFile], proof: Proof) -> dict[str, Any]:
        manifest = {
            "manifest_version": MANIFEST_VERSION,
            "product": "Tiebreak",
            "product_version": settings.VERSION,
            "project": self.job.project.slug,
            "format": self.job.format,
            "options": self.job.options,
            "file_options": self.job.file_options,
            "watermark": self.job.watermark,
            "accounting": self.accounting.as_dict(),
            "statistics": self.statistics.as_dict(),
            "agreement": {"percent": self.statistics.percent_agreement, "krippendorff_alpha": self.statistics.alpha},
            "identity": {"annotators": self.options.identity, "models": self.options.include_models},
            "proof": proof.as_dict(),
            "files": [{"split": file.split, **_described(file.written)} for file in data],
        }
        if not self.accounting.rows_out:
            manifest["why_empty"] = why_empty(self.accounting.as_dict())
        return manifest

    def _write_card(self, manifest: dict[str, Any], data: list[DataFile], container: Container) -> WrittenFile:
        card = card_of(
            project=self.job.project.name,
            format_=self.format,
            manifest=manifest,
            files=[] if self._as_items else data,
            statistics=self.statistics,
            ending=container.ending,
        )
        with AtomicFile(self.folder, README) as file:
            file.write_bytes(card.encode())
        return file.written

    def _write_companions(self, data: list[DataFile]) -> Iterator[WrittenFile]:
        for name, content in self.format.companions([file.written.name for file in data], self.options):
            with AtomicFile(self.folder, name) as file:
                file.write_bytes(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2).encode() + b"\n")
            yield file.written

    # ---------------------------------------------------------------------------------------------- archive
    @property
    def _as_items(self) -> bool:
        return (self.file_options.container or self.format.containers[0]) == "files"

    def _pack(
        self,
        data: list[DataFile],
        extras: list[WrittenFile],
        manifest: dict[str, Any],
        container: Container,
        proof: Proof,
    ) -> list[WrittenFile]:
        """Put everything into one zip, the manifest last of all files because it describes the others; then media."""
        self._stage(ExportStage.PACKING, 0)
        file = AtomicFile(self.folder, f"{self.job.project.slug}-{self.job.format}.zip")
        listed = [each.written for each in data]
        with archive_in(file, lambda: self.lease.beat(0)) as archive:
            if self._as_items:
                listed = [self._pack_items(archive, data, manifest, container)]
            else:
                for each in listed:
                    archive.add_file(self.folder / each.name, packed=container.is_packed)
            manifest["files"] += [_described(each) for each in extras]
            extras.append(write_manifest(self.folder, manifest))
            for each in extras:
                archive.add_file(self.folder / each.name)
            for path in sorted(proof.media):
                with self.media.open(path) as source:
                    archive.add(path, source, packed=True)
        return [*listed, *extras, file.written]

    def _pack_items(
        self, archive: Archive, data: list[DataFile], manifest: dict[str, Any], container: Container
    ) -> WrittenFile:
        """Make a file of each row in place of the data files; the list of their checksums stands for them."""
        sums, size = add_items(archive, self.folder, data, container, self.format)
        for each in data:
            (self.folder / each.written.name).unlink()
        rows = self.accounting.rows_out
        manifest["files"] = [{"name": ITEMS, "rows": rows, "bytes": size, "sha256": sums.sha256, "sums": SUMS}]
        return sums

    def _name_files(self, files: list[WrittenFile], tasks: int) -> None:
        with transaction.atomic():
            self.lease.beat(tasks, tasks, force=True)
            self.job.files.all().delete()
            ExportFile.objects.bulk_create(
                ExportFile(export=self.job, name=f.name, sha256=f.sha256, bytes=f.bytes, rows=f.rows) for f in files
            )
            self.job.pieces.all().delete()

    # --------------------------------------------------------------------------------------------- progress
    def _stage(self, stage: ExportStage, total: int) -> None:
        self.total = total
        self.lease.write(stage=stage, stage_at=timezone.now(), progress=0, total=total)

    def _beat(self, done: int) -> None:
        self.lease.beat(done, self.total)


def _described(file: WrittenFile) -> dict[str, Any]:
    return {"name": file.name, "rows": file.rows, "bytes": file.bytes, "sha256": file.sha256}
