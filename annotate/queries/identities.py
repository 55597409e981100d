"""Tasks that wait because a response in them names a model."""

from django.db.models import QuerySet

from annotate.enums import TaskState
from annotate.models import Batch, Task


def held_tasks(batch: Batch) -> QuerySet[Task]:
    """Return the tasks of the batch about which a lead has to decide, oldest first."""
    return batch.tasks.filter(state=TaskState.HELD).order_by("pk")
