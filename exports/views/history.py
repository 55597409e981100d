"""What the lists of earlier imports and exports show."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.access import ProjectRequest
from annotate.enums import JobState
from exports.formats import FORMATS, Format
from exports.models import Export, Import

SHOWN_JOBS = 50


def history_row(job: Import | Export, rows: int, url_name: str) -> dict[str, Any]:
    """Return one line of a list."""
    return {
        "pk": job.pk,
        "url": reverse(url_name, args=[job.project.slug, job.public_id]),
        "name": getattr(job, "file_name", str(job)),
        "format_label": format_label(job.format),
        "state": job.state,
        "state_label": JobState(job.state).label,
        "rows": rows,
        "created_at": job.created_at,
        "by": job.created_by.name if job.created_by else _("command line"),
    }


def rate_of(job: Import | Export, since: datetime | None) -> float | None:
    """Return how many tasks or rows a second a running job got through since then; ``None`` before that can be said."""
    if job.state != JobState.RUNNING or since is None or not job.progress:
        return None
    seconds = (timezone.now() - since).total_seconds()
    return job.progress / seconds if seconds >= 1 else None


def format_label(name: str) -> str:
    """Return how the format is called; it may be one that another version knew."""
    return _(FORMATS[name].label) if name in FORMATS else name or _("format not known yet")


def shown_format(format_: Format) -> dict[str, str]:
    """Return the name of the format, and its texts in the language of the person."""
    texts = ("label", "description", "consumer", "carries", "leaves_out")
    return {"name": format_.name, **{text: _(getattr(format_, text)) for text in texts}}


def status(request: ProjectRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return the whole page, or only its status for htmx."""
    partial = "#status" if request.headers.get("HX-Request") else ""
    return render(request, f"{template}{partial}", context)
