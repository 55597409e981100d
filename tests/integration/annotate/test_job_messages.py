"""The doorbell and the page: a message is a hint, a deaf broker no reason to fail, and admins see what runs."""

import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from kombu.exceptions import ContentDisallowed

from annotate import jobs
from annotate.enums import Role
from annotate.jobs import run_job
from annotate.models import Event, Project, Task, User, Worker
from config.celery import app, configure
from exports.models import Export, ExportFile
from tests import factories
from tests.integration.annotate.test_jobs import new_export, new_import, stored, with_body
from tests.reliability.installation import free_port

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return factories.project("study")


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the broker was told."""
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(jobs, "_publish", lambda label, pk: told.append((label, pk)))
    return told


@pytest.fixture
def lead(project: Project) -> Client:
    client = Client()
    client.force_login(factories.member(project, Role.LEAD))
    return client


def ask(client: Client) -> int:
    return client.post("/projects/study/exports/", {"format": "pairwise"}).status_code


# ---------------------------------------------------------------------------------------------------- the bell
def test_without_a_broker_nothing_is_published(
    lead: Client, published: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert ask(lead) == 302

    assert published == []
    assert Export.objects.get().state == "queued"


def test_the_bell_rings_only_after_the_commit(
    project: Project, published: list[Any], settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with django_capture_on_commit_callbacks(execute=True):
        job = new_export(project)
        assert published == []

    assert published == [("exports.export", job.pk)]


def test_a_request_that_is_rolled_back_rings_for_nothing(
    project: Project, published: list[Any], settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        new_export(project)
        transaction.set_rollback(True)

    assert published == []
    assert not Export.objects.exists()


@pytest.fixture(params=["refuses", "accepts and is silent"])
def broken_broker(request: pytest.FixtureRequest, settings: Any) -> Iterator[None]:
    """A Celery application whose broker is of no use."""
    with socket.socket() as silent:
        port = free_port()
        if request.param != "refuses":
            silent.bind(("127.0.0.1", port))
            silent.listen()
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        deaf = Celery("deaf", set_as_current=True)
        configure(deaf)
        yield
        app.set_current()
        deaf.close()


def test_a_broken_broker_fails_no_request_and_delays_it_little(
    lead: Client, broken_broker: None, django_capture_on_commit_callbacks: Any
) -> None:
    began = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        status = ask(lead)

    assert status == 302
    assert len(callbacks) == 1
    assert time.monotonic() - began < 10
    assert Export.objects.get().state == "queued"


# ------------------------------------------------------------------------------------------------- the message
@pytest.mark.parametrize("label", ["exports.export", "exports.import"])
@pytest.mark.parametrize("pk", [0, -1, 987_654, 2**62])
def test_a_message_for_an_unknown_job_does_nothing(project: Project, label: str, pk: int) -> None:
    job = new_export(project)

    run_job(label, pk)

    assert stored(job) == ("queued", "")


@pytest.mark.parametrize(
    ("label", "pk"),
    [
        ("annotate.user", 1),
        ("annotate.task", 1),
        ("auth.group", 1),
        ("no.such", 1),
        ("exports", 1),
        ("os.system", 1),
        ("", 1),
        (None, 1),
        (["exports.export"], 1),
        ("exports.export", "1"),
        ("exports.export", None),
        ("exports.export", [1]),
        ("exports.export", {"pk__gt": 0}),
        ("exports.export", 1.0),
        ("exports.export", True),
        ("exports.export", 2**70),
    ],
)
def test_a_forged_message_does_nothing(project: Project, label: Any, pk: Any) -> None:
    job, task = new_export(project), factories.task(project)

    run_job(label, pk)

    assert stored(job) == ("queued", "")
    assert Task.objects.get().state == task.state
    assert not ExportFile.objects.exists()


def test_ringing_for_a_finished_job_changes_nothing(project: Project) -> None:
    job = new_export(project)
    run_job("exports.export", job.pk)
    before = Export.objects.values().get(), list(ExportFile.objects.values())

    for _ in range(10):
        run_job("exports.export", job.pk)

    assert (Export.objects.values().get(), list(ExportFile.objects.values())) == before
    assert before[0]["state"] == "done"


@pytest.mark.django_db(transaction=True)
def test_ten_messages_at_once_run_the_job_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job, starts, errors, start = new_export(project), [], [], threading.Barrier(10)

    def body(job: Export, lease: Any) -> dict[str, Any]:
        starts.append(lease.token)
        time.sleep(0.3)
        return {"rows": 1}

    def worker() -> None:
        start.wait()
        try:
            run_job("exports.export", job.pk)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    with_body(monkeypatch, body)  # type: ignore[arg-type]
    threads = [threading.Thread(target=worker) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert stored(job) == ("done", "")
    assert (starts, errors) == ([job.token], [])
    assert job.attempts == 1
    assert Event.objects.filter(verb="export.done").count() == 1


class Exploit:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_a_message_that_is_not_json_is_not_even_opened(tmp_path: Path) -> None:
    received: list[Any] = []
    with app.connection_for_write() as wire:
        queue = wire.SimpleQueue("forged").queue
        wire.Producer().publish(
            [["exports.export", Exploit(tmp_path / "owned")], {}, {}], routing_key="forged", serializer="pickle"
        )
        callbacks = [lambda body, message: received.append(body)]
        consumer = wire.Consumer([queue], accept=app.conf.accept_content, callbacks=callbacks)
        with consumer, pytest.raises(ContentDisallowed):
            wire.drain_events(timeout=5)

    assert received == []
    assert (app.conf.accept_content, app.conf.task_serializer) == (["json"], "json")
    assert not (tmp_path / "owned").exists()


# ---------------------------------------------------------------------------------------------------- the page
def page(user: User, **headers: str) -> str:
    client = Client()
    client.force_login(user)
    answer = client.get("/jobs/", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def worker(seconds_ago: float, name: str = "host:1") -> None:
    Worker.objects.create(name=name, mode="embedded", pid=4711, seen_at=timezone.now() - timedelta(seconds=seconds_ago))


def test_the_jobs_page_shows_every_job_with_its_reason(project: Project) -> None:
    new_import(project)
    Export.objects.filter(pk=new_export(project).pk).update(
        state="failed", finished_at=timezone.now(), error="<b>The disk is full.</b>"
    )

    shown = page(factories.admin())

    assert "Import of tasks.jsonl" in shown
    assert "pairwise export of Study" in shown
    assert "&lt;b&gt;The disk is full.&lt;/b&gt;" in shown
    assert "No worker is running" in shown


@pytest.mark.parametrize(("seconds_ago", "alive"), [(1, True), (15, True), (60, False)])
def test_the_jobs_page_says_whether_a_worker_is_alive(seconds_ago: float, alive: bool) -> None:
    worker(seconds_ago)

    shown = page(factories.admin(), **{"HX-Request": "true"})

    assert ("No worker is running" in shown) == (not alive)
    assert ("Alive" in shown, "Gone" in shown) == (alive, not alive)
    assert "4711" in shown
    assert "<html" not in shown


def test_a_worker_says_that_it_is_alive_and_forgets_those_of_yesterday() -> None:
    worker(25 * 3600, "old:1")

    jobs._say_alive()
    jobs._say_alive()

    assert [(w.mode, timezone.now() - w.seen_at < timedelta(seconds=5)) for w in Worker.objects.all()] == [
        ("embedded", True)
    ]
