"""The tasks of the project `coding-help`, in the order of the queue."""

from __future__ import annotations

from exports.demo.folders import task
from exports.demo.media import part
from exports.demo.models import LARCH, OSPREY, QUILL, TERN
from exports.records import TaskRecord


def tasks() -> list[TaskRecord]:
    """All tasks; those that `judgements` covers come first."""
    return [*_judged(), *_open()]


def _judged() -> list[TaskRecord]:
    return [
        task("ch-p95-latency", (OSPREY, LARCH), media={"p1-prompt": [part("latency.png")]}, topic="python"),
        task("ch-keep-last", (TERN, QUILL), topic="python"),
        task("ch-paid-orders", (QUILL, LARCH), topic="sql"),
        task("ch-matrix-power", (LARCH, OSPREY), topic="mathematics"),
        task("ch-retry-diff", (OSPREY, QUILL), topic="python"),
        task("ch-cache-table", (QUILL, TERN), topic="python"),
        task("ch-slug-tests", (TERN, OSPREY), (OSPREY, TERN), continues={"p1": "r2"}, topic="python"),
        task("ch-berlin-days", (QUILL, OSPREY), topic="sql"),
    ]


def _open() -> list[TaskRecord]:
    return [
        task("ch-date-regex", (LARCH, QUILL), topic="regular expressions"),
        task("ch-permissions-memo", (OSPREY, TERN), topic="architecture"),
        task("ch-arabic-tuple", (TERN, OSPREY), topic="python"),
        task("ch-base-rate", (QUILL, LARCH), topic="mathematics"),
        task("ch-severity-json", (LARCH, TERN), topic="operations"),
        task("ch-clean-logs", (TERN, QUILL), topic="shell"),
    ]
