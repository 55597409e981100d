"""A real collection end to end: 2,139 pairs come in, 8,931 votes are replayed, and the export accounts for each."""

import json
import subprocess
import sys
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_task
from annotate.enums import Role
from annotate.models import Annotation, Prompt, Task
from annotate.rules.judgement import Judgement
from tests import factories
from tests.fixtures import REAL_DATA, REPOSITORY
from tests.llmfao import votes

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(
        not (REAL_DATA / "llmfao").is_dir(), reason=f"the real data is not at {REAL_DATA}; set TIEBREAK_REAL_DATA"
    ),
]


def test_every_vote_is_a_row_or_a_named_drop(tmp_path: Path, capsys: Any) -> None:
    folder = REAL_DATA / "llmfao"
    pairs = tmp_path / "pairs.jsonl"
    command = [sys.executable, "-m", "tests.llmfao", str(folder / "pairs-crowd.jsonl")]
    pairs.write_bytes(subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True).stdout)
    project = factories.project("llmfao", overlap=5)
    call_command("import_dataset", "llmfao", pairs)
    assert (Task.objects.count(), Prompt.objects.count()) == (2139, 2139)

    cast = votes(folder / "crowd-comparisons.csv")
    replay(project, cast)
    call_command("check_counters")
    call_command("export_dataset", "llmfao", "pairwise", out=tmp_path / "out")

    outcomes = Counter(winner for _, _, winner in cast)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    accounting = manifest["accounting"]
    rows = (tmp_path / "out" / "train-00001-of-00001.jsonl").read_text().splitlines()
    assert accounting["votes_in"] == len(cast) == Annotation.objects.count() == 8931
    assert accounting["drops"]["tie"] == outcomes["tie"] == 3471
    assert accounting["rows_out"] == accounting["votes_exported"] == len(rows)
    assert len(rows) + sum(accounting["drops"].values()) == 8931
    assert set(accounting["drops"]) <= {"tie", "empty_response", "identical_responses"}
    with capsys.disabled():
        print(f"\nllmfao: {accounting}")


def replay(project: Any, cast: list[tuple[str, str, str]]) -> None:
    """Give every vote through the actions, as its worker."""
    tasks = {task.external_id: task for task in Task.objects.select_related("project")}
    ids: dict[int, dict[str, str]] = {}
    for prompt in Prompt.objects.prefetch_related("responses"):
        ids[prompt.task_id] = {r.external_id: str(r.pk) for r in prompt.responses.all()} | {"prompt": str(prompt.pk)}
    people = {worker: factories.member(project, Role.ANNOTATOR, f"w{worker}") for worker in {w for _, w, _ in cast}}
    for pair, worker, winner in cast:
        task, by = tasks[pair], people[worker]
        names = ids[task.pk]
        outcome = Judgement("tie") if winner == "tie" else Judgement("winner", names[winner])
        assignment = claim_task(task=task, by=by)
        submit(public_id=assignment.public_id, judgements={int(names["prompt"]): outcome}, key=uuid.uuid4(), by=by)
