"""The admins' page of background jobs and of the workers that run them."""

from datetime import timedelta
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotate.access import SignedInRequest, site_admin
from annotate.enums import JobState
from annotate.models import Job
from annotate.queries.jobs import latest_jobs, workers

ALIVE_SECONDS = 20
KIND_LABELS = {"import": _("Import"), "export": _("Export")}


@site_admin
@require_safe
def jobs(request: SignedInRequest) -> HttpResponseBase:
    """List the latest jobs and say whether a worker is alive."""
    now = timezone.now()
    people = [
        {
            "name": worker.name,
            "pid": worker.pid,
            "mode": worker.mode,
            "seen_at": worker.seen_at,
            "is_alive": now - worker.seen_at < timedelta(seconds=ALIVE_SECONDS),
        }
        for worker in workers()
    ]
    context = {
        "workers": people,
        "is_alive": any(person["is_alive"] for person in people),
        "jobs": [_row(job) for job in latest_jobs()],
    }
    partial = "#table" if request.headers.get("HX-Request") else ""
    return render(request, f"annotate/jobs/list.html{partial}", context)


def _row(job: Job) -> dict[str, Any]:
    return {
        "kind_label": KIND_LABELS.get(job.kind, job.kind),
        "title": str(job),
        "state": job.state,
        "state_label": JobState(job.state).label,
        "percent": job.percent,
        "attempts": job.attempts,
        "error": job.error,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
    }
