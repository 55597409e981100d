"""Exports made in pieces: the same bytes whoever makes them, nothing twice, nothing left behind."""

import errno
import hashlib
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from annotate.actions.jobs import cancel, claim, run
from annotate.models import Project, User
from exports import pieces, production
from exports.actions import repeat_export, request_export
from exports.jobs import run_export
from exports.models import Export, ExportPiece
from exports.options import ExportOptions, FileOptions
from exports.production import Production
from exports.writers import AtomicFile
from tests import factories
from tests.integration.exports.samples import lines, record, upload

pytestmark = pytest.mark.django_db
TASKS = 23


@pytest.fixture
def admin() -> User:
    return factories.admin()


@pytest.fixture
def project(admin: User) -> Project:
    client = Client()
    client.force_login(admin)
    made = factories.project("study")
    assert upload(client, lines(*(judged(number) for number in range(TASKS)))).state == "done"
    return made


@pytest.fixture(autouse=True)
def _small_pieces(settings: Any) -> None:
    settings.EXPORT_PIECE_TASKS = 4


def judged(number: int) -> dict[str, Any]:
    made = record(f"t{number}")
    made["prompts"][0]["annotations"] = [
        {"annotator": "a-one", "outcome": "winner", "winner": "xy"[number % 2]},
        {
            "annotator": "a-two",
            "outcome": "tie" if number % 5 == 0 else "winner",
            "winner": None if number % 5 == 0 else "x",
        },
    ]
    return made


def requested(project: Project, **files: Any) -> Export:
    options = FileOptions(rows_per_file=7, validation=0.3, **files)
    job = request_export(
        project=project, format_name="pairwise", options=ExportOptions(), file_options=options, by=None
    )
    return Export.objects.select_related("project").get(pk=job.pk)


def finished(job: Export) -> Export:
    run(Export, job.pk)
    job.refresh_from_db()
    return job


def digests(job: Export) -> dict[str, str]:
    return {file.name: hashlib.sha256((job.folder / file.name).read_bytes()).hexdigest() for file in job.files.all()}


def test_the_bytes_do_not_depend_on_who_makes_the_pieces(project: Project) -> None:
    alone = finished(requested(project))
    helped = repeat_export(export=alone, same_data=True, by=None)

    lease = claim(Export, helped.pk)
    assert lease is not None
    helped = Export.objects.select_related("project").get(pk=helped.pk)
    pieces.plan(helped)
    for _ in range(3):  # another worker makes the first ones
        assert pieces.help_with(helped.pk)
    last = pieces.claim_piece(helped)
    assert last is not None
    pieces.make(last, lambda done: None)
    lease.write(state="done", finished_at=timezone.now(), **run_export(helped, lease))
    helped.refresh_from_db()

    assert digests(alone) == digests(helped)
    assert {name: file.sha256 for name, file in named(helped).items()} == digests(helped)
    assert alone.manifest == helped.manifest
    assert alone.manifest["accounting"]["votes_in"] == 2 * TASKS


def named(job: Export) -> dict[str, Any]:
    return {file.name: file for file in job.files.all()}


def test_files_are_numbered_and_hold_the_rows_that_were_asked_for(project: Project) -> None:
    job = finished(requested(project))

    counts: dict[str, list[int]] = {}
    for file in job.manifest["files"]:
        if "split" in file:
            counts.setdefault(file["split"], []).append(file["rows"])
            total = sum(other.get("split") == file["split"] for other in job.manifest["files"])
            assert file["name"] == f"{file['split']}-{len(counts[file['split']]):05}-of-{total:05}.jsonl"
    assert set(counts) == {"train", "validation"}
    assert all(rows == 7 for split in counts.values() for rows in split[:-1])
    assert sum(map(sum, counts.values())) == job.rows


def test_a_retry_goes_on_with_the_pieces_that_are_done(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job = requested(project)
    made: list[int] = []
    original = pieces._write

    def stumbles_at_the_third(piece: ExportPiece, hold: Any) -> dict[str, Any]:
        if len(made) == 2:
            made.append(0)
            raise RuntimeError("the power went")
        made.append(piece.number)
        return original(piece, hold)

    monkeypatch.setattr(pieces, "_write", stumbles_at_the_third)
    assert finished(job).state == "queued"
    assert ExportPiece.objects.filter(export=job, state="done").count() == 2
    Export.objects.update(lease_until=timezone.now())

    assert finished(job).state == "done"
    assert made == [1, 2, 0, 3, 4, 5, 6]
    assert [path.name for path in job.root.iterdir()] == [str(job.token)]
    assert not job.pieces.exists()


def test_a_piece_has_one_owner_and_writes_nothing_after_losing_it(project: Project) -> None:
    job = requested(project)
    assert claim(Export, job.pk)
    pieces.plan(job)
    first = pieces.claim_piece(job)
    assert first is not None
    second = pieces.claim_piece(job)
    assert second is not None
    assert (first.number, second.number) == (1, 2)
    ExportPiece.objects.filter(pk=first.pk).update(lease_until=timezone.now())
    again = pieces.claim_piece(job)
    assert again is not None
    assert again.number == 1

    with pytest.raises(pieces.LeaseLost):
        pieces.make(first, lambda done: None)

    assert not first.folder.exists()
    again.refresh_from_db()
    assert (again.state, again.token is not None) == ("running", True)


def test_a_helper_stops_when_the_export_is_cancelled(project: Project, admin: User) -> None:
    job = requested(project)
    assert claim(Export, job.pk)
    pieces.plan(job)
    cancel(job, by=admin)

    assert not pieces.help_with(job.pk)


STEPS = ["_make_pieces", "_write_data", "_prove", "_write_card", "_pack", "_name_files"]


@pytest.mark.parametrize("step", STEPS)
def test_a_cancelled_export_leaves_no_files_wherever_it_was(
    project: Project, admin: User, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = requested(project)
    original = getattr(Production, step)

    def cancelled_meanwhile(self: Production, *arguments: Any) -> Any:
        result = original(self, *arguments) if step != "_name_files" else None
        cancel(self.job, by=admin)
        return result if step != "_name_files" else original(self, *arguments)

    monkeypatch.setattr(Production, step, cancelled_meanwhile)

    assert finished(job).state == "cancelled"
    assert not job.root.exists()
    assert not job.files.exists()
    assert not job.pieces.exists()


@pytest.fixture(params=range(12))
def full_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The disk is full from a certain write on."""
    left = [request.param * 2]
    original = AtomicFile.write_bytes

    def write(self: AtomicFile, data: bytes, *, rows: int = 0) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        original(self, data, rows=rows)

    monkeypatch.setattr(AtomicFile, "write_bytes", write)
    return request.param


def test_a_full_disk_fails_the_export_with_the_reason_and_leaves_nothing(project: Project, full_disk: int) -> None:
    job = finished(requested(project))

    assert (job.state, job.error) == ("failed", "The disk is full. Make room, then start it again.")
    assert not job.root.exists()
    assert not job.files.exists()


def test_a_file_that_changed_before_it_was_checked_fails_the_export(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = production.Production._prove

    def spoil(self: Production, container: Any, data: list[Any]) -> Any:
        path = Path(self.folder / data[0].written.name)
        path.write_bytes(path.read_bytes().replace(b"One.", b"Two."))
        return original(self, container, data)

    monkeypatch.setattr(Production, "_prove", spoil)

    job = finished(requested(project))

    assert job.state == "failed"
    assert "is not what was written" in job.error
    assert not job.root.exists()


def test_a_row_that_its_consumer_would_refuse_fails_the_export(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exports.formats.pairwise import Pairwise

    monkeypatch.setattr(Pairwise, "problems_of", lambda self, row: iter(["the margin is missing."]))

    job = finished(requested(project))

    assert job.state == "failed"
    assert "row 1: the margin is missing." in job.error


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"number": 1}, "exports_piece_number_unique"),
        ({"state": "odd", "token": uuid.uuid4()}, "exports_piece_state_known"),
        ({"after": 9, "upto": 9}, "exports_piece_range"),
        ({"state": "running", "token": None}, "exports_piece_has_token"),
    ],
)
def test_the_database_refuses_a_piece_that_cannot_be(project: Project, changes: dict[str, Any], name: str) -> None:
    job = requested(project)
    ExportPiece.objects.create(export=job, number=1, after=0, upto=5, tasks=5)
    fields = {"export": job, "number": 2, "after": 5, "upto": 10, "tasks": 5, **changes}

    with pytest.raises(IntegrityError, match=name if "unique" not in name else "(?i)unique"), transaction.atomic():
        ExportPiece.objects.create(**fields)


def test_the_database_refuses_an_export_of_names_without_a_reason(project: Project) -> None:
    wanted = {"project": project, "format": "pairwise"}
    with pytest.raises(IntegrityError, match="exports_export_names_have_reason"), transaction.atomic():
        Export.objects.create(**wanted, options={"identity": "names"})
    with pytest.raises(IntegrityError, match="exports_export_stage_known"), transaction.atomic():
        Export.objects.create(**wanted, stage="odd")
    assert Export.objects.create(**wanted, options={"identity": "names"}, reason="A study.").pk
