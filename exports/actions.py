"""Requesting imports and exports. The work itself is done by jobs (``exports/jobs.py``)."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate.actions.jobs import enqueue
from annotate.enums import JobState
from annotate.models import Batch, Project, User
from exports import formats
from exports.loading import discard_staged
from exports.models import Export, Import
from exports.pairs import ExportOptions
from exports.reading import watermark_of

SAME_REQUEST_SECONDS = 60


class RequestRefused(Exception):
    """The import or export cannot be started. ``field``: the field of the form that the message belongs to."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def request_import(
    *,
    project: Project,
    chunks: Iterable[bytes],
    file_name: str,
    batch_name: str,
    format_name: str = "",
    by: User | None,
) -> Import:
    """Keep the uploaded bytes and queue their import.

    :param format_name: empty to recognise the format from the content.
    :raises RequestRefused: for an unknown format, a batch name in use, or a file beyond ``IMPORT_MAX_BYTES``.
    :raises annotate.actions.jobs.TooManyJobs: when the person has too many unfinished jobs.
    """
    if format_name and not (format_name in formats.FORMATS and formats.get(format_name).can_read):
        raise RequestRefused(f"There is no import format {format_name!r}.", "format")
    clear_abandoned(project)
    if Batch.objects.filter(project=project, name=batch_name).exists():
        raise RequestRefused(f"The project already has a batch named {batch_name!r}. Choose another name.", "batch")
    job = Import(project=project, batch_name=batch_name, format=format_name, file_name=file_name[-200:])
    try:
        _keep(job.path, chunks)
        enqueue(job, by=by)
    except BaseException:
        job.path.unlink(missing_ok=True)
        raise
    return job


def clear_abandoned(project: Project) -> None:
    """Remove what failed and cancelled imports had staged, so that their batch names are free again."""
    ended = [JobState.FAILED, JobState.CANCELLED]
    for job in Import.objects.filter(project=project, state__in=ended, batch__isnull=False).select_related("batch"):
        batch = job.batch
        assert batch is not None
        discard_staged(batch)
        if not batch.tasks.exists():
            batch.delete()


def _keep(path: Path, chunks: Iterable[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    size = 0
    with path.open("wb") as file:
        for chunk in chunks:
            size += len(chunk)
            if size > settings.IMPORT_MAX_BYTES:
                limit = settings.IMPORT_MAX_BYTES // 1_000_000
                raise RequestRefused(f"The file is larger than {limit:,} MB. Split it into several batches.", "file")
            file.write(chunk)


@transaction.atomic
def request_export(*, project: Project, format_name: str, options: ExportOptions, by: User | None) -> Export:
    """Queue an export of the data as it is now. The same request again within a minute is the same export.

    :raises RequestRefused: for an unknown format.
    :raises annotate.actions.jobs.TooManyJobs: when the person has too many unfinished jobs.
    """
    if format_name not in formats.FORMATS or not formats.get(format_name).can_write:
        raise RequestRefused(f"There is no export format {format_name!r}.", "format")
    Project.objects.select_for_update().get(pk=project.pk)
    wanted: dict[str, Any] = {
        "project": project,
        "format": format_name,
        "options": msgspec.to_builtins(options),
        "watermark": watermark_of(project),
    }
    recent = Export.objects.filter(
        **wanted, created_by=by, created_at__gte=timezone.now() - timedelta(seconds=SAME_REQUEST_SECONDS)
    ).exclude(state__in=[JobState.FAILED, JobState.CANCELLED])
    if existing := recent.first():
        return existing
    job = Export(**wanted)
    enqueue(job, by=by)
    return job


def options_from(values: dict[str, Any]) -> ExportOptions:
    """Return the options; a value that is not offered raises ``RequestRefused``."""
    try:
        return msgspec.convert(values, ExportOptions)
    except msgspec.ValidationError as error:
        raise RequestRefused(f"The options are not possible together: {error}.") from error
