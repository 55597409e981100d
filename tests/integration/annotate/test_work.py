"""The work loop over HTTP: take, draft, submit once, next; nothing that was acknowledged is lost."""

import json
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Annotation, Assignment, Event, Project, Task
from tests import factories
from tests.integration.annotate.working import counters, send, signed_in, take

pytestmark = pytest.mark.django_db


def test_taking_lends_the_most_urgent_then_the_oldest_task(project: Project, web: Client) -> None:
    factories.task(project)
    urgent = factories.task(project, priority=5)

    assert take(web).task == urgent
    assert counters(urgent) == (1, 0)


def test_taking_twice_gives_the_same_task(project: Project, web: Client) -> None:
    factories.task(project)
    factories.task(project)

    assert take(web) == take(web)
    assert Assignment.objects.count() == 1


def test_a_task_in_work_goes_to_nobody_else(project: Project, web: Client) -> None:
    factories.task(project)
    take(web)

    answer = signed_in(factories.member(project)).post("/projects/study/work/")

    assert answer.status_code == 200
    assert Assignment.objects.count() == 1


def test_submitting_stores_the_judgement_and_shows_the_next_task(project: Project, web: Client) -> None:
    first, second = factories.task(project), factories.task(project)
    assignment = take(web)
    shown = assignment.display_order[str(first.prompts.get().pk)]

    answer = send(web, assignment, preference="b", justification="B answers the question.")

    annotation = Annotation.objects.get()
    assert answer.status_code == 200
    assert annotation.winner_id == shown[1]
    assert annotation.justification == "B answers the question."
    assert annotation.display_order == shown
    assert counters(first) == (0, 1)
    assert counters(second) == (1, 0)
    assert json.loads(answer["HX-Trigger"]) == {"submitted": {"assignment": str(assignment.public_id)}}
    assert list(Event.objects.values_list("verb", flat=True)[:2]) == ["assignment.claimed", "annotation.submitted"]


def test_submitting_twice_with_one_key_is_one_submission(project: Project, web: Client) -> None:
    factories.task(project)
    assignment, key = take(web), str(uuid.uuid4())

    answers = [send(web, assignment, key=key, preference=side) for side in "ab"]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert Annotation.objects.count() == 1
    assert Task.objects.get().submitted_count == 1


def test_submitting_again_with_another_key_is_refused_and_changes_nothing(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    send(web, assignment)
    before = Annotation.objects.values().get()

    answer = send(web, assignment, preference="b")

    assert answer.status_code == 409
    assert "already submitted" in answer.content.decode()
    assert Annotation.objects.values().get() == before


@pytest.mark.parametrize("preference", ["", "c", "zz", "a3", "cannot_judge", "<script>"])
def test_an_impossible_preference_is_marked_and_nothing_is_stored(
    project: Project, web: Client, preference: str
) -> None:
    factories.task(project)

    answer = send(web, take(web), preference=preference, justification="kept text")

    assert answer.status_code == 422
    assert "kept text" in answer.content.decode()
    assert not Annotation.objects.exists()


@pytest.mark.parametrize("key", ["", "not-a-key", "12345678"])
def test_a_submit_without_a_key_is_a_bad_request(project: Project, web: Client, key: str) -> None:
    factories.task(project)

    assert send(web, take(web), key=key).status_code == 400


@pytest.mark.parametrize("turn", ["", "0", "2", "-1", "9" * 30, "NaN", "²"])
def test_a_turn_that_does_not_exist_is_refused(project: Project, web: Client, turn: str) -> None:
    factories.task(project)

    assert send(web, take(web), turn=turn).status_code == 409


def test_a_draft_is_kept_and_shown_again(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)

    saved = send(web, assignment, "draft", preference="tie", justification="not finished")
    page = web.get(f"/projects/study/work/{assignment.public_id}/").content.decode()

    assert saved.status_code == 200
    assert saved.content.decode().startswith("Saved ")
    assert "not finished" in page
    assert counters(assignment.task) == (1, 0)


def test_a_draft_based_on_an_old_revision_is_refused(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    send(web, assignment, "draft", justification="first tab")

    answer = send(web, assignment, "draft", justification="second tab")

    assignment.refresh_from_db()
    assert answer.status_code == 409
    assert assignment.draft["turns"][str(assignment.task.prompts.get().pk)]["justification"] == "first tab"


def test_saving_renews_the_lease(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    soon = timezone.now() + timedelta(seconds=5)
    Assignment.objects.update(lease_until=soon)

    send(web, assignment, "draft")

    assignment.refresh_from_db()
    assert assignment.lease_until > soon + timedelta(minutes=30)


def test_an_expired_task_goes_to_others_and_the_draft_stays(project: Project, web: Client) -> None:
    task = factories.task(project)
    mine = take(web)
    send(web, mine, "draft", justification="half a thought")
    Assignment.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    theirs = take(signed_in(factories.member(project)))

    mine.refresh_from_db()
    assert theirs.task == task
    assert mine.state == "expired"
    assert mine.draft["turns"][str(task.prompts.get().pk)]["justification"] == "half a thought"
    assert counters(task) == (1, 0)
    assert send(web, mine).status_code == 409
    assert Annotation.objects.count() == 0


def test_an_expired_task_with_room_can_still_be_submitted(project: Project, web: Client) -> None:
    task = factories.task(project, overlap=2)
    mine = take(web)
    Assignment.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    take(signed_in(factories.member(project)))

    assert send(web, mine).status_code == 200
    assert counters(task) == (1, 1)


def test_a_nul_in_a_draft_is_left_out_on_every_database(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)

    saved = send(web, assignment, "draft", justification="be\0fore", preference="t\0ie")
    assignment.refresh_from_db()
    submitted = send(web, assignment, justification="be\0fore")

    [fields] = assignment.draft["turns"].values()
    assert (saved.status_code, submitted.status_code) == (200, 200)
    assert fields == {"justification": "before", "preference": "tie"}
    assert Annotation.objects.get().justification == "before"
