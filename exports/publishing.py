"""The end of an import: everything that was staged becomes visible at once, or goes away without a trace."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction

from annotate.actions.jobs import JobFailed
from annotate.enums import TaskState
from annotate.models import (
    Annotation,
    Asset,
    Assignment,
    Batch,
    Dimension,
    Membership,
    Prompt,
    Response,
    Task,
    TaskAsset,
    User,
)
from exports.loading import stand_in
from exports.models import Import

CHUNK = 500


def publish(job: Import, batch: Batch, touched: Iterable[tuple[int, int, dict[str, object]]]) -> None:
    """Make all staged tasks of the batch active, or held where a lead has to decide. Call inside a transaction.

    :param touched: (task, priority, metadata) of tasks that the file brought again unchanged.
    :raises annotate.actions.jobs.JobFailed: when somebody has begun a task that the file replaces.
    """
    refresh_statistics()
    _replace(job, batch)
    for task, priority, metadata in touched:
        Task.objects.filter(pk=task).update(priority=priority, metadata=metadata)
    staged = batch.tasks.filter(state=TaskState.STAGED)
    staged.filter(name_findings__isnull=False).update(state=TaskState.HELD)
    staged.update(state=TaskState.ACTIVE)
    new = Dimension.objects.filter(project=batch.project, key__in=job.report.get("added_dimensions", []))
    new.update(retired_at=None)


def _replace(job: Import, batch: Batch) -> None:
    """Put the new versions of tasks in the place of the old ones."""
    mark = stand_in(job, 0)[:-1]
    waiting = batch.tasks.filter(state=TaskState.STAGED, external_id__startswith=mark)
    while chunk := dict(waiting.values_list("external_id", "pk")[:CHUNK]):
        old = {int(name.removeprefix(mark)): pk for name, pk in chunk.items()}
        if Assignment.objects.filter(task__in=old).exists():
            raise JobFailed("Somebody has begun a task that the file changes. Nothing was imported; check it again.")
        names = dict(Task.objects.select_for_update().filter(pk__in=old).values_list("pk", "external_id"))
        Task.objects.filter(pk__in=old).delete()
        for pk, name in names.items():
            Task.objects.filter(pk=old[pk]).update(external_id=name)


def refresh_statistics() -> None:
    """Let PostgreSQL count what came in before anybody is served from it.

    It plans with the row counts of its last ANALYZE. Autovacuum may have taken them while the import was not yet
    committed: the tables then count as empty, and finding one task's responses reads them all.
    """
    if connection.vendor == "postgresql":
        quote = connection.ops.quote_name
        tables = ", ".join(quote(model._meta.db_table) for model in (Task, Prompt, Response, TaskAsset, Assignment))
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")


def discard_staged(job: Import) -> None:
    """Remove what an unfinished attempt left: its tasks, people and dimensions, and files that no task uses."""
    batch = job.batch
    if batch is None:
        return
    staged = batch.tasks.filter(state=TaskState.STAGED)
    while ids := list(staged.values_list("pk", flat=True)[:CHUNK]):
        with transaction.atomic():
            assets = list(TaskAsset.objects.filter(task__in=ids).values_list("asset_id", flat=True).distinct())
            Annotation.objects.filter(prompt__task__in=ids).delete()
            Assignment.objects.filter(task__in=ids).delete()
            Task.objects.filter(pk__in=ids).delete()
            _discard_assets(assets)
    _discard_dimensions(job)
    people = User.objects.filter(is_imported=True, memberships__project=job.project, date_joined__gte=job.created_at)
    unused = list(people.filter(assignments__isnull=True, reviews__isnull=True).values_list("pk", flat=True))
    Membership.objects.filter(user__in=unused).delete()
    User.objects.filter(pk__in=unused).delete()


def forget(job: Import) -> None:
    """Remove everything that an import without result has left, its batch included; the upload itself stays."""
    discard_staged(job)
    batch = job.batch
    if batch is not None and not batch.tasks.exists():
        job.batch = None
        batch.delete()


def _discard_assets(ids: list[int]) -> None:
    for asset in Asset.objects.filter(pk__in=ids, task_assets__isnull=True).prefetch_related("pages"):
        files = [asset.file, asset.thumbnail, *(page.file for page in asset.pages.all())]
        asset.delete()
        transaction.on_commit(lambda files=files: [file.delete(save=False) for file in files if file])  # type: ignore[misc]


def _discard_dimensions(job: Import) -> None:
    keys = job.report.get("added_dimensions", [])
    retired = Dimension.objects.filter(project=job.project, key__in=keys, retired_at__isnull=False)
    retired.filter(ratings__isnull=True, retired_at__gte=job.created_at).delete()
