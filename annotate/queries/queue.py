"""Which task a person gets next."""

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotate.enums import AssignmentKind, AssignmentState, ProjectState, TaskState
from annotate.models import Assignment, Project, Task, User

# What a person has to do with a task that keeps it from coming to them again.
TAKEN_STATES = [
    AssignmentState.LIVE,
    AssignmentState.SUBMITTED,
    AssignmentState.RETURNED,
    AssignmentState.SKIPPED,
]


def tasks_for(user: User, project: Project) -> QuerySet[Task]:
    """Return the tasks that the person may take now, most urgent first, then oldest. Empty unless the project is open.

    Read with a limit, it is one seek in the queue's index and one look-up per task that the person already had.
    """
    if project.state != ProjectState.OPEN:
        return Task.objects.none()
    taken = Assignment.objects.filter(task=OuterRef("pk"), annotator=user, state__in=TAKEN_STATES)
    return (
        Task.objects.filter(project=project, state=TaskState.ACTIVE, open_slots__gt=0)
        .filter(~Exists(taken))
        .order_by("-priority", "pk")
    )


def left_for(user: User, project: Project, limit: int = 100) -> int:
    """Return how many tasks the person could take now, counted up to ``limit``.

    Tasks whose lease has run out count as free: the next claim frees them.
    """
    free = tasks_for(user, project)[:limit].count()
    if project.state != ProjectState.OPEN:
        return free
    overdue = Assignment.objects.live().filter(
        task__project=project, task__state=TaskState.ACTIVE, task__open_slots=0, lease_until__lt=timezone.now()
    )
    taken = Assignment.objects.filter(task=OuterRef("task"), annotator=user, state__in=TAKEN_STATES)
    return min(limit, free + overdue.filter(~Exists(taken))[:limit].count())


def live_assignment(user: User, project: Project) -> Assignment | None:
    """Return the task that the person has in hand, if any; work sent back by a reviewer comes first."""
    mine = Assignment.objects.filter(annotator=user, task__project=project).select_related("task__project")
    returned = mine.filter(state=AssignmentState.RETURNED).order_by("pk").first()
    return returned or mine.filter(state=AssignmentState.LIVE, kind=AssignmentKind.QUEUE).order_by("pk").first()
