"""An upload as records that the project takes: read, adapted to the choices, and checked, a chunk at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from annotate.models import Project, Task
from exports import formats
from exports.bundle import Bundle
from exports.checking import Checker
from exports.formats.base import Row
from exports.formats.row_ids import is_row_id
from exports.formats.setup import Setup
from exports.guard import Finding, findings, mask
from exports.import_choices import ImportChoices
from exports.media_desk import MediaDesk
from exports.problems import Problem, ProblemList, describe
from exports.records import AnnotationRecord, PromptRecord, TaskRecord
from exports.report import Report
from exports.seen import SeenIds
from exports.updates import digest_of, started_among

CHUNK_TASKS, CHUNK_TEXT = 1000, 4_000_000  # tasks, and characters of their texts, that are in memory at a time, about
ID_LOOKUP = 500

Numbered = tuple[int, TaskRecord]


@dataclass(frozen=True)
class Taken:
    """A record that is imported. `replaces`: the primary key of the task that it stands for from then on."""

    record: TaskRecord
    findings: list[Finding]
    replaces: int | None = None


class Intake:
    """Reads an upload for a project. `problems` and `report` fill up while `chunks` is followed to its end.

    Nothing is written, unless `keep` asks to store the files that the records name. `touched`: (task, priority,
    metadata) of the tasks of which only those may change.
    """

    def __init__(
        self,
        bundle: Bundle,
        project: Project,
        format_name: str,
        choices: ImportChoices,
        problems: ProblemList,
        *,
        keep: bool = False,
    ) -> None:
        self.bundle, self.project, self.choices, self.problems = bundle, project, choices, problems
        self.format = formats.get(format_name)
        self.setup = Setup(mapping=choices.mapping, companions=bundle.companions)
        self.desk = MediaDesk(bundle, keep=keep)
        self.checker = Checker(project, problems, self.desk, choices)
        self.report = Report()
        self.touched: list[tuple[int, int, dict[str, Any]]] = []

    def chunks(self, beat: Callable[[int], object] = int) -> Iterator[list[Taken]]:
        """Yield the records that are imported. `beat` is called with the number of tasks read so far."""
        with SeenIds() as seen:
            for name, rows in self._rows():
                self.checker.file = name
                for chunk in _chunked(self.format.read(rows, name, self.problems, self.setup)):
                    self.report.tasks += len(chunk)
                    yield list(self._taken(name, chunk, seen))
                    beat(self.report.tasks)

    def _rows(self) -> Iterator[tuple[str, Iterator[Row]]]:
        """Yield the name and the rows of each file, or of all together where the format reads them as one."""
        if self.format.reads_all_files:
            yield self.bundle.file, self.bundle.good_rows(self.problems)
            return
        for file in self.bundle.files:
            yield file.name, file.good_rows(self.problems)

    def _taken(self, file: str, chunk: list[Numbered], seen: SeenIds) -> Iterator[Taken]:
        known = self._known([record.id for _, record in chunk])
        started = started_among(list(known.values())) if self.choices.duplicates == "update" else {}
        for line, record in chunk:
            if (first := seen.first_line(record.id, line)) is not None:
                if not is_row_id(record.id):
                    self._repeated(file, line, record, first)
                    continue
                record = replace(record, id=_next_id(record.id, line, seen))
                known |= self._known([record.id])
            replaces = known.get(record.id)
            if replaces is not None and not self._is_replaced(file, line, record, replaces, started.get(replaces)):
                continue
            if self.choices.misfits == "leave_out" and (reason := self.checker.misfit(record)):
                self.report.left_out[reason] += 1
                continue
            record = self._adapted(record)
            media = self.checker.check(line, record)
            self.report.count(record, media)
            self.report.sample(record)
            named = findings(record)
            if named:
                self.report.named(record.id, line, named)
                record, named = self._decided(record, named)
            self.report.updated += replaces is not None
            self.report.new += replaces is None
            yield Taken(record, named, replaces)

    def _known(self, ids: list[str]) -> dict[str, int]:
        known: dict[str, int] = {}
        for start in range(0, len(ids), ID_LOOKUP):
            tasks = Task.objects.filter(project=self.project, external_id__in=ids[start : start + ID_LOOKUP])
            known |= dict(tasks.values_list("external_id", "pk"))
        return known

    def _repeated(self, file: str, line: int, record: TaskRecord, first: int) -> None:
        if self.choices.duplicates == "skip":
            self.report.skipped += 1
            return
        found = f"{describe(record.id)} again (first in row {first})"
        self.problems.add(Problem(file, line, "id", found, "ids that differ within the file"))

    def _is_replaced(self, file: str, line: int, record: TaskRecord, task: int, content: bytes | None) -> bool:
        """Whether the record takes the place of the task with its id. `content`: its digest if it was begun."""
        if self.choices.duplicates == "refuse":
            found = f"{describe(record.id)}, which the project already has"
            self.problems.add(Problem(file, line, "id", found, "an id that is new to the project"))
        elif self.choices.duplicates == "skip":
            self.report.skipped += 1
        elif content is None:
            return True
        elif content == digest_of(record, self.desk, file):
            self.report.unchanged += 1
            self.report.judgements_left_out += sum(len(prompt.annotations) for prompt in record.prompts)
            self.touched.append((task, record.priority + self.choices.priority, record.metadata))
        else:
            found = f"{describe(record.id)} with another content than the task that people have begun"
            self.problems.add(Problem(file, line, "id", found, "the same content, or a new id"))
        return False

    def _decided(self, record: TaskRecord, named: list[Finding]) -> tuple[TaskRecord, list[Finding]]:
        """What becomes of a task that names a model; findings are kept only where a lead has to decide."""
        if self.choices.names == "mask":
            return mask(record), []
        return record, named if self.choices.names == "hold" else []

    def _adapted(self, record: TaskRecord) -> TaskRecord:
        if all(not prompt.annotations for prompt in record.prompts):
            return record
        prompts = [replace(prompt, annotations=self._judgements(prompt)) for prompt in record.prompts]
        return replace(record, prompts=prompts)

    def _judgements(self, prompt: PromptRecord) -> list[AnnotationRecord]:
        if self.choices.judgements == "leave_out":
            self.report.judgements_left_out += len(prompt.annotations)
            return []
        return [self._rated(annotation) for annotation in prompt.annotations]

    def _rated(self, annotation: AnnotationRecord) -> AnnotationRecord:
        """The annotation with the ratings that can be kept; what the project lacks is counted."""
        unknown = [rating for rating in annotation.ratings if rating.dimension not in self.checker.dimensions]
        for rating in unknown:
            self.report.saw(rating)
        if not unknown or self.choices.dimensions != "leave_out":
            return annotation
        self.report.ratings_left_out += len(unknown)
        return replace(annotation, ratings=[rating for rating in annotation.ratings if rating not in unknown])


def _next_id(name: str, line: int, seen: SeenIds) -> str:
    """An id for another row that says the same as one before: two people may have said it."""
    number = 2
    while seen.first_line(f"{name}-{number}", line) is not None:
        number += 1
    return f"{name}-{number}"


def _chunked(records: Iterator[Numbered]) -> Iterator[list[Numbered]]:
    chunk: list[Numbered] = []
    text = 0
    for numbered in records:
        chunk.append(numbered)
        text += _text_in(numbered[1])
        if len(chunk) >= CHUNK_TASKS or text >= CHUNK_TEXT:
            yield chunk
            chunk, text = [], 0
    if chunk:
        yield chunk


def _text_in(record: TaskRecord) -> int:
    """How many characters the record's contents hold, about."""
    total = 0
    for prompt in record.prompts:
        for response in prompt.responses:
            for part in response.content:
                total += len(part.text or part.path or "")
    for message in record.context:
        total += sum(len(part.text or part.path or "") for part in message.content)
    return total + sum(len(part.text or part.path or "") for prompt in record.prompts for part in prompt.content)


def guess_format(bundle: Bundle) -> str:
    """Return the name of the format of the file's first rows.

    :raises exports.formats.FormatError: when none or several fit.
    """
    return formats.choose(row for _, row in bundle.good_rows(ProblemList())).name
