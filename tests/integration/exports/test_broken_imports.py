"""Broken files, over HTTP: nothing is stored and every problem is named with its line and field."""

import pytest
from django.test import Client

from annotate.models import Project
from tests.integration.exports.samples import lines, nothing_imported, record, upload, with_image

pytestmark = pytest.mark.django_db


BROKEN = {
    "bad JSON in line 7": (
        lines(*(record(str(n)) for n in range(6)), b'{"id": "bad", }\n', record("last")),
        [(7, "")],
    ),
    "NUL in a text": (lines(record("a"), b'{"id": "b\\u0000"}\n'), [(2, "id")]),
    "unknown role": (lines(record("a", context=[{"role": "robot", "content": []}])), [(1, "context[0].role")]),
    "duplicate id": (lines(record("a"), record("b"), record("a")), [(3, "id")]),
    "missing image": (lines(record("a"), with_image("b", "img/none.png")), [(2, "prompts[0].content[1].path")]),
    "too many responses": (
        lines(record("a", prompts=[{**record("a")["prompts"][0], "responses": []}])),
        [(1, "prompts[0].responses")],
    ),
    "unknown dimension": (
        lines(
            record(
                "a",
                prompts=[
                    {
                        **record("a")["prompts"][0],
                        "annotations": [
                            {
                                "annotator": "w1",
                                "outcome": "tie",
                                "ratings": [{"dimension": "charm", "response": "x", "value": 1}],
                            }
                        ],
                    }
                ],
            )
        ),
        [(1, "prompts[0].annotations[0].ratings[0].dimension")],
    ),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_file_changes_nothing_and_every_problem_is_named(project: Project, lead: Client, name: str) -> None:
    data, expected = BROKEN[name]

    job = upload(lead, data)

    assert job.state == "failed"
    assert [(p["line"], p["field"]) for p in job.problems] == expected
    assert all(p["found"] and p["expected"] for p in job.problems)
    assert nothing_imported()
    page = lead.get(f"/projects/study/imports/{job.public_id}/").content.decode()
    assert "Nothing was imported" in page


def test_all_problems_of_a_file_are_listed_together(project: Project, lead: Client) -> None:
    data = lines(b'{"id": }\n', record("a"), record("a"), with_image("c", "no.png"), b'{"id": 5, "prompts": []}\n')

    job = upload(lead, data)

    assert job.problem_count == len(job.problems) >= 4
    assert {p["line"] for p in job.problems} == {1, 3, 4, 5}
    assert nothing_imported()
