"""Sending finished files, and making datasets on a schedule."""

import uuid

from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.enums import JobState
from annotate.models import Project
from exports.actions import RequestRefused
from exports.models import Export
from exports.schedules import set_schedule
from exports.views.export_page import page_of


@project_access(Permission.EXPORT)
@require_safe
def download(request: ProjectRequest, project: Project, public_id: uuid.UUID, name: str) -> HttpResponseBase:
    """Send one finished file. The permission is checked now, whenever the file was made."""
    export = get_object_or_404(Export, public_id=public_id, project=project, state=JobState.DONE)
    if export.options.get("identity") == "names" and Permission.EXPORT_NAMES not in request.permissions:
        raise PermissionDenied(_("This dataset names people. Your role does not allow you to download it."))
    if export.files_deleted_at:
        day = date_format(export.files_deleted_at, "d F Y")
        text = _("The files were deleted on %(day)s. Run the export again on the same data.")
        return HttpResponse(text % {"day": day}, status=410)
    file = get_object_or_404(export.files, name=name)
    path = export.folder / file.name
    if not path.is_file():
        raise Http404(_("The file is no longer there. Start the export again."))
    response = FileResponse(path.open("rb"), as_attachment=True, filename=file.name)
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


@project_access(Permission.EXPORT)
@require_POST
def export_schedule(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Make this dataset again every day or week, or (``every`` empty) no longer."""
    job = get_object_or_404(Export.objects.select_related("project", "schedule"), public_id=public_id, project=project)
    try:
        set_schedule(export=job, every=request.POST.get("every", ""), by=request.user)
    except RequestRefused as error:
        context = {"project": project, "job": job, "problem": str(error), **page_of(job)}
        return render(request, "exports/export_detail.html", context, status=422)
    return redirect("exports:detail", project.slug, public_id)
