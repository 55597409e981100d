"""Where people differ: with one another (disputes), and with a reviewer (comments, appeals)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.enums import AdjudicationReason, AppealState, DisputeState
from annotate.models.annotations import Annotation
from annotate.models.reviews import Review
from annotate.models.tasks import Prompt


class ReviewComment(models.Model):
    """A word about an annotation, below it or below another word. ``review``: the author's one answer to that."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="comments")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="answers")
    review = models.OneToOneField(Review, on_delete=models.CASCADE, null=True, blank=True, related_name="answer")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    mentioned = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="annotate_reviewcomment_text")]

    def __str__(self) -> str:
        return self.text[:60]


class Appeal(models.Model):
    """An author asks a lead to look at a verdict."""

    review = models.OneToOneField(Review, on_delete=models.PROTECT, related_name="appeal")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="appeals")
    text = models.TextField()
    state = models.CharField(max_length=10, choices=AppealState, default=AppealState.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decision = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="annotate_appeal_text"),
            models.CheckConstraint(
                condition=Q(state=AppealState.OPEN, decided_at__isnull=True)
                | (
                    Q(state__in=[AppealState.GRANTED, AppealState.REFUSED], decided_at__isnull=False)
                    & Q(decided_by__isnull=False)
                ),
                name="annotate_appeal_state",
            ),
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=models.F("author")),
                name="annotate_appeal_not_own",
            ),
        ]

    def __str__(self) -> str:
        return f"Appeal against {self.review}"


class Dispute(models.Model):
    """A prompt on which annotators disagree, until an adjudication settles it."""

    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="disputes")
    about = models.JSONField(default=list, help_text="outcome, margin, or keys of dimensions")
    state = models.CharField(max_length=10, choices=DisputeState, default=DisputeState.OPEN)
    adjudication = models.OneToOneField(
        Annotation, on_delete=models.PROTECT, null=True, blank=True, related_name="settles"
    )
    reason = models.CharField(max_length=12, choices=AdjudicationReason, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["prompt"], name="annotate_dispute_unique"),
            models.CheckConstraint(
                condition=Q(state=DisputeState.OPEN, adjudication__isnull=True, reason="")
                | Q(
                    state=DisputeState.SETTLED,
                    adjudication__isnull=False,
                    reason__in=AdjudicationReason.values,
                    settled_at__isnull=False,
                ),
                name="annotate_dispute_state",
            ),
        ]

    def __str__(self) -> str:
        return f"Dispute about {self.prompt}"
