"""The first half of an export: ranges of tasks, each made into rows by whichever worker claims it.

A piece that is done stays done: a later attempt goes on with the others. Rows lie in the order of their tasks whoever
made them, so the files are the same whatever the number of workers.
"""

import logging
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate.actions.jobs import LeaseLost
from annotate.enums import JobState
from exports import formats
from exports.accounting import Accounting
from exports.collector import without_collector
from exports.enums import PieceState
from exports.models import Export, ExportPiece
from exports.options import ExportOptions, FileOptions
from exports.reading import needs_of, records, tasks_of
from exports.splits import split_of, splits_of
from exports.statistics import Statistics
from exports.writers import ShardWriter

logger = logging.getLogger(__name__)
Beat = Callable[[int], None]
"""Called with the number of tasks done so far; raises ``LeaseLost`` when the work is not wanted any more."""


def plan(export: Export) -> int:
    """Cut the tasks into pieces, once; return how many tasks there are."""
    if not export.pieces.exists():
        with transaction.atomic():
            ExportPiece.objects.bulk_create(_ranges(export), batch_size=500)
    return sum(export.pieces.values_list("tasks", flat=True))


def _ranges(export: Export) -> Iterator[ExportPiece]:
    ids = tasks_of(export.project, export.watermark).values_list("pk", flat=True).iterator(chunk_size=10_000)
    number = after = count = last = 0
    for last in ids:
        count += 1
        if count == settings.EXPORT_PIECE_TASKS:
            number += 1
            yield ExportPiece(export=export, number=number, after=after, upto=last, tasks=count)
            after, count = last, 0
    if count:
        yield ExportPiece(export=export, number=number + 1, after=after, upto=last, tasks=count)


def claim_piece(export: Export) -> ExportPiece | None:
    """Take the first piece that nobody works on; ``None`` when there is none."""
    token = uuid.uuid4()
    while True:
        now = timezone.now()
        free = export.pieces.exclude(state=PieceState.DONE).filter(lease_until__lte=now)
        number = free.order_by("number").values_list("number", flat=True).first()
        if number is None:
            return None
        taken = free.filter(number=number).update(state=PieceState.RUNNING, token=token, lease_until=_lease_end())
        if taken:
            return ExportPiece.objects.select_related("export__project").get(export=export, number=number)


def _lease_end() -> Any:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def make(piece: ExportPiece, beat: Beat) -> None:
    """Write the rows of a claimed piece and mark it done. After an error it is free again and leaves no files.

    :raises LeaseLost: when another worker has the piece, or the export has ended.
    """
    hold = _Hold(piece, beat)
    try:
        hold.renew(0, force=True)
        with without_collector():
            found = _write(piece, hold)
        hold.update(state=PieceState.DONE, **found)
    except BaseException:
        shutil.rmtree(piece.folder, ignore_errors=True)
        hold.release()
        raise


class _Hold:
    """A worker's hold on a piece."""

    def __init__(self, piece: ExportPiece, beat: Beat) -> None:
        self.piece, self.beat = piece, beat
        self.renewed = time.monotonic()

    def renew(self, done: int, *, force: bool = False) -> None:
        """Renew the lease, at most once a second unless forced."""
        now = time.monotonic()
        if force or now - self.renewed >= 1:
            self.renewed = now
            self.update(lease_until=_lease_end())
            self.beat(done)

    def update(self, **fields: Any) -> None:
        """Write under the token while the export runs, or raise ``LeaseLost``."""
        owned = self._owned().filter(export__state=JobState.RUNNING)
        if not owned.update(**fields):
            raise LeaseLost(str(self.piece))

    def release(self) -> None:
        self._owned().update(state=PieceState.WAITING, lease_until=timezone.now())

    def _owned(self) -> Any:
        return ExportPiece.objects.filter(pk=self.piece.pk, token=self.piece.token, state=PieceState.RUNNING)


def _write(piece: ExportPiece, hold: _Hold) -> dict[str, Any]:
    """Write one file of JSON Lines per split; return the fields of the finished piece."""
    export = piece.export
    options = msgspec.convert(export.options, ExportOptions)
    file_options = msgspec.convert(export.file_options, FileOptions)
    format_, accounting, statistics = formats.get(export.format), Accounting(), Statistics()
    piece.folder.mkdir(parents=True, mode=0o700)
    with ExitStack() as stack:
        files = {
            split: stack.enter_context(ShardWriter(piece.folder, f"{split}.jsonl")) for split in splits_of(file_options)
        }
        cut = records(
            export.project,
            export.watermark,
            needs=needs_of(format_, options),
            after=piece.after,
            upto=piece.upto,
            models=options.include_models,
            names=options.identity == "names",
        )
        for done, record in enumerate(cut, start=1):
            statistics.see(record)
            write = files[split_of(record, file_options)].write
            for row in format_.rows(record, options, accounting):
                accounting.rows_out += 1
                write(row)
            hold.renew(done)
        accounting.check()
    written = {split: {"rows": file.written.rows, "bytes": file.written.bytes} for split, file in files.items()}
    return {"files": written, "accounting": accounting.as_dict(), "statistics": statistics.as_dict()}


def _no_beat(done: int) -> None:
    """A helper renews its hold on the piece only."""


def help_with(export_id: int) -> bool:
    """Make one piece of a running export on behalf of the worker that has it; return whether there was one."""
    export = Export.objects.select_related("project").filter(pk=export_id, state=JobState.RUNNING).first()
    piece = claim_piece(export) if export else None
    if piece is None:
        return False
    try:
        make(piece, _no_beat)
    except LeaseLost:
        return False
    except Exception:
        # The export's own worker will meet the same, and says so to the person who waits for it.
        logger.exception("%s stumbled.", piece)
        return False
    return True
