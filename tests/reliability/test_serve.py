"""``manage.py serve``: whatever dies is started again, and when it ends nothing of it is left."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.reliability.installation import REPOSITORY, Installation, Process, free_port, wait_until

pytestmark = [pytest.mark.reliability, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("serve"))
    installation.prepare()
    return installation


class Served:
    """A running ``serve`` and the processes that belong to it, found by the folder in their environment."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        command = [sys.executable, "manage.py", "serve", "--port", str(installation.port)]
        self.process = Process(command, installation.environment, installation.folder / "serve.log")
        self.mark = f"TIEBREAK_VAR={installation.environment['TIEBREAK_VAR']}".encode()

    @property
    def pid(self) -> int:
        return self.process.process.pid

    def pids(self) -> dict[int, str]:
        """Return the living processes of this installation, each with its command line."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self.mark in (folder / "environ").read_bytes().split(b"\0") and not is_zombie(folder):
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def leader(self, name: str) -> int:
        """Return the process that ``serve`` started as web or worker; 0 when there is none."""
        leaders = [pid for pid in self.pids() if parent_of(pid) == self.pid]
        return next((pid for pid in leaders if f"manage.py {name} " in self.pids().get(pid, "")), 0)

    def worker_is_alive(self) -> bool:
        return f":{self.leader('worker')}\n" in self.installation.manage(
            "shell", "--no-imports", "-c", "from annotate.models import Worker\nfor w in Worker.objects.all(): print(w)"
        )

    def is_gone(self) -> bool:
        return not self.pids()

    def end(self) -> None:
        self.process.kill()
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def is_zombie(folder: Path) -> bool:
    return "\nState:\tZ" in (folder / "status").read_text()


def parent_of(pid: int) -> int:
    with contextlib.suppress(OSError):
        if match := re.search(r"^PPid:\t(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M):
            return int(match[1])
    return 0


@pytest.fixture
def served(prepared: Installation) -> Iterator[Served]:
    prepared.port = free_port()
    running = Served(prepared)
    try:
        prepared.wait_for_web()
        wait_until(running.worker_is_alive, 60, "the worker says that it is alive")
        yield running
    finally:
        running.end()


def within(seconds: float, condition: Callable[[], bool], what: str) -> None:
    began = time.monotonic()
    wait_until(condition, seconds, what)
    print(f"{what} after {time.monotonic() - began:.1f} s")


def test_a_killed_web_server_is_started_again(served: Served) -> None:
    before, worker = served.leader("web"), served.leader("worker")
    os.kill(before, signal.SIGKILL)

    within(30, lambda: served.leader("web") not in {0, before}, "another web server")
    within(30, served.installation.answers, "the web server answers")
    assert served.leader("worker") == worker


def test_a_killed_worker_is_started_again(served: Served) -> None:
    before, web = served.leader("worker"), served.leader("web")
    os.kill(before, signal.SIGKILL)

    within(30, lambda: served.leader("worker") not in {0, before}, "another worker")
    within(30, served.worker_is_alive, "the worker says that it is alive")
    assert served.leader("web") == web
    assert [pid for pid in served.pids() if parent_of(pid) == 1] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_end_leaves_nothing(served: Served, number: signal.Signals) -> None:
    os.kill(served.pid, number)

    assert served.process.process.wait(timeout=15) == 0
    within(1, served.is_gone, "no process is left")
    assert not served.installation.answers()


def test_a_kill_of_serve_itself_leaves_nothing(served: Served) -> None:
    assert len(served.pids()) >= 3
    os.kill(served.pid, signal.SIGKILL)
    served.process.process.wait()

    within(5, served.is_gone, "no process is left")


def test_a_polite_end_waits_for_no_open_connection(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.installation.port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")  # and never the end of it
        os.kill(served.pid, signal.SIGTERM)

        assert served.process.process.wait(timeout=15) == 0
        within(1, served.is_gone, "no process is left")


def serve(installation: Installation, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=REPOSITORY,
        env=installation.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stderr


def test_a_taken_port_is_named_with_what_to_do(prepared: Installation) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        code, said = serve(prepared, "--port", str(port))

    assert code == 1
    assert said == (
        f"CommandError: Port {port} on 127.0.0.1 cannot be used (Address already in use)."
        " Choose another one: PORT=8001 ./run\n"
    )


@pytest.mark.parametrize(
    "arguments", [["--port", "99999"], ["--port", "-1"], ["--host", "no.such.host.invalid"], ["--host", "203.0.113.9"]]
)
def test_an_impossible_address_is_named_and_no_traceback_is_shown(prepared: Installation, arguments: list[str]) -> None:
    code, said = serve(prepared, *arguments)

    assert code == 1
    assert "cannot be used" in said
    assert "Traceback" not in said
