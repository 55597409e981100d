"""The bodies of the jobs. Each may run again after a crash, from the start, without doing anything twice."""

import errno
import shutil
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import Q

from annotate.actions.jobs import JobFailed, Lease
from annotate.enums import JobState
from exports.importing import Importing
from exports.models import Export, Import
from exports.production import Production


def run_import(job: Import, lease: Lease) -> dict[str, Any]:
    """Look at the upload, or bring it in whole, as its phase says."""
    return Importing(job, lease).run()


def run_export(job: Export, lease: Lease) -> dict[str, Any]:
    """Write the dataset, its manifest and its archive, all whole, then name the files in the database.

    What a failed attempt wrote is removed, save the finished pieces when it is going to be tried again.
    """
    folder = job.folder
    folder.mkdir(parents=True, mode=0o700)
    try:
        return Production(job, folder, lease).run()
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        is_final = isinstance(error, (JobFailed, SoftTimeLimitExceeded))
        is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        discard(job, was_ours=is_final or is_full)
        raise


def discard(job: Export, *, was_ours: bool) -> None:
    """Remove everything that an export without result has written.

    That is one that was cancelled, or one that this attempt ends and still owns (``was_ours``): what a successor has
    made or is making stays.
    """
    ends = Q(state=JobState.CANCELLED)
    if was_ours:
        ends |= Q(state=JobState.RUNNING, token=job.token)
    with transaction.atomic():
        # Locked, so that no successor takes the job between the question and the answer.
        if Export.objects.select_for_update().filter(ends, pk=job.pk).exists():
            job.pieces.all().delete()
            shutil.rmtree(job.root, ignore_errors=True)
