"""What a person has done in a project, and what of it they may still change."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F, Prefetch, Q, QuerySet
from django.utils import timezone

from annotate.enums import AssignmentKind, AssignmentState, ProjectState, Verdict
from annotate.models import Annotation, Assignment, Project, Rating, Review, User
from annotate.rules.coherence import RECENT

UNDO_WINDOW = timedelta(minutes=10)
PAGE, MOST_DRAFTS = 25, 20
Cursor = tuple[datetime, int]


def recent_justifications(assignment: Assignment) -> list[str]:
    """Return the last reasons that the person gave in the project, of other tasks, newest first."""
    own = Annotation.objects.filter(annotator=assignment.annotator_id, prompt__task__project=assignment.task.project_id)
    others = own.exclude(assignment=assignment).exclude(justification="").order_by("-submitted_at", "-pk")
    return list(others.values_list("justification", flat=True)[:RECENT])


def is_reviewed(assignment: Assignment) -> bool:
    """Say whether a reviewer has decided about what stands now: a return that was answered since does not count."""
    decided = ~Q(verdict=Verdict.RETURN) | Q(annotation_revision=F("annotation__revision"))
    return Review.objects.filter(decided, annotation__assignment=assignment).exists()


def may_edit(assignment: Assignment) -> bool:
    """Say whether its annotator may change what was submitted: until it is reviewed, while the project is open."""
    is_own_work = assignment.kind == AssignmentKind.QUEUE and assignment.state == AssignmentState.SUBMITTED
    return is_own_work and assignment.task.project.state == ProjectState.OPEN and not is_reviewed(assignment)


def is_recent(assignment: Assignment) -> bool:
    """Say whether the task was finished within the time in which that can be taken back."""
    return assignment.finished_at is not None and timezone.now() - assignment.finished_at <= UNDO_WINDOW


def last_undoable(user: User, project: Project) -> Assignment | None:
    """Return what the person submitted or skipped last, if that can be taken back."""
    finished = Assignment.objects.filter(
        annotator=user,
        task__project=project,
        kind=AssignmentKind.QUEUE,
        finished_at__gte=timezone.now() - UNDO_WINDOW,
        state__in=[AssignmentState.SUBMITTED, AssignmentState.SKIPPED],
        reopened_at__isnull=True,
    )
    last = finished.select_related("task__project").order_by("-finished_at", "-pk").first()
    if last is None:
        return None
    if last.state == AssignmentState.SKIPPED:
        return last if project.state == ProjectState.OPEN and last.task.open_slots > 0 else None
    return last if may_edit(last) else None


def own_history(user: User, project: Project, before: Cursor | None) -> Sequence[Annotation]:
    """Return one page of what the person submitted, newest first, and one more when there is a next page.

    :param before: (submitted_at, primary key) of the last one of the page before.
    """
    own = Annotation.objects.filter(annotator=user, prompt__task__project=project, submitted_at__isnull=False)
    if before:
        at, pk = before
        own = own.filter(Q(submitted_at__lt=at) | Q(submitted_at=at, pk__lt=pk))
    reviewed = own.select_related("prompt", "assignment__task__project").prefetch_related("reviews")
    return list(reviewed.order_by("-submitted_at", "-pk")[: PAGE + 1])


def own_drafts(user: User, project: Project) -> Sequence[Assignment]:
    """Return the person's unfinished tasks, newest first: in hand, sent back, opened again, or run out of time."""
    unfinished = Q(state__in=[AssignmentState.LIVE, AssignmentState.RETURNED]) | Q(reopened_at__isnull=False)
    run_out = Q(state=AssignmentState.EXPIRED) & ~Q(draft={})
    mine = Assignment.objects.filter(unfinished | run_out, annotator=user, task__project=project)
    shown = mine.select_related("task__project").prefetch_related("task__prompts")
    return list(shown.order_by("-pk")[:MOST_DRAFTS])


def annotations_with_details(assignment: Assignment) -> QuerySet[Annotation]:
    """Return what was said about the task, with all its parts, for ``content_of``."""
    ratings = Prefetch("ratings", Rating.objects.select_related("dimension"))
    return assignment.annotations.prefetch_related(ratings, "placements", "rewrites", "flags", "reviews")
