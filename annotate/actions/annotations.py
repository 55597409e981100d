"""Submissions: nothing that was acknowledged is ever lost, and twice is once."""

import uuid
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.actions.assignments import ensure_workable, lock_own
from annotate.actions.drafts import Times, turn_times, wall_seconds
from annotate.actions.events import record
from annotate.actions.review_queue import queue_for_review
from annotate.actions.revisions import keep
from annotate.enums import AnnotationState, AssignmentKind, AssignmentState, RevisionCause
from annotate.models import Annotation, Assignment, Dimension, Flag, Placement, Prompt, Rating, Rewrite, Task, User
from annotate.queries.history import recent_justifications
from annotate.queries.judging import dimensions_for, spec_shown
from annotate.rules.coherence import CODES, CoherenceWarning, coherence_warnings
from annotate.rules.judgement import Finding, Judgement, JudgementSpec, findings


class Incomplete(Exception):
    """The judgement may not be submitted yet; ``findings`` says why, per prompt id."""

    def __init__(self, findings: dict[int, list[Finding]]) -> None:
        super().__init__("; ".join(finding.message for group in findings.values() for finding in group))
        self.findings = findings


class Incoherent(Exception):
    """Something looks like a slip; ``warnings`` says what, per prompt id. Accepting their codes submits it."""

    def __init__(self, warnings: dict[int, list[CoherenceWarning]]) -> None:
        super().__init__("; ".join(warning.message for group in warnings.values() for warning in group))
        self.warnings = warnings


@dataclass(frozen=True)
class Seen:
    """Codes of the warnings that a person was shown on a turn, and of those accepted as they are."""

    shown: Set[str] = frozenset()
    accepted: Set[str] = frozenset()


@dataclass(frozen=True)
class Submission:
    """The stored outcome of a submit. ``is_replay``: the same submission had been stored before."""

    assignment: Assignment
    is_replay: bool


@transaction.atomic
def submit(
    *,
    public_id: uuid.UUID,
    judgements: Mapping[int, Judgement],
    key: uuid.UUID,
    by: User,
    seen: Mapping[int, Seen] | None = None,
    times: Mapping[int, Times] | None = None,
    pasted: Mapping[int, int | None] | None = None,
) -> Submission:
    """Store the judgements of all prompts of the task: all of them or nothing.

    :param judgements: prompt id to judgement, response ids as text.
    :param key: idempotency key; the same key again returns the stored outcome.
    :param seen: prompt id to the warnings that the person has seen; ``None`` for a program, which is never asked.
    :param times: prompt id to seconds of work and rest, as the page measured them.
    :param pasted: prompt id to characters of the justification that were pasted, as the page counted.
    :raises Incomplete: when a judgement is missing something or contradicts itself.
    :raises Incoherent: when there is a warning that the person has not accepted.
    :raises WorkConflict: when the task is not in the person's hands any more.
    """
    assignment = lock_own(public_id=public_id, by=by)
    if assignment.submission_key == key and assignment.state == AssignmentState.SUBMITTED:
        return Submission(assignment, is_replay=True)
    ensure_workable(assignment)
    prompts = list(assignment.task.prompts.prefetch_related("responses"))
    dimensions = dimensions_for(assignment.task, assignment.annotator_id)
    specs = {prompt.pk: spec_shown(assignment, prompt, dimensions) for prompt in prompts}
    _check(specs, judgements)
    warned = _warnings(assignment, specs, judgements, seen)
    returned, stored = _returned(assignment), []
    for prompt in prompts:
        spent = turn_times(assignment, prompt.pk, (times or {}).get(prompt.pk, (None, None)))
        said = {"warnings": warned[prompt.pk], "pasted": (pasted or {}).get(prompt.pk)}
        stored.append(_store(assignment, prompt, judgements[prompt.pk], dimensions, said, spent))
    _finish(assignment, key)
    summary = {
        "prompts": len(prompts),
        "flags": sorted({flag.kind for prompt in prompts for flag in judgements[prompt.pk].flags}),
        "warnings": sorted({each["code"] for group in warned.values() for each in group if each["decision"] == "kept"}),
    }
    record("annotation.submitted", assignment, by=by, project=assignment.task.project, **summary)
    queue_for_review(assignment.task, stored, returned)
    return Submission(assignment, is_replay=False)


def _returned(assignment: Assignment) -> set[int]:
    """The annotations that a reviewer sent back."""
    if assignment.state != AssignmentState.RETURNED:
        return set()
    return set(assignment.annotations.filter(state=AnnotationState.RETURNED).values_list("pk", flat=True))


def _check(specs: Mapping[int, JudgementSpec], judgements: Mapping[int, Judgement]) -> None:
    found = {pk: findings(judgements.get(pk, Judgement()), spec) for pk, spec in specs.items()}
    if wrong := {pk: group for pk, group in found.items() if group}:
        raise Incomplete(wrong)


def _warnings(
    assignment: Assignment,
    specs: Mapping[int, JudgementSpec],
    judgements: Mapping[int, Judgement],
    seen: Mapping[int, Seen] | None,
) -> dict[int, list[dict[str, str]]]:
    """Return what is stored about warnings: each with what the person did about it."""
    earlier = recent_justifications(assignment)
    found = {pk: coherence_warnings(judgements[pk], spec, earlier) for pk, spec in specs.items()}
    if seen is not None:
        now = {pk: {warning.code for warning in group} for pk, group in found.items()}
        if unanswered := {pk: found[pk] for pk in found if now[pk] and now[pk] != seen.get(pk, Seen()).accepted}:
            raise Incoherent(unanswered)
    return {pk: _decisions(group, None if seen is None else seen.get(pk, Seen())) for pk, group in found.items()}


def _decisions(found: Sequence[CoherenceWarning], seen: Seen | None) -> list[dict[str, str]]:
    now = {warning.code for warning in found}
    if seen is None:
        return [{"code": code, "decision": "not_asked"} for code in CODES if code in now]
    shown = now | seen.shown
    return [{"code": code, "decision": "kept" if code in now else "changed"} for code in CODES if code in shown]


def _store(
    assignment: Assignment,
    prompt: Prompt,
    judgement: Judgement,
    dimensions: Sequence[Dimension],
    beside: Mapping[str, Any],
    spent: Sequence[int | None],
) -> Annotation:
    annotation = Annotation.objects.filter(assignment=assignment, prompt=prompt).first()
    project = assignment.task.project
    fields = {
        **said_fields(judgement),
        **_measured(assignment, annotation, spent),
        "annotator_id": assignment.annotator_id,
        "is_adjudication": assignment.kind == AssignmentKind.ADJUDICATION,
        "state": AnnotationState.SUBMITTED,
        **beside,
        "display_order": assignment.display_order[str(prompt.pk)],
        "dimension_order": [dimension.key for dimension in dimensions] if project.rotate_dimensions else [],
        "rubric_version": project.rubric_version,
        "guidelines_version": project.guidelines_version,
    }
    if annotation:
        is_mended = annotation.state == AnnotationState.RETURNED
        cause = RevisionCause.MENDED if is_mended else RevisionCause.EDITED
        annotation = revise(annotation, fields, by=assignment.annotator, cause=cause)
    else:
        annotation = Annotation.objects.create(assignment=assignment, prompt=prompt, **fields)
    store_details(annotation, judgement, {dimension.key: dimension for dimension in dimensions})
    return annotation


def said_fields(judgement: Judgement) -> dict[str, Any]:
    """Return the columns of an annotation that hold the judgement."""
    return {
        "outcome": judgement.outcome,
        "winner_id": int(judgement.winner) if judgement.winner else None,
        "margin": judgement.margin,
        "justification": judgement.justification,
        "reason": judgement.reason,
        "reason_kind": judgement.reason_kind,
        "references": [reference.as_stored() for reference in judgement.references],
    }


def _measured(assignment: Assignment, annotation: Annotation | None, spent: Sequence[int | None]) -> dict[str, Any]:
    """When and how long. Opening a submitted task again adds to the first time; the hours between do not count."""
    seconds: int | None = wall_seconds(assignment) if assignment.opened_at else None
    active, idle = spent
    if annotation and assignment.reopened_at:
        seconds = _sum(annotation.seconds, seconds)
        active, idle = _sum(annotation.active_seconds, active), _sum(annotation.idle_seconds, idle)
    return {"seconds": seconds, "active_seconds": active, "idle_seconds": idle, "submitted_at": timezone.now()}


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)


def revise(annotation: Annotation, fields: dict[str, Any], *, by: User, cause: RevisionCause) -> Annotation:
    """Put a new revision in place; what it replaces is kept."""
    kept = keep(annotation, by=by, cause=cause)
    for details in [annotation.ratings, annotation.placements, annotation.rewrites, annotation.flags]:
        details.all().delete()  # type: ignore[attr-defined]
    for name, value in fields.items():
        setattr(annotation, name, value)
    annotation.save()
    record("annotation.revised", annotation, by=by, project=annotation.assignment.task.project, replaced=kept.number)
    return annotation


def store_details(annotation: Annotation, judgement: Judgement, dimensions: Mapping[str, Dimension]) -> None:
    """Store ratings, ranks, rewrites and flags of the judgement; the annotation has none yet."""
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
    Flag.objects.bulk_create(
        Flag(annotation=annotation, response_id=int(flag.response), kind=flag.kind, note=flag.note)
        for flag in judgement.flags
    )


def _finish(assignment: Assignment, key: uuid.UUID) -> None:
    if assignment.state == AssignmentState.LIVE and assignment.kind == AssignmentKind.QUEUE:
        Task.objects.filter(pk=assignment.task_id).update(
            claimed_count=F("claimed_count") - 1, submitted_count=F("submitted_count") + 1
        )
    assignment.state = AssignmentState.SUBMITTED
    assignment.submission_key = key
    assignment.finished_at = timezone.now()
    assignment.reopened_at = assignment.due_at = None
    assignment.save(update_fields=["state", "submission_key", "finished_at", "reopened_at", "due_at"])
