"""Where responses differ from the first one, word by word."""

import uuid

from django.http import HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.assignments import WorkConflict
from annotate.forms.judgement import LETTERS
from annotate.models import Project
from annotate.rendering.diff import diff_html, side_htmls, similarity
from annotate.rules.content import text_of
from annotate.views.comparison import PageBuilder
from annotate.views.posted import conflict, own

LONGEST = 100_000  # characters of one response
ALIKE = 0.3  # texts that share less have nothing to compare word by word


@project_access(Permission.TAKE_TASKS)
@require_safe
def differences(request: ProjectRequest, project: Project, public_id: uuid.UUID, turn: int) -> HttpResponseBase:
    """Answer ``{"alike": …, "panes": {letter: safe HTML}}``, against the response that is shown first.

    Two responses: each side marks what the other has not. More: each of the others shows what it leaves out of the
    first one and what it adds. No panes when the texts have little in common or are very long.
    """
    assignment = own(request, project, public_id)
    if assignment is None:
        return conflict(WorkConflict(_("This task is not yours. Go back and take the next one.")))
    builder = PageBuilder(assignment)
    texts = [text_of(response.content) for response in builder.shown(builder.prompt(turn))]
    is_alike = max(map(len, texts)) <= LONGEST and all(similarity(texts[0], text) > ALIKE for text in texts[1:])
    panes = dict(zip(LETTERS, _marked(texts), strict=False)) if is_alike else {}
    return JsonResponse({"alike": is_alike, "panes": panes})


def _marked(texts: list[str]) -> list[str]:
    first, *others = texts
    if len(others) == 1:
        return list(side_htmls(first, others[0]))
    return [side_htmls(first, first)[0], *(diff_html(first, other) for other in others)]
