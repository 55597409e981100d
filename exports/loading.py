"""Neutral records to database. A file becomes a batch whole or not at all:

first everything is checked without a write, then tasks are staged (invisible) in chunks, then all become active at
once. A retry removes what an earlier attempt staged.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from django.db import connection, transaction

from annotate.actions.jobs import Lease
from annotate.actions.rendering import rendered
from annotate.enums import TaskState
from annotate.media.storage import store
from annotate.models import Annotation, Asset, Assignment, Batch, Project, Prompt, Response, Task, TaskAsset
from exports import formats
from exports.bundle import Bundle
from exports.checking import Checker, parts_of
from exports.judgements import JudgementLoader
from exports.problems import ProblemList
from exports.records import Message, Part, PromptRecord, TaskRecord

CHUNK = 100


def check_file(bundle: Bundle, project: Project, format_name: str, problems: ProblemList, lease: Lease | None) -> int:
    """Check the whole file against its format and the project, without a write; return the number of good records."""
    reader, checker = formats.get(format_name), Checker(project, bundle, problems)
    count = 0
    for line, record in reader.read(bundle.good_rows(problems), bundle.file, problems):
        checker.check(line, record)
        count += 1
        if lease:
            lease.beat(0, count)
    checker.finish()
    return count


def guess_format(bundle: Bundle) -> str:
    """Return the name of the format of the file's first rows.

    :raises exports.formats.FormatError: when none or several fit.
    """
    return formats.choose(row for _, row in bundle.good_rows(ProblemList())).name


class Loader:
    """Writes checked records of one bundle into one batch."""

    def __init__(self, bundle: Bundle, batch: Batch, lease: Lease) -> None:
        self.bundle, self.batch, self.project, self.lease = bundle, batch, batch.project, lease
        self.judgements = JudgementLoader(batch.project)
        self.assets: dict[str, str] = {}
        self.created = 0

    def stage(self, format_name: str, total: int) -> None:
        """Write all records as staged tasks, a chunk per transaction; each is fenced by the lease."""
        problems = self.bundle.problem_list()
        reader = formats.get(format_name)
        rows = reader.read(self.bundle.good_rows(problems), self.bundle.file, problems)
        records = (record for _, record in rows)
        while chunk := list(islice(records, CHUNK)):
            for record in chunk:
                self._prepare(record)
                self.lease.beat(self.created, total)
            with transaction.atomic():
                self.lease.beat(self.created + len(chunk), total, force=True)
                self._write(chunk)
            self.created += len(chunk)

    def _prepare(self, record: TaskRecord) -> None:
        """Store media and render text before the transaction: both take time and both may safely happen twice."""
        for _, part in parts_of(record):
            if part.path and part.path not in self.assets:
                data = self.bundle.media(part.path)
                assert data is not None  # the check found it
                self.assets[part.path] = store(data).sha256
        rendered(part.text for _, part in parts_of(record) if part.text is not None)

    def _write(self, chunk: Sequence[TaskRecord]) -> None:
        tasks = Task.objects.bulk_create([self._task(record) for record in chunk])
        prompts: list[tuple[PromptRecord, Prompt]] = []
        for task, record in zip(tasks, chunk, strict=True):
            prompts += [(item, self._prompt(task, place, item)) for place, item in enumerate(record.prompts)]
        Prompt.objects.bulk_create([prompt for _, prompt in prompts])
        responses = [response for item, prompt in prompts for response in self._responses(prompt, item)]
        Response.objects.bulk_create(responses)
        self._link_assets(tasks, chunk)
        by_prompt: dict[int, dict[str, int]] = {}
        for response in responses:
            by_prompt.setdefault(response.prompt_id, {})[response.external_id] = response.pk
        self.judgements.load([(prompt.task, prompt, item, by_prompt[prompt.pk]) for item, prompt in prompts])

    def _task(self, record: TaskRecord) -> Task:
        judged = len({a.annotator for p in record.prompts for a in p.annotations if a.kind == "annotation"})
        return Task(
            project=self.project,
            batch=self.batch,
            external_id=record.id,
            context=[self._message(message) for message in record.context],
            metadata=record.metadata,
            state=TaskState.STAGED,
            priority=record.priority,
            # Imported judgements come on top of what this project's own people are asked for, unless the file says so.
            overlap=max(record.overlap or judged + self.project.overlap, judged),
            submitted_count=judged,
        )

    def _prompt(self, task: Task, place: int, record: PromptRecord) -> Prompt:
        return Prompt(task=task, position=place, external_id=record.id, content=self.content(record.content))

    def _responses(self, prompt: Prompt, record: PromptRecord) -> Iterator[Response]:
        for place, response in enumerate(record.responses):
            yield Response(
                prompt=prompt,
                position=place,
                external_id=response.id,
                content=self.content(response.content),
                model=response.model or "",
                continues=response.continues,
                metadata=response.metadata,
            )

    def _message(self, message: Message) -> dict[str, object]:
        return {"role": message.role, "content": self.content(message.content)}

    def content(self, parts: Sequence[Part]) -> list[dict[str, str]]:
        """Return the parts as they are stored: files by their SHA-256."""
        stored = []
        for part in parts:
            if part.type == "text":
                stored.append({"type": "text", "text": part.text or ""})
            else:
                named = {"name": part.name} if part.name else {}
                sha256 = part.asset or self.assets[part.path or ""]
                stored.append({"type": part.type, "asset": sha256, **named})
        return stored

    def _link_assets(self, tasks: Sequence[Task], chunk: Sequence[TaskRecord]) -> None:
        wanted = {
            (task.pk, part.asset or self.assets[part.path or ""])
            for task, record in zip(tasks, chunk, strict=True)
            for _, part in parts_of(record)
            if part.type != "text"
        }
        ids = dict(Asset.objects.filter(sha256__in={sha for _, sha in wanted}).values_list("sha256", "pk"))
        TaskAsset.objects.bulk_create(TaskAsset(task_id=task, asset_id=ids[sha]) for task, sha in sorted(wanted))


def publish(batch: Batch) -> int:
    """Make all staged tasks of the batch active at once; return how many."""
    refresh_statistics()
    return batch.tasks.filter(state=TaskState.STAGED).update(state=TaskState.ACTIVE)


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


def discard_staged(batch: Batch) -> None:
    """Remove what an unfinished attempt left in the batch."""
    staged = batch.tasks.filter(state=TaskState.STAGED)
    while ids := list(staged.values_list("pk", flat=True)[:CHUNK]):
        with transaction.atomic():
            Annotation.objects.filter(prompt__task__in=ids).delete()
            Assignment.objects.filter(task__in=ids).delete()
            Task.objects.filter(pk__in=ids).delete()
