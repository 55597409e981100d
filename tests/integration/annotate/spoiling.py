"""Rows to spoil: what the test of the database's own rules tries them on."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from annotate.models import (
    Annotation,
    AnnotationRevision,
    Asset,
    AssetPage,
    Assignment,
    Dimension,
    Flag,
    Rating,
)
from exports.models import Export, ExportPiece, ExportSchedule
from tests import factories

SHA = "a" * 64


class World:
    """Two projects with a task, people, an assignment and an annotation to spoil."""

    def __init__(self) -> None:
        self.project = factories.project("one", preset="helpsteer3", overlap=2)
        self.other = factories.project("two", preset="llama2")
        self.person, self.reviewer = factories.member(self.project), factories.user()
        self.task, self.other_task = factories.task(self.project, turns=2), factories.task(self.other)
        self.prompt, self.prompt2 = self.task.prompts.all()
        self.first, self.second = self.prompt.responses.all()
        self.foreign = self.prompt2.responses.all()[0]
        self.assignment = self.assign()
        self.annotation = self.annotate()
        self.dimension = self.project.dimensions.all()[0]
        self.comparison = self.other.dimensions.all()[0]
        self.asset = Asset.objects.create(sha256=SHA, kind="image", media_type="image/png", bytes=1)

    def assign(self, **fields: Any) -> Assignment:
        return Assignment.objects.create(
            **{
                "task": self.task,
                "annotator": self.person,
                "state": "submitted",
                "lease_until": timezone.now(),
                **fields,
            }
        )

    def annotate(self, **fields: Any) -> Annotation:
        defaults = {
            "assignment": self.assignment,
            "prompt": self.prompt,
            "annotator": self.person,
            "outcome": "winner",
            "winner": self.first,
            "margin": 1,
        }
        return Annotation.objects.create(**{**defaults, **fields})


def rate(w: World, **fields: Any) -> None:
    defaults = {"annotation": w.annotation, "dimension": w.dimension, "response": w.first, "value": 3}
    Rating.objects.create(**{**defaults, **fields})


def flag(w: World, **fields: Any) -> None:
    Flag.objects.create(**{"annotation": w.annotation, "response": w.first, "kind": "unsafe", **fields})


def revise(w: World, number: int = 1) -> None:
    AnnotationRevision.objects.create(annotation=w.annotation, number=number, content={}, by=w.person)


def comparison_in_project(w: World) -> Dimension:
    return Dimension.objects.create(project=w.project, key="safety", label="Safety", target="comparison")


def twice(make: Callable[[], Any]) -> None:
    make()
    make()


def page(w: World, **fields: Any) -> AssetPage:
    return AssetPage.objects.create(**{"asset": w.asset, "number": 1, "width": 1, "height": 1, **fields})


def piece(export: Export, **fields: Any) -> ExportPiece:
    return ExportPiece.objects.create(**{"export": export, "number": 1, "after": 0, "upto": 9, "tasks": 9, **fields})


def schedule(w: World, **fields: Any) -> ExportSchedule:
    at = timezone.now()
    return ExportSchedule.objects.create(
        **{"project": w.project, "format": "pairwise", "every": "day", "next_at": at, "created_by": w.person, **fields}
    )
