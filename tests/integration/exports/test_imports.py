"""Datasets in, over HTTP: whole or not at all, and every problem is named."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from annotate.actions.jobs import run
from annotate.models import Annotation, Asset, Event, Membership, Project, Prompt, Response, Task
from exports.models import Import
from tests.integration.exports.samples import lines, nothing_imported, png, record, upload, with_image, zipped

pytestmark = pytest.mark.django_db


def test_a_file_becomes_a_batch_of_tasks(project: Project, lead: Client) -> None:
    job = upload(lead, lines(record("a", priority=3), record("b", overlap=2)))

    assert (job.state, job.created_count, job.format) == ("done", 2, "tiebreak")
    assert list(Task.objects.values_list("external_id", "priority", "overlap", "state", "batch__name")) == [
        ("a", 3, 1, "active", "First"),
        ("b", 0, 2, "active", "First"),
    ]
    assert list(Response.objects.values_list("external_id", "model")) == [("x", "m1"), ("y", "m2")] * 2
    assert Event.objects.filter(verb="batch.imported").count() == 1
    assert not job.path.exists()


def test_a_job_that_runs_again_does_nothing_twice(project: Project, lead: Client) -> None:
    job = upload(lead, lines(record("a")))

    Import.objects.update(state="queued", finished_at=None, lease_until=job.created_at)
    job.path.write_bytes(lines(record("a")))
    run(Import, job.pk)

    job.refresh_from_db()
    assert (job.state, job.created_count, Task.objects.count()) == ("done", 1, 1)


def test_an_attempt_that_died_half_way_leaves_nothing_behind(project: Project, lead: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr("exports.intake.CHUNK_TASKS", 2)
    monkeypatch.setattr("exports.importing.publish", lambda *_: (_ for _ in ()).throw(MemoryError("killed")))
    job = upload(lead, lines(*(record(str(n)) for n in range(5))))
    assert (job.state, Task.objects.filter(state="staged").count()) == ("queued", 5)

    monkeypatch.undo()
    Import.objects.update(lease_until=job.created_at)
    run(Import, job.pk)

    job.refresh_from_db()
    assert (job.state, job.created_count, job.error) == ("done", 5, "")
    assert set(Task.objects.values_list("state", flat=True)) == {"active"}
    assert Task.objects.count() == 5


def test_an_id_that_the_project_has_is_refused(project: Project, lead: Client) -> None:
    upload(lead, lines(record("a")))

    job = upload(lead, lines(record("b"), record("a")), batch="Second")

    assert [(p["line"], p["field"]) for p in job.problems] == [(2, "id")]
    assert Task.objects.count() == 1


def test_a_batch_name_in_use_is_refused_before_the_upload_is_kept(
    project: Project, lead: Client, settings: Any
) -> None:
    upload(lead, lines(record("a")))

    answer = lead.post(
        "/projects/study/imports/", {"file": SimpleUploadedFile("b.jsonl", lines(record("b"))), "batch": "First"}
    )

    assert answer.status_code == 422
    assert "Choose another name" in answer.content.decode()
    assert list(Path(settings.IMPORT_ROOT).iterdir()) == []


def test_images_come_in_with_a_zip_and_are_stored_once(project: Project, lead: Client) -> None:
    data = zipped(
        data_dot_jsonl=lines(with_image("a", "img/1.png"), with_image("b", "img/2.png")),
        img__1_dot_png=png(),
        img__2_dot_png=png(),
    )

    job = upload(lead, data, "set.zip")

    asset = Asset.objects.get()
    assert job.state == "done", job.problems
    assert (asset.kind, asset.media_type, asset.width) == ("image", "image/png", 8)
    assert Prompt.objects.first().content[1] == {"type": "image", "asset": asset.sha256, "name": "a picture"}  # type: ignore[union-attr]
    assert asset.task_assets.count() == 2


def test_a_file_that_is_no_image_is_refused(project: Project, lead: Client) -> None:
    data = zipped(data_dot_jsonl=lines(with_image("a", "img/1.png")), img__1_dot_png=b"<svg onload=alert(1)>")

    job = upload(lead, data, "set.zip")

    assert [(p["line"], p["field"]) for p in job.problems] == [(1, "prompts[0].content[1].path")]
    assert nothing_imported()


def test_imported_judgements_belong_to_people_who_cannot_sign_in(project: Project, lead: Client) -> None:
    row = record("a")
    row["prompts"][0]["annotations"] = [
        {"annotator": "w1", "outcome": "winner", "winner": "y", "justification": "Better."},
        {"annotator": "w2", "outcome": "tie"},
    ]

    job = upload(lead, lines(row))

    task = Task.objects.get()
    assert (job.state, job.judgement_count) == ("done", 2)
    assert (task.submitted_count, task.overlap) == (2, 3)
    assert list(Annotation.objects.values_list("winner__external_id", "outcome")) == [("y", "winner"), (None, "tie")]
    people = Membership.objects.filter(user__is_imported=True)
    assert sorted(people.values_list("pseudonym", flat=True)) == ["w1", "w2"]
    assert not any(member.user.is_active or member.user.has_usable_password() for member in people)
    call_command("check_counters")


def test_nobody_can_put_words_into_a_members_mouth(project: Project, lead: Client) -> None:
    pseudonym = Membership.objects.get(project=project).pseudonym
    row = record("a")
    row["prompts"][0]["annotations"] = [{"annotator": pseudonym, "outcome": "tie"}]

    job = upload(lead, lines(row))

    assert [(p["line"], p["field"]) for p in job.problems] == [(1, "prompts[0].annotations[0].annotator")]
    assert nothing_imported()


def test_pairwise_rows_become_tasks_with_a_judgement(project: Project, lead: Client) -> None:
    job = upload(lead, lines({"prompt": "Hi", "chosen": "Hello", "rejected": "Go"}))

    annotation = Annotation.objects.get()
    assert (job.format, job.created_count) == ("pairwise", 1)
    assert annotation.winner is not None
    assert annotation.winner.content == [{"type": "text", "text": "Hello"}]


def test_a_format_that_cannot_be_told_is_asked_for(project: Project, lead: Client) -> None:
    job = upload(lead, lines({"question": "?", "answer": "!"}))

    assert job.state == "failed"
    assert "fit no known format" in job.error
    assert nothing_imported()


@pytest.mark.parametrize("data", [b"", b"\x00", b"PK\x03\x04broken", b"\x1f\x8bbroken", b"\xff\xfe[\x00", b"<html>"])
def test_a_file_that_is_no_dataset_is_refused(project: Project, lead: Client, data: bytes) -> None:
    answer = lead.post("/projects/study/imports/", {"file": SimpleUploadedFile("x.jsonl", data), "batch": "First"})
    if data:
        run(Import, Import.objects.get().pk)
        assert Import.objects.get().state == "failed"
    else:
        assert answer.status_code == 422
    assert nothing_imported()


def test_a_person_may_have_three_unfinished_jobs(project: Project, lead: Client) -> None:
    def post(number: int) -> int:
        file = SimpleUploadedFile("x.jsonl", lines(record(f"t{number}")))
        return lead.post("/projects/study/imports/", {"file": file, "batch": f"B{number}"}).status_code

    assert [post(number) for number in range(4)] == [302, 302, 302, 422]


def test_a_cancelled_import_leaves_nothing(project: Project, lead: Client) -> None:
    lead.post("/projects/study/imports/", {"file": SimpleUploadedFile("x.jsonl", lines(record("a"))), "batch": "B"})
    job = Import.objects.get()

    lead.post(f"/projects/study/imports/{job.public_id}/cancel/")
    run(Import, job.pk)

    job.refresh_from_db()
    assert job.state == "cancelled"
    assert nothing_imported()


def test_the_command_checks_without_writing(project: Project, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_bytes(lines(record("a"), record("b")))

    call_command("import_dataset", "study", file, dry_run=True)

    assert "2 tasks can be imported as tiebreak" in capsys.readouterr().out
    assert nothing_imported()


def test_the_command_imports_or_says_what_is_wrong(project: Project, tmp_path: Path, capsys: Any) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(lines(record("a")))
    bad.write_bytes(lines(record("b"), record("b")))

    call_command("import_dataset", "study", good, batch="One")
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command("import_dataset", "study", bad)

    captured = capsys.readouterr()
    assert "Imported 1 tasks" in captured.out
    assert "bad.jsonl, line 2, id" in captured.err
    assert Task.objects.count() == 1


def test_the_planner_knows_how_much_came_in_before_anybody_is_served(project: Project, lead: Client) -> None:
    """Without it PostgreSQL may take the tables for empty and read all of them to find one task's responses."""
    upload(lead, lines(*(record(f"r{number}") for number in range(30))))

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [Response._meta.db_table])
            assert cursor.fetchone() == (Response.objects.count(),)
    assert Response.objects.count() == 60
