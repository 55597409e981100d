"""What the dispatcher of every worker does once a minute. Each deed may be done by several at once."""

import logging
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from annotate.enums import JobState

logger = logging.getLogger(__name__)
AT_ONCE = 50


def start_due_schedules() -> None:
    """Start the scheduled exports whose time has come."""
    from exports.models import ExportSchedule
    from exports.schedules import start_scheduled

    due = ExportSchedule.objects.filter(next_at__lte=timezone.now(), project__deleted_at=None)
    for schedule in due.select_related("project", "created_by").order_by("next_at")[:AT_ONCE]:
        start_scheduled(schedule=schedule)


def delete_expired_files() -> None:
    """Delete the files of exports whose time is up, and what failed and cancelled ones have left."""
    from exports.models import Export
    from exports.schedules import delete_files

    without_result = Q(state__in=[JobState.FAILED, JobState.CANCELLED])
    expired = Q(state=JobState.DONE, expires_at__lte=timezone.now())
    for export in Export.objects.filter(without_result | expired, files_deleted_at=None)[:AT_ONCE]:
        delete_files(export=export)


def delete_old_uploads() -> None:
    """Delete uploads that were imported by nobody for a while, and those of cancelled imports with what they left."""
    from exports.models import Import
    from exports.publishing import forget

    old = timezone.now() - timedelta(days=settings.IMPORT_KEEP_DAYS)
    waiting = Q(state__in=[JobState.DONE, JobState.FAILED], created_at__lte=old)
    ended = Import.objects.filter(waiting | Q(state=JobState.CANCELLED), upload_deleted_at=None)
    for job in ended.select_related("project", "batch")[:AT_ONCE]:
        if job.state != JobState.DONE:
            forget(job)
        job.path.unlink(missing_ok=True)
        job.problems_path.unlink(missing_ok=True)
        Import.objects.filter(pk=job.pk).update(upload_deleted_at=timezone.now())
