"""What annotators say. Everything refers to response ids, never to the side on which a response was shown."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.enums import AnnotationState, CannotJudgeReason, FlagKind, Outcome
from annotate.models.assignments import Assignment
from annotate.models.projects import Dimension
from annotate.models.tasks import Prompt, Response

MAX_MARGIN = 4
MAX_NOTE = 1000  # characters of a note on a flag


class Annotation(models.Model):
    """Everything one annotator says about one prompt."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="annotations")
    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, related_name="annotations")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annotations")
    is_adjudication = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=AnnotationState, default=AnnotationState.SUBMITTED)
    revision = models.PositiveIntegerField(default=1)
    outcome = models.CharField(max_length=12, choices=Outcome)
    winner = models.ForeignKey(Response, on_delete=models.PROTECT, null=True, blank=True, related_name="wins")
    margin = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Strength of the preference.")
    justification = models.TextField(blank=True)
    reason = models.TextField(blank=True, help_text="Why the prompt could not be judged.")
    reason_kind = models.CharField(max_length=12, choices=CannotJudgeReason, blank=True)
    references = models.JSONField(
        default=list, blank=True, help_text="Mentions and quotes of the justification; see rules/references.py."
    )
    warnings = models.JSONField(
        default=list, blank=True, help_text='What was warned of before submitting: [{"code": …, "decision": …}].'
    )
    display_order = models.JSONField(default=list, help_text="Response ids in the order in which they were shown.")
    dimension_order = models.JSONField(
        default=list, blank=True, help_text="Keys of the dimensions as shown; empty: the order of the project."
    )
    rubric_version = models.PositiveIntegerField(default=1)
    guidelines_version = models.PositiveIntegerField(default=1)
    seconds = models.PositiveIntegerField(null=True, blank=True, help_text="From opening to submitting, server time.")
    active_seconds = models.PositiveIntegerField(null=True, blank=True, help_text="Page in view and in use.")
    idle_seconds = models.PositiveIntegerField(null=True, blank=True, help_text="Page open, but not in use.")
    pasted = models.PositiveIntegerField(
        null=True, blank=True, help_text="Characters of the justification that were pasted, as the page counted."
    )
    submitted_at = models.DateTimeField(null=True, blank=True, help_text="Empty: an imported one without a time.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "prompt"], name="annotate_annotation_unique"),
            models.CheckConstraint(condition=Q(outcome__in=Outcome.values), name="annotate_annotation_outcome"),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.WINNER, winner__isnull=False)
                | (~Q(outcome=Outcome.WINNER) & Q(winner__isnull=True)),
                name="annotate_annotation_winner",
            ),
            models.CheckConstraint(
                condition=Q(margin__isnull=True)
                | Q(outcome=Outcome.WINNER, margin__gte=1, margin__lte=MAX_MARGIN)
                | Q(outcome=Outcome.TIE, margin=0),
                name="annotate_annotation_margin",
            ),
            models.CheckConstraint(
                condition=Q(state__in=AnnotationState.values), name="annotate_annotation_state_known"
            ),
            models.CheckConstraint(
                condition=Q(reason_kind="") | Q(reason_kind__in=CannotJudgeReason.values, outcome=Outcome.CANNOT_JUDGE),
                name="annotate_annotation_reason_kind",
            ),
        ]
        indexes = [models.Index(fields=["annotator", "-submitted_at"], name="annotate_annotation_person")]

    def __str__(self) -> str:
        return f"{self.outcome} by {self.annotator} on {self.prompt}"


class Rating(models.Model):
    """One response, or the comparison when ``response`` is empty, on one dimension."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="ratings")
    dimension = models.ForeignKey(Dimension, on_delete=models.PROTECT, related_name="ratings")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, null=True, blank=True, related_name="ratings")
    value = models.SmallIntegerField(null=True, blank=True)
    text = models.TextField(blank=True)
    tags = models.JSONField(default=list, blank=True)
    justification = models.TextField(blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "dimension", "response"], name="annotate_rating_unique"),
            models.UniqueConstraint(
                fields=["annotation", "dimension"],
                condition=Q(response__isnull=True),
                name="annotate_rating_comparison_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dimension}: {self.value}"


class Placement(models.Model):
    """The rank of one response, 1 is best; equal ranks are a tie."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="placements")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="placements")
    rank = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["rank", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "response"], name="annotate_placement_unique"),
            models.CheckConstraint(condition=Q(rank__gte=1), name="annotate_placement_rank"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.response}"


class Rewrite(models.Model):
    """An improved response written by a person."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="rewrites")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="rewrites")
    content = models.JSONField(help_text="Parts.")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["annotation", "response"], name="annotate_rewrite_unique")]

    def __str__(self) -> str:
        return f"Rewrite of {self.response}"


class Flag(models.Model):
    """Something is wrong with a response beyond its quality."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="flags")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="flags")
    kind = models.CharField(max_length=16, choices=FlagKind)
    note = models.CharField(max_length=MAX_NOTE, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "response", "kind"], name="annotate_flag_unique"),
            models.CheckConstraint(condition=Q(kind__in=FlagKind.values), name="annotate_flag_kind"),
            models.CheckConstraint(
                condition=~Q(kind=FlagKind.OTHER) | ~Q(note=""), name="annotate_flag_other_has_note"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.response}"
