"""The number of queries of each page does not grow with the number of tasks, annotations or jobs."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.enums import Role
from annotate.models import Assignment, Project
from exports.models import Export, Import
from tests import factories

pytestmark = pytest.mark.django_db
FEW, MANY = 3, 60
# What each deed may cost. A higher number is a decision, not an accident.
MOST = {
    "take": 22,
    "page": 15,
    "draft": 22,
    "submit": 60,
    "start": 14,
    "look": 22,
    "history": 12,
    "home": 12,
    "overview": 14,
    "exports": 8,
    "imports": 8,
    "jobs": 7,
}


def work(client: Client, project: Project, *, count: int = 1) -> None:
    """Judge some tasks."""
    for _ in range(count):
        assignment = take(client, project)
        send(client, assignment, "submit")


def take(client: Client, project: Project) -> Assignment:
    answer = client.post(f"/projects/{project.slug}/work/")
    return Assignment.objects.get(public_id=answer["Location"].rstrip("/").split("/")[-1])


def send(client: Client, assignment: Assignment, path: str) -> Any:
    fields = {"preference": "a2", "justification": "It is right, the other one is not.", "margin": "1"}
    for dimension in assignment.task.project.dimensions.all():
        fields |= {f"rating-{dimension.key}-{letter}": "2" for letter in "ab"}
    data = {"turn": 1, "revision": assignment.draft_revision, "key": str(uuid.uuid4()), **fields}
    url = f"/projects/{assignment.task.project.slug}/work/{assignment.public_id}/{path}/"
    answer = client.post(url, data, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.content.decode()
    return answer


def client_of(project: Project, role: Role) -> Client:
    client = Client()
    client.force_login(factories.member(project, role))
    return client


def jobs(project: Project, count: int) -> None:
    lead = factories.member(project, Role.LEAD)
    done = {"project": project, "state": "done", "finished_at": timezone.now(), "created_by": lead}
    Export.objects.bulk_create(Export(**done, format="pairwise") for _ in range(count))
    Import.objects.bulk_create(Import(**done, file_name=f"{n}.jsonl", batch_name=f"J{n}") for n in range(count))


def measured(deed: Callable[[], Any]) -> int:
    cache.clear()  # the dearest case
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = deed()
    assert answer is None or answer.status_code in {200, 302}
    return len(queries)


def costs(size: int) -> dict[str, int]:
    """Build a project of that size, with work done in it, and count the queries of every deed."""
    project = factories.project(f"size-{size}", preset="helpsteer3")
    for _ in range(size):
        factories.task(project)
    others = [client_of(project, Role.ANNOTATOR) for _ in range(2)]
    for other in others:
        work(other, project, count=size // 3)
    jobs(project, size)
    newcomer = factories.member(project)
    person, lead, admin = Client(), client_of(project, Role.LEAD), Client()
    person.force_login(newcomer)
    admin.force_login(factories.admin(f"admin-{size}"))
    base = f"/projects/{project.slug}/"
    found = {
        "start": measured(lambda: person.get(f"{base}work/")),
        "take": measured(lambda: person.post(f"{base}work/")),
    }
    mine = Assignment.objects.get(state="live", annotator=newcomer)
    return {
        **found,
        "page": measured(lambda: person.get(f"{base}work/{mine.public_id}/")),
        "draft": measured(lambda: send(person, mine, "draft")),
        "submit": measured(lambda: send(person, mine, "submit")),
        "look": measured(lambda: person.get(f"{base}work/{mine.public_id}/")),
        "history": measured(lambda: others[0].get(f"{base}work/history/")),
        "home": measured(lambda: others[0].get("/")),
        "overview": measured(lambda: lead.get(base)),
        "exports": measured(lambda: lead.get(f"{base}exports/")),
        "imports": measured(lambda: lead.get(f"{base}imports/")),
        "jobs": measured(lambda: admin.get("/jobs/")),
    }


def test_no_page_costs_more_queries_with_more_tasks() -> None:
    few, many = costs(FEW), costs(MANY)

    print(f"queries with {FEW} and {MANY} tasks: {few} {many}")
    assert many == few
    assert {name: count for name, count in many.items() if count > MOST[name]} == {}


def test_the_page_of_nine_responses_costs_no_more_than_that_of_two() -> None:
    counts = []
    for responses in [2, 9]:
        project = factories.project(f"r-{responses}", preset="ranking")
        factories.task(project, responses=responses)
        client = client_of(project, Role.ANNOTATOR)
        url = f"/projects/{project.slug}/work/{take(client, project).public_id}/"
        client.get(url)  # fills the cache of rendered text
        counts.append(measured(lambda url=url, client=client: client.get(url)))  # type: ignore[misc]

    print(f"queries with 2 and 9 responses: {counts}")
    assert counts[0] == counts[1]
