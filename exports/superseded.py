"""Earlier versions of judgements: they are no votes, and an export says how many there were and why they changed."""

from django.db.models import Count

from annotate.enums import RevisionCause
from annotate.models import AnnotationRevision, Project
from exports.reading import Watermark, tasks_of


def superseded_of(project: Project, watermark: Watermark) -> dict[str, int]:
    """Return cause to the number of versions that were replaced by the cut.

    Sending work back changes its state only: what it said is superseded when its author has mended it.
    """
    replaced = AnnotationRevision.objects.filter(
        annotation__prompt__task_id__in=tasks_of(project, watermark).values("pk"),
        annotation_id__lte=watermark.get("annotation", 0),
        pk__lte=watermark.get("revision", 0),
    ).exclude(cause=RevisionCause.RETURNED)
    return dict(replaced.order_by().values_list("cause").annotate(count=Count("pk")))
