"""The list of projects, and each project's overview and guidelines."""

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotate.access import (
    Permission,
    ProjectRequest,
    SignedInRequest,
    permissions_of,
    project_access,
    role_in,
    signed_in,
    visible_annotations,
    visible_projects,
)
from annotate.actions.rendering import rendered
from annotate.enums import DimensionKind, DimensionTarget, Outcome, Preset, ProjectState, Role
from annotate.models import Project
from annotate.queries.judging import current_dimensions
from annotate.queries.progress import batches_with_counts, members_with_counts, progress_of, project_counts
from annotate.queries.queue import left_for, live_assignment

SHOWN_ANNOTATIONS = 10


@signed_in
@require_safe
def home(request: SignedInRequest) -> HttpResponseBase:
    """List the projects of the person."""
    cards = [_card(request, project) for project in visible_projects(request.user)]
    return render(request, "annotate/projects/home.html", {"cards": cards})


def _card(request: SignedInRequest, project: Project) -> dict[str, Any]:
    role = role_in(request.user, project)
    progress, counts = progress_of(request.user, project), project_counts(project)
    return {
        "name": project.name,
        "slug": project.slug,
        "description": project.description,
        "role_label": Role(role or "").label,
        "state": project.state,
        "state_label": ProjectState(project.state).label,
        "done": progress.done,
        "total": counts["tasks"],
        "percent": _percent(progress.done, counts["tasks"]),
        "left": _left(request, project) if Permission.TAKE_TASKS in permissions_of(role) else 0,
        "work_url": reverse("work:start", args=[project.slug]),
        "overview_url": reverse("projects:overview", args=[project.slug]),
    }


def _left(request: SignedInRequest, project: Project) -> int:
    """How many tasks the person could judge now, the one in hand included."""
    return left_for(request.user, project) + (live_assignment(request.user, project) is not None)


def _percent(part: int, whole: int) -> int:
    return part * 100 // whole if whole else 0


@project_access(Permission.SEE_GUIDELINES)
@require_safe
def overview(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Show how the project stands: all of it to leads and reviewers, their own work to annotators."""
    sees_all = Permission.SEE_ALL_ANNOTATIONS in request.permissions
    context = {
        "project": project,
        "role_label": Role(request.role).label,
        "facts": _facts(project),
        "people": _people(project) if sees_all else [],
        "batches": _batches(project) if Permission.IMPORT in request.permissions else [],
        "dimensions": _dimensions(project),
        "mine": _own_annotations(request, project),
    }
    return render(request, "annotate/projects/overview.html", context)


def _facts(project: Project) -> list[tuple[str, Any]]:
    counts = {name: number_format(count, force_grouping=True) for name, count in project_counts(project).items()}
    return [
        (_("Tasks"), counts["tasks"]),
        (_("Fully judged"), counts["full"]),
        (_("Judgements"), _("%(given)s of %(wanted)s") % counts),
        (_("Annotators per task"), project.overlap),
        (_("Preset"), Preset(project.preset).label.split(":")[0]),
        (_("Blind"), _("yes") if project.is_blind else _("no")),
    ]


def _people(project: Project) -> list[dict[str, Any]]:
    return [
        {
            "name": membership.user.name,
            "role_label": Role(membership.role).label,
            "submitted": membership.submitted,  # type: ignore[attr-defined]
            "last_at": membership.last_at,  # type: ignore[attr-defined]
        }
        for membership in members_with_counts(project)
    ]


def _batches(project: Project) -> list[dict[str, Any]]:
    return [
        {
            "name": batch.name,
            "tasks": batch.tasks_count,  # type: ignore[attr-defined]
            "full": batch.full_count,  # type: ignore[attr-defined]
            "percent": _percent(batch.full_count, batch.tasks_count),  # type: ignore[attr-defined]
            "created_at": batch.created_at,
        }
        for batch in batches_with_counts(project)
    ]


def _dimensions(project: Project) -> list[dict[str, Any]]:
    return [
        {
            "label": dimension.label,
            "definition": dimension.definition,
            "target_label": DimensionTarget(dimension.target).label,
            "kind_label": DimensionKind(dimension.kind).label,
            "points": dimension.points,
        }
        for dimension in current_dimensions(project)
    ]


def _own_annotations(request: ProjectRequest, project: Project) -> list[dict[str, Any]]:
    mine = visible_annotations(request.user, project).filter(annotator=request.user)
    return [
        {
            "title": _("Task %(task)s, turn %(turn)s")
            % {"task": annotation.prompt.task.pk, "turn": annotation.prompt.position + 1},
            "outcome_label": Outcome(annotation.outcome).label,
            "submitted_at": annotation.submitted_at,
        }
        for annotation in mine.select_related("prompt__task").order_by("-pk")[:SHOWN_ANNOTATIONS]
    ]


@project_access(Permission.SEE_GUIDELINES)
@require_safe
def guidelines(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Show the guidelines and the dimensions with their points; ``?version`` shows what they said before."""
    wanted = request.GET.get("version", "")
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 6 else 0
    old = project.old_guidelines.filter(number=number).first()
    context = {
        "project": project,
        "old": old,
        "guidelines_html": _guidelines_html(old.text if old else project.guidelines),
        "dimensions": _dimensions(project),
    }
    return render(request, "annotate/projects/guidelines.html", context)


def _guidelines_html(text: str) -> SafeString:
    return mark_safe(rendered([text])[text])  # noqa: S308 - made by the sanitiser
