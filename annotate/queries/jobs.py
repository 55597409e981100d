"""What is running in the background."""

from django.db.models import QuerySet

from annotate.jobs import job_models
from annotate.models import Job, Worker


def latest_jobs(limit: int = 100) -> list[Job]:
    """Return the latest jobs of all kinds, newest first."""
    newest: list[Job] = []
    for model in job_models():
        jobs = model._default_manager.select_related("project")  # type: ignore[misc]  # every kind of job has one
        newest += jobs.order_by("-pk")[:limit]
    return sorted(newest, key=lambda job: job.created_at, reverse=True)[:limit]


def workers() -> QuerySet[Worker]:
    """Return the workers that were seen in the last day, latest first."""
    return Worker.objects.order_by("-seen_at")
