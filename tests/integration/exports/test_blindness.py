"""A blind project at length: 1,000 tasks that name their models wherever a file can, and no annotator sees one."""

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from annotate.actions.assignments import claim_task
from annotate.enums import Role
from annotate.models import Assignment, Response, Task
from tests import factories
from tests.integration.annotate.test_media import client_of, get
from tests.integration.annotate.test_media import png as tagged_png
from tests.integration.exports.samples import lines, upload, zipped
from tests.media_samples import SECRET, document, sound, video

pytestmark = pytest.mark.django_db
TASKS = 1000
MODELS = [f"{SECRET}-{name}" for name in ("alpha", "beta")]


def media() -> dict[str, tuple[str, bytes]]:
    """Name in the bundle, kind, and bytes whose metadata names a model."""
    files = {f"{SECRET}/{number}.png": ("image", tagged_png(side=8 + number, model=SECRET)) for number in range(4)}
    files[f"{SECRET}/a.mp3"] = ("audio", sound("mp3", "libmp3lame", 0.2))
    files[f"{SECRET}/b.mp4"] = ("video", video("mp4", "h264", 10))
    files[f"{SECRET}/c.pdf"] = ("file", document(1))
    return files


def a_record(number: int, files: dict[str, tuple[str, bytes]]) -> dict[str, Any]:
    path = list(files)[number % len(files)]
    part = {"type": files[path][0], "path": path, "name": f"{SECRET}.bin"}
    responses = [
        {
            "id": f"{model}:{number}",
            "content": [{"type": "text", "text": f"Answer {place} of {number}."}, *([part] if number < 40 else [])],
            "model": model,
            "metadata": {"checkpoint": model, "temperature": 1},
        }
        for place, model in enumerate(MODELS)
    ]
    prompt = {"id": f"{SECRET}-p", "content": [{"type": "text", "text": f"Question {number}?"}], "responses": responses}
    return {"id": f"{SECRET}-{number}", "prompts": [prompt], "metadata": {"source": SECRET}, "overlap": 2}


def test_no_page_no_header_and_no_file_names_a_model() -> None:
    files = media()
    project = factories.project("study", is_blind=True)
    lead = client_of(factories.member(project, Role.LEAD))
    rows = lines(*(a_record(number, files) for number in range(TASKS)))
    assert upload(lead, zipped(**{"tasks.jsonl": rows, **{name: data for name, (_, data) in files.items()}}), "t.zip")
    assert Response.objects.filter(model__contains=SECRET).count() == 2 * TASKS

    people = [factories.member(project) for _ in range(2)]
    browser = client_of(people[0])
    for task in Task.objects.order_by("pk"):
        lent = [claim_task(task=task, by=person) for person in people]
        _look_at(browser, lent[0])
    firsts = Counter(
        order[0] for row in Assignment.objects.values_list("display_order", flat=True) for order in row.values()
    )
    positions = dict(Response.objects.values_list("pk", "position"))
    shown_first = Counter(positions[pk] for pk in firsts.elements())
    assert abs(shown_first[0] - shown_first[1]) <= 1
    assert all(count == 1 for count in firsts.values())  # each of the two people saw another one first


def _look_at(browser: Client, assignment: Assignment) -> None:
    page = browser.get(f"/projects/study/work/{assignment.public_id}/")
    text = page.content.decode()
    assert page.status_code == 200
    assert SECRET not in text + str(page.headers)
    assert all(f"Answer {place} of" in text for place in (0, 1))
    for address in _media_in(text):
        status, body, headers = get(browser, address)
        assert status == 200
        assert SECRET.encode() not in body + str(headers).encode() + address.encode()


def _media_in(text: str) -> set[str]:
    return set(re.findall(r'(?:src|href|poster)="(/projects/study/media/[^"]+)"', text))
