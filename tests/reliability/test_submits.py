"""SIGKILL of the web server in the middle of submits: every acknowledged judgement is there, and none twice."""

import json
import random
import threading
import time
import uuid
from pathlib import Path

import pytest
import requests

from tests.reliability.installation import Installation, Session

pytestmark = [pytest.mark.reliability, pytest.mark.timeout(600)]
PEOPLE, TASKS, KILLS = 6, 1200, 15
SEED = f"""
from tests import factories
project = factories.project("study")
for n in range({PEOPLE}):
    factories.member(project, username=f"p{{n}}")
for _ in range({TASKS}):
    factories.task(project)
"""
REPORT = """
import json
from annotate.models import Annotation, Assignment, Event
from annotate.queries.counters import wrong_counters
print("REPORT" + json.dumps({
    "keys": [str(key) for key in Assignment.objects.filter(state="submitted").values_list("submission_key", flat=True)],
    "annotations": Annotation.objects.count(),
    "events": Event.objects.filter(verb="annotation.submitted").count(),
    "wrong_counters": wrong_counters().count(),
}))
"""


class Annotator(threading.Thread):
    """Submits until told to stop; sends a submit again with the same key until it is acknowledged, as the page does."""

    def __init__(self, session: Session) -> None:
        super().__init__(daemon=True)
        self.session, self.stopping = session, threading.Event()
        self.acknowledged: list[str] = []
        self.repeated = 0

    def run(self) -> None:
        while not self.stopping.is_set():
            url = self.insist("/projects/study/work/", {}).headers["Location"]
            key = str(uuid.uuid4())
            data = {"turn": "1", "revision": "0", "key": key, "preference": "b"}
            answer = self.insist(f"{url}submit/", data)
            assert answer.status_code == 302, answer.text[:300]
            self.acknowledged.append(key)

    def insist(self, path: str, data: dict[str, str]) -> requests.Response:
        while True:
            try:
                answer = self.session.post(path, data)
                assert answer.status_code < 500, answer.text[:300]
                return answer
            except requests.RequestException:
                self.repeated += 1
                time.sleep(0.3)


def test_no_acknowledged_judgement_is_lost_when_the_web_server_is_killed(tmp_path: Path) -> None:
    installation, chance = Installation(tmp_path), random.Random(3)
    installation.prepare()
    installation.seed(SEED)
    installation.start("web")
    try:
        people = [Annotator(installation.session(f"p{n}")) for n in range(PEOPLE)]
        for person in people:
            person.start()
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.8, 2.5))
            installation.restart("web")
            installation.wait_for_web()
        for person in people:
            person.stopping.set()
        for person in people:
            person.join()
        out = installation.manage("shell", "--no-imports", "-c", REPORT)
    finally:
        installation.stop()

    report = json.loads(out.split("REPORT", 1)[1])
    acknowledged = [key for person in people for key in person.acknowledged]
    print(f"{len(acknowledged)} acknowledged over {KILLS} kills, {sum(p.repeated for p in people)} requests sent again")
    assert len(acknowledged) >= KILLS
    assert sorted(report["keys"]) == sorted(acknowledged)
    assert report["annotations"] == report["events"] == len(acknowledged)
    assert report["wrong_counters"] == 0
