"""Rows in and out of a format, for the tests of this folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports.accounting import Accounting
from exports.formats import get
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import TaskRecord
from exports.writers import ShardWriter
from tests.unit.exports.samples import REAL_DATA


def read(name: str, *rows: object) -> tuple[list[TaskRecord], list[tuple[str, str]]]:
    """The records of rows 1, 2, …, and (field, found) of every problem."""
    problems = ProblemList()
    records = [record for _, record in get(name).read(enumerate(rows, 1), "f.jsonl", problems)]
    return records, [(problem.field, problem.found) for problem in problems]


def written(name: str, *records: TaskRecord, **options: Any) -> tuple[list[dict[str, Any]], Accounting]:
    accounting = Accounting()
    rows = list(get(name).write(records, ExportOptions(**options), accounting))
    accounting.check()
    assert accounting.rows_out == len(rows)
    return rows, accounting


def again(name: str, *rows: object, **options: Any) -> list[dict[str, Any]]:
    """The rows, read without a problem and written."""
    records, problems = read(name, *rows)
    assert problems == []
    return written(name, *records, **options)[0]


def loaded(rows: list[dict[str, Any]], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the package `datasets` makes of the rows, without a network."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(folder / "home"))
    datasets = pytest.importorskip("datasets")
    with ShardWriter(folder, "train.jsonl") as shard:
        for row in rows:
            shard.write(row)
    files = str(folder / "train.jsonl")
    return datasets.load_dataset("json", data_files=files, split="train", cache_dir=str(folder / "cache"))


def real_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file of the public collections; skips the test where it is missing."""
    path = REAL_DATA / name
    if not path.exists():
        pytest.skip(f"real data not at {path} (set TIEBREAK_REAL_DATA)")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
