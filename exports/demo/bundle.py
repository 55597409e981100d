"""A project's tasks and media as a zip that the import takes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from exports.demo import coding_help, media, open_arena
from exports.records import Part, TaskRecord

DATA_NAME = "tasks.jsonl"
_TASKS = {"coding-help": coding_help.tasks, "open-arena": open_arena.tasks}
_DATE = (2025, 1, 1, 0, 0, 0)  # the same for all members: same data, same bytes


def tasks_of(project_slug: str) -> list[TaskRecord]:
    """The tasks of the project in the order of the file. Raises `KeyError` for an unknown project."""
    return _TASKS[project_slug]()


def write_bundle(project_slug: str, path: Path) -> None:
    """Write a zip with `tasks.jsonl` in the format `tiebreak` and the files that it refers to, under `media/`.

    Raises `KeyError` for an unknown project.
    """
    records = tasks_of(project_slug)
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    names = sorted({Path(part.path).name for record in records for part in _parts(record) if part.path})
    with zipfile.ZipFile(path, "w") as archive:
        _add(archive, DATA_NAME, lines)
        for name in names:
            _add(archive, f"{media.FOLDER}/{name}", media.FILES[name]())


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)


def _parts(record: TaskRecord) -> Iterator[Part]:
    for message in record.context:
        yield from message.content
    for prompt in record.prompts:
        yield from prompt.content
        for response in prompt.responses:
            yield from response.content
