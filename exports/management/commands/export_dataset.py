"""Export a project's judgements, from the command line."""

import argparse
import shutil
import typing
from pathlib import Path
from typing import Any, Literal

import msgspec
from django.core.management.base import BaseCommand, CommandError

from annotate.enums import JobState
from exports import formats
from exports.actions import RequestRefused, file_options_from, options_from, request_export
from exports.management.common import finish, project_named
from exports.options import ExportOptions, FileOptions
from exports.wording import FILE_OPTIONS, OPTIONS, accounting_lines

COMPUTED = frozenset({"rubric"})
Options = type[ExportOptions] | type[FileOptions]


class Command(BaseCommand):
    help = "Export a project as a dataset: its files, README.md, manifest and an archive of all."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "format_name", metavar="format", choices=[name for name, each in formats.FORMATS.items() if each.can_write]
        )
        parser.add_argument("--out", type=Path, required=True, help="Folder for the files; made when missing.")
        parser.add_argument("--reason", default="", help="Why the names of people leave; needed for --identity names.")
        for options, wording in ((ExportOptions, OPTIONS), (FileOptions, FILE_OPTIONS)):
            for field in msgspec.structs.fields(options):
                if field.name not in COMPUTED:
                    _add(parser, field, wording[field.name][0])

    def handle(self, *, slug: str, format_name: str, out: Path, reason: str, **given: Any) -> None:
        try:
            job = request_export(
                project=project_named(slug),
                format_name=format_name,
                options=options_from(_chosen(ExportOptions, given)),
                file_options=file_options_from(_chosen(FileOptions, given)),
                reason=reason,
                by=None,
            )
        except RequestRefused as error:
            raise CommandError(str(error)) from error
        finish(job)
        if job.state != JobState.DONE:
            raise CommandError(job.error)
        out.mkdir(parents=True, exist_ok=True)
        for file in job.files.all():
            shutil.copyfile(job.folder / file.name, out / file.name)
            self.stdout.write(f"{out / file.name}  {file.sha256}")
        for label, count in accounting_lines(job.manifest["accounting"]):
            self.stdout.write(f"{label}: {count:,}")
        if why_empty := job.manifest.get("why_empty"):
            self.stdout.write(self.style.WARNING(f"THIS DATASET HAS NO ROWS. {why_empty}"))


def _add(parser: argparse.ArgumentParser, field: msgspec.structs.FieldInfo, label: str) -> None:
    """Offer one option: ``--include-returned``, ``--no-include-models``, ``--consensus majority``, ``--test 0.1``."""
    flag = "--" + field.name.replace("_", "-")
    kind = field.type
    if typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    if typing.get_origin(kind) is Literal:
        parser.add_argument(flag, choices=typing.get_args(kind), default=field.default, help=label)
    elif kind is bool:
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=field.default, help=label)
    else:
        number = next((each for each in (float, int) if each in (kind, *typing.get_args(kind))), str)
        parser.add_argument(flag, type=number, default=field.default, help=label)


def _chosen(options: Options, given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in options.__struct_fields__ if name in given}
