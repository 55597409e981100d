"""SIGKILL of the worker at twenty points of one export: it is done in the end, with files that are what they should be.

The points are moments, spread over the time that an undisturbed export takes: reading, writing, checking and packing.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.installation import Installation, sha256, wait_until

pytestmark = [pytest.mark.reliability, pytest.mark.timeout(900)]
POINTS = 20
TASKS = 3000
SEED = f"""
import json
from pathlib import Path
from django.core.management import call_command
from django.conf import settings
from tests import factories
factories.project("study")
path = Path(settings.VAR_DIR) / "tasks.jsonl"
with path.open("w") as file:
    for number in range({TASKS}):
        text = [{{"type": "text", "text": f"Question {{number}}? " * 20}}]
        responses = [
            {{"id": key, "content": [{{"type": "text", "text": f"{{key}} {{number}} " * 150}}]}} for key in "xy"
        ]
        annotations = [{{"annotator": "a-one", "outcome": "winner", "winner": "xy"[number % 2]}}]
        prompts = [{{"id": "p", "content": text, "responses": responses, "annotations": annotations}}]
        file.write(json.dumps({{"id": str(number), "prompts": prompts}}) + "\\n")
call_command("import_dataset", "study", str(path), batch="All")
"""
REQUEST = """
from annotate.models import Project
from exports.actions import request_export
from exports.models import Export
from exports.options import ExportOptions, FileOptions
Export.objects.update(created_at="2020-01-01T00:00:00Z")
files = FileOptions(rows_per_file=700, validation=0.2)
job = request_export(
    project=Project.objects.get(), format_name="pairwise", options=ExportOptions(), file_options=files, by=None
)
print("REPORT" + str(job.pk))
"""
REPORT = """
import json
from exports.models import Export, ExportPiece
job = Export.objects.order_by("pk").last()
print("REPORT" + json.dumps({
    "state": job.state, "error": job.error, "attempts": job.attempts, "folder": str(job.folder), "rows": job.rows,
    "stage": job.stage, "pieces": ExportPiece.objects.count(),
    "files": {file.name: [file.sha256, file.bytes, file.rows] for file in job.files.all()},
}))
"""


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path, JOB_MAX_ATTEMPTS="25", EXPORT_PIECE_TASKS="100")
    yield made
    made.stop()


def asked(installation: Installation, script: str) -> Any:
    return json.loads(installation.manage("shell", "--no-imports", "-c", script).split("REPORT", 1)[1])


def ended(installation: Installation) -> dict[str, Any]:
    """Wait for the latest export and return what became of it."""
    found: dict[str, Any] = {}

    def is_over() -> bool:
        found.update(asked(installation, REPORT))
        return found["state"] not in {"queued", "running"}

    wait_until(is_over, 120, "the export has ended")
    return found


def check(report: dict[str, Any]) -> None:
    assert (report["state"], report["error"], report["rows"]) == ("done", "", TASKS)
    folder = Path(report["folder"])
    assert sorted(path.name for path in folder.iterdir()) == sorted(report["files"])
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert report["pieces"] == 0
    for name, (digest, size, rows) in report["files"].items():
        assert (sha256(folder / name), (folder / name).stat().st_size) == (digest, size)
        if name.endswith(".jsonl"):
            assert (folder / name).read_bytes().count(b"\n") == rows


def test_an_export_survives_a_kill_at_each_of_20_points(installation: Installation) -> None:
    installation.prepare()
    installation.seed(SEED)
    installation.start("worker")
    asked(installation, REQUEST)
    undisturbed = ended(installation)
    check(undisturbed)
    began = time.monotonic()
    asked(installation, REQUEST)
    ended(installation)
    whole = time.monotonic() - began  # with the time that asking takes, so that some kills come after the end

    attempts = []
    for point in range(POINTS):
        asked(installation, REQUEST)
        time.sleep(whole * point / POINTS)
        installation.restart("worker")
        report = ended(installation)
        check(report)
        attempts.append(report["attempts"])
        assert report["files"] == undisturbed["files"]

    print(f"{POINTS} kills, attempts {attempts}")
    assert max(attempts) >= 2
