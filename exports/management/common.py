"""What the commands share."""

import time
from typing import TypeVar

from django.core.management.base import CommandError

from annotate.actions.jobs import run
from annotate.models import Job, Project

J = TypeVar("J", bound=Job)


def project_named(slug: str) -> Project:
    """Return the project, or end the command with a word about which there are."""
    project = Project.objects.filter(slug=slug, deleted_at__isnull=True).first()
    if project is None:
        known = ", ".join(Project.objects.filter(deleted_at__isnull=True).values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no project {slug!r}. Projects: {known}.")
    return project


def finish(job: J) -> J:
    """Run the job here, or wait for the worker that was quicker; return it when it has ended."""
    while not job.is_finished:
        run(type(job), job.pk)
        job.refresh_from_db()
        if not job.is_finished:
            time.sleep(0.5)
    return job
