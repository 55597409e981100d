"""What an annotation said before it was changed."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.enums import RevisionCause
from annotate.models.annotations import Annotation


class AnnotationRevision(models.Model):
    """The content of an annotation as it was until ``created_at``. Never changed (a database trigger refuses).

    What an annotation said when the highest revision had the primary key ``w`` is the content of its revision with
    the lowest primary key above ``w``; without one it is the annotation itself.
    """

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField(help_text="The revision that had this content.")
    content = models.JSONField(help_text="Everything that can change; see queries/judging.content_of.")
    cause = models.CharField(max_length=10, choices=RevisionCause, default=RevisionCause.EDITED)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, help_text="When it was replaced.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="annotate_revision_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="annotate_revision_number"),
            models.CheckConstraint(condition=Q(cause__in=RevisionCause.values), name="annotate_revision_cause"),
        ]

    def __str__(self) -> str:
        return f"Revision {self.number} of annotation {self.annotation_id}"
