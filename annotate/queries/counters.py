"""Do the counters of tasks tell the truth?"""

from typing import Any

from django.db.models import Count, F, Q, QuerySet

from annotate.enums import AssignmentKind, AssignmentState
from annotate.models import Task


def wrong_counters() -> QuerySet[Any]:
    """Return the tasks whose counters differ from their assignments, with the true ``submitted`` and ``claimed``."""
    counted = Q(assignments__kind__in=[AssignmentKind.QUEUE, AssignmentKind.IMPORT])
    finished = Q(assignments__state__in=[AssignmentState.SUBMITTED, AssignmentState.RETURNED])
    live = Q(assignments__kind=AssignmentKind.QUEUE, assignments__state=AssignmentState.LIVE)
    counts = Task.objects.annotate(
        submitted=Count("assignments", filter=counted & finished), claimed=Count("assignments", filter=live)
    )
    return counts.exclude(submitted=F("submitted_count"), claimed=F("claimed_count")).order_by("pk")
