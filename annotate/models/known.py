"""Judgements that came with a task and are not anybody's work here: gold answers and suggestions."""

from django.db import models
from django.db.models import Q

from annotate.enums import KnownKind
from annotate.models.tasks import Prompt


class KnownJudgement(models.Model):
    """A judgement of a prompt, in the words of the neutral record (``exports.records.AnnotationRecord``).

    Responses in ``content`` are named by their external ids. A gold answer is what annotators are measured against; a
    suggestion is filled into the form of whoever gets the task.
    """

    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="known_judgements")
    kind = models.CharField(max_length=10, choices=KnownKind)
    source = models.CharField(max_length=200, help_text="Who or what made it, as the file says.")
    content = models.JSONField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["prompt", "kind", "source"], name="annotate_known_source_unique"),
            models.CheckConstraint(condition=Q(kind__in=KnownKind.values), name="annotate_known_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.source}"
