"""Names of models in an import: reported, masked, or held back until a lead decides."""

from typing import Any

import pytest
from django.test import Client

from annotate.models import Assignment, Event, Project, Response, Task
from exports.models import NameFinding
from tests import factories
from tests.integration.exports.samples import check, decide, import_page, lines, png, record, with_image, zipped

pytestmark = pytest.mark.django_db


def naming(name: str) -> dict[str, Any]:
    row = record(name)
    row["prompts"][0]["responses"][0]["content"][0]["text"] = "As ChatGPT, I think so. — m1-large"
    row["prompts"][0]["responses"][0]["model"] = "m1-large"
    return row


def test_names_of_models_are_reported_before_the_import(project: Project, lead: Client) -> None:
    job = check(lead, lines(naming("a"), record("b")))

    assert (job.report["named_tasks"], job.report["names"]) == (1, {"ChatGPT": 1, "m1-large": 1})
    assert "Names of models in the responses" in import_page(lead, job)


def test_names_can_be_masked(project: Project, lead: Client) -> None:
    decide(lead, check(lead, lines(naming("a"))), names="mask")

    texts = [response.content[0]["text"] for response in Response.objects.all()]
    assert texts == ["As ▇▇▇, I think so. — ▇▇▇", "Two."]
    assert Response.objects.first().model == "m1-large"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("decision", "state", "text"),
    [
        ("release", "active", "As ChatGPT, I think so. — m1-large"),
        ("mask", "active", "As ▇▇▇, I think so. — ▇▇▇"),
        ("exclude", "excluded", "As ChatGPT, I think so. — m1-large"),
    ],
)
def test_tasks_that_name_a_model_wait_for_a_lead(
    project: Project, lead: Client, decision: str, state: str, text: str
) -> None:
    job = decide(lead, check(lead, lines(naming("a"), record("b"))), names="hold")
    assert dict(Task.objects.values_list("external_id", "state")) == {"a": "held", "b": "active"}
    url = f"/projects/study/imports/{job.public_id}/held/"
    assert "ChatGPT" in lead.get(url).content.decode()

    answer = lead.post(url, {"decision": decision, "task": str(Task.objects.get(external_id="a").pk)})

    assert answer.status_code == 302
    assert Task.objects.get(external_id="a").state == state
    assert Response.objects.get(external_id="x", prompt__task__external_id="a").content[0]["text"] == text
    assert Event.objects.filter(verb=f"batch.held_{decision}").count() == 1
    assert "Nothing is waiting" in lead.get(url).content.decode()


def test_nobody_is_handed_a_task_that_is_held(project: Project, lead: Client) -> None:
    decide(lead, check(lead, lines(naming("a"))), names="hold")
    annotator = Client()
    annotator.force_login(factories.member(project))

    annotator.post("/projects/study/work/", follow=True)

    assert NameFinding.objects.count() == 2
    assert not Assignment.objects.exists()


def test_names_inside_media_files_are_reported_and_gone(project: Project, lead: Client) -> None:
    picture = png().replace(b"IDAT", b"IDAT", 1)
    tagged = picture[:33] + chunk(b"tEXt", b"Software\0Midjourney v6") + picture[33:]
    job = check(lead, zipped(data_dot_jsonl=lines(with_image("a", "1.png")), **{"1_dot_png": tagged}), "set.zip")

    assert job.report["metadata_names"] == {"Midjourney": 1}
    assert "Midjourney" in import_page(lead, job)


def chunk(kind: bytes, data: bytes) -> bytes:
    import struct
    import zlib

    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
