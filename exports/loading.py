"""Neutral records to database. A file becomes a batch whole or not at all:

tasks are staged (invisible) in chunks while the file is checked, then all become active at once. With the first
problem nothing more is staged, but the rest is still checked. A retry removes what an earlier attempt staged.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils import timezone

from annotate.actions.jobs import Lease
from annotate.enums import KnownKind, TaskKind, TaskState
from annotate.models import Asset, Batch, KnownJudgement, Prompt, Response, Task, TaskAsset
from exports.bulk import as_json, insert, prepared_time, reserve_ids
from exports.checking import has_files, parts_of
from exports.intake import Intake, Taken
from exports.judgements import Judged, JudgementLoader
from exports.known import known_content
from exports.models import Import, NameFinding
from exports.records import PromptRecord, ResponseRecord, TaskRecord
from exports.updates import stored_content, stored_messages

TASK = (
    *("id", "public_id", "project", "batch", "external_id", "context", "metadata", "kind", "state", "priority"),
    *("overlap", "submitted_count", "claimed_count", "created_at"),
)
PROMPT = ("id", "task", "position", "external_id", "content")
RESPONSE = ("id", "prompt", "position", "external_id", "content", "model", "continues", "metadata")


class Loader:
    """Writes what an intake takes into one batch."""

    def __init__(self, job: Import, batch: Batch, intake: Intake, lease: Lease) -> None:
        self.job, self.batch, self.intake, self.lease = job, batch, intake, lease
        self.project, self.choices, self.desk = batch.project, intake.choices, intake.desk
        added = batch.project.dimensions.filter(key__in=job.report.get("added_dimensions", []))
        self.judgements = JudgementLoader(batch.project, added)
        self.created = 0

    def stage(self, total: int) -> None:
        """Write all records as staged tasks, a chunk per transaction; each is fenced by the lease."""
        for chunk in self.intake.chunks(lambda tasks: self.lease.beat(tasks, total)):
            if self.intake.problems:
                continue
            with transaction.atomic():
                self.lease.beat(self.intake.report.tasks, total, force=True)
                Chunk(self, chunk).write()
            self.created += len(chunk)


class Chunk:
    """Some tasks with all that belongs to them, on their way into the database in one transaction."""

    def __init__(self, loader: Loader, taken: Sequence[Taken]) -> None:
        self.loader, self.taken, self.choices = loader, taken, loader.choices
        self.project, self.desk, self.file = loader.project, loader.desk, loader.intake.checker.file

    def write(self) -> None:
        records = [taken.record for taken in self.taken]
        tasks = list(reserve_ids(Task, len(records)))
        judged = [prompt for record in records for prompt in record.prompts]
        prompts = list(reserve_ids(Prompt, len(judged)))
        responses = list(reserve_ids(Response, sum(len(prompt.responses) for prompt in judged)))
        insert(Task, TASK, self._tasks(tasks))
        insert(Prompt, PROMPT, self._prompts(tasks, prompts))
        insert(Response, RESPONSE, self._responses(judged, prompts, responses))
        self._link_assets(tasks)
        self._keep_findings(tasks)
        self._keep_judgements(tasks, prompts, responses)

    def _tasks(self, ids: Sequence[int]) -> Iterator[tuple[object, ...]]:
        now = prepared_time(timezone.now())
        empty = as_json([])
        unique = os.urandom(16 * len(ids)).hex()
        for number, (pk, taken) in enumerate(zip(ids, self.taken, strict=True)):
            record, judged = taken.record, self._judged(taken.record)
            yield (
                pk,
                unique[32 * number : 32 * number + 32],
                self.project.pk,
                self.loader.batch.pk,
                record.id if taken.replaces is None else stand_in(self.loader.job, taken.replaces),
                as_json(stored_messages(record.context, self.desk, self.file)) if record.context else empty,
                as_json(record.metadata),
                self._kind(record),
                TaskState.STAGED.value,
                record.priority + self.choices.priority,
                # Imported judgements come on top of what the project asks of its own people, unless the file says so.
                max(record.overlap or judged + self.project.overlap, judged),
                judged,
                0,
                now,
            )

    def _judged(self, record: TaskRecord) -> int:
        """How many people have judged the task already."""
        if self.choices.judgements != "annotations":
            return 0
        people = {a.annotator for p in record.prompts for a in p.annotations if a.kind == "annotation"}
        return len(people)

    def _kind(self, record: TaskRecord) -> str:
        is_gold = self.choices.judgements == "gold" and any(prompt.annotations for prompt in record.prompts)
        return TaskKind.GOLD.value if is_gold else TaskKind.NORMAL.value

    def _prompts(self, tasks: Sequence[int], ids: Sequence[int]) -> Iterator[tuple[object, ...]]:
        free = iter(ids)
        for task, taken in zip(tasks, self.taken, strict=True):
            for place, prompt in enumerate(taken.record.prompts):
                yield next(free), task, place, prompt.id, self._content(prompt)

    def _responses(
        self, judged: Sequence[PromptRecord], prompts: Sequence[int], ids: Sequence[int]
    ) -> Iterator[tuple[object, ...]]:
        free = iter(ids)
        for prompt, record in zip(prompts, judged, strict=True):
            for place, response in enumerate(record.responses):
                content, extra = self._content(response), as_json(response.metadata)
                model, goes_on = response.model or "", response.continues
                yield next(free), prompt, place, response.id, content, model, goes_on, extra

    def _content(self, of: PromptRecord | ResponseRecord) -> str:
        return as_json(stored_content(of.content, self.desk, self.file))

    def _link_assets(self, tasks: Sequence[int]) -> None:
        wanted = {
            (task, self.desk.sha256(part, self.file))
            for task, taken in zip(tasks, self.taken, strict=True)
            if has_files(taken.record)
            for _, part in parts_of(taken.record)
            if part.type != "text"
        }
        ids = dict(Asset.objects.filter(sha256__in={sha for _, sha in wanted}).values_list("sha256", "pk"))
        TaskAsset.objects.bulk_create(TaskAsset(task_id=task, asset_id=ids[sha]) for task, sha in sorted(wanted))

    def _keep_findings(self, tasks: Sequence[int]) -> None:
        NameFinding.objects.bulk_create(
            NameFinding(task_id=task, kind=each.kind, field=each.field, name=each.name, excerpt=each.excerpt)
            for task, taken in zip(tasks, self.taken, strict=True)
            for each in taken.findings
        )

    def _keep_judgements(self, tasks: Sequence[int], prompts: Sequence[int], responses: Sequence[int]) -> None:
        free_prompts, free_responses = iter(prompts), iter(responses)
        judged: list[Judged] = []
        for task, taken in zip(tasks, self.taken, strict=True):
            for record in taken.record.prompts:
                prompt = next(free_prompts)
                ids = {response.id: next(free_responses) for response in record.responses}
                if record.annotations:
                    judged.append((task, prompt, record, ids))
        if self.choices.judgements == "annotations":
            self.loader.judgements.load(judged)
        elif judged:
            kind = KnownKind.GOLD if self.choices.judgements == "gold" else KnownKind.SUGGESTION
            self.loader.judgements.count += keep_known(judged, kind)


def keep_known(judged: Sequence[Judged], kind: KnownKind) -> int:
    """Keep judgements beside the tasks instead of as anybody's work; return how many."""
    made = [
        KnownJudgement(prompt_id=prompt, kind=kind, source=item.annotator, content=known_content(item))
        for _, prompt, record, _ in judged
        for item in {annotation.annotator: annotation for annotation in record.annotations}.values()
    ]
    return len(KnownJudgement.objects.bulk_create(made))


def stand_in(job: Import, task: int) -> str:
    """Return the id that the new version of a task bears until it takes the place of the old one."""
    return f"~{job.pk}~{task}"
