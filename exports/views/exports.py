"""The pages where leads ask for datasets."""

import json
import uuid
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.jobs import TooManyJobs, cancel
from annotate.models import Project
from exports.actions import RequestRefused, repeat_export, request_export
from exports.formats import FORMATS, Format
from exports.forms.exports import ExportForm
from exports.models import Export
from exports.options import ExportOptions
from exports.preview import preview
from exports.views.export_page import page_of
from exports.views.history import SHOWN_JOBS, format_label, history_row, shown_format, status
from exports.wording import accounting_lines, why_empty

USUAL_FORMAT = "trl_preference"
SHOWN_TEXT = 300  # characters of one text in a preview


def _format(request: ProjectRequest) -> Format:
    """The chosen format, or the usual one; a name that cannot be written is answered by the form."""
    name = request.POST.get("format") or request.GET.get("format") or USUAL_FORMAT
    return FORMATS[name] if name in FORMATS and FORMATS[name].can_write else FORMATS[USUAL_FORMAT]


def _form(request: ProjectRequest, project: Project, *, filled: bool) -> ExportForm:
    data = (request.POST if request.method == "POST" else request.GET) if filled else None
    may_name = Permission.EXPORT_NAMES in request.permissions
    return ExportForm(data, format_=_format(request), project=project, may_name=may_name)


@project_access(Permission.EXPORT)
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Choose who the dataset is for and what it holds; POST starts it."""
    form = _form(request, project, filled=request.method == "POST")
    if request.method == "POST" and form.is_valid():
        try:
            job = request_export(
                project=project,
                format_name=request.POST.get("format", ""),
                options=form.options(),
                file_options=form.file_options(),
                reason=form.cleaned_data.get("reason", ""),
                by=request.user,
            )
            return redirect("exports:detail", project.slug, job.public_id)
        except (RequestRefused, TooManyJobs) as error:
            field = getattr(error, "field", "")
            form.add_error(field if field in form.fields else None, str(error))
    partial = "#setup" if request.headers.get("HX-Request") else ""
    context = {"project": project, "form": form, "chosen": shown_format(form.format), **_lists(project, form.format)}
    return render(request, f"exports/exports.html{partial}", context, status=422 if form.errors else 200)


def _lists(project: Project, chosen: Format) -> dict[str, Any]:
    groups: dict[str, list[Format]] = {}
    for each in FORMATS.values():
        if each.can_write:
            groups.setdefault(each.group, []).append(each)
    jobs = project.exports.select_related("created_by", "project")[:SHOWN_JOBS]
    schedules = project.export_schedules.order_by("next_at")
    return {
        "groups": [
            (gettext(name), [shown_format(each) for each in formats], chosen in formats)
            for name, formats in groups.items()
        ],
        "jobs": [history_row(job, job.rows, "exports:detail") for job in jobs],
        "schedules": [(each, format_label(each.format), each.exports.first()) for each in schedules],
    }


@project_access(Permission.EXPORT)
@require_safe
def export_preview(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """The first rows that the options would give, and an estimate of where every judgement would go."""
    form = _form(request, project, filled=True)
    context: dict[str, Any] = {"project": project, "form": form}
    try:
        options = form.options() if form.is_valid() else ExportOptions()
    except RequestRefused as error:
        form.add_error(None, str(error))
        options = ExportOptions()
    if not form.errors:
        made = preview(project, form.format, options)
        estimate = made.estimate()
        context |= {
            "preview": made,
            "rows": [json.dumps(_clipped(row), ensure_ascii=False, indent=2) for row in made.rows],
            "accounting": accounting_lines(estimate, gettext),
            "why_empty": "" if estimate["rows_out"] else why_empty(estimate, gettext),
        }
    return render(request, "exports/_preview.html", context)


def _clipped(value: Any) -> Any:
    """The row with long texts cut: it is to be looked at."""
    if isinstance(value, str):
        more = len(value) - SHOWN_TEXT
        if more <= 20:
            return value
        note = ngettext("… (%(count)s more character)", "… (%(count)s more characters)", more) % {"count": f"{more:,}"}
        return value[:SHOWN_TEXT] + note
    if isinstance(value, dict):
        return {key: _clipped(each) for key, each in value.items()}
    return [_clipped(each) for each in value] if isinstance(value, list) else value


@project_access(Permission.EXPORT)
@require_safe
def export_detail(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show one export: its progress, then its files and the accounting of every judgement."""
    job = get_object_or_404(Export.objects.select_related("project", "schedule"), public_id=public_id, project=project)
    return status(request, "exports/export_detail.html", {"project": project, "job": job, **page_of(job)})


@project_access(Permission.EXPORT)
@require_POST
def export_cancel(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Stop the export."""
    cancel(get_object_or_404(Export, public_id=public_id, project=project), by=request.user)
    return redirect("exports:detail", project.slug, public_id)


@project_access(Permission.EXPORT)
@require_POST
def export_repeat(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Make it again, on the same data or on that of today (``data=today``)."""
    job = get_object_or_404(Export.objects.select_related("project"), public_id=public_id, project=project)
    try:
        made = repeat_export(export=job, same_data=request.POST.get("data") != "today", by=request.user)
    except (RequestRefused, TooManyJobs) as error:
        context = {"project": project, "job": job, "problem": str(error), **page_of(job)}
        return render(request, "exports/export_detail.html", context, status=422)
    return redirect("exports:detail", project.slug, made.public_id)
