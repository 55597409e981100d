"""Imports in every state, to look at."""

import json
from typing import Any

from annotate.actions.jobs import run
from annotate.models import Project, User
from exports.actions import proceed, request_import
from exports.enums import ImportPhase
from exports.import_choices import ImportChoices
from exports.models import Import


def task(name: str, first: str, second: str, **changes: Any) -> dict[str, Any]:
    """A row of our own format with two answers."""
    answers = [{"id": key, "content": [{"type": "text", "text": text}]} for key, text in (("a", first), ("b", second))]
    prompt = {"id": "1", "content": [{"type": "text", "text": f"How do I sort a list? ({name})"}], "responses": answers}
    return {"id": name, "prompts": [prompt], **changes}


def lines(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


GOOD = [
    task(
        f"task-{n}",
        "Use `sorted(values)`:\n\n```python\nvalues = sorted(values, key=len)\n```",
        "As ChatGPT, I would call **.sort()**." if n == 2 else "Call `values.sort()`; it changes the list itself.",
    )
    for n in range(1, 6)
]
FILES = {
    "import-checked": ("tasks.jsonl", lines(*GOOD)),
    "import-problems": ("broken.jsonl", lines(GOOD[0], GOOD[0], task("x", "a", "b", overlap=0)) + b"{not json}\n"),
    "import-columns": (
        "survey.csv",
        (
            b"question,answer_1,answer_2,judge,winner,country\n"
            b"Why?,Because.,So.,w1,answer_1,NZ\nHow?,Thus.,Like this.,w2,tie,DE\n"
        ),
    ),
}


def import_world(project: Project, by: User) -> dict[str, str]:
    """Make the imports; return the page of each state, below the project's address."""
    places = {}
    for name, (file_name, data) in FILES.items():
        job = request_import(
            project=project, chunks=[data], file_name=file_name, batch_name=name, check_only=True, by=by
        )
        run(Import, job.pk)
        places[name] = f"imports/{job.public_id}/"
    held = request_import(
        project=project, chunks=[lines(*GOOD)], file_name="named.jsonl", batch_name="Named", check_only=True, by=by
    )
    run(Import, held.pk)
    choices = ImportChoices(names="hold")
    proceed(job=held, phase=ImportPhase.LOAD, batch_name="Named", format_name="", choices=choices, by=by)
    run(Import, held.pk)
    places |= {"import-done": f"imports/{held.public_id}/", "import-held": f"imports/{held.public_id}/held/"}
    return places
