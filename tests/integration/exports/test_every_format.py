"""Every registered format through the database: out of one project, into another, and out again."""

import json
from collections import Counter

import pytest
from django.test import Client

from annotate.models import Annotation, Membership
from exports.formats import FORMATS
from tests import factories
from tests.integration.exports.samples import download, export, rows, upload
from tests.integration.exports.test_exports import judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(factories.admin())
    return client


def judged_project() -> None:
    """Three tasks of two responses, three people: five winners, two ties, one all bad, one that loses the majority."""
    project = factories.project("source", overlap=3)
    for _ in range(3):
        factories.task(project)
    votes = ["r0", "r1", "r0", "r0", "tie", "all_bad", "r1", "r0", "tie"]
    people = [factories.member(project) for _ in range(3)]
    for index, vote in enumerate(votes):
        is_winner = vote.startswith("r")
        judge(project, people[index % 3], "winner" if is_winner else vote, vote if is_winner else "")


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.can_write])
def test_every_judgement_is_accounted_for(admin: Client, name: str) -> None:
    judged_project()

    job = export(admin, name, slug="source")

    accounting = job.manifest["accounting"]
    assert accounting["votes_in"] == 9
    assert accounting["votes_exported"] + sum(accounting["drops"].values()) == 9
    assert accounting["rows_out"] == len(rows(admin, job)) == job.rows > 0


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.can_write and each.can_read])
def test_what_was_written_can_be_read_and_means_the_same(admin: Client, name: str) -> None:
    judged_project()
    first = export(admin, name, slug="source")
    factories.project("target", preset="ranking")

    data = download(admin, first, f"source-{name}.jsonl")
    job = upload(admin, data, "again.jsonl", slug="target")
    second = export(admin, name, slug="target")

    assert (job.state, job.format, job.problems) == ("done", name, [])
    imported = Annotation.objects.filter(prompt__task__project__slug="target")
    assert job.judgement_count == imported.count() > 0
    assert not Membership.objects.filter(project__slug="target", user__is_active=True).exists()
    assert winners(rows(admin, second)) == winners(rows(admin, first))


def winners(found: list[dict[str, object]]) -> Counter[str]:
    """What the rows say, without ids and people: those change when they are imported."""
    personal = {"id", "task", "annotator", "prompts"}
    said = [{key: value for key, value in row.items() if key not in personal} for row in found]
    outcomes = [
        annotation["outcome"]
        for row in found
        for prompt in row.get("prompts", [])  # type: ignore[attr-defined]
        for annotation in prompt["annotations"]
    ]
    return Counter([json.dumps(row, sort_keys=True) for row in said] + outcomes)
