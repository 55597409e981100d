"""Deciding about tasks that were held back because a response in them names a model."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.actions.events import record
from annotate.enums import TaskState
from annotate.models import Batch, Response, User
from annotate.queries.identities import held_tasks
from annotate.rules.identities import masked, names_in

RELEASE, MASK, EXCLUDE = "release", "mask", "exclude"
DECISIONS = (RELEASE, MASK, EXCLUDE)
CHUNK = 500


@transaction.atomic
def decide_held(*, batch: Batch, tasks: Sequence[int] | None, decision: str, by: User) -> int:
    """Release the tasks as they are, release them with the names masked, or exclude them; return how many.

    :param tasks: primary keys; ``None`` for all of the batch. Those that are not held are left alone.
    """
    held = held_tasks(batch).select_for_update()
    if tasks is not None:
        held = held.filter(pk__in=tasks)
    ids = list(held.values_list("pk", flat=True))
    state = TaskState.EXCLUDED if decision == EXCLUDE else TaskState.ACTIVE
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        if decision == MASK:
            _mask(chunk)
        held_tasks(batch).filter(pk__in=chunk).update(state=state)
    if ids:
        record(f"batch.held_{decision}", batch, by=by, project=batch.project, tasks=len(ids))
    return len(ids)


def _mask(tasks: Sequence[int]) -> None:
    """Put the mask in the place of every name in the responses of the tasks."""
    changed = []
    models: dict[int, list[str]] = {}
    responses = list(Response.objects.filter(prompt__task__in=tasks))
    for response in responses:
        models.setdefault(response.prompt_id, []).append(response.model)
    for response in responses:
        for part in response.content:
            for field in ("text", "name"):
                if names := names_in(part.get(field, ""), models[response.prompt_id]):
                    part[field] = masked(part[field], names)
                    changed.append(response)
    Response.objects.bulk_update(changed, ["content"])
