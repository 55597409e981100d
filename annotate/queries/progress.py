"""How far work has come."""

from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet, Sum

from annotate.enums import AssignmentKind, AssignmentState, TaskState
from annotate.models import Assignment, Batch, Membership, Project, Task, User

FINISHED = [AssignmentState.SUBMITTED, AssignmentState.RETURNED]


# Counting a large table is too slow for every page, and a count half a minute old misleads nobody.
COUNT_SECONDS = 30


@dataclass(frozen=True)
class Progress:
    """Tasks this person has judged, out of the project's tasks."""

    done: int
    total: int


def progress_of(user: User, project: Project) -> Progress:
    """Return the person's own progress; the project's total may be 30 s old."""
    mine = Assignment.objects.filter(annotator=user, task__project=project, kind=AssignmentKind.QUEUE)
    done = mine.filter(state__in=FINISHED).count()
    active = Task.objects.filter(project=project, state=TaskState.ACTIVE)
    total = cache.get_or_set(f"progress:tasks:{project.pk}", active.count, COUNT_SECONDS) or 0
    return Progress(done, max(total, done + 1))


def project_counts(project: Project) -> dict[str, int]:
    """Return tasks, full tasks, judgements given and judgements wanted."""
    totals = Task.objects.filter(project=project, state=TaskState.ACTIVE).aggregate(
        tasks=Count("pk"), full=Count("pk", filter=Q(open_slots=0)), given=Sum("submitted_count"), wanted=Sum("overlap")
    )
    return {name: value or 0 for name, value in totals.items()}


def batches_with_counts(project: Project) -> QuerySet[Batch]:
    """Return the project's batches with ``tasks`` and ``full``; batches that are still being imported are left out."""
    active = Q(tasks__state=TaskState.ACTIVE)
    return project.batches.annotate(
        tasks_count=Count("tasks", filter=active), full_count=Count("tasks", filter=active & Q(tasks__open_slots=0))
    ).filter(tasks_count__gt=0)


def members_with_counts(project: Project) -> QuerySet[Membership]:
    """Return the members with ``submitted`` (tasks judged here) and ``last_at``."""
    mine = Q(user__assignments__task__project=project, user__assignments__state__in=FINISHED)
    return project.memberships.select_related("user").annotate(
        submitted=Count("user__assignments", filter=mine), last_at=Max("user__assignments__finished_at", filter=mine)
    )
