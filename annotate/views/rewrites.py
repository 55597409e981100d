"""How a rewrite will look, and what it changes."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.assignments import WorkConflict
from annotate.forms.judgement import LETTERS
from annotate.models import Project
from annotate.rendering import render as render_text
from annotate.rendering.diff import diff_html
from annotate.rules.content import MAX_TEXT, clean_written_text
from annotate.rules.judgement import JudgementSpec, is_rewritten
from annotate.views.posted import conflict, posted

LONGEST_PREVIEW = 200_000  # characters; what is longer is stored, but not drawn while it is being typed


@project_access(Permission.TAKE_TASKS)
@require_POST
def preview(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Answer the rewrite of one response (``letter``) as it will be rendered, with its difference from the original."""
    try:
        form = posted(request, project, public_id, also_reviewed=True)
    except WorkConflict as error:
        return conflict(error)
    return preview_of(request, form.builder.spec(form.prompt), form.fields)


def preview_of(request: ProjectRequest, spec: JudgementSpec, fields: Mapping[str, Any]) -> HttpResponse:
    """Return the rewrite of the response that ``letter`` names as it will be rendered."""
    by_letter = dict(zip(LETTERS, spec.responses, strict=False))
    letter = request.POST.get("letter", "")
    if letter not in by_letter:
        return HttpResponse(_("There is no such response. Reload the page."), status=400, content_type="text/plain")
    source = clean_written_text(spec.sources[by_letter[letter]])
    text = clean_written_text(str(fields.get(f"rewrite-{letter}", ""))[:MAX_TEXT])
    is_short = max(len(text), len(source)) <= LONGEST_PREVIEW
    context = {
        "is_changed": is_rewritten(text, source),
        "is_short": is_short,
        "html": mark_safe(render_text(text, doc_id=f"rewrite-{letter}")) if is_short else "",  # noqa: S308
        "diff": mark_safe(diff_html(source, text)) if is_short else "",  # noqa: S308 - both are made safe
    }
    return render(request, "annotate/work/preview.html", context)
