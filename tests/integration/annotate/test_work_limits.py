"""The work loop over HTTP: skipping, several turns, closed projects, other people's tasks, blindness."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from annotate.enums import ProjectState, Role
from annotate.models import Annotation, Assignment, Project
from tests import factories
from tests.integration.annotate.working import counters, send, signed_in, take

pytestmark = pytest.mark.django_db


def test_a_skipped_task_asks_for_a_reason_and_does_not_come_back(project: Project, web: Client) -> None:
    first, second = factories.task(project), factories.task(project)
    assignment = take(web)

    refused = send(web, assignment, "skip", reason="because")
    accepted = send(web, assignment, "skip", reason="expertise", note="I do not know Rust.")

    assignment.refresh_from_db()
    assert (refused.status_code, accepted.status_code) == (422, 200)
    assert (assignment.state, assignment.skip_reason) == ("skipped", "expertise")
    assert counters(first) == (0, 0)
    assert take(web).task == second
    assert take(signed_in(factories.member(project))).task == first


def test_every_turn_is_judged_before_the_task_is_submitted(project: Project, web: Client) -> None:
    task = factories.task(project, turns=2)
    assignment = take(web)

    first = send(web, assignment, preference="a")
    assignment.refresh_from_db()
    assert first.status_code == 200
    assert not Annotation.objects.exists()
    second = send(web, assignment, turn=2, preference="tie")

    assert second.status_code == 200
    assert list(Annotation.objects.values_list("prompt__position", "outcome")) == [(0, "winner"), (1, "tie")]
    assert counters(task) == (0, 1)


def test_a_later_turn_shows_the_persons_own_winner_as_context(project: Project, web: Client) -> None:
    task = factories.task(project, turns=2)
    assignment = take(web)
    prompt = task.prompts.all()[0]
    winner = prompt.responses.get(pk=assignment.display_order[str(prompt.pk)][1])

    page = send(web, assignment, preference="b").content.decode()

    assert winner.content[0]["text"] in page


@pytest.mark.parametrize("state", [ProjectState.PAUSED, ProjectState.CLOSED, ProjectState.DRAFT])
def test_a_project_that_is_not_open_lends_nothing_and_takes_nothing(
    project: Project, web: Client, state: ProjectState
) -> None:
    factories.task(project)
    assignment = take(web)
    Project.objects.update(state=state)

    assert send(web, assignment).status_code == 409
    assert send(web, assignment, "draft").status_code == 409
    assert signed_in(factories.member(project)).post("/projects/study/work/").status_code == 200
    assert Assignment.objects.count() == 1


def test_another_persons_task_is_not_mine(project: Project, web: Client) -> None:
    factories.task(project)
    theirs = take(signed_in(factories.member(project)))

    answers = [send(web, theirs, path, reason="other").status_code for path in ["draft", "submit", "skip"]]

    assert answers == [409, 409, 409]
    assert web.get(f"/projects/study/work/{theirs.public_id}/").status_code == 302
    theirs.refresh_from_db()
    assert (theirs.state, theirs.draft) == ("live", {})


def test_two_annotators_see_the_two_responses_on_opposite_sides(project: Project) -> None:
    task = factories.task(project, overlap=2)
    orders = [take(signed_in(factories.member(project))).display_order for _ in range(2)]
    prompt = str(task.prompts.get().pk)

    assert orders[0][prompt] == orders[1][prompt][::-1]


def test_the_page_names_no_model_and_no_response_id(project: Project, web: Client) -> None:
    task = factories.task(project)
    for response in task.prompts.get().responses.all():
        response.model, response.metadata = "gpt-secret", {"source": "gpt-secret"}
        response.external_id = f"gpt-secret-{response.pk}"
        response.save()
    assignment = take(web)

    page = web.get(f"/projects/study/work/{assignment.public_id}/")

    assert "gpt-secret" not in page.content.decode() + str(page.headers)


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.LEAD])
def test_a_reviewer_and_a_lead_may_judge_too(project: Project, role: Role) -> None:
    factories.task(project)
    client = signed_in(factories.member(project, role))

    assert send(client, take(client)).status_code == 200
    assert Annotation.objects.count() == 1


def test_counters_agree_with_assignments_after_all_of_it(project: Project, web: Client, capsys: Any) -> None:
    for _ in range(4):
        factories.task(project, overlap=2)
    send(web, take(web))
    send(web, take(web), "skip", reason="other")
    take(web)
    Assignment.objects.filter(state="live").update(lease_until=timezone.now() - timedelta(seconds=1))
    take(signed_in(factories.member(project)))

    call_command("check_counters")

    assert "All counters are right." in capsys.readouterr().out


def test_a_task_whose_lease_ran_out_is_offered_to_others_before_anybody_asks(project: Project, web: Client) -> None:
    task = factories.task(project)
    take(signed_in(factories.member(project)))
    before = web.get("/projects/study/work/").content.decode(), web.get("/").content.decode()
    Assignment.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    after = web.get("/projects/study/work/").content.decode(), web.get("/").content.decode()

    assert ["Nothing left for you" in page for page in before] == [True, True]
    assert ["Nothing left for you" in page for page in after] == [False, False]
    assert take(web).task == task
