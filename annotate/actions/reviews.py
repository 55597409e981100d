"""Reviewing: take an item, decide about it; nobody decides about their own work, nor over another one's decision."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.annotations import Incomplete, revise, said_fields, store_details
from annotate.actions.events import record
from annotate.actions.review_queue import add_item, close_items, look_for_dispute
from annotate.actions.revisions import keep
from annotate.enums import (
    AnnotationState,
    AssignmentKind,
    AssignmentState,
    ReviewReason,
    RevisionCause,
    Verdict,
)
from annotate.models import (
    Annotation,
    AnnotationRevision,
    Assignment,
    Project,
    Review,
    ReviewItem,
    ReviewPoint,
    RubricScore,
    Task,
    User,
)
from annotate.queries.judging import in_order, spec_for
from annotate.queries.reviews import dimensions_at, free_items, settings_of
from annotate.rules.judgement import Judgement, JudgementSpec, findings

MAX_COMMENT = 10_000
Turns = Mapping[str, Mapping[str, Any]]


class ReviewConflict(Exception):
    """The verdict does not fit what stands now. The message says why; the page shows the new state."""


@dataclass(frozen=True)
class Seen:
    """What the reviewer's page showed: the revision of the annotation, and how many verdicts there were."""

    revision: int
    reviews: int


@dataclass(frozen=True)
class Remarks:
    """What a verdict says beside yes and no. ``points``: (place, words of the justification)."""

    comment: str = ""
    scores: Mapping[str, int] | None = None
    points: Sequence[tuple[str, str]] = ()


# ------------------------------------------------------------------------------------------------------- the queue
@transaction.atomic
def claim_item(*, project: Project, by: User, pk: int | None = None) -> ReviewItem | None:
    """Lend the next item to the reviewer, or the one with ``pk``; ``None`` when it is not free or none is left."""
    free = free_items(project, by)
    wanted = free.filter(pk=pk) if pk else free
    if connection.features.has_select_for_update_skip_locked:
        wanted = wanted.select_for_update(skip_locked=True, of=("self",))
    mine = None if pk else wanted.filter(reviewer=by, lease_until__gte=timezone.now()).first()
    item = mine or wanted.first()
    if item is None:
        return None
    is_new = item.reviewer_id != by.pk
    item.reviewer, item.lease_until = by, timezone.now() + timedelta(minutes=project.lease_minutes)
    item.save(update_fields=["reviewer", "lease_until"])
    if is_new:
        record("review.claimed", item, by=by, project=project)
    return item


@transaction.atomic
def choose(*, annotation: Annotation, by: User) -> ReviewItem:
    """Put an annotation into the queue by hand.

    :raises ReviewConflict: when it is with its author at the moment.
    """
    if annotation.state != AnnotationState.SUBMITTED or annotation.is_adjudication:
        raise ReviewConflict(_("This cannot be reviewed now: it is with its author, or it is a final judgement."))
    item = add_item(annotation, [ReviewReason.CHOSEN])
    record("review.chosen", annotation, by=by, project=annotation.prompt.task.project)
    return item


# -------------------------------------------------------------------------------------------------------- verdicts
@transaction.atomic
def accept(*, annotation: Annotation, seen: Seen, remarks: Remarks, by: User) -> Review:
    """The annotation stands.

    :raises ReviewConflict: when it is the reviewer's own, or somebody changed or decided about it meanwhile.
    """
    current = _lock(annotation, seen, by)
    return _decide(current, Verdict.ACCEPT, remarks, by)


@transaction.atomic
def send_back(
    *, annotation: Annotation, seen: Seen, remarks: Remarks, turns_of: Callable[[Assignment], Turns], by: User
) -> Review:
    """Give the task back to its author, as a draft that holds what was submitted; it comes first in their queue.

    :param turns_of: as for ``reopening.reopen``.
    :raises ReviewConflict: as for :func:`accept`, and when its author cannot work on it or there is no comment.
    """
    current = _lock(annotation, seen, by)
    if not remarks.comment.strip():
        raise ReviewConflict(_("Say in the comment what is to be mended, then return it."))
    assignment = current.assignment
    if assignment.kind != AssignmentKind.QUEUE or current.annotator.is_imported or not current.annotator.is_active:
        raise ReviewConflict(_("Its author cannot work here, so it cannot be returned. Accept it or fix it."))
    review = _decide(current, Verdict.RETURN, remarks, by)
    keep(current, by=by, cause=RevisionCause.RETURNED)
    current.state = AnnotationState.RETURNED
    current.save(update_fields=["state", "revision"])
    if assignment.state != AssignmentState.RETURNED:  # else it is with its author for another turn, who may be at work
        _hand_back(assignment, turns_of(assignment), settings_of(assignment.task.project).return_days)
    return review


def _hand_back(assignment: Assignment, turns: Turns, days: int) -> None:
    assignment.draft_revision += 1
    saves = {turn: {"revision": assignment.draft_revision} for turn in turns}
    assignment.draft = {"turns": {turn: dict(fields) for turn, fields in turns.items()}, "done": [], "saves": saves}
    assignment.state, assignment.reopened_at = AssignmentState.RETURNED, None
    assignment.due_at = timezone.now() + timedelta(days=days)
    assignment.save(update_fields=["draft", "draft_revision", "state", "reopened_at", "due_at"])


@transaction.atomic
def fix(*, annotation: Annotation, seen: Seen, judgement: Judgement, remarks: Remarks, by: User) -> Review:
    """Put the reviewer's version in place; the author's is kept as a revision, and they are told.

    :raises Incomplete: when the judgement is missing something.
    :raises ReviewConflict: as for :func:`accept`.
    """
    current = _lock(annotation, seen, by)
    _check(current, judgement)
    review = _decide(current, Verdict.FIX, remarks, by)
    _replace(current, judgement, by, RevisionCause.FIXED)
    return review


@transaction.atomic
def restore(*, revision: AnnotationRevision, judgement: Judgement, seen: Seen, by: User) -> Annotation:
    """Let an earlier revision stand again; what it replaces is kept.

    :param judgement: what the revision says.
    :raises ReviewConflict: as for :func:`accept`.
    """
    current = _lock(revision.annotation, seen, by)
    _replace(current, judgement, by, RevisionCause.RESTORED)
    record("annotation.restored", current, by=by, project=current.prompt.task.project, restored=revision.number)
    return current


def _replace(annotation: Annotation, judgement: Judgement, by: User, cause: RevisionCause) -> None:
    dimensions = {dimension.key: dimension for dimension in dimensions_at(annotation)}
    revise(annotation, said_fields(judgement), by=by, cause=cause)
    store_details(annotation, judgement, dimensions)
    look_for_dispute(annotation.prompt, settings_of(annotation.prompt.task.project))


def spec_at(annotation: Annotation) -> JudgementSpec:
    """Return what was asked of the author: responses in the order they saw, dimensions of that rubric version."""
    shown = in_order(annotation.prompt, annotation.display_order or _stored_order(annotation))
    return spec_for(annotation.prompt.task.project, shown, dimensions_at(annotation))


def _stored_order(annotation: Annotation) -> list[int]:
    return [response.pk for response in annotation.prompt.responses.all()]


def _check(annotation: Annotation, judgement: Judgement) -> None:
    if found := findings(judgement, spec_at(annotation)):
        raise Incomplete({annotation.prompt_id: found})


def _lock(annotation: Annotation, seen: Seen, by: User) -> Annotation:
    """Lock the task and the annotation, and see that nothing happened since the page was made."""
    Task.objects.select_for_update().get(pk=annotation.prompt.task_id)
    rows = Annotation.objects.select_related("assignment__task__project", "prompt__task__project", "annotator")
    current = rows.get(pk=annotation.pk)
    if current.annotator_id == by.pk:
        raise ReviewConflict(_("This is your own work. Somebody else has to review it."))
    if current.revision != seen.revision or current.reviews.count() != seen.reviews:
        raise ReviewConflict(
            _("Somebody else decided about this, or changed it, while you looked at it. You see what stands now.")
        )
    if current.state != AnnotationState.SUBMITTED:
        raise ReviewConflict(_("This is with its author at the moment. It comes back to the queue when it is mended."))
    return current


def _decide(annotation: Annotation, verdict: Verdict, remarks: Remarks, by: User) -> Review:
    review = Review.objects.create(
        annotation=annotation,
        annotation_revision=annotation.revision,
        reviewer=by,
        verdict=verdict,
        comment=remarks.comment.strip()[:MAX_COMMENT],
    )
    scores = remarks.scores or {}
    RubricScore.objects.bulk_create(RubricScore(review=review, key=key, value=value) for key, value in scores.items())
    ReviewPoint.objects.bulk_create(
        ReviewPoint(review=review, place=place, quote=quote) for place, quote in remarks.points
    )
    close_items(annotation)
    record("annotation.reviewed", annotation, by=by, project=annotation.prompt.task.project, verdict=verdict)
    return review
