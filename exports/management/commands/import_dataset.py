"""Import a file into a project, from the command line."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

from django.core.management.base import BaseCommand, CommandError

from annotate.enums import JobState
from exports import formats
from exports.actions import RequestRefused, request_import
from exports.import_choices import ImportChoices, choices_from
from exports.management.common import finish, project_named
from exports.models import Import
from exports.problems import Problem, ProblemList
from exports.zipping import blocks_of, zipped

CHOICES = ("duplicates", "judgements", "dimensions", "misfits", "names")


class Command(BaseCommand):
    help = "Import a dataset into a project: all of it, or nothing and a list of what is wrong."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path, help="A file, or a folder with data, media and settings.")
        readable = [name for name, each in formats.FORMATS.items() if each.can_read]
        parser.add_argument("--format", dest="format_name", default="", choices=["", *readable])
        parser.add_argument("--batch", default="", help="Name of the batch; the file's name by default.")
        parser.add_argument("--dry-run", action="store_true", help="Check the file and write nothing.")
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")
        parser.add_argument("--priority", type=int, default=0, help="Added to what the file says.")
        parser.add_argument(
            "--map", action="append", default=[], metavar="COLUMN=MEANING", help="What a column or key means."
        )
        hints = get_type_hints(ImportChoices)
        for name in CHOICES:
            values = get_args(hints[name])
            parser.add_argument(f"--{name.replace('_', '-')}", choices=values, default=values[0])

    def handle(self, *, slug: str, file: Path, dry_run: bool, **options: Any) -> None:
        project = project_named(slug)
        if not file.exists():
            raise CommandError(f"There is no file {file}.")
        try:
            job = request_import(
                project=project,
                chunks=_opened(file),
                file_name=file.name,
                batch_name=options["batch"] or file.name,
                format_name=options["format_name"],
                choices=_choices(options),
                check_only=dry_run,
                by=None,
            )
        except RequestRefused as error:
            raise CommandError(str(error)) from error
        finish(job)
        if dry_run:
            job.path.unlink(missing_ok=True)
        self._say(job, as_json=options["json"])

    def _say(self, job: Import, *, as_json: bool) -> None:
        if as_json:
            names = (
                "state",
                "phase",
                "format",
                "created_count",
                "judgement_count",
                "problem_count",
                "problems",
                "error",
            )
            result = {name: getattr(job, name) for name in names}
            self.stdout.write(json.dumps({**result, "batch": job.batch_name, "report": job.report}, ensure_ascii=False))
        problems = ProblemList()
        for problem in job.problems:
            problems.add(Problem(**problem))
            self.stderr.write(str(Problem(**problem)))
        if job.state != JobState.DONE or job.report.get("unrecognised"):
            raise CommandError(job.error or job.report["unrecognised"])
        if job.problem_count:
            raise CommandError(f"{job.problem_count} problems. Nothing was imported.")
        if as_json:
            return
        if job.phase == "check":
            self.stdout.write(f"{job.report['tasks']:,} tasks can be imported as {job.format}. Nothing was written.")
            return
        counts = f"{job.created_count:,} tasks and {job.judgement_count:,} judgements"
        self.stdout.write(f"Imported {counts} as {job.batch_name!r}.")


def _choices(options: dict[str, Any]) -> ImportChoices:
    mapping = {}
    for pair in options["map"]:
        column, sign, meaning = pair.rpartition("=")
        if not sign or not column:
            raise CommandError(f"Write --map as COLUMN=MEANING, not {pair!r}.")
        mapping[column] = meaning
    given = {name: options[name] for name in CHOICES}
    return choices_from({**given, "mapping": mapping, "priority": options["priority"]})


def _opened(path: Path) -> Iterator[bytes]:
    """The bytes of a file, or of a zip of a folder."""
    if path.is_file():
        return blocks_of(path)
    inside = (each for each in sorted(path.rglob("*")) if each.is_file())
    return zipped((each.relative_to(path).as_posix(), blocks_of(each)) for each in inside)
