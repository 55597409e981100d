"""What is wrong in a file that somebody gave us, in words that say where and what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from exports.safe_names import visible

SHOWN_LENGTH = 60
KEPT_PROBLEMS = 200


@dataclass(frozen=True)
class Problem:
    """One fault. `line` counts from 1; `field` is a path such as `prompts[0].responses[1].id`, or "" for the whole."""

    file: str
    line: int | None
    field: str
    found: str
    expected: str

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}"
        place = ", ".join(piece for piece in (self.file, line, self.field) if piece)
        sentence = f"found {self.found}; expected {self.expected}."
        return f"{place}: {sentence}" if place else sentence.capitalize()

    def stored(self) -> dict[str, Any]:
        """The fault as JSON."""
        return {
            "file": self.file,
            "line": self.line,
            "field": self.field,
            "found": self.found,
            "expected": self.expected,
        }

    def at(self, file: str, line: int | None) -> Problem:
        """The same fault with its place filled in."""
        return replace(self, file=file, line=line)


class ProblemError(ValueError):
    """Raised where reading cannot go on; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass
class ProblemList:
    """Collects problems: keeps the first `cap`, counts all.

    `by_index`: the rows are elements of one JSON array, so that a problem of row 3 is placed at the field `[3]`
    instead of at a line.
    """

    cap: int = KEPT_PROBLEMS
    by_index: bool = False
    count: int = 0
    kept: list[Problem] = field(default_factory=list)

    def add(self, problem: Problem) -> None:
        self.count += 1
        if len(self.kept) < self.cap:
            self.kept.append(self._placed(problem))

    def _placed(self, problem: Problem) -> Problem:
        if not self.by_index or problem.line is None:
            return problem
        path = f"[{problem.line}]" + (f".{problem.field}" if problem.field else "")
        return replace(problem, line=None, field=path)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.kept)

    def __len__(self) -> int:
        """How many problems there are, those that were not kept included."""
        return self.count


def describe(value: object) -> str:
    """A short description of a JSON value for a message; invisible characters are shown as escapes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        cut = value if len(value) <= SHOWN_LENGTH else value[: SHOWN_LENGTH - 1] + "…"
        return visible(json.dumps(cut, ensure_ascii=False))
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    return "an empty object" if value == {} else "an object"
