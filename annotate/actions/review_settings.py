"""How a project reviews: set by a lead, one event each time."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from annotate.actions.events import record
from annotate.models import Project, ReviewSettings, User


@transaction.atomic
def change(
    *, chosen: ReviewSettings, share: int, rules: Sequence[str], rubric: Sequence[dict[str, str]], by: User
) -> ReviewSettings:
    """Store the settings, which a form has filled in, for their project."""
    project = Project.objects.select_for_update().get(pk=chosen.project_id)
    project.review_share = share
    project.save(update_fields=["review_share"])
    chosen.rules, chosen.rubric = list(rules), list(rubric)
    chosen.full_clean()
    chosen.save()
    said: dict[str, Any] = {"share": share, "rules": chosen.rules, "rubric": [each["key"] for each in rubric]}
    record("review.settings_changed", chosen, by=by, project=project, **said)
    return chosen
