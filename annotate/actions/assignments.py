"""Lending tasks to annotators: claim, renew, skip, expire.

The counters of a task change in the same transaction as the assignment, and the task's row is locked first, so the
result is right on PostgreSQL (row locks) and on SQLite (one writer at a time).
"""

import uuid
from datetime import datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.events import record
from annotate.enums import AssignmentKind, AssignmentState
from annotate.models import Assignment, Project, Response, Task, User
from annotate.queries.history import is_reviewed
from annotate.queries.queue import live_assignment, tasks_for
from annotate.rules.display import display_order


class WorkConflict(Exception):
    """The task is not the person's to work on any more. The message says why and what to do."""


def claim_next(*, project: Project, by: User) -> Assignment | None:
    """Return the person's task in hand, else lend them the next one; ``None`` when nothing is left for them."""
    expire_overdue(project=project)
    for _attempt in range(5):
        if assignment := live_assignment(by, project):
            return assignment
        try:
            with transaction.atomic():
                task = _lock_next(by, project)
                return _lend(task, by) if task else None
        except IntegrityError:
            continue  # the same person asked twice at once; the other request has it
    return live_assignment(by, project)


@transaction.atomic
def claim_task(*, task: Task, by: User) -> Assignment:
    """Lend one named task to the person.

    :raises WorkConflict: when the task is full, or the person has had it already.
    """
    Task.objects.select_for_update().get(pk=task.pk)
    available = tasks_for(by, task.project).filter(pk=task.pk).first()
    if available is None:
        raise WorkConflict(_("This task is not open to you: it is full, or you have had it already."))
    return _lend(available, by)


def _lock_next(user: User, project: Project) -> Task | None:
    """Lock and return the next task. On PostgreSQL first try those that nobody else is taking at this moment."""
    candidates = tasks_for(user, project)
    if connection.features.has_select_for_update_skip_locked:
        if task := candidates.select_for_update(skip_locked=True, of=("self",)).first():
            return task
        return candidates.select_for_update(of=("self",)).first()
    return candidates.first()


def _lend(task: Task, user: User) -> Assignment:
    shown_before = task.assignments.filter(kind=AssignmentKind.QUEUE).count()
    now = timezone.now()
    assignment, created = Assignment.objects.get_or_create(
        task=task,
        annotator=user,
        round=0,
        defaults={
            "state": AssignmentState.LIVE,
            "lease_until": _lease_end(task.project, now),
            "display_order": _orders(task, shown_before),
            "opened_at": now,
        },
    )
    if not created:
        assignment.state = AssignmentState.LIVE
        assignment.lease_until = _lease_end(task.project, now)
        assignment.finished_at = None
        assignment.save(update_fields=["state", "lease_until", "finished_at"])
    Task.objects.filter(pk=task.pk).update(claimed_count=F("claimed_count") + 1)
    record("assignment.claimed", assignment, by=user, project=task.project)
    return assignment


def _orders(task: Task, shown_before: int) -> dict[str, list[int]]:
    by_prompt: dict[int, list[int]] = {}
    for prompt_id, pk in Response.objects.filter(prompt__task=task).order_by("pk").values_list("prompt_id", "pk"):
        by_prompt.setdefault(prompt_id, []).append(pk)
    return {
        str(prompt_id): display_order(ids, f"{task.public_id}:{prompt_id}", shown_before)
        for prompt_id, ids in by_prompt.items()
    }


def _lease_end(project: Project, now: datetime) -> datetime:
    return now + timedelta(minutes=project.lease_minutes)


def lock_own(*, public_id: uuid.UUID, by: User) -> Assignment:
    """Lock and return the person's assignment and its task. Call inside a transaction; the task is locked first.

    :raises WorkConflict: when the assignment is not theirs.
    """
    task_id = Assignment.objects.filter(public_id=public_id, annotator=by).values_list("task_id", flat=True).first()
    if task_id is None:
        raise WorkConflict(_("This task is not yours. Go back and take the next one."))
    Task.objects.select_for_update().get(pk=task_id)
    return Assignment.objects.select_for_update(of=("self",)).select_related("task__project").get(public_id=public_id)


def ensure_workable(assignment: Assignment) -> None:
    """Bring an expired assignment back to life when there is still room.

    :raises WorkConflict: when the task has gone to others, was finished, or the project is not open.
    """
    if assignment.task.project.state != "open":
        raise WorkConflict(
            _("The project is not open at the moment. Your text is kept; ask a lead when it opens again.")
        )
    if assignment.state in {AssignmentState.LIVE, AssignmentState.RETURNED}:
        return
    if assignment.reopened_at:
        if is_reviewed(assignment):
            raise WorkConflict(_("This has been reviewed since you opened it again, so it stands as you submitted it."))
        return
    if assignment.state == AssignmentState.EXPIRED and assignment.task.open_slots > 0:
        assignment.state = AssignmentState.LIVE
        renew_lease(assignment)
        Task.objects.filter(pk=assignment.task_id).update(claimed_count=F("claimed_count") + 1)
        return
    raise WorkConflict(_why_not_workable(assignment))


def _why_not_workable(assignment: Assignment) -> str:
    if assignment.state == AssignmentState.SUBMITTED:
        return _("You have already submitted this task, perhaps in another tab. Take the next one.")
    if assignment.state == AssignmentState.EXPIRED:
        return _(
            "Your time for this task ran out and others have judged it since. Your draft is kept. Take the next one."
        )
    return _("You gave this task back. Take the next one.")


def renew_lease(assignment: Assignment) -> None:
    """The person is at work: give them the whole lease again."""
    assignment.lease_until = _lease_end(assignment.task.project, timezone.now())
    assignment.save(update_fields=["state", "lease_until"])


@transaction.atomic
def skip(*, public_id: uuid.UUID, reason: str, note: str, by: User) -> None:
    """Give the task back with a reason; it does not come to this person again.

    :raises WorkConflict: when the task is not in the person's hands.
    """
    assignment = lock_own(public_id=public_id, by=by)
    if assignment.state == AssignmentState.SKIPPED:
        return
    if assignment.state not in {AssignmentState.LIVE, AssignmentState.EXPIRED}:
        raise WorkConflict(_why_not_workable(assignment))
    _give_back(assignment, AssignmentState.SKIPPED, skip_reason=reason, skip_note=note)
    record("assignment.skipped", assignment, by=by, project=assignment.task.project, reason=reason)


def _give_back(assignment: Assignment, state: AssignmentState, **fields: str) -> None:
    was_live = assignment.state == AssignmentState.LIVE
    Assignment.objects.filter(pk=assignment.pk).update(state=state, finished_at=timezone.now(), **fields)
    if was_live and assignment.kind == AssignmentKind.QUEUE:
        Task.objects.filter(pk=assignment.task_id).update(claimed_count=F("claimed_count") - 1)


def expire_overdue(*, project: Project, limit: int = 50) -> int:
    """Free the tasks of the project whose lease has run out; return how many. What was typed stays in the draft."""
    overdue = Assignment.objects.live().filter(task__project=project, lease_until__lt=timezone.now())
    expired = 0
    for pk, task_id in overdue.order_by("lease_until").values_list("pk", "task_id")[:limit]:
        with transaction.atomic():
            Task.objects.select_for_update().get(pk=task_id)
            assignment = Assignment.objects.select_for_update().get(pk=pk)
            lease_until = assignment.lease_until
            if assignment.state == AssignmentState.LIVE and lease_until and lease_until < timezone.now():
                _give_back(assignment, AssignmentState.EXPIRED)
                record("assignment.expired", assignment, by=None, project=project)
                expired += 1
    return expired
