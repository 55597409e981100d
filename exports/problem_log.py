"""Every problem of an import, also those beyond the ones that are shown, in a file to download."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import orjson

from exports.problems import Problem, ProblemList

MOST = 100_000  # problems in the file


class LoggedProblems(ProblemList):
    """A list of problems that also writes them to a file, one JSON object per line. Use it in a `with` block.

    Without problems there is no file.
    """

    def __init__(self, path: Path, like: ProblemList) -> None:
        super().__init__(by_index=like.by_index)
        self.path = path
        self._file: BinaryIO | None = None
        path.unlink(missing_ok=True)

    def add(self, problem: Problem) -> None:
        super().add(problem)
        if len(self) <= MOST:
            if self._file is None:
                self._file = self.path.open("wb")
            self._file.write(orjson.dumps(self._placed(problem).stored()) + b"\n")

    def __enter__(self) -> LoggedProblems:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
