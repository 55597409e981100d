"""What a dataset would look like, before it is made: its first rows, and an estimate of its accounting."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import Max, Min
from msgspec.structs import replace

from annotate.models import Project
from exports.accounting import Accounting
from exports.formats import Format
from exports.options import ExportOptions
from exports.reading import Watermark, needs_of, records, rubric_of, tasks_of, watermark_of
from exports.records import TaskRecord

ROWS = 5
MOST_TASKS = 300  # read for the first rows, and again for the estimate
WINDOWS = 10
"""A large project is looked at in so many places, spread evenly over its tasks."""


@dataclass
class Preview:
    """``rows``: the first ones of the dataset. ``accounting``: of the whole, when ``is_exact``, else scaled up from
    ``seen`` of ``tasks``."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    accounting: Accounting = field(default_factory=Accounting)
    seen: int = 0
    tasks: int = 0

    @property
    def is_exact(self) -> bool:
        return self.seen == self.tasks

    def estimate(self) -> dict[str, Any]:
        """Return the accounting as ``Accounting.as_dict`` gives it, scaled to all tasks."""
        factor = self.tasks / self.seen if self.seen else 0
        return {name: _scaled(value, factor) for name, value in self.accounting.as_dict().items()}


def preview(project: Project, format_: Format, options: ExportOptions) -> Preview:
    """Return the first rows as the files would have them, and the estimate. The work is bounded, whatever the size.

    Annotators appear under pseudonyms even where the dataset would name them.
    """
    options = replace(options, rubric=rubric_of(project), identity="pseudonym")
    cut = watermark_of(project)
    made = Preview(rows=_first_rows(project, cut, format_, options))
    made.tasks = tasks_of(project, cut).count()
    for record in _sample(project, cut, format_, options, made.tasks):
        made.seen += 1
        made.accounting.rows_out += sum(1 for _ in format_.rows(record, options, made.accounting))
    return made


def _first_rows(project: Project, cut: Watermark, format_: Format, options: ExportOptions) -> list[dict[str, Any]]:
    first = islice(_records(project, cut, format_, options), MOST_TASKS)
    return list(islice((row for record in first for row in format_.rows(record, options, Accounting())), ROWS))


def _sample(
    project: Project, cut: Watermark, format_: Format, options: ExportOptions, tasks: int
) -> Iterator[TaskRecord]:
    """Yield all tasks of a small project, else some in several places; none comes twice."""
    if tasks <= MOST_TASKS:
        yield from _records(project, cut, format_, options)
        return
    ends = tasks_of(project, cut).aggregate(first=Min("pk"), last=Max("pk"))
    first, last = int(ends["first"]), int(ends["last"])
    for number in range(WINDOWS):
        after = first - 1 + number * (last - first + 1) // WINDOWS
        upto = first - 1 + (number + 1) * (last - first + 1) // WINDOWS
        window = _records(project, cut, format_, options, after=after, upto=upto)
        yield from islice(window, MOST_TASKS // WINDOWS)


def _records(
    project: Project,
    cut: Watermark,
    format_: Format,
    options: ExportOptions,
    after: int = 0,
    upto: int | None = None,
) -> Iterator[TaskRecord]:
    needs = needs_of(format_, options)
    return records(project, cut, needs=needs, after=after, upto=upto, models=options.include_models)


def _scaled(value: Any, factor: float) -> Any:
    if isinstance(value, dict):
        return {name: round(count * factor) for name, count in value.items()}
    return round(value * factor)
