"""The work of one annotator in one batch, accepted or sent back as a whole on the strength of a sample."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.enums import LotState
from annotate.models.projects import Batch


class AuditLot(models.Model):
    """``limit`` and ``risk`` in per cent, as the plan in ``quality/audit_lots.py`` understands them."""

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="audit_lots")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="audit_lots")
    size = models.PositiveIntegerField(help_text="Judgements in the lot.")
    last_annotation = models.BigIntegerField(help_text="Primary key of the newest judgement of the lot.")
    limit = models.PositiveSmallIntegerField(help_text="Per cent of defects that may not be passed.")
    risk = models.PositiveSmallIntegerField(help_text="Per cent: how often a lot at the limit may be accepted.")
    most = models.PositiveSmallIntegerField(help_text="Defects in the sample with which a lot can still be accepted.")
    state = models.CharField(max_length=10, choices=LotState, default=LotState.OPEN)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "annotator"], condition=Q(state=LotState.OPEN), name="annotate_lot_one_open"
            ),
            models.CheckConstraint(
                condition=Q(state=LotState.OPEN, decided_at__isnull=True)
                | Q(state__in=[LotState.ACCEPTED, LotState.RETURNED], decided_at__isnull=False),
                name="annotate_lot_state",
            ),
            models.CheckConstraint(
                condition=Q(limit__gte=1, limit__lte=50, risk__gte=1, risk__lte=50, size__gte=1),
                name="annotate_lot_plan",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} in {self.batch}"
