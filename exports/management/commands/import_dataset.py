"""Import a file into a project, from the command line."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.enums import JobState
from annotate.models import Project
from exports import formats
from exports.actions import RequestRefused, request_import
from exports.bundle import open_bundle
from exports.loading import check_file, guess_format
from exports.management.common import finish, project_named
from exports.problems import Problem, ProblemError, ProblemList


class Command(BaseCommand):
    help = "Import a dataset into a project: all of it, or nothing and a list of what is wrong."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--format",
            dest="format_name",
            default="",
            choices=["", *(n for n, f in formats.FORMATS.items() if f.can_read)],
        )
        parser.add_argument("--batch", default="", help="Name of the batch; the file's name by default.")
        parser.add_argument("--dry-run", action="store_true", help="Check the file and write nothing.")

    def handle(
        self,
        *,
        slug: str,
        file: Path,
        format_name: str,
        batch: str,
        dry_run: bool,
        **options: Any,
    ) -> None:
        project = project_named(slug)
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if dry_run:
            self._check(project, file, format_name)
        else:
            self._import(project, file, format_name, batch or file.name)

    def _check(self, project: Project, file: Path, format_name: str) -> None:
        try:
            with open_bundle(file) as bundle:
                problems = bundle.problem_list()
                name = format_name or guess_format(bundle)
                count = check_file(bundle, project, name, problems, None)
        except ProblemError as error:
            raise CommandError(str(error)) from error
        except formats.FormatError as error:
            raise CommandError(str(error)) from error
        self._list(problems)
        if problems:
            raise CommandError(f"{len(problems)} problems. Nothing was imported.")
        self.stdout.write(f"{count:,} tasks can be imported as {name}. Nothing was written.")

    def _import(self, project: Project, file: Path, format_name: str, batch: str) -> None:
        try:
            job = request_import(
                project=project,
                chunks=_chunks(file),
                file_name=file.name,
                batch_name=batch,
                format_name=format_name,
                by=None,
            )
        except RequestRefused as error:
            raise CommandError(str(error)) from error
        finish(job)
        problems = ProblemList()
        for problem in job.problems:
            problems.add(Problem(**problem))
        self._list(problems)
        if job.state != JobState.DONE:
            raise CommandError(job.error)
        self.stdout.write(f"Imported {job.created_count:,} tasks and {job.judgement_count:,} judgements as {batch!r}.")

    def _list(self, problems: ProblemList) -> None:
        for problem in problems:
            self.stderr.write(str(problem))


def _readable() -> list[str]:
    return [name for name, each in formats.FORMATS.items() if each.can_read]


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            yield chunk
