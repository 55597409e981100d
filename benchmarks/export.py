"""How fast an export is, and how much memory it takes, by the number of annotations.

    .venv/bin/python benchmarks/export.py [--sizes 10000 100000] [--rounds 3] [--million]

It makes its own SQLite database in a temporary folder: each task has one prompt, two responses of 1,500 characters and
one annotation with ratings on four dimensions. Three things are measured, each in a process of its own:

- rows: from the database to a file of ``trl_preference`` JSON Lines, as the pieces of an export are made;
- plain: the least that such a dump could be: one SQL query, decoded and encoded with orjson, written to a file;
- job: a whole export with its files, proof, card, manifest and archive.

Rows per second are the median of the rounds; the ratio is rows / plain; memory is the most that the process held.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotate.models import Project

CHUNK = 2000
RESPONSE = 1500  # characters
WORDS = "the answer explains each step in plain words and names the reason for it, so that a reader can follow it. "


def main() -> None:
    """Measure every size and print a table; with ``--measure``, do one measurement and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--million", action="store_true", help="Also 1,000,000; takes several gigabytes and long.")
    parser.add_argument("--measure", nargs=2, metavar=("WHAT", "SLUG"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        _set_up(os.environ["TIEBREAK_VAR"])
        print(json.dumps(_measure(*arguments.measure, arguments.rounds)))
        return
    sizes = [*arguments.sizes, *([1_000_000] if arguments.million else [])]
    with tempfile.TemporaryDirectory() as folder:
        _set_up(folder)
        print(f"{'annotations':>11} {'what':>6} {'rows/s':>9} {'ratio':>6} {'memory MB':>10}")
        for size in sizes:
            slug = _project(size).slug
            found = {what: _in_a_process(what, slug, arguments.rounds) for what in ("rows", "plain", "job")}
            for what, (speed, memory) in found.items():
                ratio = f"{speed / found['plain'][0]:.2f}"
                print(f"{size:>11,} {what:>6} {speed:>9,.0f} {ratio:>6} {memory:>10,.0f}", flush=True)


def _set_up(folder: str) -> None:
    os.environ |= {"TIEBREAK_VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "WARNING"}
    os.environ.pop("DATABASE_URL", None)
    # In place of this folder, where other files would hide Python's own modules.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


# ------------------------------------------------------------------------------------------------- the data
def _project(size: int) -> "Project":
    from annotate.actions.projects import create_project
    from annotate.models import Batch, Dimension, Membership, User

    project = create_project(slug=f"p{size}", preset="scale", by=None)
    project.dimensions.all().delete()
    dimensions = Dimension.objects.bulk_create(
        Dimension(project=project, key=f"d{n}", label=f"Dimension {n}") for n in range(4)
    )
    people = [User.objects.create(username=f"{project.slug}-{n}") for n in range(20)]
    Membership.objects.bulk_create(Membership(project=project, user=person, role="annotator") for person in people)
    batch = Batch.objects.create(project=project, name="all")
    for start in range(0, size, CHUNK):
        _tasks(project, batch.pk, people, dimensions, range(start, min(start + CHUNK, size)))
    return project


def _tasks(project: "Project", batch: int, people: list[Any], dimensions: list[Any], numbers: range) -> None:
    from django.db import transaction

    from annotate.models import Annotation, Assignment, Prompt, Rating, Response, Task

    with transaction.atomic():
        tasks = Task.objects.bulk_create(
            Task(project=project, batch_id=batch, external_id=f"t{n}", submitted_count=1) for n in numbers
        )
        prompts = Prompt.objects.bulk_create(
            Prompt(task=task, external_id="p", content=_text(f"Question {task.external_id}?")) for task in tasks
        )
        responses = Response.objects.bulk_create(
            Response(prompt=prompt, position=place, external_id="ab"[place], content=_text(_words(prompt.pk, place)))
            for prompt in prompts
            for place in range(2)
        )
        assignments = Assignment.objects.bulk_create(
            Assignment(task=task, annotator=people[task.pk % len(people)], state="submitted") for task in tasks
        )
        annotations = Annotation.objects.bulk_create(
            Annotation(
                assignment=assignment,
                prompt=prompt,
                annotator_id=assignment.annotator_id,
                outcome="winner",
                winner=responses[2 * place + prompt.pk % 2],
                margin=1 + prompt.pk % 3,
                justification="The first one is more precise.",
            )
            for place, (assignment, prompt) in enumerate(zip(assignments, prompts, strict=True))
        )
        Rating.objects.bulk_create(
            Rating(annotation=annotation, dimension=dimension, response=responses[2 * place + side], value=3)
            for place, annotation in enumerate(annotations)
            for side in range(2)
            for dimension in dimensions
        )


def _text(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def _words(number: int, place: int) -> str:
    """A text of its own for every response; a tenth of them is not plain ASCII."""
    start = f"{number}.{place} {'é' if number % 10 == 0 else 'e'} "
    return (start + WORDS * (RESPONSE // len(WORDS) + 1))[:RESPONSE].strip()


# ------------------------------------------------------------------------------------------- the measurements
def _in_a_process(what: str, slug: str, rounds: int) -> tuple[float, float]:
    command = [sys.executable, __file__, "--measure", what, slug, "--rounds", str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    speed, memory = json.loads(done.stdout)
    return speed, memory


def _measure(what: str, slug: str, rounds: int) -> tuple[float, float]:
    """Return (rows per second, megabytes)."""
    from annotate.models import Project

    project = Project.objects.get(slug=slug)
    deed: Callable[[Project, Path], int] = {"rows": _rows, "plain": _plain, "job": _job}[what]
    speeds = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            rows = deed(project, Path(folder))
            speeds.append(rows / (time.perf_counter() - began))
    return statistics.median(speeds), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _rows(project: "Project", folder: Path) -> int:
    from exports import formats
    from exports.accounting import Accounting
    from exports.collector import without_collector
    from exports.options import ExportOptions
    from exports.reading import needs_of, records, watermark_of
    from exports.writers import ShardWriter

    format_, options, accounting = formats.get("trl_preference"), ExportOptions(), Accounting()
    with without_collector(), ShardWriter(folder, "train.jsonl") as shard:
        for record in records(project, watermark_of(project), needs=needs_of(format_, options)):
            for row in format_.rows(record, options, accounting):
                shard.write(row)
    return shard.written.rows


def _plain(project: "Project", folder: Path) -> int:
    import orjson
    from django.db import connection

    query = """
        SELECT t.external_id, p.content, w.content, l.content, a.annotator_id, a.margin
        FROM annotate_annotation a
        JOIN annotate_prompt p ON p.id = a.prompt_id
        JOIN annotate_task t ON t.id = p.task_id
        JOIN annotate_response w ON w.id = a.winner_id
        JOIN annotate_response l ON l.prompt_id = p.id AND l.id <> w.id
        WHERE t.project_id = %s ORDER BY a.id
    """
    names = ("task", "prompt", "chosen", "rejected", "annotator", "margin")
    rows = 0
    with connection.cursor() as cursor, (folder / "plain.jsonl").open("wb") as file:
        cursor.execute(query, [project.pk])
        while chunk := cursor.fetchmany(CHUNK):
            for task, prompt, chosen, rejected, *rest in chunk:
                texts = [orjson.loads(text) for text in (prompt, chosen, rejected)]
                file.write(orjson.dumps(dict(zip(names, (task, *texts, *rest), strict=True))) + b"\n")
                rows += 1
    return rows


def _job(project: "Project", folder: Path) -> int:
    from django.conf import settings

    from annotate.actions.jobs import run
    from exports.actions import request_export
    from exports.models import Export
    from exports.options import ExportOptions

    settings.EXPORT_ROOT = folder
    job = request_export(project=project, format_name="trl_preference", options=ExportOptions(), by=None)
    run(Export, job.pk)
    job.refresh_from_db()
    if job.state != "done":
        raise SystemExit(f"The export is {job.state}: {job.error}")
    Export.objects.filter(pk=job.pk).update(state="cancelled")  # or the next round would be the same export
    return job.rows


if __name__ == "__main__":
    main()
