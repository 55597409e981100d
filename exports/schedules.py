"""Datasets that are made again and again, and files whose time is up."""

import shutil
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.access import Permission, permissions_of, role_in
from annotate.actions.events import record
from annotate.actions.jobs import TooManyJobs
from annotate.enums import JobState
from annotate.models import User
from exports.actions import RequestRefused, file_options_from, options_from, request_export
from exports.enums import Every
from exports.models import Export, ExportSchedule


@transaction.atomic
def set_schedule(*, export: Export, every: str, by: User) -> ExportSchedule | None:
    """Make the dataset of ``export`` of the data of the day from now on, or no longer when ``every`` is empty.

    :raises RequestRefused: for an export that names people, because each one needs a reason, or an unknown interval.
    """
    if export.schedule is not None:
        record("export_schedule.ended", export.schedule, by=by, project=export.project, format=export.format)
        export.schedule.delete()
    if not every:
        return None
    if every not in Every.values:
        raise RequestRefused(_("Choose every day or every week."), "every")
    if export.options.get("identity") == "names":
        raise RequestRefused(_("A dataset with the names of people cannot be scheduled: each one needs its reason."))
    made = ExportSchedule.objects.create(
        project=export.project,
        format=export.format,
        options=export.options,
        file_options=export.file_options,
        every=every,
        next_at=next_time(every),
        created_by=by,
    )
    Export.objects.filter(pk=export.pk).update(schedule=made)
    record("export_schedule.created", made, by=by, project=export.project, every=every, format=export.format)
    return made


def next_time(every: str) -> datetime:
    """Return when a schedule is due again, counted from now."""
    return timezone.now() + (timedelta(days=7) if every == Every.WEEK else timedelta(days=1))


@transaction.atomic
def start_scheduled(*, schedule: ExportSchedule) -> Export | None:
    """Start the export of a schedule that is due, once, even when several workers try; ``None`` if it was not to be.

    Why it could not start is kept in ``schedule.problem`` for the people who look at the page.
    """
    this = ExportSchedule.objects.filter(pk=schedule.pk)
    if not this.filter(next_at__lte=timezone.now()).update(next_at=next_time(schedule.every)):
        return None
    try:
        if Permission.EXPORT not in permissions_of(role_in(schedule.created_by, schedule.project)):
            raise RequestRefused(f"{schedule.created_by.name} may not export from this project any more.")
        job = request_export(
            project=schedule.project,
            format_name=schedule.format,
            options=options_from(schedule.options),
            file_options=file_options_from(schedule.file_options),
            by=schedule.created_by,
            schedule=schedule,
        )
    except (RequestRefused, TooManyJobs) as error:
        this.update(problem=str(error))
        return None
    this.update(problem="")
    return job


@transaction.atomic
def delete_files(*, export: Export) -> None:
    """Delete the files of an export whose time is up, or what one without result has left. The manifest stays."""
    if not Export.objects.filter(pk=export.pk, files_deleted_at=None).update(files_deleted_at=timezone.now()):
        return
    export.files.all().delete()
    export.pieces.all().delete()
    if export.state == JobState.DONE:
        record("export.files_deleted", export, by=None, project=export.project)
    transaction.on_commit(lambda: shutil.rmtree(export.root, ignore_errors=True))
