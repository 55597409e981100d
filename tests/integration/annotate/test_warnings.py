"""What looks like a slip is asked about once, stored with the decision, and never blocks."""

from typing import Any

import pytest
from django.test import Client

from annotate.models import Annotation, Assignment, Project
from tests import factories
from tests.integration.annotate.working import send, signed_in, take

pytestmark = pytest.mark.django_db
LONG = "It explains every step and the code runs; the other one stops half way."
SLIP = {"preference": "a", "justification": "B is better."}


def test_a_slip_is_asked_about_and_submitted_as_it_is_on_request(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)

    asked = send(web, assignment, **SLIP)
    assert (asked.status_code, Annotation.objects.count()) == (422, 0)
    assert "your reason says that B is better" in asked.content.decode()
    assert 'value="names_only_loser" data-accept' in asked.content.decode()
    kept = send(web, assignment, **SLIP, accepted_warnings="names_only_loser", warned="names_only_loser")

    assert kept.status_code == 200
    assert Annotation.objects.get().warnings == [{"code": "names_only_loser", "decision": "kept"}]


def test_a_slip_that_is_mended_is_remembered_as_changed(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    send(web, assignment, **SLIP)

    send(web, assignment, preference="b", justification="B is better.", warned="names_only_loser")

    assert Annotation.objects.get().warnings == [{"code": "names_only_loser", "decision": "changed"}]


@pytest.mark.parametrize("accepted", ["", "repeated_justification", "names_only_loser,repeated_justification", "odd"])
def test_only_exactly_what_was_shown_can_be_accepted(project: Project, web: Client, accepted: str) -> None:
    factories.task(project)

    assert send(web, take(web), **SLIP, accepted_warnings=accepted).status_code == 422
    assert not Annotation.objects.exists()


def test_a_repeated_reason_is_compared_with_the_persons_own_in_the_project(project: Project, web: Client) -> None:
    for _ in range(3):
        factories.task(project, overlap=2)
    other = signed_in(factories.member(project))
    send(other, take(other), justification=LONG)

    first = send(web, take(web), justification=LONG)
    again = send(web, Assignment.objects.get(annotator__username=_name(web), state="live"), justification=LONG)

    assert (first.status_code, again.status_code) == (200, 422)
    assert "almost the same as an earlier one" in again.content.decode()


def _name(web: Client) -> str:
    return str(web.get("/").wsgi_request.user.username)


def test_ratings_against_the_winner_are_asked_about() -> None:
    project = factories.project("study", preset="helpsteer3")
    factories.task(project)
    web = signed_in(factories.member(project))
    ratings = {
        f"rating-{d.key}-{letter}": "52"["ab".index(letter)] for d in project.dimensions.all() for letter in "ab"
    }

    answer = send(web, take(web), preference="b3", justification="It is right and the other is not.", **ratings)

    assert answer.status_code == 422
    assert "every rating of A is higher" in answer.content.decode()


def test_each_turn_is_asked_about_on_its_own(project: Project, web: Client) -> None:
    factories.task(project, turns=2)
    assignment = take(web)

    first = send(web, assignment, **SLIP)
    assignment.refresh_from_db()
    accepted: dict[str, Any] = {**SLIP, "accepted_warnings": "names_only_loser", "warned": "names_only_loser"}
    going_on = send(web, assignment, **accepted)
    last = send(web, assignment, turn=2, preference="tie")

    assert [answer.status_code for answer in (first, going_on, last)] == [422, 200, 200]
    stored = Annotation.objects.order_by("prompt__position").values_list("warnings", flat=True)
    assert list(stored) == [[{"code": "names_only_loser", "decision": "kept"}], []]


def test_what_is_missing_comes_before_what_looks_odd(project: Project, web: Client) -> None:
    Project.objects.update(rewrite="required")
    factories.task(project)

    answer = send(web, take(web), **SLIP).content.decode()

    assert "Something is missing" in answer
    assert "Is this what you mean" not in answer
