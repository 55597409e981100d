"""Run a worker for imports, exports and other jobs."""

import argparse
import warnings
from typing import Any

from celery import platforms
from celery.signals import setup_logging
from django.conf import settings
from django.core.management.base import BaseCommand

from annotate.supervision import die_with_parent


class Command(BaseCommand):
    help = "Run a worker: takes jobs from their tables, or is rung by Redis where REDIS_URL is set."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--concurrency", type=int, default=settings.WORKER_CONCURRENCY, help="Jobs at once.")
        parser.add_argument("--pool", default="prefork", choices=["prefork", "threads", "solo"])
        parser.add_argument("--child", action="store_true", help="Stop when the process that started this one ends.")

    def handle(self, *, concurrency: int, pool: str, child: bool, **options: Any) -> None:
        from config.celery import app

        if child:
            die_with_parent()
        # Messages are JSON ids only, so running as root in a container is no door for pickled code.
        warnings.simplefilter("ignore", platforms.SecurityWarning)  # type: ignore[attr-defined]
        setup_logging.connect(_leave_logging_alone)
        worker = app.Worker(pool=pool, concurrency=concurrency, loglevel="WARNING", quiet=True)
        worker.start()
        raise SystemExit(worker.exitcode)


def _leave_logging_alone(**_: Any) -> None:
    """Django has set logging up; Celery would do it again."""
