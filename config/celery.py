"""Celery: a doorbell. The job's row is the queue (see annotate/models/jobs.py), so no result backend is needed.

Without REDIS_URL the broker is memory inside the one worker process, which takes its work from the job tables; with it
any number of workers listen to Redis or Valkey.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tiebreak")


def configure(celery: Celery) -> None:
    """Read Django's settings into Celery's."""
    from django.conf import settings

    limit = settings.JOB_TIME_LIMIT_SECONDS
    # Longer than the hard time limit, or Redis hands out a job that still runs.
    visibility = {"visibility_timeout": max(3600, 2 * limit)}
    redis_options: dict[str, Any] = {
        **visibility,
        "unacked_restore_interval": 15,
        "unacked_restore_throttle": 1,
        "global_keyprefix": "tiebreak:",
        "health_check_interval": 25,
        "socket_keepalive": True,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,  # longer than the second that a worker's read may wait; a silent Redis hangs no request
    }
    celery.conf.update(
        broker_url=settings.REDIS_URL or "memory://",
        broker_transport_options=redis_options if settings.REDIS_URL else {},
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_acks_late=True,
        task_reject_on_worker_lost=False,
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=bool(settings.REDIS_URL),
        worker_max_tasks_per_child=100,
        worker_max_memory_per_child=600_000,
        worker_cancel_long_running_tasks_on_connection_loss=True,
        worker_soft_shutdown_timeout=30,
        task_time_limit=limit,
        task_soft_time_limit=limit - 60 if limit > 120 else limit,
        task_publish_retry_policy={"max_retries": 2, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.5},
        timezone="UTC",
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
    )


@app.on_configure.connect
def _configure(sender: Celery, **kwargs: Any) -> None:
    configure(sender)


@worker_ready.connect
def _start_dispatcher(**kwargs: Any) -> None:
    from annotate.jobs import start_dispatcher

    start_dispatcher()


app.autodiscover_tasks(["annotate"], related_name="jobs")
