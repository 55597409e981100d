"""Drafts: what a person has entered is theirs from the first key stroke on."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.assignments import WorkConflict, ensure_workable, lock_own, renew_lease
from annotate.models import Assignment, User
from annotate.rules.timing import honest_seconds

Times = tuple[int | None, int | None]


@dataclass(frozen=True)
class Stamp:
    """Where a save comes from. ``revision``: what the page was based on; ``page``: its key; ``change``: grows with

    every change on the page.
    """

    revision: int
    page: str = ""
    change: int = 0


@transaction.atomic
def save_draft(
    *,
    public_id: uuid.UUID,
    prompt_id: int,
    fields: Mapping[str, Any],
    stamp: Stamp,
    by: User,
    is_done: bool = False,
    times: Times = (None, None),
) -> int:
    """Store the form of one turn as the person's draft and renew their lease; return the new revision.

    :param is_done: the turn was checked and the person went on to the next one.
    :param times: seconds of work and of rest on this turn so far, as the page measured them.
    :raises WorkConflict: when another tab saved in between, or the task is not in the person's hands any more.
    """
    assignment = lock_own(public_id=public_id, by=by)
    ensure_workable(assignment)
    draft, turn = assignment.draft, str(prompt_id)
    saves = draft.get("saves", {})
    _check_stamp(saves.get(turn, {}), stamp)
    assignment.draft_revision += 1
    save = {"page": stamp.page, "base": stamp.revision, "change": stamp.change, "revision": assignment.draft_revision}
    done = set(draft.get("done", [])) | ({prompt_id} if is_done else set())
    assignment.draft = {
        "turns": {**draft.get("turns", {}), turn: dict(fields)},
        "done": sorted(done),
        "times": {**draft.get("times", {}), turn: turn_times(assignment, prompt_id, times)},
        "saves": {**saves, turn: save},
    }
    assignment.save(update_fields=["draft", "draft_revision"])
    renew_lease(assignment)
    return assignment.draft_revision


def turn_revision(assignment: Assignment, prompt_id: int) -> int:
    """Return the revision at which the turn was saved last; 0 when it never was."""
    return int(assignment.draft.get("saves", {}).get(str(prompt_id), {}).get("revision", 0))


def _check_stamp(last: Mapping[str, Any], stamp: Stamp) -> None:
    """Refuse a save that would overwrite what another page saved of the same turn since (``last``).

    A page whose last answer was lost comes with the old revision again: it may, unless this is an older request of
    its own that was late.
    """
    if stamp.revision >= last.get("revision", 0):
        return
    is_same_page = bool(stamp.page) and (last.get("page"), last.get("base")) == (stamp.page, stamp.revision)
    if not is_same_page or stamp.change < last.get("change", 0):
        raise WorkConflict(_("This task was changed in another tab or window. Copy your text, then reload the page."))


def turn_times(assignment: Assignment, prompt_id: int, times: Times) -> list[int | None]:
    """Return [active, idle] seconds of the turn: never less than before, never more than really passed."""
    before: Sequence[int | None] = assignment.draft.get("times", {}).get(str(prompt_id), [None, None])
    now = honest_seconds(*times, wall_seconds(assignment))
    return [new if old is None else max(old, new or 0) for old, new in zip(before, now, strict=True)]


def wall_seconds(assignment: Assignment) -> int:
    """Return the seconds since the person opened the task, or opened it again."""
    since = assignment.reopened_at or assignment.opened_at
    return int((timezone.now() - since).total_seconds()) if since else 0
