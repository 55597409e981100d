"""What the page of one import shows, as plain data."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotate.actions.rendering import rendered
from annotate.enums import JobState
from annotate.queries.identities import held_tasks
from exports.enums import ImportPhase
from exports.formats import FORMATS
from exports.forms.imports import ChoicesForm
from exports.mappings import COLUMNS
from exports.models import Import
from exports.views.history import format_label, rate_of

SHOWN_PROBLEMS = 100
LETTERS = "ABCDEFGHI"


def form_of(job: Import, data: Any = None) -> ChoicesForm:
    """Return the form of the choices, filled with those of the job."""
    mappable = job.report.get("mappable", [])
    format_name = COLUMNS if "unrecognised" in job.report else job.format
    initial = {**job.choices, "batch": job.batch_name, "format": format_name}
    for key, value in job.choices.get("mapping", {}).items():
        initial[f"map:{key}"] = value
    return ChoicesForm(data, initial=initial, mappable=mappable)


def page_of(job: Import, form: ChoicesForm) -> dict[str, Any]:
    """Return everything that the page says about the import."""
    report, args = job.report, [job.project.slug, job.public_id]
    problems = job.problems[:SHOWN_PROBLEMS]
    is_checked = job.phase == ImportPhase.CHECK and job.state == JobState.DONE
    return {
        "project": job.project,
        "job": job,
        "form": form,
        "is_checked": is_checked,
        "is_ready": is_checked and not job.problem_count and bool(report.get("tasks")),
        "is_imported": job.phase == ImportPhase.LOAD and job.state == JobState.DONE,
        "format_label": format_label(job.format),
        "recognised_by": _(FORMATS[job.format].recognised_by) if _was_recognised(job) else "",
        "report": report,
        "counts": counts_of(report),
        "names": list(report.get("names", {}).items()),
        "samples": [_shown(sample) for sample in report.get("samples", [])] if is_checked else [],
        "columns": _columns(job, form),
        "problems": problems,
        "more_problems": max(0, job.problem_count - len(problems)),
        "speed": _speed(job),
        "held": held_tasks(job.batch).count() if job.batch else 0,
        "cancel_url": reverse("imports:cancel", args=args),
        "report_url": reverse("imports:report", args=args),
        "held_url": reverse("imports:held", args=args),
    }


def counts_of(report: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the lines of the report that say how many of what, those of nothing left out."""
    lines = [
        (_("Tasks in the file"), report.get("tasks", 0)),
        (_("New tasks"), report.get("new", 0)),
        (_("Tasks that are updated"), report.get("updated", 0)),
        (_("Tasks that stay as they are"), report.get("unchanged", 0)),
        (_("Tasks that are skipped"), report.get("skipped", 0)),
        *(
            (_("Tasks left out: %(reason)s") % {"reason": reason}, count)
            for reason, count in report.get("left_out", {}).items()
        ),
        (_("Prompts"), report.get("prompts", 0)),
        (_("Responses"), report.get("responses", 0)),
        (_("Media"), report.get("media", 0)),
        (_("Judgements"), report.get("judgements", 0)),
        (_("Judgements left out"), report.get("judgements_left_out", 0)),
        (_("Ratings left out"), report.get("ratings_left_out", 0)),
        (_("Tasks that name a model"), report.get("named_tasks", 0)),
    ]
    return [line for line in lines if line[1]]


def _was_recognised(job: Import) -> bool:
    return job.format in FORMATS and bool(FORMATS[job.format].recognised_by) and job.report.get("recognised", False)


def _columns(job: Import, form: ChoicesForm) -> list[dict[str, Any]]:
    examples = {column["key"]: column["examples"] for column in job.report.get("mappable", [])}
    return [{"field": field, "examples": examples.get(str(field.label), [])} for field in form.columns]


def _shown(record: dict[str, Any]) -> dict[str, Any]:
    """Return a task of the report as annotators will see it: without the names of its models."""
    return {
        "id": record["id"],
        "turns": [
            *({"role": message["role"], "parts": _parts(message["content"])} for message in record.get("context", [])),
            *(
                {
                    "role": "user",
                    "parts": _parts(prompt["content"]),
                    "responses": [
                        {"letter": LETTERS[place % len(LETTERS)], "parts": _parts(response["content"])}
                        for place, response in enumerate(prompt["responses"])
                    ],
                }
                for prompt in record["prompts"]
            ),
        ],
    }


def _parts(content: list[dict[str, Any]]) -> list[dict[str, str]]:
    html = rendered(part["text"] for part in content if part["type"] == "text")
    return [
        {"html": html[part["text"]]} if part["type"] == "text" else {"type": part["type"], "name": _name(part)}
        for part in content
    ]


def _name(part: dict[str, Any]) -> str:
    path = part.get("name") or part.get("path") or part.get("asset") or ""
    return path if not path.startswith("data:") else _("in the file itself")


def _speed(job: Import) -> str:
    """Say how fast it goes and how long it will take, once that can be said."""
    rate = rate_of(job, job.started_at)
    if rate is None:
        return ""
    text = _("%(rate)s tasks a second") % {"rate": f"{rate:,.0f}"}
    if job.total <= job.progress:
        return text
    left = round((job.total - job.progress) / rate)
    more = ngettext("about %(count)s second left", "about %(count)s seconds left", left) % {"count": left}
    return f"{text} · {more}"


HELD_PAGE = 25


def held_page(job: Import) -> list[dict[str, Any]]:
    """Return the first tasks of the import that wait for a decision, each with the names in it."""
    if job.batch is None:
        return []
    tasks = held_tasks(job.batch).prefetch_related("name_findings")[:HELD_PAGE]
    return [{"id": task.pk, "name": task.external_id, "findings": list(task.name_findings.all())[:5]} for task in tasks]
