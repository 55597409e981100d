"""What the columns of a file mean: proposed from its first rows, kept for the next file with the same columns."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice
from typing import Any

from annotate.enums import DimensionTarget
from annotate.models import Project
from annotate.queries.judging import current_dimensions
from exports import formats
from exports.bundle import Bundle
from exports.formats.column_meanings import LETTERS
from exports.formats.setup import Setup
from exports.models import Import, SavedMapping
from exports.problems import ProblemList

COLUMNS = "columns"
"""The format of any table whose columns a person explains."""
ROWS_TO_LOOK_AT = 50


def mappable_of(bundle: Bundle, project: Project, format_name: str) -> list[dict[str, Any]]:
    """Return the columns whose meaning is asked: what was said of a file with the same columns before, else a guess."""
    rows = (row for _, row in bundle.good_rows(ProblemList()))
    found = formats.get(format_name).mappable(islice(rows, ROWS_TO_LOOK_AT), Setup(companions=bundle.companions))
    keys = [column.key for column in found]
    saved = SavedMapping.objects.filter(project=project, format=format_name, columns=_digest(keys)).first()
    known = saved.mapping if saved else {}
    ratings = _rating_choices(project) if format_name == COLUMNS else []
    return [
        {
            "key": column.key,
            "choices": [*map(list, column.choices), *ratings],
            "proposed": known.get(column.key, column.proposed),
            "examples": list(column.examples),
        }
        for column in found
    ]


def _rating_choices(project: Project) -> list[list[str]]:
    """A meaning for each dimension of the project, and for each response that it rates."""
    choices = []
    for dimension in current_dimensions(project):
        if dimension.target == DimensionTarget.COMPARISON:
            choices.append([f"rating:{dimension.key}", dimension.label])
            continue
        choices += [
            [f"rating:{dimension.key}:{number}", f"{dimension.label}, {LETTERS[number - 1]}"]
            for number in range(1, project.max_responses + 1)
        ]
    return choices


def save_mapping(job: Import) -> None:
    """Keep what was said about the columns of the file."""
    mapping = job.choices.get("mapping", {})
    keys = [column["key"] for column in job.report.get("mappable", [])]
    if mapping and keys and job.format:
        SavedMapping.objects.update_or_create(
            project=job.project, format=job.format, columns=_digest(keys), defaults={"mapping": mapping}
        )


def _digest(keys: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()
