"""Second thoughts over HTTP: undo, edit, leave as it was; counters, keys and reviews stay right."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from annotate.models import Annotation, AnnotationRevision, Assignment, Event, Project, Review, User
from tests import factories
from tests.integration.annotate.working import counters, send, signed_in, take

pytestmark = pytest.mark.django_db


def press(web: Client, assignment: Assignment, deed: str, **data: Any) -> Any:
    """Press a plain button of the page, without htmx."""
    return web.post(f"/projects/study/work/{assignment.public_id}/{deed}/", data)


def look(web: Client, assignment: Assignment) -> str:
    return web.get(f"/projects/study/work/{assignment.public_id}/").content.decode()


@pytest.fixture
def submitted(project: Project, web: Client) -> Assignment:
    """A task that the person has submitted."""
    factories.task(project)
    assignment = take(web)
    fields = {"preference": "b", "justification": "B names the cause.", "flag-a": "broken"}
    assert send(web, assignment, **fields).status_code == 200
    assignment.refresh_from_db()
    return assignment


# ------------------------------------------------------------------------------------------------------- read-only
def test_going_back_to_a_submitted_task_shows_it_read_only(web: Client, submitted: Assignment) -> None:
    body = look(web, submitted)

    assert "B is better" in body
    assert "B names the cause." in body
    assert 'id="judge"' not in body
    assert 'name="preference"' not in body
    assert ">Edit</button>" in body


def test_what_cannot_be_changed_offers_no_edit(web: Client, submitted: Assignment) -> None:
    Project.objects.update(state="paused")

    assert ">Edit</button>" not in look(web, submitted)


# ------------------------------------------------------------------------------------------------------------ edit
def test_an_edit_begins_with_what_was_submitted_and_becomes_a_revision(web: Client, submitted: Assignment) -> None:
    assert press(web, submitted, "edit").status_code == 302
    body = look(web, submitted)
    assert 'value="b" data-side="b" aria-label="B is better" checked' in body
    assert "B names the cause." in body
    assert 'value="broken" checked' in body
    submitted.refresh_from_db()

    answer = send(web, submitted, preference="tie", justification="Both name it.")

    annotation = Annotation.objects.get()
    assert answer.status_code == 200
    assert "Your changes are submitted." in answer.content.decode()
    assert (annotation.outcome, annotation.revision) == ("tie", 2)
    assert AnnotationRevision.objects.get().content["justification"] == "B names the cause."
    assert list(annotation.flags.all()) == []
    assert counters(submitted.task) == (0, 1)
    submitted.refresh_from_db()
    assert (submitted.state, submitted.reopened_at) == ("submitted", None)


def test_until_the_edit_is_submitted_the_old_judgement_stands(web: Client, submitted: Assignment) -> None:
    press(web, submitted, "edit")
    submitted.refresh_from_db()
    send(web, submitted, "draft", preference="a", justification="half a thought")

    assert Annotation.objects.get().justification == "B names the cause."
    assert counters(submitted.task) == (0, 1)
    assert press(web, submitted, "leave").status_code == 302
    assert 'id="judge"' not in look(web, submitted)
    submitted.refresh_from_db()
    assert send(web, submitted, preference="a").status_code == 409
    assert Annotation.objects.get().revision == 1


def test_submitting_an_edit_twice_with_one_key_is_one_revision(web: Client, submitted: Assignment) -> None:
    press(web, submitted, "edit")
    submitted.refresh_from_db()
    key = str(uuid.uuid4())

    answers = [send(web, submitted, key=key, preference=side) for side in ["a", "tie"]]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert (Annotation.objects.get().outcome, AnnotationRevision.objects.count()) == ("winner", 1)


@pytest.mark.parametrize("verdict", ["accept", "fix", "return"])
def test_what_is_reviewed_cannot_be_changed(web: Client, submitted: Assignment, verdict: str) -> None:
    review = {"reviewer": factories.user(), "verdict": verdict, "comment": "See above."}
    Review.objects.create(annotation=Annotation.objects.get(), **review)

    assert press(web, submitted, "edit").status_code == 409
    assert press(web, submitted, "undo").status_code == 409
    assert ">Edit</button>" not in look(web, submitted)


def test_a_return_that_was_answered_since_does_not_stand_in_the_way(web: Client, submitted: Assignment) -> None:
    annotation = Annotation.objects.get()
    Review.objects.create(annotation=annotation, reviewer=factories.user(), verdict="return", comment="Why?")
    Annotation.objects.update(revision=2)

    assert press(web, submitted, "edit").status_code == 302


def test_a_review_during_the_edit_wins(web: Client, submitted: Assignment) -> None:
    press(web, submitted, "edit")
    submitted.refresh_from_db()
    Review.objects.create(annotation=Annotation.objects.get(), reviewer=factories.user(), verdict="accept")

    answers = [send(web, submitted, path, preference="a").status_code for path in ["draft", "submit"]]

    assert answers == [409, 409]
    assert Annotation.objects.get().justification == "B names the cause."


@pytest.mark.parametrize("deed", ["edit", "undo", "leave"])
def test_another_persons_task_cannot_be_opened(project: Project, submitted: Assignment, deed: str) -> None:
    stranger = signed_in(factories.member(project))

    assert press(stranger, submitted, deed).status_code == 409
    submitted.refresh_from_db()
    assert submitted.reopened_at is None


def test_an_edit_adds_its_own_time_and_not_the_days_between(web: Client, submitted: Assignment) -> None:
    Annotation.objects.update(seconds=100, active_seconds=60, idle_seconds=5)
    press(web, submitted, "edit")
    Assignment.objects.update(reopened_at=timezone.now() - timedelta(seconds=40))
    submitted.refresh_from_db()

    send(web, submitted, preference="tie", active="30", idle="400")

    annotation = Annotation.objects.get()
    assert 140 <= (annotation.seconds or 0) <= 150
    assert annotation.active_seconds == 90
    assert 15 <= (annotation.idle_seconds or 0) <= 25


# ------------------------------------------------------------------------------------------------------------ undo
def test_undo_opens_the_last_task_while_the_next_one_waits(
    project: Project, web: Client, submitted: Assignment
) -> None:
    second = factories.task(project)
    following = take(web)

    body = look(web, following)
    assert f"/work/{submitted.public_id}/undo/" in body
    assert "Undo submit" in body
    answer = press(web, submitted, "undo")

    assert answer["Location"].startswith(f"/projects/study/work/{submitted.public_id}/")
    assert "B names the cause." in look(web, submitted)
    assert (counters(submitted.task), counters(second)) == ((0, 1), (1, 0))
    assert Event.objects.filter(verb="assignment.reopened").count() == 1


def test_after_ten_minutes_there_is_no_undo_but_an_edit(web: Client, submitted: Assignment) -> None:
    Assignment.objects.update(finished_at=timezone.now() - timedelta(minutes=10, seconds=1))

    assert press(web, submitted, "undo").status_code == 409
    assert "Undo" not in web.get("/projects/study/work/").content.decode()
    assert press(web, submitted, "edit").status_code == 302


def test_a_skip_can_be_taken_back_while_nobody_else_has_the_task(project: Project, web: Client) -> None:
    task = factories.task(project)
    assignment = take(web)
    send(web, assignment, "draft", justification="half a thought")
    send(web, assignment, "skip", reason="expertise")
    assert "Undo skip" in web.get("/projects/study/work/").content.decode()

    assert press(web, assignment, "undo").status_code == 302

    assignment.refresh_from_db()
    assert (assignment.state, assignment.skip_reason) == ("live", "")
    assert counters(task) == (1, 0)
    assert "half a thought" in look(web, assignment)
    assert send(web, assignment).status_code == 200


def test_a_skip_cannot_be_taken_back_once_somebody_else_has_the_task(project: Project, web: Client) -> None:
    task = factories.task(project)
    assignment = take(web)
    send(web, assignment, "skip", reason="expertise")
    take(signed_in(factories.member(project)))

    answer = press(web, assignment, "undo")

    assert answer.status_code == 409
    assert "Somebody else has taken the task" in answer.content.decode()
    assert counters(task) == (1, 0)


def test_pressing_undo_twice_is_harmless(web: Client, submitted: Assignment) -> None:
    assert [press(web, submitted, "undo").status_code for _ in range(2)] == [302, 302]
    assert Event.objects.filter(verb="assignment.reopened").count() == 1


# --------------------------------------------------------------------------------------------- drafts and counters
def test_unfinished_tasks_are_listed_to_go_on_with(project: Project, web: Client, submitted: Assignment) -> None:
    press(web, submitted, "edit")
    factories.task(project)
    lost = take(web)
    send(web, lost, "draft", justification="half a thought")
    Assignment.objects.filter(pk=lost.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    take(signed_in(factories.member(project)))

    body = web.get("/projects/study/work/").content.decode()

    assert "Being changed" in body
    assert "Judged by others since" in body
    assert str(submitted.public_id) in body
    assert str(lost.public_id) in body


def test_counters_agree_with_assignments_after_all_of_it(
    project: Project, web: Client, submitted: Assignment, person: User, capsys: Any
) -> None:
    press(web, submitted, "undo")
    submitted.refresh_from_db()
    send(web, submitted, preference="tie")
    factories.task(project)
    skipped = take(web)
    send(web, skipped, "skip", reason="other")
    press(web, skipped, "undo")
    press(web, submitted, "edit")
    press(web, submitted, "leave")

    call_command("check_counters")

    assert "All counters are right." in capsys.readouterr().out
