"""The doorbell and those who answer it.

``ring`` tells a worker that a job's row is waiting; ``run_job`` answers; the dispatcher thread of each worker rings
for rows that nobody answered: at start, then every half second without a broker and every 30 s with one.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from celery import shared_task
from django.apps import apps
from django.conf import settings
from django.db import close_old_connections, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

if TYPE_CHECKING:
    from annotate.models import Job

logger = logging.getLogger(__name__)
RING_AGAIN_SECONDS = 10.0
HOUSEKEEPING_SECONDS = 60.0
# What other applications add when they are ready: small deeds of every minute, each safe to do twice at once, and
# doorbells for spare processes, called with the number of messages that may wait.
housekeeping: list[Callable[[], None]] = []
spare_time: list[Callable[[int], None]] = []


def job_models() -> list[type["Job"]]:
    """Return every table of jobs."""
    from annotate.models import Job

    return [model for model in apps.get_models() if issubclass(model, Job)]


@shared_task(name="annotate.run_job", ignore_result=True)
def run_job(label: str, pk: int) -> None:
    """Run the job if it is still waiting; the row decides, so ringing twice does no harm.

    A broker may be open to others or hold messages of another version: what names no job is logged and dropped.
    """
    from annotate.actions.jobs import run

    model = next((model for model in job_models() if model._meta.label_lower == label), None)
    if model is None or type(pk) is not int:
        logger.warning("A message names no job and is dropped: %.100r %.100r", label, pk)
        return
    run(model, pk)


def ring(job: "Job") -> None:
    """Tell a worker about the job once the transaction is committed. A deaf broker is no reason to fail:

    the row is the order, and the dispatcher finds it.
    """
    label, pk = job._meta.label_lower, job.pk
    if settings.REDIS_URL:
        transaction.on_commit(lambda: _publish(label, pk))


def _publish(label: str, pk: int) -> bool:
    try:
        run_job.delay(label, pk)
    except (OperationalError, OSError) as error:
        logger.warning("The broker does not answer (%s); %s %s will be found in the table.", error, label, pk)
        return False
    return True


# ------------------------------------------------------------------------------------------------- dispatcher
def start_dispatcher() -> None:
    """Start the thread that feeds this worker. Called when the worker is ready."""
    threading.Thread(target=_dispatch_for_ever, name="dispatcher", daemon=True).start()


def _dispatch_for_ever() -> None:
    rung: dict[tuple[str, int], float] = {}
    reconciled = seen = kept = 0.0
    while True:
        now, pause = time.monotonic(), settings.JOB_POLL_SECONDS
        try:
            close_old_connections()
            if now - seen >= 5:
                _say_alive()
                seen = now
            if not settings.REDIS_URL or now - reconciled >= settings.JOB_RECONCILE_SECONDS:
                reconciled = now
                if _ring_waiting(rung, now):
                    pause = 0.02
                else:
                    _ring_in_spare_time()
            if now - kept >= HOUSEKEEPING_SECONDS:
                kept = now
                for deed in housekeeping:
                    deed()
        except Exception:
            logger.exception("The dispatcher stumbled and goes on.")
        time.sleep(pause)


def _ring_waiting(rung: dict[tuple[str, int], float], now: float) -> bool:
    """Ring for rows whose lease has run out, at most as many as this worker can hold; say whether any were."""
    from annotate.actions.jobs import reconcile

    for key in [key for key, at in rung.items() if now - at >= RING_AGAIN_SECONDS]:
        del rung[key]
    room = _room()
    waiting = [key for key in reconcile(limit=room + len(rung)) if key not in rung][:room] if room > 0 else []
    for label, pk in waiting:
        if _publish(label, pk):
            rung[(label, pk)] = now
    return bool(waiting)


def _ring_in_spare_time() -> None:
    for ring_spare in spare_time:
        ring_spare(_room() - settings.WORKER_CONCURRENCY)


def _room() -> int:
    """How many more jobs may be rung for. In memory never more than a few, so that a kill strands few leases."""
    if settings.REDIS_URL:
        return 100
    from config.celery import app

    with app.connection_for_read() as connection:
        return 2 * settings.WORKER_CONCURRENCY - int(connection.channel()._size("celery"))  # type: ignore[attr-defined]


def _say_alive() -> None:
    from annotate.models import Worker

    fields: dict[str, Any] = {"mode": "redis" if settings.REDIS_URL else "embedded", "pid": os.getpid()}
    name = f"{socket.gethostname()}:{os.getpid()}"
    Worker.objects.update_or_create(name=name, defaults={**fields, "seen_at": timezone.now()})
    Worker.objects.filter(seen_at__lt=timezone.now() - timedelta(days=1)).delete()
