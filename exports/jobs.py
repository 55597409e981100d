"""The bodies of the jobs. Each may run again after a crash, from the start, without doing anything twice."""

import errno
import shutil
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import Q

from annotate.actions.events import record
from annotate.actions.jobs import JobFailed, Lease
from annotate.enums import JobState, TaskState
from annotate.models import Batch
from exports import formats
from exports.bundle import Bundle, open_bundle
from exports.loading import Loader, check_file, discard_staged, guess_format, publish
from exports.models import Export, Import
from exports.problems import Problem, ProblemError, ProblemList
from exports.production import Production


def run_import(job: Import, lease: Lease) -> dict[str, Any]:
    """Check the file whole; then load it as one batch. Nothing is kept of a file with problems."""
    if job.batch is not None:
        if job.batch.tasks.exclude(state=TaskState.STAGED).exists():
            return _done(job, job.batch)  # an earlier attempt published it and died before it could say so
        discard_staged(job.batch)
    try:
        return _import(job, lease)
    except JobFailed:
        job.path.unlink(missing_ok=True)
        raise


def _import(job: Import, lease: Lease) -> dict[str, Any]:
    try:
        with open_bundle(job.path, name=job.file_name) as bundle:
            format_name = job.format or guess_format(bundle)
            lease.write(format=format_name)
            problems = bundle.problem_list()
            total = check_file(bundle, job.project, format_name, problems, lease)
            if not problems and not total:
                raise ProblemError(Problem(job.file_name, None, "", "no records", "at least one"))
            _refuse(lease, problems)
            return _load(job, lease, bundle, format_name, total)
    except ProblemError as error:
        problems = ProblemList()
        problems.add(error.problem)
        _refuse(lease, problems)
        raise
    except formats.FormatError as error:
        raise JobFailed(str(error)) from error


def _refuse(lease: Lease, problems: ProblemList) -> None:
    if problems:
        listed = [
            {"file": p.file, "line": p.line, "field": p.field, "found": p.found, "expected": p.expected}
            for p in problems
        ]
        lease.write(problem_count=len(problems), problems=listed)
        raise JobFailed("Nothing was imported. Mend the problems listed here, then upload the file again.")


def _load(job: Import, lease: Lease, bundle: Bundle, format_name: str, total: int) -> dict[str, Any]:
    batch = _batch(job, lease)
    loader = Loader(bundle, batch, lease)
    loader.stage(format_name, total)
    with transaction.atomic():
        lease.beat(total, total, force=True)
        lease.write(created_count=loader.created, judgement_count=loader.judgements.count)
        publish(batch)
        record("batch.imported", batch, by=job.created_by, project=job.project, tasks=loader.created, job=job.pk)
    job.refresh_from_db()
    return _done(job, batch)


def _batch(job: Import, lease: Lease) -> Batch:
    """Return the job's batch; it is made once and empty."""
    if job.batch is None:
        with transaction.atomic():
            job.batch = Batch.objects.create(project=job.project, name=job.batch_name, created_by=job.created_by)
            lease.write(batch=job.batch)
    return job.batch


def _done(job: Import, batch: Batch) -> dict[str, Any]:
    job.path.unlink(missing_ok=True)
    return {"progress": job.created_count, "total": job.created_count, "batch": batch}


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
