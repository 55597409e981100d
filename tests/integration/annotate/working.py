"""Working over HTTP as the page does."""

import uuid
from typing import Any

from django.test import Client

from annotate.models import Assignment, Task, User

HTMX = {"HX-Request": "true"}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def take(client: Client, slug: str = "study") -> Assignment:
    """Press "take the next task"; return what was lent."""
    response = client.post(f"/projects/{slug}/work/")
    assert response.status_code == 302, response.content
    return Assignment.objects.get(public_id=response["Location"].rstrip("/").split("/")[-1])


def send(client: Client, assignment: Assignment, path: str = "submit", **changes: Any) -> Any:
    """Post the form of the assignment's page."""
    data = {"turn": 1, "revision": assignment.draft_revision, "key": str(uuid.uuid4()), "preference": "a", **changes}
    url = f"/projects/{assignment.task.project.slug}/work/{assignment.public_id}/{path}/"
    return client.post(url, data, headers=HTMX)


def counters(task: Task) -> tuple[int, int]:
    task.refresh_from_db()
    return task.claimed_count, task.submitted_count
