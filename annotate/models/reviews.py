"""What reviewers have to look at, and what they decide about annotations."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.enums import ReviewItemState, ReviewPlace, Verdict
from annotate.models.annotations import Annotation
from annotate.models.audit_lots import AuditLot

LEAST_SCORE, MOST_SCORE = 0, 2  # no, partly, yes


class Review(models.Model):
    """A reviewer's decision on one annotation, as it stood at ``annotation_revision``."""

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="reviews")
    annotation_revision = models.PositiveIntegerField(default=1)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reviews")
    verdict = models.CharField(max_length=10, choices=Verdict)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True, help_text="When the author has seen it.")

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


class ReviewItem(models.Model):
    """An annotation in the queue of the reviewers, lent to one of them until ``lease_until``."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="review_items")
    reasons = models.JSONField(default=list, help_text="Why it is here; see enums.ReviewReason.")
    signals = models.JSONField(default=dict, blank=True, help_text="The numbers behind the reasons.")
    lot = models.ForeignKey(AuditLot, on_delete=models.PROTECT, null=True, blank=True, related_name="items")
    state = models.CharField(max_length=10, choices=ReviewItemState, default=ReviewItemState.OPEN)
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="review_items"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotation"], condition=Q(state=ReviewItemState.OPEN), name="annotate_reviewitem_one_open"
            ),
            models.CheckConstraint(
                condition=Q(state=ReviewItemState.OPEN, done_at__isnull=True)
                | Q(state=ReviewItemState.DONE, done_at__isnull=False),
                name="annotate_reviewitem_state",
            ),
            models.CheckConstraint(
                condition=Q(lease_until__isnull=True) | Q(reviewer__isnull=False),
                name="annotate_reviewitem_lease_has_reviewer",
            ),
        ]

    def __str__(self) -> str:
        return f"Review of {self.annotation}"


class RubricScore(models.Model):
    """How well a justification does on one point of the project's rubric."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="scores")
    key = models.CharField(max_length=60)
    value = models.PositiveSmallIntegerField(help_text="0 no, 1 partly, 2 yes.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["review", "key"], name="annotate_rubricscore_unique"),
            models.CheckConstraint(
                condition=Q(value__gte=LEAST_SCORE, value__lte=MOST_SCORE), name="annotate_rubricscore_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


class ReviewPoint(models.Model):
    """What exactly a reviewer means: a part of the annotation, words of its justification, or both."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="points")
    place = models.CharField(max_length=16, choices=ReviewPlace)
    quote = models.TextField(blank=True, help_text="Words of the justification.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(place__in=ReviewPlace.values), name="annotate_reviewpoint_place"),
            models.CheckConstraint(
                condition=Q(quote="") | Q(place=ReviewPlace.JUSTIFICATION), name="annotate_reviewpoint_quote"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.quote}"
