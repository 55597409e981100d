"""The pages where leads bring datasets in and take them out."""

import uuid
from typing import Any

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.jobs import TooManyJobs, cancel
from annotate.enums import JobState
from annotate.models import Job, Project
from exports.actions import RequestRefused, request_export, request_import
from exports.formats import FORMATS
from exports.forms import ExportForm, ImportForm
from exports.models import Export, ExportFile, Import
from exports.wording import accounting_lines, option_lines

SHOWN_JOBS = 50
SHOWN_PROBLEMS = 100


def _history_row(job: Import | Export, rows: int, url_name: str) -> dict[str, Any]:
    return {
        "pk": job.pk,
        "url": reverse(url_name, args=[job.project.slug, job.public_id]),
        "name": getattr(job, "file_name", str(job)),
        "format_label": _format_label(job.format),
        "state": job.state,
        "state_label": JobState(job.state).label,
        "rows": rows,
        "created_at": job.created_at,
        "by": job.created_by.name if job.created_by else "command line",
    }


def _format_label(name: str) -> str:
    return FORMATS[name].label if name in FORMATS else name or "format not known yet"


def _status(request: ProjectRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    partial = "#status" if request.headers.get("HX-Request") else ""
    return render(request, f"{template}{partial}", context)


def _stop(request: ProjectRequest, job: Job, url: str) -> HttpResponseBase:
    cancel(job, by=request.user)
    return redirect(url)


# --------------------------------------------------------------------------------------------------- imports
@project_access(Permission.IMPORT)
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """List the imports; POST uploads a file and starts one."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            job = request_import(
                project=project,
                chunks=upload.chunks(),
                file_name=upload.name,
                batch_name=form.cleaned_data["batch"],
                format_name=form.cleaned_data["format"],
                by=request.user,
            )
            return redirect("imports:detail", project.slug, job.public_id)
        except (RequestRefused, TooManyJobs) as error:
            form.add_error(getattr(error, "field", "") or None, str(error))
    jobs = project.imports.select_related("created_by", "project")[:SHOWN_JOBS]
    rows = [_history_row(job, job.created_count, "imports:detail") for job in jobs]
    status = 422 if form.errors else 200
    context = {"project": project, "form": form, "jobs": rows}
    return render(request, "exports/imports.html", context, status=status)


@project_access(Permission.IMPORT)
@require_safe
def import_detail(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show one import: its progress, or what was wrong with the file."""
    job = get_object_or_404(Import.objects.select_related("project"), public_id=public_id, project=project)
    problems = job.problems[:SHOWN_PROBLEMS]
    context = {
        "project": project,
        "job": job,
        "format_label": _format_label(job.format),
        "problems": problems,
        "more_problems": max(0, job.problem_count - len(problems)),
        "cancel_url": reverse("imports:cancel", args=[project.slug, public_id]),
    }
    return _status(request, "exports/import_detail.html", context)


@project_access(Permission.IMPORT)
@require_POST
def import_cancel(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Stop the import; nothing of it is kept."""
    job = get_object_or_404(Import, public_id=public_id, project=project)
    return _stop(request, job, reverse("imports:detail", args=[project.slug, public_id]))


# --------------------------------------------------------------------------------------------------- exports
@project_access(Permission.EXPORT)
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """List the exports; POST starts one."""
    form = ExportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            job = request_export(
                project=project, format_name=form.cleaned_data["format"], options=form.options(), by=request.user
            )
            return redirect("exports:detail", project.slug, job.public_id)
        except (RequestRefused, TooManyJobs) as error:
            form.add_error(getattr(error, "field", "") or None, str(error))
    jobs = project.exports.select_related("created_by", "project")[:SHOWN_JOBS]
    context = {
        "project": project,
        "form": form,
        "jobs": [_history_row(job, job.rows, "exports:detail") for job in jobs],
    }
    return render(request, "exports/exports.html", context, status=422 if form.errors else 200)


@project_access(Permission.EXPORT)
@require_safe
def export_detail(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show one export: its progress, then its files and the accounting of every judgement."""
    job = get_object_or_404(Export.objects.select_related("project"), public_id=public_id, project=project)
    files = [_file_row(project, job, file) for file in job.files.all()] if job.state == JobState.DONE else []
    context = {
        "project": project,
        "job": job,
        "format_label": _format_label(job.format),
        "files": files,
        "accounting": accounting_lines(job.manifest.get("accounting", {})),
        "options": option_lines(job.options),
        "cancel_url": reverse("exports:cancel", args=[project.slug, public_id]),
    }
    return _status(request, "exports/export_detail.html", context)


def _file_row(project: Project, job: Export, file: ExportFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "size_label": filesizeformat(file.bytes),
        "rows": file.rows if file.name.endswith(".jsonl") else None,
        "sha256": file.sha256,
        "url": reverse("exports:download", args=[project.slug, job.public_id, file.name]),
    }


@project_access(Permission.EXPORT)
@require_POST
def export_cancel(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Stop the export."""
    job = get_object_or_404(Export, public_id=public_id, project=project)
    return _stop(request, job, reverse("exports:detail", args=[project.slug, public_id]))


@project_access(Permission.EXPORT)
@require_safe
def download(request: ProjectRequest, project: Project, public_id: uuid.UUID, name: str) -> HttpResponseBase:
    """Send one finished file. The permission is checked now, whenever the file was made."""
    files = ExportFile.objects.filter(export__project=project, export__state=JobState.DONE)
    file = get_object_or_404(files.select_related("export"), export__public_id=public_id, name=name)
    path = file.export.folder / file.name
    if not path.is_file():
        raise Http404("The file is no longer there. Start the export again.")
    response = FileResponse(path.open("rb"), as_attachment=True, filename=file.name)
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response
