"""Run the whole installation: web and worker, watched and restarted."""

import argparse
import os
import socket
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotate.supervision import Child, Supervisor, manage

LOOPBACK = ("127.0.0.1", "::1", "localhost")
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Command(BaseCommand):
    help = "Run web and worker; restart whichever dies; stop both on Ctrl-C."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=os.environ.get("PORT", "8000"))

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        os.chdir(settings.BASE_DIR)
        _ensure_free(host, port)
        self._welcome(host, port)
        web = Child("web", manage("web", "--child", "--host", host, "--port", str(port)))
        worker = Child("worker", manage("worker", "--child"))
        Supervisor([web, worker]).run()

    def _welcome(self, host: str, port: int) -> None:
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else host  # noqa: S104 - only shown
        self.stdout.write(f"Tiebreak runs at http://{shown}:{port}/  (Ctrl-C stops it)")
        if host not in LOOPBACK and set(settings.ALLOWED_HOSTS) <= set(LOCAL_NAMES):
            self.stdout.write("Other machines are refused until ALLOWED_HOSTS lists the names they use, with commas.")
        accounts = settings.VAR_DIR / "demo-accounts.txt"
        if accounts.exists():
            self.stdout.write(f"The demo accounts are in {accounts}.")
        self.stdout.flush()


def _ensure_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise CommandError(
                f"Port {port} on {host} cannot be used ({why}). Choose another one: PORT=8001 ./run"
            ) from error
