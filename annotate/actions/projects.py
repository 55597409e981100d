"""Setting projects up."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from annotate.actions.events import record
from annotate.enums import ProjectState
from annotate.models import Dimension, Project, User
from annotate.rules.presets import PRESETS


@transaction.atomic
def create_project(*, slug: str, preset: str, by: User | None, name: str = "", **changes: Any) -> Project:
    """Create an open project from a preset, with its dimensions.

    :param changes: fields of the project that differ from the preset.
    :raises django.core.exceptions.ValidationError: when a field is not possible, the slug taken, or the preset unknown.
    """
    configuration = PRESETS.get(preset, {"project": {}, "dimensions": []})
    fields = {"state": ProjectState.OPEN, **configuration["project"], **changes}
    project = Project(slug=slug, name=name or slug.replace("-", " ").capitalize(), preset=preset, created_by=by)
    for field, value in fields.items():
        setattr(project, field, value)
    project.full_clean()
    project.save()
    _add_dimensions(project, configuration["dimensions"])
    record("project.created", project, by=by, project=project, preset=preset)
    return project


def _add_dimensions(project: Project, configurations: Sequence[dict[str, Any]]) -> None:
    for position, configuration in enumerate(configurations):
        dimension = Dimension(project=project, position=position, **configuration)
        dimension.full_clean()
        dimension.save()
