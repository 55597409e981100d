"""How a project reviews its judgements."""

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from annotate.models.projects import Project

RUBRIC = (
    ("specific", "Specific"),
    ("grounded", "Grounded in the responses"),
    ("consistent", "Consistent with the ratings"),
    ("language", "Clear language"),
    ("own_words", "No copied text"),
)
RULES = ("coherence", "flags")


def default_rubric() -> list[dict[str, str]]:
    """Return what justifications are held against in a new project."""
    return [{"key": key, "label": label} for key, label in RUBRIC]


def default_rules() -> list[str]:
    """Return the rules that put work into the queue in a new project, beside the sample."""
    return list(RULES)


class ReviewSettings(models.Model):
    """One row per project that differs from these defaults. The share of the sample is ``Project.review_share``."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="review_settings")
    new_share = models.PositiveSmallIntegerField(default=100, validators=[MaxValueValidator(100)])
    new_count = models.PositiveSmallIntegerField(default=10, validators=[MaxValueValidator(1000)])
    rules: Any = models.JSONField(default=default_rules, blank=True, help_text="See enums.ReviewReason.")
    rubric: Any = models.JSONField(default=default_rubric, blank=True, help_text='[{"key": …, "label": …}, …]')
    outcome_differs = models.BooleanField(default=True, help_text="Different outcomes or winners are a disagreement.")
    margin_spread = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(8)])
    dimension_spread = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(100)])
    return_days = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1), MaxValueValidator(365)])
    may_appeal = models.BooleanField(default=True)
    show_settled = models.BooleanField(
        default=False, help_text="Annotators see how disagreements they had were settled."
    )
    lot_limit = models.PositiveSmallIntegerField(default=10, validators=[MinValueValidator(1), MaxValueValidator(50)])
    lot_risk = models.PositiveSmallIntegerField(default=10, validators=[MinValueValidator(1), MaxValueValidator(50)])
    lot_most = models.PositiveSmallIntegerField(default=3, validators=[MaxValueValidator(20)])

    class Meta:
        verbose_name_plural = "review settings"
        constraints = [
            models.CheckConstraint(condition=Q(new_share__lte=100), name="annotate_reviewsettings_new_share"),
            models.CheckConstraint(condition=Q(return_days__gte=1), name="annotate_reviewsettings_return_days"),
            models.CheckConstraint(
                condition=Q(lot_limit__gte=1, lot_limit__lte=50, lot_risk__gte=1, lot_risk__lte=50),
                name="annotate_reviewsettings_lots",
            ),
        ]

    def __str__(self) -> str:
        return f"Reviews of {self.project}"
