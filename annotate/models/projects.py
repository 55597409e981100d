"""A collection effort: its configuration, dimensions, members and batches."""

import secrets
import uuid
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models, transaction

from annotate.enums import (
    DimensionKind,
    DimensionTarget,
    FlagKind,
    Preset,
    ProjectState,
    Requirement,
    RewriteTarget,
    Role,
)

MAX_RESPONSES = 9
MAX_SMALL = 32_767  # PostgreSQL's limit; SQLite has none, so forms must ask for it themselves
DIMENSION_KEY = r"^[a-z][a-z0-9_]*$"


def all_flags() -> list[str]:
    """Return every kind of flag, which is what a new project offers."""
    return list(FlagKind.values)


def validate_flags(value: object) -> None:
    """Refuse anything but a list of different kinds of flags."""
    known = ", ".join(FlagKind.values)
    if not isinstance(value, list) or not all(kind in FlagKind.values for kind in value) or len({*value}) < len(value):
        raise ValidationError(f"Give a list of different kinds of flags out of {known}.")


class ProjectQuerySet(models.QuerySet["Project"]):
    def open(self) -> "ProjectQuerySet":
        return self.filter(state=ProjectState.OPEN)


class Project(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    description = models.CharField(max_length=300, blank=True)
    guidelines = models.TextField(blank=True, help_text="Markdown, shown beside every task.")
    guidelines_version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=10, choices=ProjectState, default=ProjectState.DRAFT)
    preset = models.CharField(max_length=12, choices=Preset)
    margin_levels = models.PositiveSmallIntegerField(
        default=3, validators=[MaxValueValidator(4)], help_text="Steps on each side of the line; 0 asks for no margin."
    )
    allow_tie = models.BooleanField(default=True)
    allow_all_bad = models.BooleanField(default=False)
    allow_cannot_judge = models.BooleanField(default=True)
    min_responses = models.PositiveSmallIntegerField(default=2, validators=[MinValueValidator(2)])
    max_responses = models.PositiveSmallIntegerField(default=2, validators=[MaxValueValidator(MAX_RESPONSES)])
    overlap = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_SMALL)],
        help_text="How many different annotators judge each task.",
    )
    justification = models.CharField(max_length=10, choices=Requirement, default=Requirement.OPTIONAL)
    justification_min_length = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(MAX_SMALL)], help_text="Characters."
    )
    rewrite = models.CharField(max_length=10, choices=Requirement, default=Requirement.OFF)
    rewrite_target = models.CharField(
        max_length=10,
        choices=RewriteTarget,
        default=RewriteTarget.WINNER,
        help_text="Which responses may be rewritten.",
    )
    flags = models.JSONField(
        default=all_flags, blank=True, validators=[validate_flags], help_text="Kinds of flags offered on a response."
    )
    rotate_dimensions = models.BooleanField(
        default=False, help_text="Each person gets the dimensions of each task in an order of their own."
    )
    is_blind = models.BooleanField(default=True, help_text="Annotators never learn which model wrote a response.")
    lease_minutes = models.PositiveSmallIntegerField(
        default=60, validators=[MinValueValidator(1), MaxValueValidator(MAX_SMALL)]
    )
    review_share = models.PositiveSmallIntegerField(
        default=20, validators=[MaxValueValidator(100)], help_text="Percent of annotations that reviewers are shown."
    )
    deadline = models.DateField(null=True, blank=True)
    rubric_version = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(margin_levels__lte=4), name="annotate_project_margin_levels"),
            models.CheckConstraint(condition=models.Q(overlap__gte=1), name="annotate_project_overlap"),
            models.CheckConstraint(
                condition=models.Q(min_responses__gte=2)
                & models.Q(max_responses__gte=models.F("min_responses"))
                & models.Q(max_responses__lte=MAX_RESPONSES),
                name="annotate_project_responses",
            ),
            models.CheckConstraint(condition=models.Q(review_share__lte=100), name="annotate_project_review_share"),
            models.CheckConstraint(condition=models.Q(lease_minutes__gte=1), name="annotate_project_lease"),
            models.CheckConstraint(
                condition=models.Q(state__in=ProjectState.values), name="annotate_project_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(rewrite_target__in=RewriteTarget.values), name="annotate_project_rewrite_target"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; guidelines that change get the next version, and what they said before is kept."""
        before = Project.objects.filter(pk=self.pk).values_list("guidelines", "guidelines_version").first()
        if before is None or before[0] == self.guidelines:
            super().save(*args, **kwargs)
            return
        with transaction.atomic():
            text, number = before
            GuidelinesVersion.objects.get_or_create(project=self, number=number, defaults={"text": text})
            self.guidelines_version = number + 1
            if kwargs.get("update_fields") is not None:
                kwargs["update_fields"] = {*kwargs["update_fields"], "guidelines_version"}
            super().save(*args, **kwargs)


class GuidelinesVersion(models.Model):
    """What the guidelines of a project said until a later version replaced them."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="old_guidelines", db_index=False)
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    replaced_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="annotate_guidelines_version_unique"),
        ]

    def __str__(self) -> str:
        return f"Guidelines {self.number} of {self.project}"


class Dimension(models.Model):
    """A criterion. Changing its meaning retires the row and adds one for the next rubric version."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="dimensions")
    key = models.CharField(
        max_length=60,
        validators=[RegexValidator(DIMENSION_KEY, "Use small letters, digits and _; begin with a letter.")],
        help_text="Name in exports.",
    )
    label = models.CharField(max_length=80)
    definition = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=DimensionKind, default=DimensionKind.SCALE)
    target = models.CharField(max_length=10, choices=DimensionTarget, default=DimensionTarget.RESPONSE)
    minimum = models.SmallIntegerField(default=1)
    maximum = models.SmallIntegerField(default=5)
    points = models.JSONField(default=list, blank=True, help_text='[{"value": 1, "label": "Poor", "example": ""}, …]')
    is_required = models.BooleanField(default=True)
    justification = models.CharField(max_length=10, choices=Requirement, default=Requirement.OFF)
    position = models.PositiveSmallIntegerField(default=0)
    since_version = models.PositiveIntegerField(default=1)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "key"],
                condition=models.Q(retired_at__isnull=True),
                name="annotate_dimension_key_unique",
            ),
            models.CheckConstraint(condition=models.Q(key__regex=DIMENSION_KEY), name="annotate_dimension_key"),
            models.CheckConstraint(
                condition=models.Q(maximum__gt=models.F("minimum")), name="annotate_dimension_range"
            ),
            models.CheckConstraint(condition=models.Q(kind__in=DimensionKind.values), name="annotate_dimension_kind"),
            models.CheckConstraint(
                condition=models.Q(target__in=DimensionTarget.values), name="annotate_dimension_target"
            ),
        ]

    def __str__(self) -> str:
        return self.label


def new_pseudonym() -> str:
    """Return a random name that stands for a person in a project's exports."""
    return f"a-{secrets.token_hex(6)}"


class Membership(models.Model):
    """A person's role in a project, and the pseudonym under which their work leaves it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=[c for c in Role.choices if c[0] != Role.ADMIN])
    pseudonym = models.CharField(max_length=200, default=new_pseudonym)
    is_suspended = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "project"], name="annotate_membership_unique"),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="annotate_membership_pseudonym_unique"),
            models.CheckConstraint(
                condition=models.Q(role__in=[Role.ANNOTATOR, Role.REVIEWER, Role.LEAD]),
                name="annotate_membership_role",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project} ({self.role})"


class Batch(models.Model):
    """The tasks that came in together."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="batches")
    name = models.CharField(max_length=120)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "batches"
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="annotate_batch_name_unique")]

    def __str__(self) -> str:
        return self.name
