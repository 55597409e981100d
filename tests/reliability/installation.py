"""A whole installation in a folder of its own, run as real processes that can be killed."""

import contextlib
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

REPOSITORY = Path(__file__).parent.parent.parent
PASSWORD = "correct horse battery"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"Not within {seconds} s: {what}")
        time.sleep(0.1)


class Process:
    """One process with its group, started again after each kill."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.command, self.environment, self.log = command, environment, log
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=REPOSITORY, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """SIGKILL to the whole group, as a power cut would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Installation:
    """Web and worker over the database that ``DATABASE_URL`` names (default: SQLite in the folder)."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self.port = folder, free_port()
        self.environment = {
            **os.environ,
            "TIEBREAK_VAR": str(folder / "var"),
            "JOB_LEASE_SECONDS": "3",
            "JOB_RECONCILE_SECONDS": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(REPOSITORY),
            **environment,
        }
        self.processes: dict[str, Process] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=REPOSITORY, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def prepare(self) -> None:
        """Database and static files, as ``./run`` makes them."""
        self.manage("migrate", "-v0")
        self.manage("build_messages")
        self.manage("build_static")
        self.manage("collectstatic", "--noinput", "-v0")

    def seed(self, script: str) -> None:
        """Run Python in the installation, with Django set up."""
        code = f"import django; django.setup()\n{script}"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=REPOSITORY, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]

    def start(self, *names: str) -> None:
        commands = {
            "web": ["web", "--host", "127.0.0.1", "--port", str(self.port)],
            "worker": ["worker"],
        }
        for name in names:
            command = [sys.executable, "manage.py", *commands[name]]
            self.processes[name] = Process(command, self.environment, self.folder / f"{name}.log")
        if "web" in names:
            self.wait_for_web()

    def wait_for_web(self) -> None:
        wait_until(self.answers, 60, "the web server answers")

    def answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/accounts/login/", timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def restart(self, *names: str) -> None:
        for name in names:
            self.processes[name].kill()
        for name in names:
            self.processes[name].start()

    def stop(self) -> None:
        for process in self.processes.values():
            process.kill()

    def session(self, username: str) -> "Session":
        return Session(self, username)


class Session:
    """A signed-in person who posts forms over HTTP."""

    def __init__(self, installation: Installation, username: str) -> None:
        self.base, self.http = installation.url, requests.Session()
        page = self.http.get(f"{self.base}/accounts/login/", timeout=30)
        answer = self.post("/accounts/login/", {"login": username, "password": PASSWORD}, token=token_in(page.text))
        assert answer.status_code == 302, answer.text[:500]

    def get(self, path: str) -> requests.Response:
        return self.http.get(f"{self.base}{path}", timeout=30, allow_redirects=False)

    def post(self, path: str, data: dict[str, Any], token: str = "", htmx: bool = False) -> requests.Response:
        headers = {"X-CSRFToken": token or self.http.cookies.get("csrftoken", ""), "Referer": self.base}
        if htmx:
            headers["HX-Request"] = "true"
        return self.http.post(f"{self.base}{path}", data=data, headers=headers, timeout=60, allow_redirects=False)


def token_in(page: str) -> str:
    match = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert match, page[:500]
    return match[1]


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
