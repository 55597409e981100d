"""The check before an import, what is decided after it, and what becomes of it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Annotation, Assignment, Batch, Dimension, Event, KnownJudgement, Project, Response, Task
from exports import housekeeping
from exports.models import Import, SavedMapping
from tests import factories
from tests.integration.exports.samples import (
    check,
    decide,
    import_page,
    lines,
    nothing_imported,
    record,
)

pytestmark = pytest.mark.django_db


def judged(name: str, **annotation: Any) -> dict[str, Any]:
    row = record(name)
    row["prompts"][0]["annotations"] = [{"annotator": "w1", "outcome": "winner", "winner": "y", **annotation}]
    return row


def test_a_check_says_what_is_in_the_file_and_writes_nothing(project: Project, lead: Client) -> None:
    first = record("a")
    first["prompts"][0]["responses"][0]["model"] = "secret-model-7"
    job = check(lead, lines(first, judged("b")))

    assert (job.state, job.phase, job.format, job.problem_count) == ("done", "check", "tiebreak", 0)
    counts = {name: job.report[name] for name in ["tasks", "new", "prompts", "responses", "judgements"]}
    assert counts == {"tasks": 2, "new": 2, "prompts": 2, "responses": 4, "judgements": 1}
    assert nothing_imported()
    text = import_page(lead, job)
    assert "2 tasks were checked and can be imported." in text
    assert "Question a?" in text
    assert "secret-model-7" not in text


def test_a_checked_upload_is_imported_with_one_click(project: Project, lead: Client) -> None:
    job = decide(lead, check(lead, lines(record("a"))))

    assert (job.state, job.phase, job.created_count) == ("done", "load", 1)
    assert list(Event.objects.filter(verb__regex="^(import|batch)").values_list("verb", flat=True).order_by("pk")) == [
        "import.requested",
        "import.done",
        "import.load_requested",
        "batch.imported",
        "import.done",
    ]
    again = lead.post(f"/projects/study/imports/{job.public_id}/", {"batch": "x", "import": "yes"})
    assert again.status_code == 422
    assert "Upload the file again" in again.content.decode()


def test_problems_are_listed_before_anything_is_written_and_can_be_downloaded_whole(
    project: Project, lead: Client
) -> None:
    job = check(lead, lines(*(record("a", overlap=0) for _ in range(300))))

    assert (job.state, job.problem_count, len(job.problems)) == ("done", 300, 200)
    assert "300 problems were found. Nothing can be imported like this." in import_page(lead, job)
    answer = lead.get(f"/projects/study/imports/{job.public_id}/report/?problems=all")
    rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]  # type: ignore[attr-defined]
    assert len(rows) == 300
    assert rows[0] == {
        "file": "tasks.jsonl",
        "line": 1,
        "field": "overlap",
        "found": "the number 0",
        "expected": "1 or more annotators",
    }
    assert nothing_imported()


def test_what_was_refused_can_be_imported_after_another_choice(project: Project, lead: Client) -> None:
    three = record("b")
    three["prompts"][0]["responses"].append({"id": "z", "content": [{"type": "text", "text": "Three."}]})
    job = decide(lead, check(lead, lines(record("a"), three)))
    assert (job.state, job.problems[0]["found"]) == ("failed", "3 responses")
    assert nothing_imported()

    job = decide(lead, job, misfits="leave_out")

    assert (job.state, job.created_count, job.report["left_out"]) == ("done", 1, {"3 responses": 1})
    assert list(Task.objects.values_list("external_id", flat=True)) == ["a"]


def begin(task: Task) -> None:
    """Somebody has the task in hand."""
    Assignment.objects.create(
        task=task,
        annotator=factories.member(task.project),
        state="live",
        lease_until=timezone.now() + timedelta(hours=1),
    )


# --------------------------------------------------------------------------------------------------- duplicates
def test_the_same_file_twice_adds_nothing(project: Project, lead: Client) -> None:
    data = lines(record("a"), record("b"))
    decide(lead, check(lead, data))

    refused = decide(lead, check(lead, data, batch="Again"))
    skipped = decide(lead, check(lead, data, batch="Once more"), duplicates="skip")

    assert (refused.state, [p["field"] for p in refused.problems]) == ("failed", ["id", "id"])
    assert (skipped.state, skipped.report["skipped"], skipped.created_count) == ("done", 2, 0)
    assert Task.objects.count() == 2


def test_an_update_replaces_what_nobody_has_begun(project: Project, lead: Client) -> None:
    decide(lead, check(lead, lines(record("a"), record("b"))))
    changed = record("a", priority=7, metadata={"round": 2})
    changed["prompts"][0]["responses"][0]["content"][0]["text"] = "Better."

    job = decide(lead, check(lead, lines(changed, record("c")), batch="Second"), duplicates="update")

    assert (job.state, job.report["updated"], job.report["new"]) == ("done", 1, 1)
    assert list(Task.objects.order_by("external_id").values_list("external_id", "priority", "batch__name")) == [
        ("a", 7, "Second"),
        ("b", 0, "First"),
        ("c", 0, "Second"),
    ]
    assert Response.objects.filter(content__0__text="Better.").count() == 1
    assert Response.objects.count() == 6


def test_an_update_never_changes_what_somebody_has_begun(project: Project, lead: Client) -> None:
    decide(lead, check(lead, lines(record("a"))))
    begin(Task.objects.get())
    same, other = record("a", priority=5), record("a")
    other["prompts"][0]["content"][0]["text"] = "Another question?"

    kept = decide(lead, check(lead, lines(same), batch="Same"), duplicates="update")
    refused = decide(lead, check(lead, lines(other), batch="Other"), duplicates="update")

    assert (kept.state, kept.report["unchanged"], Task.objects.get().priority) == ("done", 1, 5)
    assert (refused.state, refused.problems[0]["expected"]) == ("failed", "the same content, or a new id")


def test_an_update_stops_when_somebody_begins_meanwhile(
    project: Project, lead: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exports import importing

    decide(lead, check(lead, lines(record("a"))))
    job, publish = check(lead, lines(record("a", priority=5)), batch="Second"), importing.publish

    def late(*arguments: Any) -> None:
        begin(Task.objects.get(external_id="a"))
        publish(*arguments)

    monkeypatch.setattr(importing, "publish", late)
    job = decide(lead, job, duplicates="update")

    assert job.state == "failed"
    assert "begun a task that the file changes" in job.error
    assert Task.objects.get(state="active").priority == 0
    assert not Assignment.objects.exists()  # it was made in the transaction that was undone


# --------------------------------------------------------------------------------------------------- judgements
def test_judgements_can_become_gold_answers_that_annotators_do_not_see(project: Project, lead: Client) -> None:
    job = decide(lead, check(lead, lines(judged("a", margin=2), record("b"))), judgements="gold")

    assert (job.state, Annotation.objects.count()) == ("done", 0)
    known = KnownJudgement.objects.get()
    assert (known.kind, known.source, known.content["winner"], known.content["margin"]) == ("gold", "w1", "y", 2)
    tasks = dict(Task.objects.values_list("external_id", "kind"))
    assert tasks == {"a": "gold", "b": "normal"}
    assert set(Task.objects.values_list("submitted_count", flat=True)) == {0}


def test_judgements_can_become_suggestions_that_fill_the_form(project: Project, lead: Client) -> None:
    decide(lead, check(lead, lines(judged("a", margin=2, justification="It is clearer."))), judgements="suggestions")
    annotator = Client()
    annotator.force_login(factories.member(project))

    answer = annotator.post("/projects/study/work/", follow=True)

    text = answer.content.decode()
    assert "A suggestion is filled in." in text
    assert "It is clearer." in text
    assert Annotation.objects.count() == 0


def test_judgements_can_be_left_out_and_are_counted(project: Project, lead: Client) -> None:
    job = decide(lead, check(lead, lines(judged("a"))), judgements="leave_out")

    assert (job.report["judgements_left_out"], Annotation.objects.count()) == (1, 0)


@pytest.mark.parametrize("choice", ["refuse", "leave_out", "add"])
def test_ratings_on_a_dimension_that_the_project_lacks_are_a_choice(
    project: Project, lead: Client, choice: str
) -> None:
    before = set(project.dimensions.values_list("key", flat=True))
    ratings = [
        {"dimension": "novelty", "response": "x", "value": 0},
        {"dimension": "novelty", "response": "y", "value": 3},
    ]

    job = decide(lead, check(lead, lines(judged("a", ratings=ratings))), dimensions=choice)

    after = set(project.dimensions.values_list("key", flat=True))
    if choice == "refuse":
        assert (job.state, after) == ("failed", before)
    elif choice == "leave_out":
        assert (job.state, job.report["ratings_left_out"], after) == ("done", 2, before)
    else:
        added = Dimension.objects.get(key="novelty")
        assert (job.state, added.minimum, added.maximum, added.target) == ("done", 0, 3, "response")
        assert (added.retired_at, added.is_required, added.ratings.count()) == (None, False, 2)


def test_dimensions_of_an_import_that_fails_are_not_added(project: Project, lead: Client) -> None:
    ratings = [{"dimension": "novelty", "response": "x", "value": 0}]
    job = decide(lead, check(lead, lines(judged("a", ratings=ratings), record("a"))), dimensions="add")

    assert job.state == "failed"
    assert not Dimension.objects.filter(key="novelty").exists()
    assert nothing_imported()


# ------------------------------------------------------------------------------------------------------- uploads
def test_several_files_are_read_as_one(project: Project, lead: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    files = [SimpleUploadedFile(f"{name}.json", json.dumps(record(name)).encode()) for name in "ab"]
    answer = lead.post("/projects/study/imports/", {"file": files, "batch": ""})
    job = Import.objects.get()
    assert answer.status_code == 302
    from annotate.actions.jobs import run

    run(Import, job.pk)
    job.refresh_from_db()
    assert (job.file_name, job.batch_name, job.report["tasks"]) == ("2 files", "a.json", 2)


def test_uploads_that_nobody_imports_are_deleted_after_a_while(project: Project, lead: Client, settings: Any) -> None:
    job = check(lead, lines(record("a")))
    housekeeping.delete_old_uploads()
    assert job.path.exists()

    settings.IMPORT_KEEP_DAYS = 0
    housekeeping.delete_old_uploads()

    assert not job.path.exists()
    assert not Import.objects.get().can_proceed


def test_a_cancelled_import_leaves_nothing(project: Project, lead: Client) -> None:
    job = check(lead, lines(record("a")))
    lead.post(f"/projects/study/imports/{job.public_id}/", {"batch": "First", "import": "yes"})
    Batch.objects.create(project=project, name="other")

    lead.post(f"/projects/study/imports/{job.public_id}/cancel/")
    housekeeping.delete_old_uploads()

    job.refresh_from_db()
    assert (job.state, job.path.exists(), Task.objects.count()) == ("cancelled", False, 0)


def test_a_mapping_is_kept_for_the_next_file_with_the_same_columns(project: Project, lead: Client) -> None:
    job = check(lead, b"question,one,two\nWhy?,Because.,So.\n", "table.csv")
    assert job.report["unrecognised"]
    mapping = {"map:question": "prompt", "map:one": "response:1", "map:two": "response:2"}

    job = decide(lead, job, format="columns", **mapping)

    assert (job.state, job.created_count) == ("done", 1), job.problems
    assert SavedMapping.objects.get().mapping == {"question": "prompt", "one": "response:1", "two": "response:2"}
    again = check(lead, b"two,one,question\nSo.,Because.,How?\n", "next.csv", batch="Next")
    assert {column["key"]: column["proposed"] for column in again.report["mappable"]} == {
        "question": "prompt",
        "one": "response:1",
        "two": "response:2",
    }
