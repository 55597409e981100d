"""What reviewers decide about annotations."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.enums import Verdict
from annotate.models.annotations import Annotation


class Review(models.Model):
    """A reviewer's decision on one annotation, as it stood at ``annotation_revision``."""

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="reviews")
    annotation_revision = models.PositiveIntegerField(default=1)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reviews")
    verdict = models.CharField(max_length=10, choices=Verdict)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotation", "annotation_revision", "reviewer"], name="annotate_review_unique"
            ),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="annotate_review_verdict"),
            models.CheckConstraint(
                condition=~Q(verdict=Verdict.RETURN) | ~Q(comment=""), name="annotate_review_return_has_comment"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.reviewer}"
