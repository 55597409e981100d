"""What the comparison page sends: whose task, which turn, which fields, based on what."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _

from annotate.access import Permission, ProjectRequest, own_assignments
from annotate.actions.assignments import WorkConflict
from annotate.actions.drafts import Stamp, Times
from annotate.forms.judgement import fields_of
from annotate.models import Assignment, Project, Prompt
from annotate.rules.coherence import CoherenceWarning
from annotate.views.comparison import Page, PageBuilder

MAX_NAME = 40


@dataclass(frozen=True)
class Posted:
    """A posted form of one turn."""

    builder: PageBuilder
    prompt: Prompt
    key: str
    fields: dict[str, Any]
    stamp: Stamp
    times: Times

    @property
    def assignment(self) -> Assignment:
        return self.builder.assignment

    def page(self, *, errors: Mapping[str, str] | None = None, warnings: Sequence[CoherenceWarning] = ()) -> Page:
        """Return the page again, filled with what was posted."""
        return self.builder.build(self.prompt, fields=self.fields, errors=errors, warnings=warnings, key=self.key)


def own(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> Assignment | None:
    """Return the person's own assignment, with all that its page needs."""
    mine = own_assignments(request.user, project).select_related("task__project", "task__batch", "annotator")
    return mine.filter(public_id=public_id).first()


def reviewed(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> Assignment | None:
    """Return somebody's assignment for a reviewer, who may write a rewrite of their own into it."""
    if Permission.REVIEW not in request.permissions:
        return None
    found = Assignment.objects.filter(task__project=project, public_id=public_id)
    return found.select_related("task__project", "task__batch", "annotator").first()


def posted(request: ProjectRequest, project: Project, public_id: uuid.UUID, *, also_reviewed: bool = False) -> Posted:
    """Read the form. ``also_reviewed``: a reviewer may look at the work of others with it.

    :raises WorkConflict: when the task or the turn is not the person's.
    """
    assignment = own(request, project, public_id)
    if assignment is None and also_reviewed:
        assignment = reviewed(request, project, public_id)
    turn = request.POST.get("turn", "")
    if assignment is None or not turn.isdecimal() or not 1 <= int(turn[:4]) <= assignment.task.prompts.count():
        raise WorkConflict(_("This task is not yours. Go back and take the next one."))
    builder = PageBuilder(assignment)
    data = request.POST
    revision = _whole(data, "revision")
    return Posted(
        builder=builder,
        prompt=builder.prompt(int(turn[:4])),
        key=data.get("key", "")[:MAX_NAME],
        fields=fields_of(data),
        stamp=Stamp(
            revision=-1 if revision is None else revision,
            page=(data.get("page") or data.get("key", ""))[:MAX_NAME].replace("\0", ""),
            change=_whole(data, "change") or 0,
        ),
        times=(_whole(data, "active"), _whole(data, "idle")),
    )


def _whole(data: QueryDict, name: str) -> int | None:
    text = data.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def conflict(error: WorkConflict) -> HttpResponse:
    """Say in plain text why the page may not do this any more."""
    return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")
