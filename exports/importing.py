"""One run of an import's job: the check, whose report a person reads, or the import itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate.actions.events import record
from annotate.actions.jobs import JobFailed, Lease
from annotate.enums import DimensionTarget, TaskState
from annotate.models import Batch, Dimension
from exports import formats
from exports.bundle import Bundle, open_bundle
from exports.collector import without_collector
from exports.enums import ImportPhase
from exports.fetching import fetch
from exports.import_choices import choices_from
from exports.intake import Intake, guess_format
from exports.loading import Loader
from exports.mappings import COLUMNS, mappable_of
from exports.models import Import
from exports.problem_log import LoggedProblems
from exports.problems import Problem, ProblemError, ProblemList
from exports.publishing import discard_staged, forget, publish

REFUSED = "Nothing was imported. Mend the problems listed here, or choose otherwise, then try again."


class Importing:
    """``run`` may be called again after a crash: what the earlier attempt staged is removed first."""

    def __init__(self, job: Import, lease: Lease) -> None:
        self.job, self.lease, self.choices = job, lease, choices_from(job.choices)

    def run(self) -> dict[str, Any]:
        job = self.job
        if job.batch is not None and job.batch.tasks.exclude(state=TaskState.STAGED).exists():
            return self._done(job.batch)  # an earlier attempt published it and died before it could say so
        discard_staged(job)
        with self._opened() as bundle, LoggedProblems(job.problems_path, bundle.problem_list()) as problems:
            if job.phase == ImportPhase.CHECK:
                return self._check(bundle, problems)
            format_name = job.format or guess_format(bundle)
            self.lease.write(format=format_name)
            if self.choices.dimensions == "add":
                self._add_dimensions(bundle, format_name)
            return self._load(bundle, format_name, problems)

    @contextmanager
    def _opened(self) -> Iterator[Bundle]:
        try:
            with open_bundle(self.job.path, name=self.job.file_name) as bundle:
                bundle.fetch = fetch if settings.IMPORT_REMOTE_MEDIA else None
                yield bundle
        except ProblemError as error:
            problems = ProblemList()
            problems.add(error.problem)
            self._refuse(problems)
            raise
        except formats.FormatError as error:
            raise JobFailed(str(error)) from error

    def _check(self, bundle: Bundle, problems: ProblemList) -> dict[str, Any]:
        """Read everything and write nothing but the report."""
        recognised = not self.job.format
        try:
            format_name = self.job.format or guess_format(bundle)
        except formats.FormatError as error:
            # Not the end: whoever uploaded it says what the format is, or what the columns mean.
            mappable = mappable_of(bundle, self.job.project, COLUMNS)
            return {"report": {"unrecognised": str(error), "mappable": mappable}, **_shown(problems)}
        self.lease.write(format=format_name)
        mappable = mappable_of(bundle, self.job.project, format_name)
        choices = self.choices
        if not choices.mapping:  # shown as it would be with the proposal, which a person then confirms
            proposal = {column["key"]: column["proposed"] for column in mappable}
            choices = msgspec.structs.replace(choices, mapping=proposal)
        intake = Intake(bundle, self.job.project, format_name, choices, problems)
        self._follow(intake)
        _check_not_empty(intake, self.job.file_name)
        return {
            **_shown(problems),
            "report": intake.report.stored()
            | {
                "metadata_names": dict(intake.desk.metadata_names),
                "mappable": mappable,
                "recognised": recognised,
            },
            "progress": intake.report.tasks,
            "total": intake.report.tasks,
        }

    def _follow(self, intake: Intake) -> None:
        for _ in intake.chunks(lambda tasks: self.lease.beat(tasks)):
            pass

    def _load(self, bundle: Bundle, format_name: str, problems: ProblemList) -> dict[str, Any]:
        job, batch = self.job, self._batch()
        intake = Intake(bundle, job.project, format_name, self.choices, problems, keep=True)
        loader = Loader(job, batch, intake, self.lease)
        with without_collector():
            loader.stage(int(job.report.get("tasks", 0)))
        _check_not_empty(intake, job.file_name)
        if problems:
            forget(job)
            self._refuse(problems)
        report = intake.report.stored() | {"metadata_names": dict(intake.desk.metadata_names)}
        report["added_dimensions"] = job.report.get("added_dimensions", [])
        with transaction.atomic():
            self.lease.beat(intake.report.tasks, intake.report.tasks, force=True)
            self.lease.write(created_count=loader.created, judgement_count=loader.judgements.count, report=report)
            publish(job, batch, intake.touched)
            record("batch.imported", batch, by=job.created_by, project=job.project, tasks=loader.created, job=job.pk)
        job.refresh_from_db()
        return self._done(batch)

    def _refuse(self, problems: ProblemList) -> None:
        if problems:
            self.lease.write(**_shown(problems))
            raise JobFailed(REFUSED)

    def _batch(self) -> Batch:
        """Return the job's batch; it is made once and empty."""
        job = self.job
        if job.batch is None:
            with transaction.atomic():
                job.batch = Batch.objects.create(project=job.project, name=job.batch_name, created_by=job.created_by)
                self.lease.write(batch=job.batch)
        return job.batch

    def _add_dimensions(self, bundle: Bundle, format_name: str) -> None:
        """Make the dimensions that the project lacks, retired until the import is complete."""
        job = self.job
        intake = Intake(bundle, job.project, format_name, self.choices, ProblemList())
        self._follow(intake)
        known = formats.get(format_name).scales
        with transaction.atomic():
            for key, seen in intake.report.scales.items():
                least, most = known.get(key, (seen.least, max(seen.most, seen.least + 1)))
                dimension = Dimension(
                    project=job.project,
                    key=key,
                    label=key.replace("_", " ").capitalize(),
                    target=DimensionTarget.RESPONSE if seen.per_response else DimensionTarget.COMPARISON,
                    minimum=min(least, seen.least),
                    maximum=max(most, seen.most),
                    is_required=False,
                    position=job.project.dimensions.count(),
                    retired_at=timezone.now(),
                )
                dimension.full_clean()
                dimension.save()
            job.report = {**job.report, "added_dimensions": list(intake.report.scales)}
            self.lease.write(report=job.report)

    def _done(self, batch: Batch) -> dict[str, Any]:
        self.job.path.unlink(missing_ok=True)
        return {"progress": self.job.progress, "total": self.job.progress, "batch": batch}


def _check_not_empty(intake: Intake, file_name: str) -> None:
    if not intake.problems and not intake.report.tasks:
        raise ProblemError(Problem(file_name, None, "", "no records", "at least one"))


def _shown(problems: ProblemList) -> dict[str, Any]:
    return {"problem_count": len(problems), "problems": [problem.stored() for problem in problems]}
