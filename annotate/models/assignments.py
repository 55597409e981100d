"""A task lent to one annotator."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.enums import AssignmentKind, AssignmentState, SkipReason
from annotate.models.tasks import Task


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def live(self) -> "AssignmentQuerySet":
        return self.filter(state=AssignmentState.LIVE)

    def submitted(self) -> "AssignmentQuerySet":
        return self.filter(state=AssignmentState.SUBMITTED)


class Assignment(models.Model):
    """A task lent to one annotator until ``lease_until``. One row per (task, annotator, round), for ever:

    an expired assignment comes back to life when the same person takes the task again, so what they
    typed is never lost. ``round`` counts deliberate repeats of a task for the same person.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assignments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    kind = models.CharField(max_length=12, choices=AssignmentKind, default=AssignmentKind.QUEUE)
    round = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=AssignmentState, default=AssignmentState.LIVE)
    lease_until = models.DateTimeField(null=True, blank=True)
    display_order = models.JSONField(
        default=dict, help_text="Prompt id (as text) to the response ids in the order in which they are shown."
    )
    draft = models.JSONField(default=dict, blank=True, help_text="Prompt id (as text) to the fields of the form.")
    draft_revision = models.PositiveIntegerField(default=0)
    submission_key = models.UUIDField(null=True, blank=True, help_text="Makes a repeated submit one submission.")
    skip_reason = models.CharField(max_length=12, choices=SkipReason, blank=True)
    skip_note = models.CharField(max_length=1000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, help_text="Sent back: when it is wanted again.")
    reopened_at = models.DateTimeField(
        null=True, blank=True, help_text="The person is changing what they submitted; that stands until they submit."
    )

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["task", "annotator", "round"], name="annotate_assignment_unique"),
            models.UniqueConstraint(
                fields=["task", "annotator"],
                condition=Q(state=AssignmentState.LIVE),
                name="annotate_assignment_one_live",
            ),
            models.UniqueConstraint(
                fields=["annotator", "submission_key"],
                condition=Q(submission_key__isnull=False),
                name="annotate_assignment_submission_key",
            ),
            models.CheckConstraint(
                condition=~Q(state=AssignmentState.LIVE) | Q(lease_until__isnull=False),
                name="annotate_assignment_live_has_lease",
            ),
            models.CheckConstraint(
                condition=~Q(state=AssignmentState.SKIPPED) | ~Q(skip_reason=""),
                name="annotate_assignment_skip_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=AssignmentState.values), name="annotate_assignment_state_known"
            ),
            models.CheckConstraint(
                condition=Q(reopened_at__isnull=True)
                | Q(state__in=[AssignmentState.SUBMITTED, AssignmentState.RETURNED]),
                name="annotate_assignment_reopened_was_submitted",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_until"], name="annotate_assignment_expiry", condition=Q(state=AssignmentState.LIVE)
            ),
            models.Index(fields=["annotator", "state"], name="annotate_assignment_person"),
            models.Index(fields=["annotator", "-finished_at"], name="annotate_assignment_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.task} for {self.annotator}"
