"""The pages where leads bring datasets in."""

import uuid

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.jobs import TooManyJobs, cancel
from annotate.models import Project
from exports.actions import RequestRefused, request_import
from exports.forms.imports import ImportForm
from exports.models import Import
from exports.views.history import SHOWN_JOBS, format_label, history_row, status

SHOWN_PROBLEMS = 100


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
    rows = [history_row(job, job.created_count, "imports:detail") for job in jobs]
    context = {"project": project, "form": form, "jobs": rows}
    return render(request, "exports/imports.html", context, status=422 if form.errors else 200)


@project_access(Permission.IMPORT)
@require_safe
def import_detail(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show one import: its progress, or what was wrong with the file."""
    job = get_object_or_404(Import.objects.select_related("project"), public_id=public_id, project=project)
    problems = job.problems[:SHOWN_PROBLEMS]
    context = {
        "project": project,
        "job": job,
        "format_label": format_label(job.format),
        "problems": problems,
        "more_problems": max(0, job.problem_count - len(problems)),
        "cancel_url": reverse("imports:cancel", args=[project.slug, public_id]),
    }
    return status(request, "exports/import_detail.html", context)


@project_access(Permission.IMPORT)
@require_POST
def import_cancel(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Stop the import; nothing of it is kept."""
    job = get_object_or_404(Import, public_id=public_id, project=project)
    cancel(job, by=request.user)
    return redirect("imports:detail", project.slug, public_id)
