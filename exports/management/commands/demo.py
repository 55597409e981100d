"""Load the demo: people, two projects with tasks, and judgements that several annotators have given."""

import os
import secrets
import tempfile
import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_task, skip
from annotate.actions.events import record
from annotate.actions.members import add_member
from annotate.actions.projects import create_project
from annotate.enums import JobState, Role
from annotate.models import Assignment, Project, Prompt, Task, User
from annotate.rules.judgement import Judgement, RatingValue
from exports.actions import request_import
from exports.demo.bundle import write_bundle
from exports.demo.judgements import PromptJudgement, judgement_for, skips
from exports.demo.story import PEOPLE, PROJECTS, DemoProject, Person, annotators
from exports.management.common import finish
from exports.models import Import

BATCH = "First round"


class Command(BaseCommand):
    help = "Load the demo. May be run again: what is there already stays as it is."

    def handle(self, **options: Any) -> None:
        passwords = _passwords(Path(settings.VAR_DIR) / "demo-accounts.txt")
        people = {person.username: _person(person, passwords[person.username]) for person in PEOPLE}
        for story in PROJECTS:
            self.stderr.write(f"Loading the demo project {story.name} …")
            project = _project(story, people)
            _tasks(project)
            _judgements(project, people)
        record("demo.loaded", people["robin"], by=None)
        self.stdout.write("\nThe demo's people (shown once; kept in var/demo-accounts.txt):\n")
        for person in PEOPLE:
            self.stdout.write(f"  {person.role:<10} {person.username:<8} {passwords[person.username]}")
        self.stdout.write("")


def _passwords(path: Path) -> dict[str, str]:
    """Return username to random password; they are made once and kept in a file that only its owner can read."""
    if not path.exists():
        lines = [f"{person.username}\t{secrets.token_urlsafe(9)}\t{person.role}\n" for person in PEOPLE]
        part = path.with_suffix(".part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.writelines(lines)
        part.replace(path)
    return dict(line.split("\t")[:2] for line in path.read_text().splitlines())


def _person(person: Person, password: str) -> User:
    if existing := User.objects.filter(username=person.username).first():
        return existing
    is_admin = person.role == "admin"
    return User.objects.create_user(
        person.username,
        person.email,
        password,
        display_name=person.display_name,
        is_superuser=is_admin,
        is_staff=is_admin,
    )


def _project(story: DemoProject, people: dict[str, User]) -> Project:
    project = Project.objects.filter(slug=story.slug).first() or create_project(
        slug=story.slug,
        preset=story.preset,
        name=story.name,
        description=story.description,
        guidelines=story.guidelines,
        by=people["robin"],
        **story.changes,
    )
    for person in PEOPLE:
        if person.role != "admin":
            add_member(project=project, user=people[person.username], role=Role(person.role), by=people["robin"])
    return project


def _tasks(project: Project) -> None:
    """Bring the tasks in through the same import that a lead uses; go on with one that was interrupted."""
    given_up = [JobState.FAILED, JobState.CANCELLED]
    earlier = project.imports.filter(batch_name=BATCH).exclude(state__in=given_up).first()
    job = finish(earlier or _request(project))
    if job.state != JobState.DONE:
        raise CommandError(f"The demo could not be imported: {job.error} {job.problems[:3]}")


def _request(project: Project) -> Import:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{project.slug}.zip"
        write_bundle(project.slug, path)
        return request_import(
            project=project, chunks=[path.read_bytes()], file_name=path.name, batch_name=BATCH, by=None
        )


def _judgements(project: Project, people: dict[str, User]) -> None:
    """Let the annotators judge through the same actions that the page uses."""
    for task in project.tasks.order_by("pk"):
        for person in annotators():
            user = people[person.username]
            if not task.assignments.filter(annotator=user).exists():
                _judge(task, user)
    for slug, external_id, username, reason, note in skips:
        task = Task.objects.get(project__slug=slug, external_id=external_id)
        if slug == project.slug and not task.assignments.filter(annotator=people[username]).exists():
            with transaction.atomic():
                assignment = claim_task(task=task, by=people[username])
                skip(public_id=assignment.public_id, reason=reason, note=note, by=people[username])


@transaction.atomic
def _judge(task: Task, user: User) -> None:
    """Take the task and submit, or neither: whoever has a task in hand is taken for done by the next run."""
    said = judgement_for(task.project.slug, task.external_id, user.username)
    if said is None:
        return
    assignment: Assignment = claim_task(task=task, by=user)
    judgements = {
        prompt.pk: _judgement(said.prompts[prompt.external_id], prompt) for prompt in task.prompts.order_by("position")
    }
    submit(public_id=assignment.public_id, judgements=judgements, key=uuid.uuid4(), by=user)


def _judgement(said: PromptJudgement, prompt: Prompt) -> Judgement:
    ids = {response.external_id: str(response.pk) for response in prompt.responses.all()}
    return Judgement(
        outcome=said.outcome,
        winner=ids[said.winner] if said.winner else None,
        margin=said.margin,
        ranking=tuple(tuple(ids[name] for name in group) for group in said.ranking),
        ratings=tuple(
            RatingValue(dimension, ids[name], value)
            for dimension, values in said.ratings.items()
            for name, value in values.items()
        ),
        justification=said.justification,
        reason=said.reason,
    )
