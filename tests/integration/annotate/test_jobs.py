"""Jobs: one worker at a time, nothing written without the token, three attempts, and always a reason."""

import errno
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from annotate.actions.jobs import JobFailed, Lease, cancel, claim, enqueue, reconcile, run
from annotate.enums import Role
from annotate.models import Event, Job, Project, Task
from exports.actions import request_export, request_import
from exports.models import Export, ExportFile, Import
from exports.options import ExportOptions
from tests import factories
from tests.integration.exports.test_imports import lines, record

pytestmark = pytest.mark.django_db
Body = Callable[[Job, Lease], dict[str, Any]]


@pytest.fixture
def project() -> Project:
    return factories.project("study")


def new_export(project: Project) -> Export:
    return request_export(project=project, format_name="pairwise", options=ExportOptions(), by=None)


def new_import(project: Project, records: int = 1, name: str = "First") -> Import:
    rows = lines(*(record(f"{name}-{n}") for n in range(records)))
    return request_import(project=project, chunks=[rows], file_name="tasks.jsonl", batch_name=name, by=None)


def run_out(job: Job) -> None:
    """The lease runs out, as it does for a worker that died or sleeps."""
    type(job)._default_manager.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def taken(job: Job) -> Lease:
    lease = claim(type(job), job.pk)
    assert lease is not None
    return lease


def stored(job: Job) -> tuple[str, str]:
    job.refresh_from_db()
    return job.state, job.error


def with_body(monkeypatch: pytest.MonkeyPatch, body: Body, kind: str = "export") -> None:
    monkeypatch.setattr(f"exports.jobs.run_{kind}", body)


# ----------------------------------------------------------------------------------------------------- claiming
def test_one_of_two_workers_gets_the_job(project: Project) -> None:
    job = new_export(project)

    first, second = claim(Export, job.pk), claim(Export, job.pk)

    job.refresh_from_db()
    assert first is not None
    assert second is None
    assert (job.state, job.token, job.attempts) == ("running", first.token, 1)
    assert job.lease_until > timezone.now() + timedelta(seconds=50)


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_a_finished_job_is_nobodys_to_take(project: Project, state: str) -> None:
    job = new_export(project)
    Export.objects.update(state=state, finished_at=timezone.now())
    before = Export.objects.values().get()

    assert claim(Export, job.pk) is None
    run(Export, job.pk)
    assert Export.objects.values().get() == before
    assert not ExportFile.objects.exists()


def test_a_job_whose_time_has_not_come_waits(project: Project) -> None:
    job = new_export(project)
    Export.objects.update(lease_until=timezone.now() + timedelta(seconds=5))

    assert claim(Export, job.pk) is None


def test_the_first_start_is_kept_and_the_old_error_forgotten(project: Project) -> None:
    job = new_export(project)
    taken(job)
    job.refresh_from_db()
    started = job.started_at
    Export.objects.update(error="once upon a time")
    run_out(job)

    taken(job)

    job.refresh_from_db()
    assert (job.started_at, job.error, job.attempts) == (started, "", 2)


# ------------------------------------------------------------------------------------------------------ failing
def test_an_error_is_tried_again_after_a_wait_and_then_succeeds(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.task(project)
    job = new_export(project)
    with monkeypatch.context() as patched:
        with_body(patched, lambda job, lease: 1 / 0)  # type: ignore[arg-type, return-value]
        run(Export, job.pk)

    assert stored(job) == ("queued", "division by zero")
    assert timedelta(seconds=3) < job.lease_until - timezone.now() <= timedelta(seconds=5)
    run(Export, job.pk)
    assert (job.state, job.attempts) == ("queued", 1)
    run_out(job)
    run(Export, job.pk)

    assert stored(job) == ("done", "")
    assert (job.attempts, job.percent) == (2, 100)


def test_three_errors_are_the_end_and_the_last_one_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job = new_export(project)
    with_body(monkeypatch, lambda job, lease: {}["lost"])
    for _ in range(5):
        run(Export, job.pk)
        run_out(job)

    assert stored(job) == ("failed", "It failed 3 times. The last error was: KeyError: 'lost'")
    assert job.attempts == 3
    assert job.finished_at is not None


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left"), "The disk is full. Make room, then start it again."),
        (JobFailed("The file has no rows."), "The file has no rows."),
        (SoftTimeLimitExceeded(), "It took longer than the time limit. Try with less data, or raise the limit."),
    ],
)
def test_what_another_attempt_would_not_mend_fails_at_once(
    project: Project, monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    job = new_export(project)

    def body(job: Job, lease: Lease) -> dict[str, Any]:
        raise error

    with_body(monkeypatch, body)
    run(Export, job.pk)

    assert stored(job) == ("failed", sentence)
    assert job.attempts == 1


@pytest.mark.parametrize("text", ["half\0way", "\ud800 alone", "x" * 100_000], ids=["NUL", "surrogate", "huge"])
@pytest.mark.parametrize("kind", [ValueError, JobFailed])
def test_an_error_with_hostile_text_is_stored_too(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    kind: type[Exception],
    text: str,
) -> None:
    job = new_export(project)
    caplog.set_level("CRITICAL", "annotate.actions.jobs")  # pytest itself stumbles over half a surrogate pair

    def body(job: Job, lease: Lease) -> dict[str, Any]:
        raise kind(text)

    with_body(monkeypatch, body)
    run(Export, job.pk)

    assert stored(job)[0] == ("queued" if kind is ValueError else "failed")
    assert 0 < len(job.error) <= 2000


def test_a_job_that_kills_its_worker_is_failed_after_three_attempts(project: Project) -> None:
    job = new_export(project)
    for _ in range(3):
        assert reconcile(limit=10) == [("exports.export", job.pk)]
        taken(job)
        run_out(job)

    assert claim(Export, job.pk) is None
    assert reconcile(limit=10) == []
    assert stored(job) == (
        "failed",
        "The worker died 3 times while running this. Ask an admin to look at it.",
    )


# --------------------------------------------------------------------------------------------------- cancelling
def test_a_cancelled_job_is_not_finished_by_its_worker(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job, lead, went_on = new_export(project), factories.member(project, Role.LEAD, "lena"), []

    def body(job: Job, lease: Lease) -> dict[str, Any]:
        cancel(job, by=lead)
        lease.beat(1, 2, force=True)
        went_on.append(True)
        return {}

    with_body(monkeypatch, body)
    run(Export, job.pk)

    assert stored(job) == ("cancelled", "Cancelled by lena.")
    assert went_on == []
    verbs = Event.objects.filter(verb__startswith="export.").values_list("verb", flat=True)
    assert sorted(verbs) == ["export.cancelled", "export.requested"]


def test_a_finished_job_cannot_be_cancelled(project: Project) -> None:
    job = new_export(project)
    run(Export, job.pk)

    assert not cancel(job, by=factories.user())
    assert stored(job) == ("done", "")


def test_a_waiting_job_that_was_cancelled_is_never_started(project: Project) -> None:
    job = new_import(project)
    cancel(job, by=factories.user("lena"))

    run(Import, job.pk)

    assert stored(job) == ("cancelled", "Cancelled by lena.")
    assert not Task.objects.exists()


# ------------------------------------------------------------------------------------------------- reconciling
def test_reconcile_names_what_is_due_oldest_first(project: Project) -> None:
    export, early, later, _finished = new_export(project), *(new_import(project, name=f"B{n}") for n in range(3))
    ago = {export: 20, early: 30, later: 10}
    for job, seconds in ago.items():
        type(job)._default_manager.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=seconds))
    taken(_finished)

    due = reconcile(limit=10)

    assert due == [("exports.import", early.pk), ("exports.export", export.pk), ("exports.import", later.pk)]
    assert reconcile(limit=2) == due[:2]


def test_an_unsaved_job_becomes_a_row_and_an_event_together(project: Project) -> None:
    lead = factories.member(project, Role.LEAD)
    job = enqueue(Export(project=project, format="pairwise", token=uuid.uuid4()), by=lead)

    assert (job.state, job.created_by) == ("queued", lead)
    assert Event.objects.filter(verb="export.requested", target_id=job.pk, actor=lead).count() == 1
