"""A worker that was overtaken, or whose job was cancelled, writes nothing more; a working one keeps its lease."""

import errno
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotate.actions.jobs import JobFailed, Lease, LeaseLost, cancel, run
from annotate.models import Batch, Event, Job, Project, Response, Task
from exports.loading import Chunk
from exports.models import Export, Import
from exports.production import Production
from tests import factories
from tests.integration.annotate.test_jobs import new_export, new_import, run_out, stored, taken, with_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return factories.project("study")


# ------------------------------------------------------------------------------------------------------ fencing
@pytest.mark.parametrize("successor", ["takes it", "cancels it", "finishes it"])
def test_a_worker_that_lost_its_job_can_write_nothing(project: Project, successor: str) -> None:
    job = new_export(project)
    old = taken(job)
    run_out(job)
    if successor == "takes it":
        taken(job)
    elif successor == "cancels it":
        cancel(job, by=factories.user())
    else:
        run(Export, job.pk)
    before = Export.objects.values().get()

    for write in [
        lambda: old.write(error="ghost"),
        lambda: old.beat(99, 100, force=True),
        lambda: old.write(state="done", finished_at=timezone.now()),
    ]:
        with pytest.raises(LeaseLost):
            write()

    assert Export.objects.values().get() == before


def test_a_worker_that_was_overtaken_cannot_finish(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job, newer = new_export(project), []

    def slow(job: Job, lease: Lease) -> dict[str, Any]:
        run_out(job)
        newer.append(taken(job))
        return {"rows": 666}

    with_body(monkeypatch, slow)
    run(Export, job.pk)

    job.refresh_from_db()
    assert (job.state, job.rows, job.token) == ("running", 0, newer[0].token)
    assert not Event.objects.filter(verb="export.done").exists()


@pytest.mark.parametrize("error", [JobFailed("No."), ValueError("Oops."), OSError(errno.ENOSPC, "full")])
def test_a_worker_that_was_overtaken_cannot_fail_the_job(
    project: Project, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    job = new_export(project)

    def slow(job: Job, lease: Lease) -> dict[str, Any]:
        run_out(job)
        taken(job)
        raise error

    with_body(monkeypatch, slow)
    run(Export, job.pk)

    assert stored(job) == ("running", "")


def test_an_overtaken_import_stages_no_further_chunk(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job, write = new_import(project, records=250), Chunk.write

    def overtaken(chunk: Chunk) -> None:
        write(chunk)
        if chunk.taken[0].record.id == "First-100":  # the second chunk of 100
            run_out(job)
            taken(job)

    monkeypatch.setattr("exports.intake.CHUNK_TASKS", 100)
    monkeypatch.setattr(Chunk, "write", overtaken)
    run(Import, job.pk)

    assert stored(job) == ("running", "")
    assert list(Task.objects.values_list("state", flat=True)) == ["staged"] * 200


def test_the_successor_of_an_overtaken_import_brings_every_task_once(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = new_import(project, records=120)
    with monkeypatch.context() as patched:
        patched.setattr("exports.importing.publish", lambda *_: (_ for _ in ()).throw(LeaseLost()))
        run(Import, job.pk)
    run_out(job)

    run(Import, job.pk)

    assert stored(job) == ("done", "")
    assert (Task.objects.filter(state="active").count(), Task.objects.count(), Batch.objects.count()) == (120, 120, 1)
    assert Response.objects.count() == 240


@pytest.mark.parametrize("error", [None, JobFailed("A file is gone."), OSError(errno.ENOSPC, "full"), ValueError()])
def test_an_overtaken_export_leaves_the_files_of_its_successor_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    job, pack = new_export(project), Production._pack

    def late(*arguments: Any) -> Any:
        monkeypatch.undo()
        overtake()
        if error:
            raise error
        return pack(*arguments)

    monkeypatch.setattr(Production, "_pack", late)

    def overtake() -> None:
        run_out(job)
        run(Export, job.pk)

    run(Export, job.pk)

    assert stored(job) == ("done", "")
    assert {file.name for file in job.files.all()} == {path.name for path in job.folder.iterdir()}
    assert Event.objects.filter(verb="export.done").count() == 1


# ---------------------------------------------------------------------------------------------------- heartbeat
def test_a_beat_renews_the_lease_and_stores_the_progress(project: Project) -> None:
    job = new_export(project)
    lease = taken(job)
    Export.objects.update(lease_until=timezone.now() + timedelta(seconds=1))

    lease.beat(3, 7, force=True)

    job.refresh_from_db()
    assert (job.progress, job.total, job.percent) == (3, 7, 42)
    assert job.lease_until > timezone.now() + timedelta(seconds=50)


def test_beats_within_a_second_cost_nothing(project: Project, django_assert_num_queries: Any) -> None:
    lease = taken(new_export(project))

    with django_assert_num_queries(0):
        for count in range(1000):
            lease.beat(count, 1000)
