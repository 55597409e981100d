"""The pages where leads bring datasets in."""

import uuid
from collections.abc import Iterator, Sequence

from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.jobs import TooManyJobs, cancel
from annotate.models import Project
from exports.actions import RequestRefused, proceed, request_import
from exports.enums import ImportPhase
from exports.forms.imports import UploadForm
from exports.holding import DECISIONS, decide_held
from exports.models import Import
from exports.views.history import SHOWN_JOBS, history_row, status
from exports.views.import_page import form_of, held_page, page_of
from exports.zipping import zipped


@project_access(Permission.IMPORT)
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """List the imports; POST uploads a file and has it checked."""
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    if request.method == "POST" and form.is_valid():
        files = form.cleaned_data["file"]
        try:
            job = request_import(
                project=project,
                chunks=chunks_of(files),
                file_name=files[0].name if len(files) == 1 else _("%(count)s files") % {"count": len(files)},
                batch_name=form.cleaned_data["batch"],
                check_only=True,
                by=request.user,
            )
            return redirect("imports:detail", project.slug, job.public_id)
        except (RequestRefused, TooManyJobs) as error:
            form.add_error(getattr(error, "field", "") or None, str(error))
    jobs = project.imports.select_related("created_by", "project")[:SHOWN_JOBS]
    rows = [history_row(job, job.created_count, "imports:detail") for job in jobs]
    context = {"project": project, "form": form, "jobs": rows}
    return render(request, "exports/imports.html", context, status=422 if form.errors else 200)


def chunks_of(files: Sequence[UploadedFile]) -> Iterator[bytes]:
    """Return the bytes to keep: those of the one file, or of a zip of them all."""
    if len(files) == 1:
        return files[0].chunks()
    return zipped((str(file.name), file.chunks()) for file in files)


@project_access(Permission.IMPORT)
@require_http_methods(["GET", "HEAD", "POST"])
def import_detail(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show one import: its progress, its report, what was wrong. POST imports it, or checks it again."""
    job = _import_of(project, public_id)
    form = form_of(job, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            proceed(
                job=job,
                phase=ImportPhase.LOAD if "import" in request.POST else ImportPhase.CHECK,
                batch_name=form.cleaned_data["batch"].strip(),
                format_name=form.cleaned_data["format"],
                choices=form.choices(),
                by=request.user,
            )
            return redirect("imports:detail", project.slug, public_id)
        except RequestRefused as error:
            form.add_error(error.field or None, str(error))
    if form.errors:
        return render(request, "exports/import_detail.html", page_of(job, form), status=422)
    return status(request, "exports/import_detail.html", page_of(job, form))


@project_access(Permission.IMPORT)
@require_POST
def import_cancel(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Stop the import; nothing of it is kept."""
    cancel(_import_of(project, public_id), by=request.user)
    return redirect("imports:detail", project.slug, public_id)


@project_access(Permission.IMPORT)
@require_safe
def import_report(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Send the report as JSON, or with ``?problems`` every problem as JSON Lines."""
    job = _import_of(project, public_id)
    name = f"import-{job.pk}"
    if "problems" not in request.GET:
        body = {"file": job.file_name, "format": job.format, "choices": job.choices, "report": job.report}
        answer = JsonResponse(body, json_dumps_params={"indent": 2, "ensure_ascii": False})
        answer["Content-Disposition"] = f'attachment; filename="{name}.json"'
        return answer
    if not job.problems_path.exists():
        raise Http404(_("There is no list of problems."))
    file = job.problems_path.open("rb")
    return FileResponse(file, as_attachment=True, filename=f"{name}-problems.jsonl", content_type="application/jsonl")


@project_access(Permission.IMPORT)
@require_http_methods(["GET", "HEAD", "POST"])
def import_held(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """List the tasks that name a model; POST decides about one, or about all."""
    job = _import_of(project, public_id)
    if request.method == "POST" and request.POST.get("decision") in DECISIONS and job.batch is not None:
        task = request.POST.get("task", "")
        decide_held(
            batch=job.batch,
            tasks=[int(task)] if task.isascii() and task.isdigit() else None,
            decision=request.POST["decision"],
            by=request.user,
        )
        return redirect("imports:held", project.slug, public_id)
    return render(request, "exports/import_held.html", {"project": project, "job": job, "tasks": held_page(job)})


def _import_of(project: Project, public_id: uuid.UUID) -> Import:
    return get_object_or_404(Import.objects.select_related("project", "batch"), public_id=public_id, project=project)
