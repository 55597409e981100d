"""LaTeX -> MathML through one child process that may hang or die without harm to us."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from .mathml import to_safe_mathml

RESPONSE_SECONDS = 0.5  # for all formulas of one response together, without the start of a child
FORMULA_SECONDS = 0.25  # for one formula: a single hang leaves time for the others
START_SECONDS = 10.0
MAX_DEATHS = 3  # children lost to one response before the rest of it is shown as source
MAX_TEX = 4_000  # characters of one formula
MAX_DEPTH = 64  # nested braces
MAX_UNMATCHED = 16  # open brackets without a partner: math-core takes 2^n steps for n of them
MAX_TOTAL = 4_000_000  # characters of MathML for one response
_IN_FLIGHT = 32_000  # bytes; less than a pipe holds, so that writing never waits for a child that waits for us
_LIMITS = {"\\left": 200, "\\begin": 64, "\\sqrt": 200}
_CHILD = str(Path(__file__).with_name("math_child.py"))
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG")  # no secrets for the child


class ChildLostError(Exception):
    """The child died, or did not answer in time."""


def is_acceptable(tex: str) -> bool:
    """False for LaTeX known to hang or crash math-core (deep nesting, unmatched brackets) or to take too long."""
    if len(tex) > MAX_TEX or any(tex.count(command) > limit for command, limit in _LIMITS.items()):
        return False
    depth = deepest = 0
    unmatched = {"(": 0, "[": 0}
    for char in tex:
        if char == "{":
            depth += 1
            deepest = max(deepest, depth)
        elif char == "}":
            depth -= 1
        elif char in "([":
            unmatched[char] += 1
        elif char in ")]":
            opener = "(" if char == ")" else "["
            unmatched[opener] = max(0, unmatched[opener] - 1)
    return deepest <= MAX_DEPTH and sum(unmatched.values()) <= MAX_UNMATCHED


class Child:
    """One math process and the unread part of what it wrote."""

    def __init__(self) -> None:
        # -P keeps this directory, with its `math.py` and `code.py`, off the child's import path.
        self.process = subprocess.Popen(
            [sys.executable, "-P", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # a Ctrl-C in the terminal is for us
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.buffer = b""
        self.poller = select.poll()
        self.poller.register(self.stdout, select.POLLIN)

    def write(self, lines: bytes) -> None:
        """Send whole lines; at most `_IN_FLIGHT` bytes may be unanswered."""
        try:
            view = memoryview(lines)
            while view:
                view = view[self.stdin.write(view) or 0 :]
        except OSError as error:
            raise ChildLostError from error

    def read_line(self, deadline: float) -> str | None:
        """The next answer, waiting until `deadline` (of `time.monotonic`). Raises ChildLostError."""
        while b"\n" not in self.buffer:
            wait = deadline - time.monotonic()
            if wait <= 0 or not self.poller.poll(wait * 1000):
                raise ChildLostError
            chunk = os.read(self.stdout.fileno(), 1 << 16)
            if not chunk:
                raise ChildLostError
            self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\n")
        answer: str | None = json.loads(line)
        return answer

    def kill(self) -> None:
        """End the process and take its exit status."""
        self.process.kill()
        self.close()
        self.process.wait()

    def close(self) -> None:
        """Let go of the pipes; a child that reads finds the end of its input and exits."""
        self.stdin.close()
        self.stdout.close()


class MathClient:
    """Typesets formulas in a child process: started at first use, replaced when lost, shared by all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: Child | None = None
        # A forked process must neither talk to its parent's child nor hold that child's stdin open.
        os.register_at_fork(after_in_child=self._forget)

    def typeset(self, formulas: Sequence[tuple[str, bool]]) -> list[str | None]:
        """MathML, already safe, for each (LaTeX, display style); None for one that is refused.

        Takes at most RESPONSE_SECONDS for all of them, plus the start of lost children (at most MAX_DEATHS).
        """
        answers: list[str | None] = [None] * len(formulas)
        todo = [index for index, (tex, _) in enumerate(formulas) if is_acceptable(tex)]
        if todo:
            with self._lock:
                self._convert(formulas, todo, answers)
        total = 0
        for index in todo:
            raw = answers[index]
            total += len(raw or "")
            answers[index] = to_safe_mathml(raw) if raw is not None and total <= MAX_TOTAL else None
        return answers

    def pid(self) -> int | None:
        """Process id of the present child, for tests and diagnosis."""
        return self._child.process.pid if self._child else None

    def close(self) -> None:
        """End the child; the next formula starts another."""
        with self._lock:
            self._drop()

    def _convert(self, formulas: Sequence[tuple[str, bool]], todo: list[int], answers: list[str | None]) -> None:
        remaining, deaths, spent = RESPONSE_SECONDS, 0, 0
        position = 0
        while position < len(todo) and remaining > 0 and deaths < MAX_DEATHS:
            try:
                child = self._running()
            except ChildLostError:
                self._drop()
                return
            chunk = self._chunk(formulas, todo, position)
            began = time.monotonic()
            try:
                child.write(b"".join(_encode(formulas[index]) for index in chunk))
                for index in chunk:
                    answers[index] = child.read_line(min(began + remaining, time.monotonic() + FORMULA_SECONDS))
                    position += 1
                    spent += len(answers[index] or "")
            except ChildLostError:
                self._drop()
                deaths += 1
                position += 1  # the formula that was being worked on is the one that did it
            remaining -= time.monotonic() - began
            if spent > MAX_TOTAL:
                return

    @staticmethod
    def _chunk(formulas: Sequence[tuple[str, bool]], todo: list[int], position: int) -> list[int]:
        chunk: list[int] = []
        size = 0
        for index in todo[position:]:
            size += len(_encode(formulas[index]))
            if chunk and size > _IN_FLIGHT:
                break
            chunk.append(index)
        return chunk

    def _running(self) -> Child:
        if self._child is None or self._child.process.poll() is not None:
            self._drop()
            self._child = Child()
            self._child.read_line(time.monotonic() + START_SECONDS)
        return self._child

    def _drop(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _forget(self) -> None:
        self._lock = threading.Lock()  # another thread of the parent may have held the old one at the fork
        if self._child is not None:
            self._child.close()
            self._child.process.returncode = 0  # not ours to wait for
            self._child = None


def _encode(formula: tuple[str, bool]) -> bytes:
    return json.dumps(formula, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


CLIENT = MathClient()
