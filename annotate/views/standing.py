"""Where a person stands in a project: the task in hand, or the page between two tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotate.access import ProjectRequest
from annotate.enums import AssignmentState
from annotate.models import Assignment, Project
from annotate.queries.history import last_undoable, own_drafts
from annotate.queries.progress import progress_of
from annotate.queries.queue import left_for, live_assignment
from annotate.queries.reviews import unseen_reviews
from annotate.rules.content import text_of
from annotate.views.comparison import PageBuilder
from annotate.views.turns import task_url, undo_of

TASK_PAGE, START_PAGE = "annotate/work/task.html", "annotate/work/start.html"
EXCERPT = 110  # characters


def shown(request: ProjectRequest, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """Return the whole page, or only its panel for htmx."""
    partial = "#panel" if request.headers.get("HX-Request") else ""
    return render(request, f"{template}{partial}", dict(context), status=status)


def task_page(request: ProjectRequest, assignment: Assignment, turn: int = 0, notice: str = "") -> HttpResponse:
    """Return the page of the turn; of the first one that is not done where ``turn`` is none of the task's."""
    builder = PageBuilder(assignment)
    return shown(request, TASK_PAGE, {"page": builder.build(builder.prompt(turn), notice=notice)})


def start_page(request: ProjectRequest, project: Project, notice: str = "", status: int = 200) -> HttpResponse:
    """Return the page that says what there is to do."""
    in_hand = live_assignment(request.user, project)
    context = {
        "project": project,
        "done": progress_of(request.user, project).done,
        "available": in_hand is not None or left_for(request.user, project, limit=1) > 0,
        "live_url": task_url(in_hand) if in_hand else "",
        "message": notice,
        "undo": undo_of(last_undoable(request.user, project)),
        "news": unseen_reviews(request.user, project),
        "drafts": _drafts(own_drafts(request.user, project), in_hand),
    }
    return shown(request, START_PAGE, context, status=status)


def _drafts(assignments: Sequence[Assignment], in_hand: Assignment | None) -> list[dict[str, Any]]:
    """What can be gone on with besides the task in hand."""
    return [
        {
            "url": task_url(assignment),
            "excerpt": excerpt(assignment.task.prompts.all()[0].content),
            "state": "reopened" if assignment.reopened_at else assignment.state,
            "label": _label(assignment),
            "since": assignment.reopened_at or assignment.opened_at,
        }
        for assignment in assignments
        if assignment != in_hand
    ]


def _label(assignment: Assignment) -> str:
    if assignment.reopened_at:
        return _("Being changed")
    if assignment.state == AssignmentState.EXPIRED:
        return _("Time ran out") if assignment.task.open_slots > 0 else _("Judged by others since")
    return str(AssignmentState(assignment.state).label)


def excerpt(content: Sequence[Mapping[str, Any]]) -> str:
    """Return the beginning of a prompt on one line, enough to tell tasks apart."""
    words = " ".join(text_of(content).split())
    return words if len(words) <= EXCERPT else f"{words[:EXCERPT].rstrip()}…"
