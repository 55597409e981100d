"""Rows for tests, with no surprises: keyword arguments say everything that matters."""

import itertools
from typing import Any

from annotate.actions.members import add_member
from annotate.actions.projects import create_project
from annotate.enums import Role
from annotate.models import Batch, Project, Prompt, Response, Task, User

_numbers = itertools.count(1)
PASSWORD = "correct horse battery"


def user(username: str = "", **fields: Any) -> User:
    """A person who can sign in with PASSWORD."""
    username = username or f"person{next(_numbers)}"
    return User.objects.create_user(username, f"{username}@example.org", PASSWORD, **fields)


def admin(username: str = "admin") -> User:
    return user(username, is_superuser=True, is_staff=True)


def project(slug: str = "", preset: str = "arena", **changes: Any) -> Project:
    return create_project(slug=slug or f"project-{next(_numbers)}", preset=preset, by=None, **changes)


def member(project: Project, role: Role = Role.ANNOTATOR, username: str = "") -> User:
    person = user(username)
    add_member(project=project, user=person, role=role, by=None)
    return person


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def batch(project: Project, name: str = "Batch") -> Batch:
    return Batch.objects.get_or_create(project=project, name=name)[0]


def task(project: Project, responses: int = 2, turns: int = 1, **fields: Any) -> Task:
    """A task whose responses are by model-0, model-1, …"""
    number = next(_numbers)
    defaults = {"external_id": f"task-{number}", "overlap": project.overlap, "batch": batch(project)}
    made = Task.objects.create(project=project, **{**defaults, **fields})
    for turn in range(turns):
        prompt = Prompt.objects.create(
            task=made, position=turn, external_id=f"p{turn}", content=text(f"Question {number}.{turn}?")
        )
        for index in range(responses):
            Response.objects.create(
                prompt=prompt,
                position=index,
                external_id=f"r{index}",
                content=text(f"Answer {number}.{turn}.{index}."),
                model=f"model-{index}",
            )
    return made


def fields(**values: Any) -> dict[str, Any]:
    """The fields of a filled arena form."""
    return {"preference": "a", **values}
