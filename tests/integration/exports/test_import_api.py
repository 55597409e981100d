"""Imports over REST: the same check, the same choices and the same access as on the page."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotate.actions.jobs import run
from annotate.models import Project, Task
from exports.models import Import
from tests import factories
from tests.integration.exports.samples import lines, nothing_imported, record

pytestmark = pytest.mark.django_db
URL = "/api/v1/projects/study/imports/"


def post(client: Client, data: bytes, **fields: Any) -> dict[str, Any]:
    answer = client.post(URL, {"file": SimpleUploadedFile("tasks.jsonl", data), **fields})
    assert answer.status_code == 202, answer.content
    job = Import.objects.get(public_id=answer.json()["id"])
    run(Import, job.pk)
    return dict(client.get(f"{URL}{job.public_id}/").json())


def test_an_upload_is_checked_first_and_imported_by_a_second_call(project: Project, lead: Client) -> None:
    checked = post(lead, lines(record("a"), record("b")), batch="First")
    assert (checked["phase"], checked["state"], checked["report"]["new"], checked["can_proceed"]) == (
        "check",
        "done",
        2,
        True,
    )
    assert nothing_imported()

    answer = lead.post(f"{URL}{checked['id']}/", json.dumps({"phase": "load"}), content_type="application/json")

    assert answer.status_code == 202, answer.content
    run(Import, Import.objects.get().pk)
    done = lead.get(f"{URL}{checked['id']}/").json()
    assert (done["phase"], done["state"], done["created_count"], done["batch"]) == ("load", "done", 2, "First")


def test_an_upload_with_choices_is_imported_at_once(project: Project, lead: Client) -> None:
    post(lead, lines(record("a")), phase="load")
    choices = json.dumps({"duplicates": "skip", "priority": 3})

    done = post(lead, lines(record("a"), record("b")), batch="Second", phase="load", choices=choices)

    assert (done["state"], done["report"]["skipped"], done["created_count"]) == ("done", 1, 1)
    assert Task.objects.get(external_id="b").priority == 3
    assert [each["batch"] for each in lead.get(URL).json()] == ["Second", "tasks.jsonl"]


def test_problems_are_listed_with_their_places(project: Project, lead: Client) -> None:
    checked = post(lead, lines(record("a", overlap=0)))
    assert checked["problems"] == [
        {
            "file": "tasks.jsonl",
            "line": 1,
            "field": "overlap",
            "found": "the number 0",
            "expected": "1 or more annotators",
        }
    ]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"format": "nonsense"}, "format"),
        ({"phase": "nonsense"}, "phase"),
        ({"choices": '{"duplicates": "nonsense"}'}, "choices"),
        ({"choices": '{"nonsense": 1}'}, "choices"),
        ({"choices": "{nonsense"}, "choices"),
        ({"batch": "x" * 200}, "batch"),
    ],
)
def test_what_is_not_possible_is_refused_by_the_name_of_the_field(
    project: Project, lead: Client, fields: dict[str, str], named: str
) -> None:
    answer = lead.post(URL, {"file": SimpleUploadedFile("a.jsonl", lines(record("a"))), **fields})
    assert (answer.status_code, list(answer.json())) == (400, [named])
    assert not Import.objects.exists()


def test_what_was_imported_cannot_be_imported_again(project: Project, lead: Client) -> None:
    done = post(lead, lines(record("a")), phase="load")
    answer = lead.post(f"{URL}{done['id']}/", "{}", content_type="application/json")
    assert answer.status_code == 400
    assert "Upload the file again" in answer.content.decode()


def test_a_waiting_import_is_cancelled(project: Project, lead: Client) -> None:
    answer = lead.post(URL, {"file": SimpleUploadedFile("a.jsonl", lines(record("a")))})
    assert lead.delete(f"{URL}{answer.json()['id']}/").json()["state"] == "cancelled"


def test_another_projects_lead_sees_nothing_of_it(project: Project, lead: Client) -> None:
    done = post(lead, lines(record("a")), phase="load")
    stranger = Client()
    stranger.force_login(factories.member(factories.project("other"), "lead"))  # type: ignore[arg-type]
    assert stranger.get(URL).status_code == 404
    assert stranger.get(f"{URL}{done['id']}/").status_code == 404
    assert stranger.get(f"/api/v1/projects/other/imports/{done['id']}/").status_code == 404
