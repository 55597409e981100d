"""Where a person is in a task and what they may take back, as plain data for templates."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from annotate.enums import AssignmentState
from annotate.models import Assignment, Prompt


@dataclass(frozen=True)
class Turn:
    number: int
    url: str
    is_current: bool
    is_reachable: bool


@dataclass(frozen=True)
class Undo:
    url: str
    label: str


def task_url(assignment: Assignment, turn: int = 0) -> str:
    """Return the address of the task's page, of one of its turns where ``turn`` (1, 2, …) is given."""
    url = reverse("work:task", args=[assignment.task.project.slug, assignment.public_id])
    return f"{url}?turn={turn}" if turn else url


def turns_of(assignment: Assignment, prompts: Sequence[Prompt], current: Prompt) -> list[Turn]:
    """Return the turns of the task; those that are done, or come right after one that is, can be reached.

    A task that was submitted is open at every turn.
    """
    done = set(assignment.draft.get("done", []))
    is_finished = assignment.state in {AssignmentState.SUBMITTED, AssignmentState.RETURNED}
    turns, is_reachable = [], True
    for number, prompt in enumerate(prompts, start=1):
        turns.append(Turn(number, task_url(assignment, number), prompt == current, is_reachable or is_finished))
        is_reachable = is_reachable and prompt.pk in done
    return turns


def undo_of(assignment: Assignment | None) -> Undo | None:
    """Return the button that takes back what was finished last."""
    if assignment is None:
        return None
    label = _("Undo skip") if assignment.state == AssignmentState.SKIPPED else _("Undo submit")
    return Undo(reverse("work:undo", args=[assignment.task.project.slug, assignment.public_id]), label)
