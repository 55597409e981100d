"""Several turns in one flow: back and forth until the task is submitted, and a lost answer costs nothing."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Annotation, Assignment, Project
from tests import factories
from tests.integration.annotate.working import send, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment(project: Project, web: Client) -> Assignment:
    factories.task(project, turns=3)
    return take(web)


def turn_page(web: Client, assignment: Assignment, turn: int) -> str:
    return web.get(f"/projects/study/work/{assignment.public_id}/", {"turn": turn}).content.decode()


def test_next_turn_again_after_a_lost_answer_goes_on(web: Client, assignment: Assignment) -> None:
    same: dict[str, Any] = {"key": str(uuid.uuid4()), "preference": "b", "change": "5"}

    answers = [send(web, assignment, **same) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert all("Turn 2 of 3" in answer.content.decode() for answer in answers)


def test_a_draft_after_a_lost_answer_may_say_more(web: Client, assignment: Assignment) -> None:
    key = str(uuid.uuid4())
    send(web, assignment, "draft", key=key, change="1", justification="one")

    answer = send(web, assignment, "draft", key=key, change="2", justification="one two")

    assert answer.status_code == 200
    assignment.refresh_from_db()
    assert next(iter(assignment.draft["turns"].values()))["justification"] == "one two"


def test_an_older_draft_that_comes_late_does_not_win(web: Client, assignment: Assignment) -> None:
    key = str(uuid.uuid4())
    send(web, assignment, "draft", key=key, change="2", justification="newer")

    answer = send(web, assignment, "draft", key=key, change="1", justification="older")

    assert answer.status_code == 409
    assignment.refresh_from_db()
    assert next(iter(assignment.draft["turns"].values()))["justification"] == "newer"


def test_another_page_still_may_not_overwrite(web: Client, assignment: Assignment) -> None:
    send(web, assignment, "draft", key=str(uuid.uuid4()), change="1", justification="first tab")

    assert send(web, assignment, "draft", key=str(uuid.uuid4()), change="9").status_code == 409


def test_an_earlier_turn_can_be_changed_until_the_task_is_submitted(web: Client, assignment: Assignment) -> None:
    send(web, assignment, preference="a")
    assignment.refresh_from_db()
    send(web, assignment, turn=2, preference="b")
    assignment.refresh_from_db()

    first = turn_page(web, assignment, 1)
    assert 'value="a" data-side="a" aria-label="A is better" checked' in first
    assert first.count('aria-label="Turn ') == 3  # turn 3 comes right after one that is done
    send(web, assignment, preference="tie")
    send(web, assignment, turn=3, preference="a")

    outcomes = Annotation.objects.order_by("prompt__position").values_list("outcome", flat=True)
    assert list(outcomes) == ["tie", "winner", "winner"]


def test_turns_that_have_no_turn_before_them_yet_cannot_be_reached(web: Client, assignment: Assignment) -> None:
    assert turn_page(web, assignment, 1).count('aria-label="Turn ') == 1


def test_times_are_kept_per_turn_and_believed_as_far_as_time_passed(web: Client, assignment: Assignment) -> None:
    Assignment.objects.update(opened_at=timezone.now() - timedelta(seconds=100))
    send(web, assignment, preference="a", active="30", idle="5")
    assignment.refresh_from_db()
    send(web, assignment, turn=2, preference="a", active="99999", idle="99999")
    assignment.refresh_from_db()
    send(web, assignment, turn=3, preference="a", active="many", idle="-4")

    first, second, third = Annotation.objects.order_by("prompt__position")
    assert (first.active_seconds, first.idle_seconds) == (30, 5)
    assert 100 <= (second.active_seconds or 0) <= 110
    assert second.idle_seconds == 0
    assert (third.active_seconds, third.idle_seconds) == (None, None)


def test_a_page_that_was_reloaded_goes_on_counting_where_it_was(web: Client, assignment: Assignment) -> None:
    Assignment.objects.update(opened_at=timezone.now() - timedelta(seconds=100))
    send(web, assignment, "draft", active="40", idle="3")

    body = turn_page(web, assignment, 1)

    assert 'name="active" id="active" value="40"' in body
    assert 'name="idle" id="idle" value="3"' in body


def test_a_late_draft_of_another_turn_stands_in_nobodys_way(web: Client, assignment: Assignment) -> None:
    send(web, assignment, preference="a")
    assignment.refresh_from_db()
    opened = assignment.draft_revision
    send(web, assignment, "draft", turn=2, justification="sent while leaving turn 2")

    answer = send(web, assignment, "draft", revision=opened, justification="back in turn 1")

    assert answer.status_code == 200


def test_a_page_from_before_the_submit_cannot_save_over_an_edit(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    stale = assignment.draft_revision
    send(web, assignment, justification="submitted")
    web.post(f"/projects/study/work/{assignment.public_id}/edit/")

    assert send(web, assignment, "draft", revision=stale, justification="stale").status_code == 409


def test_a_page_that_was_reloaded_is_the_same_page_to_its_own_late_draft(web: Client, assignment: Assignment) -> None:
    late = send(web, assignment, "draft", page="tab-1", change="1", justification="sent while reloading")

    answer = send(web, assignment, "draft", page="tab-1", change="2", justification="after the reload")
    other = send(web, assignment, "draft", page="tab-2", change="3", justification="from another tab")

    assert [late.status_code, answer.status_code, other.status_code] == [200, 200, 409]
