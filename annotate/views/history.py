"""A person's own past work: the list, opening it again, taking it back."""

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.assignments import WorkConflict
from annotate.actions.reopening import leave_as_it_was, reopen, undo
from annotate.enums import Outcome
from annotate.models import Annotation, Assignment, Project
from annotate.queries.history import PAGE, Cursor, own_drafts, own_history
from annotate.views.judged import turns_submitted
from annotate.views.standing import excerpt, start_page
from annotate.views.turns import task_url


@project_access(Permission.TAKE_TASKS)
@require_safe
def history(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """List what the person submitted, newest first; ``before`` goes on where a page ended."""
    found = own_history(request.user, project, _cursor(request.GET.get("before", "")))
    rows, more = found[:PAGE], found[PAGE:]
    context = {
        "project": project,
        "rows": [_row(annotation) for annotation in rows],
        "older": _cursor_text(rows[-1]) if more else "",
        "is_first": "before" not in request.GET,
        "unfinished": len(own_drafts(request.user, project)),
    }
    return render(request, "annotate/work/history.html", context)


def _cursor_text(annotation: Annotation) -> str:
    assert annotation.submitted_at is not None
    return f"{annotation.submitted_at.isoformat()}_{annotation.pk}"


def _cursor(text: str) -> Cursor | None:
    """Read what ``_cursor_text`` wrote; anything else starts at the beginning."""
    moment, _, number = text.partition("_")
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return None
    is_whole = number.isascii() and number.isdecimal() and len(number) < 19
    return (at, int(number)) if is_whole and at.tzinfo is not None else None


def _row(annotation: Annotation) -> dict[str, Any]:
    state, label = _state(annotation)
    return {
        "url": task_url(annotation.assignment, annotation.prompt.position + 1),
        "excerpt": excerpt(annotation.prompt.content) or _("No text"),
        "outcome": Outcome(annotation.outcome).label,
        "revision": annotation.revision,
        "state": state,
        "label": label,
        "submitted_at": annotation.submitted_at,
    }


def _state(annotation: Annotation) -> tuple[str, str]:
    reviews: Sequence[Any] = list(annotation.reviews.all())
    if annotation.assignment.reopened_at:
        return "reopened", _("Being changed")
    if annotation.state == "returned":
        return "returned", _("Returned")
    last = reviews[-1] if reviews else None
    if last is not None and last.verdict != "return":
        return last.verdict, _("Reviewed")
    return "submitted", _("Submitted")


def _opened(
    request: ProjectRequest, project: Project, public_id: uuid.UUID, deed: Callable[..., Assignment], **more: Any
) -> HttpResponse:
    """Do the deed and show the task; say on the start page why it could not be done."""
    try:
        assignment = deed(public_id=public_id, by=request.user, **more)
    except WorkConflict as error:
        return start_page(request, project, str(error), status=409)
    turn = request.POST.get("turn", "")
    return redirect(task_url(assignment, int(turn) if turn.isdecimal() and len(turn) < 4 else 0))


@project_access(Permission.TAKE_TASKS)
@require_POST
def edit(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Open a submitted task for changes."""
    return _opened(request, project, public_id, reopen, turns_of=turns_submitted)


@project_access(Permission.TAKE_TASKS)
@require_POST
def take_back(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Take back a submit or a skip."""
    return _opened(request, project, public_id, undo, turns_of=turns_submitted)


@project_access(Permission.TAKE_TASKS)
@require_POST
def leave(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """End an edit and keep what was submitted before."""
    return _opened(request, project, public_id, leave_as_it_was)
