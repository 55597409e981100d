"""Background work: the row is the queue. A message from a broker is only a doorbell that carries its id."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.enums import JobState


class Job(models.Model):
    """One piece of background work.

    A worker owns the row while ``token`` is its own and ``lease_until`` lies ahead; it writes only under its token.
    ``lease_until`` of a queued job is the time from which it may start.
    """

    # Set by the concrete model: the word that people read, and the dotted path of ``body(job, lease) -> dict``, which
    # does the work and returns the fields to store with the state "done".
    kind = ""
    body = ""

    state = models.CharField(max_length=10, choices=JobState, default=JobState.QUEUED)
    token = models.UUIDField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    progress = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="%(app_label)s_%(class)s_state_known"),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING) | Q(token__isnull=False),
                name="%(app_label)s_%(class)s_running_has_token",
            ),
            models.CheckConstraint(
                condition=Q(state__in=[JobState.QUEUED, JobState.RUNNING]) | Q(finished_at__isnull=False),
                name="%(app_label)s_%(class)s_finished_at",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_until"],
                name="%(app_label)s_%(class)s_due",
                condition=Q(state__in=[JobState.QUEUED, JobState.RUNNING]),
            )
        ]

    @property
    def is_finished(self) -> bool:
        return self.state in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}

    @property
    def percent(self) -> int:
        """Progress in whole percent; 100 only when done."""
        if self.state == JobState.DONE:
            return 100
        return min(99, self.progress * 100 // self.total) if self.total else 0


class Worker(models.Model):
    """A worker process that has said that it is alive."""

    name = models.CharField(max_length=200, unique=True, help_text="host:pid")
    mode = models.CharField(max_length=20)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["-seen_at"]

    def __str__(self) -> str:
        return self.name
