"""Before an annotation is changed, what it said is kept."""

from django.db.models import Prefetch

from annotate.enums import RevisionCause
from annotate.models import Annotation, AnnotationRevision, Rating, User
from annotate.queries.judging import content_of


def keep(annotation: Annotation, *, by: User | None, cause: RevisionCause = RevisionCause.EDITED) -> AnnotationRevision:
    """Keep what is stored of the annotation as its current revision and count ``annotation.revision`` up, unsaved.

    Call it in the transaction of the change, before anything of it is written, and save the annotation afterwards.
    """
    ratings = Prefetch("ratings", Rating.objects.select_related("dimension"))
    stored = Annotation.objects.prefetch_related(ratings, "placements", "rewrites", "flags").get(pk=annotation.pk)
    revision = AnnotationRevision.objects.create(
        annotation=annotation, number=stored.revision, content=content_of(stored), by=by, cause=cause
    )
    annotation.revision = stored.revision + 1
    return revision
