"""The tasks of the project `open-arena`, in the order of the queue."""

from __future__ import annotations

from exports.demo.folders import task
from exports.demo.media import part
from exports.demo.models import LARCH, OSPREY, QUILL, TERN
from exports.records import TaskRecord


def tasks() -> list[TaskRecord]:
    """All tasks; those that `judgements` covers come first."""
    return [*_judged(), *_open()]


def _judged() -> list[TaskRecord]:
    posters = {"p1-r1": [part("poster-1.png")], "p1-r2": [part("poster-2.png")]}
    chimes = {"p1-r1": [part("chime-1.wav")], "p1-r2": [part("chime-2.wav")]}
    return [
        task("oa-plant-poster", (LARCH, OSPREY), media=posters, topic="pictures"),
        task("oa-late-rent", (OSPREY, TERN), topic="letters"),
        task("oa-blue-sky", (QUILL, LARCH), topic="explaining"),
        task("oa-station-haiku", (QUILL, OSPREY, TERN), topic="poetry"),
        task("oa-ready-chime", (QUILL, TERN), media=chimes, topic="sound"),
        task("oa-night-train", (LARCH, TERN), topic="everyday sums"),
        task("oa-pancakes", (TERN, QUILL), topic="everyday sums"),
    ]


def _open() -> list[TaskRecord]:
    return [
        task("oa-japanese-decline", (OSPREY, LARCH), topic="letters"),
        task("oa-library-visits", (TERN, QUILL), media={"p1-prompt": [part("visits.png")]}, topic="charts"),
        task("oa-cat-plants", (OSPREY, TERN), topic="home"),
        task("oa-savings", (LARCH, QUILL), topic="everyday sums"),
        task("oa-rainy-day", (TERN, LARCH), topic="family"),
    ]
