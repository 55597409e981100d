"""Export a project's judgements, from the command line."""

import argparse
import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.enums import JobState
from exports import formats
from exports.actions import request_export
from exports.management.common import finish, project_named
from exports.pairs import ExportOptions
from exports.wording import accounting_lines


class Command(BaseCommand):
    help = "Export a project as a dataset: the file, its manifest and an archive of both."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "format_name", metavar="format", choices=[name for name, each in formats.FORMATS.items() if each.can_write]
        )
        parser.add_argument("--out", type=Path, required=True, help="Folder for the files; made when missing.")
        parser.add_argument("--margin", choices=["none", "absolute"], default="none")
        parser.add_argument(
            "--ranking-pairs", choices=["all", "best_vs_rest", "best_vs_worst", "adjacent"], default="all"
        )
        parser.add_argument("--consensus", choices=["each", "majority"], default="each")
        parser.add_argument("--include-returned", action="store_true")

    def handle(self, *, slug: str, format_name: str, out: Path, **options: Any) -> None:
        names = ["margin", "ranking_pairs", "consensus", "include_returned"]
        chosen = ExportOptions(**{name: options[name] for name in names})
        job = request_export(project=project_named(slug), format_name=format_name, options=chosen, by=None)
        finish(job)
        if job.state != JobState.DONE:
            raise CommandError(job.error)
        out.mkdir(parents=True, exist_ok=True)
        for file in job.files.all():
            shutil.copyfile(job.folder / file.name, out / file.name)
            self.stdout.write(f"{out / file.name}  {file.sha256}")
        for label, count in accounting_lines(job.manifest["accounting"]):
            self.stdout.write(f"{label}: {count:,}")
