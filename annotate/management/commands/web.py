"""Run the web server alone."""

import argparse
import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from annotate.supervision import die_with_parent


class Command(BaseCommand):
    help = "Run the web server (granian)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=os.environ.get("PORT", "8000"))
        parser.add_argument("--workers", type=int, default=os.environ.get("WEB_WORKERS", "1"))
        parser.add_argument("--threads", type=int, default=os.environ.get("WEB_THREADS", "8"))
        parser.add_argument("--child", action="store_true", help="Stop when the process that started this one ends.")

    def handle(self, *, host: str, port: int, workers: int, threads: int, child: bool, **options: Any) -> None:
        from granian import Granian
        from granian.constants import Interfaces
        from granian.log import LogLevels

        os.chdir(settings.BASE_DIR)
        if child:
            die_with_parent()
        server = Granian(
            "config.wsgi:application",
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            workers=workers,
            blocking_threads=threads,
            log_access=False,
            log_level=LogLevels.error,
            respawn_failed_workers=True,
        )
        server.serve()
