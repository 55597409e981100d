"""Keeping the processes of one installation together: started, watched, restarted, and ended as one."""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import FrameType

logger = logging.getLogger(__name__)
STOP_SECONDS = 10.0
QUICK_DEATH_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 30.0


def die_with_parent() -> None:
    """End this process's group when the parent ends, however it ends: its end of our standard input closes."""

    def watch() -> None:
        while os.read(0, 1024):
            pass
        os.killpg(os.getpgid(0), signal.SIGKILL)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


@dataclass
class Child:
    """One watched process, leader of its own group."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = 0.0
    due: float = field(default=0.0)

    def start(self) -> None:
        """Start it; it holds the reading end of a pipe that closes when we die."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, start_new_session=True)
        self.started = time.monotonic()

    def watch(self) -> None:
        """Start it again when it is dead; wait longer each time that it dies soon after its start."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            lived = now - self.started
            self.kill()  # what it may have left behind
            self.pause = min(LONGEST_PAUSE_SECONDS, max(1.0, self.pause * 2)) if lived < QUICK_DEATH_SECONDS else 0.0
            logger.warning("%s ended with %s; starting it again.", self.name, self.process.returncode)
            self.process, self.due = None, now + self.pause
        if self.process is None and now >= self.due:
            self.start()

    def ask_to_stop(self) -> None:
        """Let it finish what it is doing."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def kill(self) -> None:
        """End it and everything that it started."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Supervisor:
    """Runs children until it is told to stop (Ctrl-C or SIGTERM)."""

    def __init__(self, children: Sequence[Child]) -> None:
        self.children = children
        self.stopping = threading.Event()

    def run(self) -> None:
        """Start all children and keep them alive; return when they have ended."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        try:
            while not self.stopping.is_set():
                for child in self.children:
                    child.watch()
                self.stopping.wait(0.2)
        finally:
            self._end()

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self.stopping.set()

    def _end(self) -> None:
        for child in self.children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline and any(c.process and c.process.poll() is None for c in self.children):
            time.sleep(0.05)
        for child in self.children:
            child.kill()


def manage(*arguments: str) -> list[str]:
    """Return the command line that runs ``manage.py`` with this Python."""
    return [sys.executable, "manage.py", *arguments]
