"""Requesting imports and exports. The work itself is done by jobs (``exports/jobs.py``)."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.access import Permission, permissions_of, role_in
from annotate.actions.events import record
from annotate.actions.jobs import enqueue
from annotate.enums import JobState
from annotate.jobs import ring
from annotate.models import Batch, Project, User
from exports import formats
from exports.enums import ImportPhase
from exports.import_choices import ImportChoices
from exports.mappings import save_mapping
from exports.models import Export, ExportSchedule, Import
from exports.options import ExportOptions, FileOptions
from exports.publishing import forget
from exports.reading import rubric_of, watermark_of
from exports.settling import transaction_now

SAME_REQUEST_SECONDS = 60
USUAL_FILES = FileOptions()
USUAL_CHOICES = ImportChoices()


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
    choices: ImportChoices = USUAL_CHOICES,
    check_only: bool = False,
    by: User | None,
) -> Import:
    """Keep the uploaded bytes and queue their import.

    :param format_name: empty to recognise the format from the content.
    :param check_only: look at the file and write nothing; ``proceed`` then imports it.
    :raises RequestRefused: for an unknown format, a batch name in use, or a file beyond ``IMPORT_MAX_BYTES``.
    :raises annotate.actions.jobs.TooManyJobs: when the person has too many unfinished jobs.
    """
    check_import(project, batch_name, format_name)
    job = Import(
        project=project,
        batch_name=batch_name,
        format=format_name,
        file_name=file_name[-200:],
        phase=ImportPhase.CHECK if check_only else ImportPhase.LOAD,
        choices=msgspec.to_builtins(choices),
    )
    try:
        _keep(job.path, chunks)
        enqueue(job, by=by)
    except BaseException:
        job.path.unlink(missing_ok=True)
        raise
    return job


@transaction.atomic
def proceed(
    *, job: Import, phase: ImportPhase, batch_name: str, format_name: str, choices: ImportChoices, by: User
) -> None:
    """Check an upload again with other choices, or import it.

    :raises RequestRefused: when it is under way or was imported, its bytes are gone, or what is asked is not possible.
    """
    job = Import.objects.select_for_update().select_related("project").get(pk=job.pk)
    if not job.can_proceed:
        raise RequestRefused(_("This upload is being worked on, was imported or is gone. Upload the file again."))
    check_import(job.project, batch_name, format_name, other_than=job)
    job.phase, job.choices, job.format, job.batch_name = phase, msgspec.to_builtins(choices), format_name, batch_name
    job.problems, job.problem_count, job.error = [], 0, ""
    if job.batch is not None:
        Batch.objects.filter(pk=job.batch.pk).update(name=batch_name)
    job.state, job.token, job.attempts, job.progress, job.total = JobState.QUEUED, None, 0, 0, 0
    job.lease_until, job.started_at, job.finished_at = timezone.now(), None, None
    job.save()
    save_mapping(job)
    record(f"import.{phase}_requested", job, by=by, project=job.project)
    ring(job)


def check_import(project: Project, batch_name: str, format_name: str, *, other_than: Import | None = None) -> None:
    """Raise `RequestRefused` for a format that cannot be read and for the name of a batch that exists."""
    if format_name and not (format_name in formats.FORMATS and formats.get(format_name).can_read):
        raise RequestRefused(_("There is no import format %(name)r.") % {"name": format_name}, "format")
    clear_abandoned(project)
    named = Batch.objects.filter(project=project, name=batch_name)
    if other_than is not None:
        named = named.exclude(imports=other_than)
    if named.exists():
        text = _("The project already has a batch named %(name)r. Choose another name.")
        raise RequestRefused(text % {"name": batch_name}, "batch")


def clear_abandoned(project: Project) -> None:
    """Remove what failed and cancelled imports had staged, so that their batch names are free again."""
    ended = [JobState.FAILED, JobState.CANCELLED]
    for job in Import.objects.filter(project=project, state__in=ended, batch__isnull=False).select_related("batch"):
        forget(job)


def _keep(path: Path, chunks: Iterable[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    size = 0
    with path.open("wb") as file:
        for chunk in chunks:
            size += len(chunk)
            if size > settings.IMPORT_MAX_BYTES:
                limit = f"{settings.IMPORT_MAX_BYTES // 1_000_000:,}"
                text = _("The file is larger than %(limit)s MB. Split it into several batches.")
                raise RequestRefused(text % {"limit": limit}, "file")
            file.write(chunk)


@transaction.atomic
def request_export(
    *,
    project: Project,
    format_name: str,
    options: ExportOptions,
    file_options: FileOptions = USUAL_FILES,
    reason: str = "",
    by: User | None,
    schedule: ExportSchedule | None = None,
) -> Export:
    """Queue an export of the data as it is now. The same request again within a minute is the same export.

    :param reason: why the names of people leave; needed where ``options.identity`` asks for them.
    :raises RequestRefused: for an unknown format, a file that it cannot be written to, shares that leave nothing to
        train on, or names without the permission and a reason.
    :raises annotate.actions.jobs.TooManyJobs: when the person has too many unfinished jobs.
    """
    _check_files(format_name, file_options)
    _check_names(project, options, reason, by)
    Project.objects.select_for_update().get(pk=project.pk)
    options = msgspec.structs.replace(options, rubric=rubric_of(project))
    wanted: dict[str, Any] = {
        "project": project,
        "format": format_name,
        "options": msgspec.to_builtins(options),
        "file_options": msgspec.to_builtins(file_options),
        "reason": reason,
        "watermark": watermark_of(project),
    }
    recent = Export.objects.filter(
        **wanted, created_by=by, created_at__gte=timezone.now() - timedelta(seconds=SAME_REQUEST_SECONDS)
    ).exclude(state__in=[JobState.FAILED, JobState.CANCELLED])
    if existing := recent.first():
        return existing
    return _start(Export(**wanted, settles_after=transaction_now(), schedule=schedule), by)


@transaction.atomic
def repeat_export(*, export: Export, same_data: bool, by: User | None) -> Export:
    """Queue an export with the same options, of today's data or of the ``same_data``: then the same bytes.

    :raises RequestRefused: when it names people and ``by`` may not.
    :raises annotate.actions.jobs.TooManyJobs: when the person has too many unfinished jobs.
    """
    if not same_data:
        return request_export(
            project=export.project,
            format_name=export.format,
            options=options_from(export.options),
            file_options=file_options_from(export.file_options),
            reason=export.reason,
            by=by,
        )
    _check_names(export.project, options_from(export.options), export.reason, by)
    names = ("project", "format", "options", "file_options", "reason", "watermark", "settles_after")
    return _start(Export(**{name: getattr(export, name) for name in names}), by)


def _start(job: Export, by: User | None) -> Export:
    enqueue(job, by=by)
    if options_from(job.options).identity == "names":
        record("export.names_requested", job, by=by, project=job.project, reason=job.reason)
    return job


def _check_files(format_name: str, file_options: FileOptions) -> None:
    if format_name not in formats.FORMATS or not formats.get(format_name).can_write:
        raise RequestRefused(_("There is no export format %(name)r.") % {"name": format_name}, "format")
    offered = formats.get(format_name).containers
    if file_options.container and file_options.container not in offered:
        text = _("This format can be written to %(kinds)s.")
        raise RequestRefused(text % {"kinds": ", ".join(offered)}, "container")
    if file_options.validation + file_options.test >= 1:
        raise RequestRefused(_("The shares for validation and test leave nothing to train on."), "validation")


def _check_names(project: Project, options: ExportOptions, reason: str, by: User | None) -> None:
    if options.identity != "names":
        return
    if by is not None and Permission.EXPORT_NAMES not in permissions_of(role_in(by, project)):
        raise RequestRefused(_("Your role does not allow names of people in a dataset."), "identity")
    if not reason.strip():
        raise RequestRefused(_("Say why the names of people have to leave. The reason is kept."), "reason")


def options_from(values: dict[str, Any]) -> ExportOptions:
    """Return the options; a value that is not offered raises ``RequestRefused``."""
    return _converted(values, ExportOptions)


def file_options_from(values: dict[str, Any]) -> FileOptions:
    """Return the options of files; a value that is not offered raises ``RequestRefused``."""
    return _converted(values, FileOptions)


T = TypeVar("T")


def _converted(values: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        text = _("The options are not possible together: %(error)s.")
        raise RequestRefused(text % {"error": error}) from error
