"""Datasets out, over HTTP: every judgement is accounted for, and the same request gives the same bytes."""

import hashlib
import json
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_next
from annotate.actions.jobs import run
from annotate.enums import Role
from annotate.models import Annotation, Membership, Project, Review, Task, User
from annotate.rules.judgement import Judgement, RatingValue
from exports.models import Export
from tests import factories
from tests.integration.exports.samples import (
    download,
    export,
    lines,
    png,
    record,
    rows,
    upload,
    with_image,
    zipped,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return factories.project("study", overlap=3)


@pytest.fixture
def lead(project: Project) -> Client:
    client = Client()
    client.force_login(factories.member(project, Role.LEAD, "lead"))
    return client


def judge(project: Project, person: User, outcome: str, winner: str = "r0") -> Annotation:
    """Let the person judge their next task through the real actions."""
    assignment = claim_next(project=project, by=person)
    assert assignment is not None
    prompt = assignment.task.prompts.get()
    ids = {response.external_id: str(response.pk) for response in prompt.responses.all()}
    judgement = Judgement(outcome=outcome, winner=ids[winner] if outcome == "winner" else None, justification="So.")
    submit(public_id=assignment.public_id, judgements={prompt.pk: judgement}, key=uuid.uuid4(), by=person)
    return Annotation.objects.get(assignment=assignment)


def mixed_votes(project: Project) -> None:
    """Two tasks, three people: three winners, a tie, an all bad and a second winner that loses the majority."""
    for _ in range(2):
        factories.task(project)
    votes = [("winner", "r0"), ("tie", ""), ("winner", "r0"), ("all_bad", ""), ("winner", "r0"), ("winner", "r1")]
    people = [factories.member(project) for _ in range(3)]
    for index, (outcome, winner) in enumerate(votes):
        judge(project, people[index % 3 if index < 3 else (index - 3) % 3], outcome, winner)


def test_every_judgement_is_accounted_for(project: Project, lead: Client) -> None:
    mixed_votes(project)

    job = export(lead, "pairwise")

    accounting = job.manifest["accounting"]
    assert accounting["votes_in"] == 6
    assert accounting["drops"] == {"all_bad": 1, "tie": 1}
    assert accounting["votes_exported"] == accounting["rows_out"] == len(rows(lead, job)) == 4
    page = lead.get(f"/projects/study/exports/{job.public_id}/").content.decode()
    assert "Judgements in" in page
    assert "All responses bad" in page


def test_a_row_holds_the_winner_as_chosen_whatever_side_it_was_on(project: Project, lead: Client) -> None:
    mixed_votes(project)

    for row in rows(lead, export(lead, "pairwise")):
        winner = "1" if row["id"].split(":")[2] == "r1" else "0"
        assert row["chosen"].endswith(f".{winner}.")
        assert not row["rejected"].endswith(f".{winner}.")


def test_the_same_request_gives_the_same_bytes(project: Project, lead: Client) -> None:
    mixed_votes(project)
    jobs = []
    for _ in range(2):
        jobs.append(export(lead, "tiebreak"))
        Export.objects.update(created_at="2020-01-01T00:00:00Z")  # beyond the minute in which it is one request

    first, second = ({file.name: file.sha256 for file in job.files.all()} for job in jobs)
    assert jobs[0] != jobs[1]
    assert first == second
    assert sorted(first) == ["README.md", "manifest.json", "study-tiebreak.zip", "train-00001-of-00001.jsonl"]


def test_the_same_request_within_a_minute_is_one_export(project: Project, lead: Client) -> None:
    mixed_votes(project)

    assert export(lead, "pairwise") == export(lead, "pairwise")
    assert export(lead, "pairwise", consensus="majority") != export(lead, "pairwise")


def test_checksums_and_counts_of_the_manifest_are_true(project: Project, lead: Client) -> None:
    mixed_votes(project)
    job = export(lead, "trl_preference")

    data = download(lead, job, "train-00001-of-00001.jsonl")
    manifest = json.loads(download(lead, job, "manifest.json"))

    file, card = manifest["files"]
    assert card["name"] == "README.md"
    assert file["sha256"] == hashlib.sha256(data).hexdigest()
    assert (file["bytes"], file["rows"]) == (len(data), data.count(b"\n"))
    for row in job.files.all():
        assert hashlib.sha256(download(lead, job, row.name)).hexdigest() == row.sha256


def test_trl_rows_load_as_message_lists(project: Project, lead: Client, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    mixed_votes(project)
    job = export(lead, "trl_preference")
    file = tmp_path / "rows.jsonl"
    file.write_bytes(download(lead, job, "train-00001-of-00001.jsonl"))

    loaded = datasets.load_dataset("json", data_files=str(file), split="train", cache_dir=str(tmp_path / "cache"))

    assert len(loaded) == job.manifest["files"][0]["rows"] == 4
    for row in loaded:
        assert [message["role"] for message in row["prompt"]] == ["user"]
        assert [message["role"] for message in row["chosen"] + row["rejected"]] == ["assistant", "assistant"]


def test_margins_are_written_where_asked(lead: Client, project: Project) -> None:
    study = factories.project("steps", preset="hh", overlap=1)
    factories.task(study)
    person = factories.member(study)
    admin = Client()
    admin.force_login(factories.admin())
    assignment = claim_next(project=study, by=person)
    assert assignment is not None
    prompt = assignment.task.prompts.get()
    winner = str(prompt.responses.all()[1].pk)
    submit(
        public_id=assignment.public_id,
        judgements={prompt.pk: Judgement("winner", winner, 3)},
        key=uuid.uuid4(),
        by=person,
    )

    [row] = rows(admin, export(admin, "trl_preference", slug="steps", margin="absolute"))

    assert row["margin"] == 3.0


def test_what_was_returned_is_left_out_unless_asked_for(project: Project, lead: Client) -> None:
    mixed_votes(project)
    annotation = Annotation.objects.filter(outcome="winner").first()
    assert annotation is not None
    annotation.state = "returned"
    annotation.save()

    without, with_it = export(lead, "pairwise"), export(lead, "pairwise", include_returned="on")

    assert without.manifest["accounting"]["drops"] == {"all_bad": 1, "returned": 1, "tie": 1}
    assert (without.rows, with_it.rows) == (3, 4)


def test_no_name_or_address_of_an_annotator_leaves(project: Project, lead: Client) -> None:
    mixed_votes(project)
    people = list(User.objects.values_list("username", "email"))

    for format_name in ["tiebreak", "pairwise", "trl_preference"]:
        job = export(lead, format_name)
        text = b"".join(download(lead, job, file.name) for file in job.files.all()).decode("utf-8", "replace")
        assert not [name for pair in people for name in pair if name in text]
        pseudonyms = Membership.objects.filter(user__annotations__isnull=False).values_list("pseudonym", flat=True)
        assert all(pseudonym in text for pseudonym in pseudonyms)


def test_a_tiebreak_export_comes_back_without_loss(project: Project, lead: Client) -> None:
    """Into an empty project of the same configuration: the second export is the first, byte for byte."""
    source = factories.project("source", preset="ranking", overlap=2)
    data = zipped(
        data_dot_jsonl=lines(with_image("a", "i.png"), record("b", priority=2, metadata={"k": 1})), i_dot_png=png()
    )
    admin = Client()
    admin.force_login(factories.admin())
    assert upload(admin, data, "set.zip", slug="source").state == "done"
    people = [factories.member(source) for _ in range(2)]
    for person in people:
        judge_fully(source, person)
    review = Annotation.objects.filter(prompt__task__project=source).first()
    assert review is not None
    Review.objects.create(annotation=review, reviewer=factories.user(), verdict="accept", comment="Good.")
    first = export(admin, "tiebreak", slug="source")

    factories.project("target", preset="ranking", overlap=2)
    archive = download(admin, first, "source-tiebreak.zip")
    assert upload(admin, archive, "set.zip", slug="target").state == "done"
    second = export(admin, "tiebreak", slug="target")

    before, after = rows(admin, first), rows(admin, second)
    assert before == after
    assert download(admin, first, "train-00001-of-00001.jsonl") == download(admin, second, "train-00001-of-00001.jsonl")


def judge_fully(project: Project, person: User) -> None:
    """A judgement that uses everything: ratings, margin, justification."""
    assignment = claim_next(project=project, by=person)
    assert assignment is not None
    prompt = assignment.task.prompts.get()
    ids = [str(response.pk) for response in prompt.responses.all()]
    ratings = tuple(RatingValue("helpfulness", pk, value) for pk, value in zip(ids, [4, 2], strict=True))
    judgement = Judgement("winner", ids[0], 2, (), ratings, "Clearer — and “right” 答え.")
    submit(public_id=assignment.public_id, judgements={prompt.pk: judgement}, key=uuid.uuid4(), by=person)


def test_the_archive_holds_data_manifest_and_media(project: Project, lead: Client) -> None:
    upload(lead, zipped(data_dot_jsonl=lines(with_image("a", "i.png")), i_dot_png=png()), "set.zip")
    job = export(lead, "tiebreak")

    with zipfile.ZipFile(job.folder / "study-tiebreak.zip") as archive:
        names = archive.namelist()
        [row] = [json.loads(line) for line in archive.read("train-00001-of-00001.jsonl").splitlines()]

    media = row["prompts"][0]["content"][1]["path"]
    assert names == ["train-00001-of-00001.jsonl", "README.md", "manifest.json", media]


def test_an_export_covers_the_data_at_the_time_of_the_request(project: Project, lead: Client) -> None:
    mixed_votes(project)
    lead.post("/projects/study/exports/", {"format": "pairwise"})
    factories.task(project, priority=9)
    judge(project, factories.member(project), "winner")

    job = Export.objects.get()
    run(Export, job.pk)

    job.refresh_from_db()
    assert (job.manifest["accounting"]["votes_in"], Task.objects.count(), Annotation.objects.count()) == (6, 3, 7)


@pytest.mark.parametrize("data", [{"format": "odd"}, {}, {"format": "pairwise", "margin": "huge"}])
def test_an_impossible_request_starts_nothing(project: Project, lead: Client, data: dict[str, str]) -> None:
    assert lead.post("/projects/study/exports/", data).status_code == 422
    assert not Export.objects.exists()


def test_a_file_of_an_unfinished_export_cannot_be_had(project: Project, lead: Client) -> None:
    mixed_votes(project)
    job = export(lead, "pairwise")
    Export.objects.update(state="failed")

    assert lead.get(f"/projects/study/exports/{job.public_id}/files/manifest.json").status_code == 404


@pytest.mark.parametrize("name", ["..%2f..%2fsettings.py", "manifest.json%00", "x", ".part"])
def test_only_files_of_the_export_can_be_downloaded(project: Project, lead: Client, name: str) -> None:
    mixed_votes(project)
    job = export(lead, "pairwise")

    assert lead.get(f"/projects/study/exports/{job.public_id}/files/{name}").status_code == 404


def test_the_command_writes_the_files(project: Project, tmp_path: Path, capsys: Any) -> None:
    mixed_votes(project)

    call_command("export_dataset", "study", "pairwise", out=tmp_path / "out")

    assert "Judgements in: 6" in capsys.readouterr().out
    assert len((tmp_path / "out" / "train-00001-of-00001.jsonl").read_text().splitlines()) == 4
