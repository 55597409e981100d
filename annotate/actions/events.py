"""The audit log is written here and nowhere else."""

from typing import Any

from django.db import models

from annotate.models import Event, Project, User


def record(verb: str, target: models.Model, *, by: User | None, project: Project | None = None, **data: Any) -> Event:
    """Write that ``by`` (``None``: the system) did ``verb`` to ``target``. Call inside the deed's transaction."""
    return Event.objects.create(
        project=project, actor=by, verb=verb, target_type=target._meta.label_lower, target_id=target.pk, data=data
    )
