"""The append-only audit log."""

from django.conf import settings
from django.db import models

from annotate.models.projects import Project


class Event(models.Model):
    """Somebody did something. Written in the transaction of the deed; never changed (a database trigger refuses)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, null=True, blank=True, related_name="events")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    verb = models.CharField(max_length=60, help_text="For example annotation.submitted")
    target_type = models.CharField(max_length=40)
    target_id = models.BigIntegerField()
    data = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["target_type", "target_id"], name="annotate_event_target"),
            models.Index(fields=["project", "-id"], name="annotate_event_project"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.target_type} {self.target_id}"
