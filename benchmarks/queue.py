"""How long taking the next task takes, by the number of tasks and by how many the person has judged already.

    .venv/bin/python benchmarks/queue.py [--tasks 1000 10000 100000] [--judged 0 1000] [--rounds 50]

It makes its own SQLite database in a temporary folder. Times are milliseconds of the action ``claim_next``: one
transaction with its event, synced to disk. The judged tasks still have room for others and stand at the front of the
queue, which is the dearest case: each is looked up before the next one is found.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotate.models import Project, User

CHUNK = 5000


def main() -> None:
    """Measure every combination and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--judged", type=int, nargs="+", default=[0, 1_000])
    parser.add_argument("--rounds", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _set_up(folder)
        print(f"{'tasks':>8} {'judged':>7} {'median ms':>10} {'95 % ms':>8} {'most ms':>8}")
        for tasks in arguments.tasks:
            for judged in arguments.judged:
                # The person's own tasks come on top, so that a small project has some left too.
                _report(tasks, judged, _measure(tasks, judged, arguments.rounds))


def _set_up(folder: str) -> None:
    os.environ |= {"TIEBREAK_VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    os.environ.pop("DATABASE_URL", None)
    # In place of this folder, where this file would hide Python's own module "queue".
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _measure(tasks: int, judged: int, rounds: int) -> list[float]:
    """Return the milliseconds of each of ``rounds`` claims, by one person who hands each task in at once."""
    from annotate.actions.assignments import claim_next

    project, person = _project(tasks + judged)
    _judge(project, person, judged)
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        assignment = claim_next(project=project, by=person)
        times.append((time.perf_counter() - began) * 1000)
        if assignment is None:
            raise SystemExit("The queue ran dry: ask for fewer rounds.")
        _hand_in(assignment.pk, assignment.task_id)
    return times


def _project(tasks: int) -> "tuple[Project, User]":
    from annotate.actions.projects import create_project
    from annotate.models import Batch, Project, Prompt, Response, Task, User

    slug = f"p{Project.objects.count()}"
    project = create_project(slug=slug, preset="arena", by=None, overlap=3)
    person = User.objects.create(username=slug)
    batch = Batch.objects.create(project=project, name="all")
    text = [{"type": "text", "text": "Some words."}]
    for start in range(0, tasks, CHUNK):
        numbers = range(start, min(start + CHUNK, tasks))
        made = Task.objects.bulk_create(
            Task(project=project, batch=batch, external_id=str(n), overlap=3) for n in numbers
        )
        prompts = Prompt.objects.bulk_create(Prompt(task=task, external_id="p", content=text) for task in made)
        Response.objects.bulk_create(
            Response(prompt=prompt, position=place, external_id=str(place), content=text)
            for prompt in prompts
            for place in range(2)
        )
    return project, person


def _judge(project: "Project", person: "User", count: int) -> None:
    """Let the person have judged the first tasks of the queue."""
    from annotate.models import Assignment, Task

    tasks = list(project.tasks.order_by("pk")[:count])
    Assignment.objects.bulk_create(Assignment(task=task, annotator=person, state="submitted") for task in tasks)
    if tasks:
        Task.objects.filter(project=project, pk__lte=tasks[-1].pk).update(submitted_count=1)


def _hand_in(assignment: int, task: int) -> None:
    from annotate.models import Assignment, Task

    Assignment.objects.filter(pk=assignment).update(state="submitted")
    Task.objects.filter(pk=task).update(claimed_count=0, submitted_count=1)


def _report(tasks: int, judged: int, times: list[float]) -> None:
    ordered = sorted(times)
    high = ordered[int(len(ordered) * 0.95)] if len(ordered) > 1 else ordered[0]
    print(f"{tasks:>8,} {judged:>7,} {statistics.median(times):>10.2f} {high:>8.2f} {ordered[-1]:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
