"""Thirty-two people over HTTP at once: no task over its overlap, nobody twice on a task, no submission lost."""

import json
import os
import statistics
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from scripts.checks import postgresql
from tests.reliability.installation import Installation, Session

# A person whose thread dies must fail the test.
UNHANDLED = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
pytestmark = [pytest.mark.reliability, pytest.mark.timeout(900), UNHANDLED]
PEOPLE, TASKS = 32, 200
SEED = f"""
from django.conf import settings
from tests import factories
from annotate.actions.members import add_member
from annotate.enums import Role
people = [factories.user(f"p{{n}}") for n in range({PEOPLE})]
for overlap in (1, 3):
    project = factories.project(f"overlap-{{overlap}}", overlap=overlap)
    for person in people:
        add_member(project=project, user=person, role=Role.ANNOTATOR, by=None)
    for _ in range({TASKS}):
        factories.task(project)
"""
REPORT = """
import json
from annotate.models import Annotation, Assignment, Task
from annotate.queries.counters import wrong_counters
tasks = Task.objects.filter(project__slug={slug!r})
submitted = Assignment.objects.filter(task__in=tasks, state="submitted")
print("REPORT" + json.dumps({{
    "counts": list(tasks.values_list("submitted_count", "claimed_count")),
    "pairs": [list(pair) for pair in submitted.values_list("task_id", "annotator_id")],
    "assignments": [str(pk) for pk in submitted.values_list("public_id", flat=True)],
    "annotations": Annotation.objects.filter(prompt__task__in=tasks).count(),
    "wrong_counters": wrong_counters().count(),
}}))
"""


class Worker(threading.Thread):
    """One person who takes and submits until nothing is left."""

    def __init__(self, session: Session, slug: str, start: threading.Barrier) -> None:
        super().__init__(daemon=True)
        self.session, self.slug, self.begin = session, slug, start
        self.acknowledged: list[str] = []
        self.statuses: Counter[int] = Counter()
        self.seconds: list[float] = []

    def post(self, path: str, data: dict[str, str], *, htmx: bool = False) -> requests.Response:
        began = time.monotonic()
        answer = self.session.post(path, data, htmx=htmx)
        self.seconds.append(time.monotonic() - began)
        self.statuses[answer.status_code] += 1
        return answer

    def run(self) -> None:
        self.begin.wait()
        idle = 0
        while idle < 3:
            answer = self.post(f"/projects/{self.slug}/work/", {})
            if answer.status_code == 302:
                self.work(answer.headers["Location"])
                idle = 0
            else:
                idle += 1

    def work(self, url: str) -> None:
        """Submit, and go on with what the answer shows, until it shows the end."""
        while (assignment := url.rstrip("/").split("/")[-1]) != "work":
            data = {"turn": "1", "revision": "0", "key": str(uuid.uuid4()), "preference": "a"}
            answer = self.post(f"/projects/{self.slug}/work/{assignment}/submit/", data, htmx=True)
            if answer.status_code != 200:
                return
            self.acknowledged.append(assignment)
            url = answer.headers["HX-Push-Url"]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder: Path = tmp_path_factory.mktemp("concurrency")
    if request.param == "sqlite":
        yield from prepared(Installation(folder, WEB_WORKERS="2"))
    else:
        with postgresql() as url:
            yield from prepared(Installation(folder, DATABASE_URL=url, WEB_WORKERS="2"))


def prepared(installation: Installation) -> Iterator[Installation]:
    installation.prepare()
    installation.seed(SEED)
    installation.start("web")
    yield installation
    installation.stop()


@pytest.mark.parametrize("overlap", [1, 3])
def test_32_people_take_and_submit_200_tasks(installation: Installation, overlap: int) -> None:
    slug, start = f"overlap-{overlap}", threading.Barrier(PEOPLE)
    workers = [Worker(installation.session(f"p{n}"), slug, start) for n in range(PEOPLE)]

    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    statuses = sum((worker.statuses for worker in workers), Counter[int]())
    acknowledged = [assignment for worker in workers for assignment in worker.acknowledged]
    out = installation.manage("shell", "--no-imports", "-c", REPORT.format(slug=slug))
    report = json.loads(out.split("REPORT", 1)[1])
    seconds = sorted(second for worker in workers for second in worker.seconds)
    print(
        f"overlap {overlap}: {len(acknowledged)} submissions, statuses {dict(statuses)}, requests: median"
        f" {statistics.median(seconds):.2f} s, 99 % {seconds[len(seconds) * 99 // 100]:.2f} s, most {seconds[-1]:.2f} s"
    )
    assert set(statuses) <= {200, 302}
    assert Counter(map(tuple, report["counts"])) == {(overlap, 0): TASKS}
    assert max(Counter(map(tuple, report["pairs"])).values()) == 1
    assert sorted(acknowledged) == sorted(report["assignments"])
    assert len(acknowledged) == report["annotations"] == TASKS * overlap
    assert report["wrong_counters"] == 0


def test_database_url_is_not_inherited() -> None:
    """The module decides on its databases itself; an outer one would make both runs the same."""
    assert "DATABASE_URL" not in os.environ
