"""Second thoughts: take back a submit or a skip, change what was submitted, or leave it as it was.

What was submitted stands, is counted and is exported until the changed form is submitted: an edit that is never
finished changes nothing.
"""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.assignments import WorkConflict, lock_own, renew_lease
from annotate.actions.events import record
from annotate.enums import AssignmentState, ProjectState
from annotate.models import Assignment, Task, User
from annotate.queries.history import is_recent, may_edit

Turns = Mapping[str, Mapping[str, Any]]


@transaction.atomic
def reopen(*, public_id: uuid.UUID, turns_of: Callable[[Assignment], Turns], by: User) -> Assignment:
    """Open a submitted task for changes, as a draft that holds what was submitted; again is harmless.

    :param turns_of: returns prompt id (as text) to the fields of the form that express what was submitted.
    :raises WorkConflict: when it was reviewed meanwhile, was not submitted, or the project is not open.
    """
    assignment = lock_own(public_id=public_id, by=by)
    if assignment.reopened_at:
        return assignment
    if not may_edit(assignment):
        raise WorkConflict(_("This can no longer be changed: it has been reviewed, or the project is not open."))
    turns = {turn: dict(fields) for turn, fields in turns_of(assignment).items()}
    assignment.draft_revision += 1
    # A page that was open all the while may not save over this: it is based on an older revision.
    saves = {turn: {"revision": assignment.draft_revision} for turn in turns}
    assignment.draft = {"turns": turns, "done": [], "saves": saves}
    assignment.reopened_at = timezone.now()
    assignment.save(update_fields=["draft", "draft_revision", "reopened_at"])
    record("assignment.reopened", assignment, by=by, project=assignment.task.project)
    return assignment


@transaction.atomic
def leave_as_it_was(*, public_id: uuid.UUID, by: User) -> Assignment:
    """End an edit without submitting: what was submitted before goes on to stand; again is harmless.

    :raises WorkConflict: when the task is not the person's.
    """
    assignment = lock_own(public_id=public_id, by=by)
    if assignment.reopened_at:
        assignment.reopened_at = None
        assignment.save(update_fields=["reopened_at"])
        record("assignment.left_as_it_was", assignment, by=by, project=assignment.task.project)
    return assignment


@transaction.atomic
def undo(*, public_id: uuid.UUID, turns_of: Callable[[Assignment], Turns], by: User) -> Assignment:
    """Take back a submit or a skip of the last ten minutes: the task is the person's to work on again.

    :param turns_of: as for :func:`reopen`.
    :raises WorkConflict: when the time is over, or others have the task by now.
    """
    assignment = lock_own(public_id=public_id, by=by)
    if assignment.state == AssignmentState.LIVE or assignment.reopened_at:
        return assignment
    if not is_recent(assignment):
        raise WorkConflict(_("The ten minutes for taking this back are over. Your history shows what can be changed."))
    if assignment.state == AssignmentState.SKIPPED:
        return _take_again(assignment, by)
    return reopen(public_id=public_id, turns_of=turns_of, by=by)


def _take_again(assignment: Assignment, by: User) -> Assignment:
    if assignment.task.project.state != ProjectState.OPEN:
        raise WorkConflict(_("The project is not open at the moment, so the task cannot be taken again."))
    if assignment.task.open_slots < 1:
        raise WorkConflict(_("Somebody else has taken the task since you skipped it. Take the next one."))
    assignment.state, assignment.finished_at = AssignmentState.LIVE, None
    assignment.skip_reason, assignment.skip_note = "", ""
    renew_lease(assignment)
    assignment.save(update_fields=["finished_at", "skip_reason", "skip_note"])
    Task.objects.filter(pk=assignment.task_id).update(claimed_count=F("claimed_count") + 1)
    record("assignment.unskipped", assignment, by=by, project=assignment.task.project)
    return assignment
