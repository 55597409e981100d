"""Database to neutral records, streaming in id order with constant memory, as the data was at a cut.

Rows come as plain tuples and stored content is decoded straight into records: making model objects and JSON trees of
what is only passed on took four fifths of the time of an export.
"""

from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any

import msgspec
from django.db import connection
from django.db.models import Max, QuerySet

from annotate.enums import DimensionKind, DimensionTarget, TaskState
from annotate.models import Annotation, AnnotationRevision, Asset, Project, Prompt, Response, Review, Task
from exports.formats import Format
from exports.options import DimensionScale, ExportOptions, Rubric
from exports.people import People
from exports.records import Message, Part, PromptRecord, ResponseRecord, TaskRecord
from exports.stored_judgements import EVERYTHING, Judgements

Watermark = dict[str, int]
TEXT_PER_CHUNK = 4_000_000  # characters of stored content that are in memory at a time, about
FEWEST, MOST = 20, 1000  # tasks read at a time
_parts = msgspec.json.Decoder(list[Part]).decode
_context = msgspec.json.Decoder(list[Message]).decode
_object = msgspec.json.Decoder(dict[str, Any]).decode


def watermark_of(project: Project) -> Watermark:
    """Return the highest ids that exist now: the cut. What the data said then can be read again at any later time.

    Rows above an id do not belong to the cut. An annotation that changed since has kept what it said as a revision,
    the first one above ``revision``.
    """
    annotations = Annotation.objects.filter(prompt__task__project=project)
    of_project = {"annotation__prompt__task__project": project}
    return {
        "task": _last(Task.objects.filter(project=project).exclude(state=TaskState.STAGED)),
        "annotation": _last(annotations),
        "revision": _last(AnnotationRevision.objects.filter(**of_project)),
        "review": _last(Review.objects.filter(**of_project)),
    }


def rubric_of(project: Project) -> Rubric:
    """Return what the project asks its people, as far as rows depend on it."""
    scales = project.dimensions.filter(retired_at__isnull=True, kind=DimensionKind.SCALE)
    return Rubric(
        margin_levels=max(project.margin_levels, 1),
        allow_tie=project.allow_tie,
        dimensions=tuple(
            DimensionScale(
                key=scale.key,
                lowest=scale.minimum,
                highest=scale.maximum,
                per_response=scale.target == DimensionTarget.RESPONSE,
            )
            for scale in scales
        ),
    )


def needs_of(format_: Format, options: ExportOptions) -> frozenset[str]:
    """Return what must be read beside the votes: no rewrites where nothing is made of them."""
    unused = {"rewrites"} if "rewrites" in format_.uses and options.rewrites == "none" else set()
    return format_.needs - unused


def _last(rows: QuerySet[Any]) -> int:
    return rows.aggregate(last=Max("pk"))["last"] or 0


def tasks_of(project: Project, watermark: Watermark) -> QuerySet[Task]:
    """Return the tasks of the cut in id order. A task that was excluded since is not among them."""
    active = Task.objects.filter(project=project, state=TaskState.ACTIVE)
    return active.filter(pk__lte=watermark.get("task", 0)).order_by("pk")


def records(
    project: Project,
    watermark: Watermark,
    *,
    needs: Collection[str] = EVERYTHING,
    after: int = 0,
    upto: int | None = None,
    models: bool = True,
    names: bool = False,
) -> Iterator[TaskRecord]:
    """Yield the tasks of the cut with their judgements, in id order, with ``after < id <= upto``.

    :param needs: what is read beside outcome, winner, margin and ranking; see ``Format.needs``.
    :param models: whether responses carry the name of their model.
    :param names: user names instead of pseudonyms.
    """
    reader = Reader(project, watermark, needs=needs, models=models, names=names)
    size = 100
    while chunk := reader.tasks_after(after, upto, size):
        yield from reader.read(chunk)
        after = chunk[-1][0]
        size = max(FEWEST, min(MOST, TEXT_PER_CHUNK * len(chunk) // (reader.text_read + 1)))


class Reader:
    """Reads chunks of tasks. ``text_read``: characters of content in the last chunk."""

    def __init__(
        self, project: Project, watermark: Watermark, *, needs: Collection[str], models: bool, names: bool
    ) -> None:
        self.tasks, self.models = tasks_of(project, watermark), models
        # A list of ids would say the same, but looking at each one took a tenth of the time.
        self.all_tasks = Task.objects.filter(project=project)
        self.judgements = Judgements(watermark, People(project, names=names), needs, self._replace_assets)
        self.extensions: dict[str, str] = {}
        self.text_read = 0

    def tasks_after(self, after: int, upto: int | None, size: int) -> list[tuple[Any, ...]]:
        """Return the next rows of tasks, the primary key first."""
        tasks = self.tasks.filter(pk__gt=after) if upto is None else self.tasks.filter(pk__gt=after, pk__lte=upto)
        columns = ("pk", "external_id", "context", "priority", "overlap", "metadata")
        return fetch(tasks[:size], columns)

    def read(self, chunk: list[tuple[Any, ...]]) -> Iterator[TaskRecord]:
        """Yield the records of these rows of tasks."""
        within = self.all_tasks.filter(pk__gte=chunk[0][0], pk__lte=chunk[-1][0]).values("pk")
        prompts = self._prompts(within)
        for pk, external_id, context, priority, overlap, metadata in chunk:
            yield TaskRecord(
                id=external_id,
                context=[] if context == "[]" else self._messages(context),
                prompts=prompts.get(pk, []),
                priority=priority,
                overlap=overlap,
                metadata=_dict(metadata),
            )

    def _prompts(self, tasks: QuerySet[Any]) -> dict[int, list[PromptRecord]]:
        columns = ("pk", "task_id", "external_id", "content")
        rows = fetch(Prompt.objects.filter(task_id__in=tasks).order_by("task_id", "position"), columns)
        responses, names = self._responses(tasks)
        annotations = self.judgements.of_tasks(tasks, names)
        prompts: dict[int, list[PromptRecord]] = {}
        for pk, task, external_id, content in rows:
            record = PromptRecord(
                id=external_id,
                content=self.parts(content),
                responses=responses.get(pk, []),
                annotations=annotations.get(pk, []),
            )
            prompts.setdefault(task, []).append(record)
        return prompts

    def _responses(self, tasks: QuerySet[Any]) -> tuple[dict[int, list[ResponseRecord]], dict[int, str]]:
        """Return the responses of each prompt, and the external id of each response."""
        columns = ("prompt_id", "position", "pk", "external_id", "content", "model", "continues", "metadata")
        rows = fetch(Response.objects.filter(prompt__task_id__in=tasks).order_by(), columns)
        rows.sort(key=itemgetter(0, 1))  # the database would copy the texts about
        found: dict[int, list[ResponseRecord]] = {}
        names: dict[int, str] = {}
        size = 0
        for prompt, _, pk, external_id, content, model, continues, metadata in rows:
            names[pk] = external_id
            size += len(content)
            record = ResponseRecord(
                id=external_id,
                content=self.parts(content),
                model=(model or None) if self.models else None,
                continues=bool(continues),
                metadata=_dict(metadata),
            )
            found.setdefault(prompt, []).append(record)
        self.text_read = size
        return found, names

    def _messages(self, stored: str) -> list[Message]:
        messages = _context(stored)
        return [Message(role=message.role, content=self._replace_assets(message.content)) for message in messages]

    def parts(self, stored: str) -> list[Part]:
        """Return stored content as parts; files are named by the path that they have in an export."""
        parts = _parts(stored)
        return self._replace_assets(parts) if '"asset"' in stored else parts

    def _replace_assets(self, parts: list[Part]) -> list[Part]:
        return [
            part if part.asset is None else Part(type=part.type, path=self._path(part.asset), name=part.name)
            for part in parts
        ]

    def _path(self, sha256: str) -> str:
        if sha256 not in self.extensions:
            name = Asset.objects.values_list("file", flat=True).get(sha256=sha256)
            self.extensions[sha256] = name.rsplit(".", 1)[-1]
        return f"media/{sha256}.{self.extensions[sha256]}"


def fetch(rows: QuerySet[Any], columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows as the database gives them: what Django makes of each value takes longer than fetching it.

    Only for numbers, text and JSON, which comes as its text; true and false come as 1 and 0 from SQLite.
    """
    sql, parameters = rows.values_list(*columns).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def _dict(stored: str) -> dict[str, Any]:
    return {} if stored == "{}" else _object(stored)
