"""Claiming, renewing and finishing jobs. Every write of a running job carries its token, so that a worker that was

thought dead cannot write over the one that took its place.
"""

import errno
import logging
import time
import uuid
from datetime import datetime, timedelta
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import ngettext

from annotate import jobs
from annotate.actions.events import record
from annotate.enums import JobState
from annotate.models import Job, User
from annotate.rules.content import clean_written_text

logger = logging.getLogger(__name__)
WAITING = [JobState.QUEUED, JobState.RUNNING]
MAX_ERROR = 2000  # characters


class JobFailed(Exception):
    """The job cannot succeed, however often it is tried. The message goes to the person who asked for it."""


class LeaseLost(Exception):
    """Another worker has taken the job, or somebody cancelled it: stop at once and write nothing more."""


class TooManyJobs(Exception):
    """The person has as many unfinished jobs as they may."""


class Lease:
    """A worker's hold on a job's row."""

    def __init__(self, model: type[Job], pk: int, token: uuid.UUID) -> None:
        self.model, self.pk, self.token = model, pk, token
        self._beaten = time.monotonic()

    def beat(self, progress: int, total: int = 0, *, force: bool = False) -> None:
        """Renew the lease and store the progress, at most once a second unless forced.

        Inside a transaction a forced beat also fences it: it holds the row until the commit.

        :raises LeaseLost: when the job is not this worker's any more.
        """
        now = time.monotonic()
        if force or now - self._beaten >= 1:
            self._beaten = now
            self.write(progress=progress, total=total, lease_until=_lease_end())

    def write(self, **fields: Any) -> None:
        """Update the row under the token, or raise ``LeaseLost``."""
        owned = self.model._default_manager.filter(pk=self.pk, token=self.token, state=JobState.RUNNING)
        if not owned.update(**fields):
            raise LeaseLost(f"{self.model._meta.label} {self.pk}")


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


@transaction.atomic
def enqueue(job: Job, *, by: User | None) -> Job:
    """Save a new job as queued and ring for it after the commit.

    :raises TooManyJobs: when the person already has the allowed number of unfinished jobs.
    """
    if by is not None:
        unfinished = sum(m._default_manager.filter(created_by=by, state__in=WAITING).count() for m in jobs.job_models())
        if unfinished >= settings.JOB_MAX_UNFINISHED_PER_PERSON:
            text = ngettext(
                "You already have %(count)s unfinished job. Wait until it has ended.",
                "You already have %(count)s unfinished jobs. Wait until one of them has ended.",
                unfinished,
            )
            raise TooManyJobs(text % {"count": unfinished})
    job.created_by = by
    job.save()
    record(f"{job.kind}.requested", job, by=by, project=getattr(job, "project", None))
    jobs.ring(job)
    return job


def claim(model: type[Job], pk: int) -> Lease | None:
    """Take the job if it waits and its lease is free; ``None`` when somebody else has it or it is finished."""
    lease = Lease(model, pk, uuid.uuid4())
    now = timezone.now()
    waiting = model._default_manager.filter(pk=pk, state__in=WAITING, lease_until__lte=now)
    taken = waiting.filter(attempts__lt=settings.JOB_MAX_ATTEMPTS).update(
        state=JobState.RUNNING,
        token=lease.token,
        attempts=F("attempts") + 1,
        lease_until=_lease_end(),
        started_at=Coalesce(F("started_at"), now),
        error="",
    )
    return lease if taken else None


def run(model: type[Job], pk: int) -> None:
    """Claim the job and run its body; store the result, or the reason why there is none."""
    lease = claim(model, pk)
    if lease is None:
        return
    job = model._default_manager.get(pk=pk)
    body = import_string(job.body)
    try:
        result = body(job, lease)
        with transaction.atomic():
            lease.write(state=JobState.DONE, finished_at=timezone.now(), **result)
            record(f"{job.kind}.done", job, by=job.created_by, project=getattr(job, "project", None))
    except LeaseLost:
        logger.warning("%s %s was taken over or cancelled; this worker stops.", model.__name__, pk)
    except JobFailed as error:
        _fail(lease, str(error))
    except SoftTimeLimitExceeded:
        _fail(lease, "It took longer than the time limit. Try with less data, or raise the limit.")
    except Exception as error:
        logger.exception("%s %s stumbled.", model.__name__, pk)
        _retry_or_fail(job, lease, error)


def _retry_or_fail(job: Job, lease: Lease, error: Exception) -> None:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        _fail(lease, "The disk is full. Make room, then start it again.")
    elif job.attempts >= settings.JOB_MAX_ATTEMPTS:
        _fail(lease, f"It failed {job.attempts} times. The last error was: {type(error).__name__}: {error}")
    else:
        wait = timedelta(seconds=5 * job.attempts)
        _write_if_owned(lease, str(error), state=JobState.QUEUED, lease_until=timezone.now() + wait)


def _fail(lease: Lease, reason: str) -> None:
    _write_if_owned(lease, reason, state=JobState.FAILED, finished_at=timezone.now())


def _write_if_owned(lease: Lease, error: str, **fields: Any) -> None:
    """Store the outcome; an error may quote hostile data, which no database would take as it is."""
    try:
        lease.write(error=clean_written_text(error)[:MAX_ERROR], **fields)
    except LeaseLost:
        logger.warning("%s %s was taken over while it failed.", lease.model.__name__, lease.pk)


def reconcile(*, limit: int) -> list[tuple[str, int]]:
    """Return (model label, id) of jobs that nobody works on, oldest first; fail those that were tried too often."""
    now = timezone.now()
    waiting: list[tuple[datetime, str, int]] = []
    for model in jobs.job_models():
        due = model._default_manager.filter(state__in=WAITING, lease_until__lte=now)
        due.filter(attempts__gte=settings.JOB_MAX_ATTEMPTS).update(
            state=JobState.FAILED,
            finished_at=now,
            error=f"The worker died {settings.JOB_MAX_ATTEMPTS} times while running this. Ask an admin to look at it.",
        )
        for pk, since in due.order_by("lease_until").values_list("pk", "lease_until")[:limit]:
            waiting.append((since, model._meta.label_lower, pk))
    return [(label, pk) for _, label, pk in sorted(waiting)[:limit]]


@transaction.atomic
def cancel(job: Job, *, by: User) -> bool:
    """Stop the job; its worker notices at its next beat. Return whether it was still unfinished."""
    stopped = type(job)._default_manager.filter(pk=job.pk, state__in=WAITING)
    done = stopped.update(state=JobState.CANCELLED, finished_at=timezone.now(), error=f"Cancelled by {by.name}.")
    if done:
        record(f"{job.kind}.cancelled", job, by=by, project=getattr(job, "project", None))
    return bool(done)
