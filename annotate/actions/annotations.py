"""Drafts and submissions: nothing that was acknowledged is ever lost, and twice is once."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.actions.assignments import WorkConflict, ensure_workable, lock_own, renew_lease
from annotate.actions.events import record
from annotate.enums import AnnotationState, AssignmentKind, AssignmentState
from annotate.models import Annotation, Assignment, Dimension, Placement, Prompt, Rating, Rewrite, Task, User
from annotate.queries.judging import current_dimensions, judgement_of, spec_for
from annotate.rules.judgement import Finding, Judgement, findings


class Incomplete(Exception):
    """The judgement may not be submitted yet; ``findings`` says why, per prompt id."""

    def __init__(self, findings: dict[int, list[Finding]]) -> None:
        super().__init__("; ".join(finding.message for group in findings.values() for finding in group))
        self.findings = findings


@dataclass(frozen=True)
class Submission:
    """The stored outcome of a submit. ``is_replay``: the same submission had been stored before."""

    assignment: Assignment
    is_replay: bool


@transaction.atomic
def save_draft(
    *, public_id: uuid.UUID, prompt_id: int, fields: Mapping[str, Any], revision: int, by: User, is_done: bool = False
) -> int:
    """Store the form of one turn as the person's draft and renew their lease; return the new revision.

    :param revision: the revision that the page was based on.
    :param is_done: the turn was checked and the person went on to the next one.
    :raises WorkConflict: when another tab saved in between, or the task is not in the person's hands any more.
    """
    assignment = lock_own(public_id=public_id, by=by)
    ensure_workable(assignment)
    if revision != assignment.draft_revision:
        raise WorkConflict("This task was changed in another tab or window. Copy your text, then reload the page.")
    done = set(assignment.draft.get("done", [])) | ({prompt_id} if is_done else set())
    turns = {**assignment.draft.get("turns", {}), str(prompt_id): dict(fields)}
    assignment.draft = {"turns": turns, "done": sorted(done)}
    assignment.draft_revision += 1
    assignment.save(update_fields=["draft", "draft_revision"])
    renew_lease(assignment)
    return assignment.draft_revision


@transaction.atomic
def submit(*, public_id: uuid.UUID, judgements: Mapping[int, Judgement], key: uuid.UUID, by: User) -> Submission:
    """Store the judgements of all prompts of the task: all of them or nothing.

    :param judgements: prompt id to judgement, response ids as text.
    :param key: idempotency key; the same key again returns the stored outcome.
    :raises Incomplete: when a judgement is missing something or contradicts itself.
    :raises WorkConflict: when the task is not in the person's hands any more.
    """
    assignment = lock_own(public_id=public_id, by=by)
    if assignment.submission_key == key and assignment.state == AssignmentState.SUBMITTED:
        return Submission(assignment, is_replay=True)
    ensure_workable(assignment)
    prompts = list(assignment.task.prompts.all())
    dimensions = current_dimensions(assignment.task.project)
    _check(assignment, prompts, dimensions, judgements)
    for prompt in prompts:
        _store(assignment, prompt, judgements[prompt.pk], {d.key: d for d in dimensions})
    _finish(assignment, key)
    record("annotation.submitted", assignment, by=by, project=assignment.task.project, prompts=len(prompts))
    return Submission(assignment, is_replay=False)


def _check(
    assignment: Assignment, prompts: list[Prompt], dimensions: list[Dimension], judgements: Mapping[int, Judgement]
) -> None:
    wrong: dict[int, list[Finding]] = {}
    for prompt in prompts:
        spec = spec_for(assignment.task.project, assignment.display_order[str(prompt.pk)], dimensions)
        judgement = judgements.get(prompt.pk, Judgement())
        if found := findings(judgement, spec):
            wrong[prompt.pk] = found
    if wrong:
        raise Incomplete(wrong)


def _store(
    assignment: Assignment, prompt: Prompt, judgement: Judgement, dimensions: Mapping[str, Dimension]
) -> Annotation:
    project = assignment.task.project
    now = timezone.now()
    fields = {
        "annotator_id": assignment.annotator_id,
        "is_adjudication": assignment.kind == AssignmentKind.ADJUDICATION,
        "state": AnnotationState.SUBMITTED,
        "outcome": judgement.outcome,
        "winner_id": int(judgement.winner) if judgement.winner else None,
        "margin": judgement.margin,
        "justification": judgement.justification,
        "reason": judgement.reason,
        "display_order": assignment.display_order[str(prompt.pk)],
        "rubric_version": project.rubric_version,
        "guidelines_version": project.guidelines_version,
        "seconds": _seconds(assignment, now),
        "submitted_at": now,
    }
    annotation = Annotation.objects.filter(assignment=assignment, prompt=prompt).first()
    if annotation:
        annotation = _revise(annotation, fields, by=assignment.annotator)
    else:
        annotation = Annotation.objects.create(assignment=assignment, prompt=prompt, **fields)
    _store_details(annotation, judgement, dimensions)
    return annotation


def _seconds(assignment: Assignment, now: datetime) -> int | None:
    return int((now - assignment.opened_at).total_seconds()) if assignment.opened_at else None


def _revise(annotation: Annotation, fields: dict[str, Any], *, by: User) -> Annotation:
    """Put a new revision in place; what it replaces stays in the audit log."""
    previous = {**asdict(judgement_of(annotation)), "revision": annotation.revision}
    record("annotation.revised", annotation, by=by, project=annotation.assignment.task.project, previous=previous)
    annotation.ratings.all().delete()
    annotation.placements.all().delete()
    annotation.rewrites.all().delete()
    for name, value in fields.items():
        setattr(annotation, name, value)
    annotation.revision += 1
    annotation.save()
    return annotation


def _store_details(annotation: Annotation, judgement: Judgement, dimensions: Mapping[str, Dimension]) -> None:
    Rating.objects.bulk_create(
        Rating(
            annotation=annotation,
            dimension=dimensions[rating.dimension],
            response_id=int(rating.response) if rating.response else None,
            value=rating.value,
            text=rating.text,
            tags=list(rating.tags),
            justification=rating.justification,
        )
        for rating in judgement.ratings
        if rating.is_given
    )
    Placement.objects.bulk_create(
        Placement(annotation=annotation, response_id=int(response), rank=rank)
        for rank, group in enumerate(judgement.ranking, start=1)
        for response in group
    )
    Rewrite.objects.bulk_create(
        Rewrite(annotation=annotation, response_id=int(response), content=content)
        for response, content in judgement.rewrites.items()
    )


def _finish(assignment: Assignment, key: uuid.UUID) -> None:
    if assignment.state == AssignmentState.LIVE and assignment.kind == AssignmentKind.QUEUE:
        Task.objects.filter(pk=assignment.task_id).update(
            claimed_count=F("claimed_count") - 1, submitted_count=F("submitted_count") + 1
        )
    assignment.state = AssignmentState.SUBMITTED
    assignment.submission_key = key
    assignment.finished_at = timezone.now()
    assignment.save(update_fields=["state", "submission_key", "finished_at"])
