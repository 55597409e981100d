"""What annotators are handed: a task is a conversation with one or more prompts, each with its responses."""

import uuid

from django.db import models
from django.db.models import F, Q

from annotate.enums import TaskKind, TaskState
from annotate.models.projects import Batch, Project


class Task(models.Model):
    """A conversation to judge, with the counters that the queue needs.

    ``submitted_count`` and ``claimed_count`` change in the same transaction as the assignment they count.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Without indexes of their own, here and below: the unique constraints begin with the same column.
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="tasks", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="tasks")
    external_id = models.CharField(max_length=200, help_text="The id that the dataset gave it.")
    context = models.JSONField(default=list, blank=True, help_text="Messages before the first judged prompt.")
    metadata = models.JSONField(default=dict, blank=True)
    kind = models.CharField(max_length=10, choices=TaskKind, default=TaskKind.NORMAL)
    state = models.CharField(max_length=10, choices=TaskState, default=TaskState.ACTIVE)
    priority = models.IntegerField(default=0, help_text="Higher comes first.")
    overlap = models.PositiveSmallIntegerField(default=1)
    submitted_count = models.SmallIntegerField(default=0)
    claimed_count = models.SmallIntegerField(default=0)
    open_slots = models.GeneratedField(
        expression=F("overlap") - F("submitted_count") - F("claimed_count"),
        output_field=models.SmallIntegerField(),
        db_persist=True,
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="annotate_task_external_id_unique"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="annotate_task_overlap"),
            models.CheckConstraint(condition=Q(submitted_count__gte=0), name="annotate_task_submitted_count"),
            models.CheckConstraint(condition=Q(claimed_count__gte=0), name="annotate_task_claimed_count"),
            models.CheckConstraint(
                condition=Q(overlap__gte=F("submitted_count") + F("claimed_count")), name="annotate_task_not_overfull"
            ),
            models.CheckConstraint(condition=Q(state__in=TaskState.values), name="annotate_task_state_known"),
        ]
        indexes = [
            # The queue's one seek: tasks with room, most urgent first, then oldest.
            models.Index(
                F("project"),
                F("priority").desc(),
                F("id"),
                name="annotate_task_queue",
                condition=Q(open_slots__gt=0, state=TaskState.ACTIVE),
            ),
        ]

    def __str__(self) -> str:
        return self.external_id


class Prompt(models.Model):
    """One turn to judge. Everything before it is its context."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="prompts", db_index=False)
    position = models.PositiveSmallIntegerField(default=0)
    external_id = models.CharField(max_length=200)
    content = models.JSONField(help_text="Parts of the user's message.")

    class Meta:
        ordering = ["task_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["task", "position"], name="annotate_prompt_position_unique"),
            models.UniqueConstraint(fields=["task", "external_id"], name="annotate_prompt_external_id_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.external_id} (turn {self.position + 1})"


class Response(models.Model):
    """One model output. ``model`` is its identity: leads see it, annotators of a blind project never."""

    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="responses", db_index=False)
    position = models.PositiveSmallIntegerField(default=0)
    external_id = models.CharField(max_length=200)
    content = models.JSONField(help_text="Parts of the response.")
    model = models.CharField(max_length=200, blank=True)
    continues = models.BooleanField(default=False, help_text="The conversation went on with this response.")
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["prompt_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["prompt", "position"], name="annotate_response_position_unique"),
            models.UniqueConstraint(fields=["prompt", "external_id"], name="annotate_response_external_id_unique"),
            models.UniqueConstraint(
                fields=["prompt"], condition=Q(continues=True), name="annotate_response_one_continues"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id
