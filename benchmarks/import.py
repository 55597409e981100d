"""How fast an import is, and how much memory it takes, by the number of tasks.

    .venv/bin/python benchmarks/import.py [--sizes 10000 100000] [--rounds 3] [--million]

Each round imports a file of JSON Lines into a fresh SQLite database in a temporary folder, in a process of its own, as
the job does it: the file is read, checked, staged and published. Every task has one prompt and two responses of 1,500
characters. Two formats are measured: ``tiebreak`` (tasks without judgements) and ``pairwise`` (each with a vote).

Tasks per second are the median of the rounds; memory is the most that the process held.
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
from collections.abc import Iterator
from pathlib import Path

RESPONSE = 1500  # characters
WORDS = "the answer explains each step in plain words and names the reason for it, so that a reader can follow it. "


def main() -> None:
    """Measure every size and print a table; with ``--measure``, do one measurement and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--formats", nargs="+", default=["tiebreak", "pairwise"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--million", action="store_true", help="Also 1,000,000; takes several gigabytes and long.")
    parser.add_argument("--measure", nargs=2, metavar=("FORMAT", "SIZE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(_measure(arguments.measure[0], int(arguments.measure[1]))))
        return
    print(f"{'tasks':>9} {'format':>9} {'tasks/s':>9} {'memory MB':>10}")
    for size in [*arguments.sizes, *([1_000_000] if arguments.million else [])]:
        for name in arguments.formats:
            found = [_in_a_process(name, size) for _ in range(arguments.rounds)]
            speed, memory = statistics.median(speed for speed, _ in found), max(memory for _, memory in found)
            print(f"{size:>9,} {name:>9} {speed:>9,.0f} {memory:>10,.0f}", flush=True)


def _in_a_process(name: str, size: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TIEBREAK_VAR": folder}
        environment.pop("DATABASE_URL", None)
        command = [sys.executable, __file__, "--measure", name, str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise SystemExit(done.stderr)
    speed, memory = json.loads(done.stdout)
    return speed, memory


def _measure(name: str, size: int) -> tuple[float, float]:
    """Return (tasks per second, megabytes)."""
    _set_up()
    from annotate.actions.jobs import run
    from annotate.actions.projects import create_project
    from exports.actions import request_import
    from exports.models import Import

    path = Path(os.environ["TIEBREAK_VAR"], "tasks.jsonl")
    with path.open("wb") as file:
        file.writelines(_lines(name, size))
    project = create_project(slug="p", preset="scale", by=None)
    with path.open("rb") as file:
        chunks = iter(lambda: file.read(1 << 20), b"")
        job = request_import(project=project, chunks=chunks, file_name="tasks.jsonl", batch_name="all", by=None)
    path.unlink()
    began = time.perf_counter()
    run(Import, job.pk)
    seconds = time.perf_counter() - began
    job.refresh_from_db()
    if job.state != "done" or job.created_count != size:
        raise SystemExit(f"The import is {job.state}: {job.error} {job.problems[:3]}")
    return size / seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _set_up() -> None:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "WARNING"}
    # In place of this folder, where other files would hide Python's own modules.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _lines(name: str, size: int) -> Iterator[bytes]:
    row = _tiebreak if name == "tiebreak" else _pairwise
    for number in range(size):
        yield json.dumps(row(number), ensure_ascii=False).encode() + b"\n"


def _tiebreak(number: int) -> dict[str, object]:
    answers = [
        {"id": name, "content": [{"type": "text", "text": _words(number, name)}], "model": f"model-{name}"}
        for name in "ab"
    ]
    prompt = {"id": "1", "content": [{"type": "text", "text": f"Question {number}?"}], "responses": answers}
    return {"id": f"t{number}", "prompts": [prompt]}


def _pairwise(number: int) -> dict[str, object]:
    return {
        "id": f"t{number}",
        "prompt": f"Question {number}?",
        "chosen": _words(number, "a"),
        "rejected": _words(number, "b"),
    }


def _words(number: int, name: str) -> str:
    """A text of its own for every response; a tenth of them is not plain ASCII."""
    start = f"{number}{name} {'é' if number % 10 == 0 else 'e'} "
    return (start + WORDS * (RESPONSE // len(WORDS) + 1))[:RESPONSE]


if __name__ == "__main__":
    main()
