"""The pages of datasets: what is shown before, while and after one is made, and who may do what."""

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.actions.jobs import run
from annotate.enums import Role
from annotate.models import Event, Membership, Project
from exports import housekeeping
from exports.formats import FORMATS
from exports.models import Export, ExportSchedule
from exports.options import ExportOptions
from exports.preview import preview
from tests import factories
from tests.integration.exports.rich import rich_project
from tests.integration.exports.samples import download, export, lines, record, rows, upload

pytestmark = pytest.mark.django_db
PAGE = "/projects/rich/exports/"


@pytest.fixture
def project(admin: Client) -> Project:
    return rich_project(admin)


@pytest.fixture
def lead(project: Project) -> Client:
    client = Client()
    client.force_login(factories.member(project, Role.LEAD, "the-lead"))
    return client


# --------------------------------------------------------------------------------------------- before it is made
def test_every_format_is_offered_with_who_it_is_for(lead: Client) -> None:
    page = html.unescape(lead.get(PAGE).content.decode())

    for name, each in FORMATS.items():
        if not each.can_write:
            assert f'href="?format={name}"' not in page
            continue
        assert f'href="?format={name}"' in page
        assert (each.consumer or each.label) in page


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.can_write])
def test_only_the_options_that_the_format_uses_are_asked_for(lead: Client, name: str) -> None:
    answer = lead.get(PAGE, {"format": name}, headers={"HX-Request": "true"})
    page = html.unescape(answer.content.decode())

    asked = {field for field in ExportOptions.__struct_fields__ if f'name="{field}"' in page}
    assert asked == {*FORMATS[name].uses, "identity", "include_models"} - {"rubric"}
    assert FORMATS[name].carries in page
    assert "<html" not in page


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.can_write])
def test_the_preview_is_what_the_file_begins_with(project: Project, admin: Client, name: str) -> None:
    container = "jsonl" if "jsonl" in FORMATS[name].containers else "parquet"
    for chosen in [{}, {"include_models": "no"}, {"consensus": "majority"}]:
        if not set(chosen) <= FORMATS[name].uses | {"include_models"}:
            continue
        shown = preview(
            project, FORMATS[name], ExportOptions(include_models="include_models" not in chosen, **pick(chosen))
        )
        job = export(admin, name, slug="rich", container=container, **chosen)

        if container == "jsonl":
            assert shown.rows == rows(admin, job)[:5]
        assert shown.is_exact
        assert shown.estimate() == job.manifest["accounting"]


def pick(chosen: dict[str, str]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if name == "consensus"}


def test_the_preview_page_shows_the_rows_and_where_every_judgement_goes(lead: Client, admin: Client) -> None:
    page = html.unescape(lead.get(f"{PAGE}preview/", {"format": "pairwise"}).content.decode())

    first = rows(admin, export(admin, "pairwise", slug="rich"))[0]
    shown = re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.S)
    assert json.loads(shown[0]) == first
    assert "Judgements in" in page
    assert "exact, as of now" in page


def test_a_large_project_is_estimated_from_some_of_its_tasks(admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exports.preview.MOST_TASKS", 40)
    large = factories.project("large")
    upload(admin, lines(*(voted(number) for number in range(200))), slug="large")

    made = preview(large, FORMATS["pairwise"], ExportOptions())

    assert (made.seen, made.tasks, made.is_exact) == (40, 200, False)
    assert made.estimate()["votes_in"] == 200
    assert 60 <= made.estimate()["rows_out"] <= 140


def voted(number: int) -> dict[str, Any]:
    made = record(f"t{number}")
    outcome = {"outcome": "winner", "winner": "x"} if number % 2 else {"outcome": "tie"}
    made["prompts"][0]["annotations"] = [{"annotator": "a-one", **outcome}]
    return made


@pytest.mark.parametrize("data", [{"min_votes": "0"}, {"validation": "sixty"}, {"consensus": "odd"}])
def test_impossible_options_are_said_in_the_preview_and_start_nothing(lead: Client, data: dict[str, str]) -> None:
    shown = lead.get(f"{PAGE}preview/", {"format": "pairwise", **data})
    started = lead.post(PAGE, {"format": "pairwise", **data})

    assert (shown.status_code, started.status_code) == (200, 422)
    assert 'class="errors"' in shown.content.decode()
    assert not Export.objects.exists()


def test_shares_that_leave_nothing_to_train_on_are_refused(lead: Client) -> None:
    answer = lead.post(PAGE, {"format": "pairwise", "validation": "60", "test": "40"})

    assert answer.status_code == 422
    assert "leave nothing to train on" in answer.content.decode()


def test_a_kind_of_file_that_the_format_has_not_is_refused(lead: Client) -> None:
    assert lead.post(PAGE, {"format": "openai_preference", "container": "csv"}).status_code in (302, 422)
    assert lead.post(PAGE, {"format": "trl_preference", "container": "csv"}).status_code == 422


# --------------------------------------------------------------------------------------------------- once it is
def test_no_rows_are_announced_with_their_reasons(admin: Client, project: Project) -> None:
    job = export(admin, "trl_reward", slug="rich", margin="absolute", min_votes="50")

    page = html.unescape(admin.get(f"{PAGE}{job.public_id}/").content.decode())
    card = download(admin, job, "README.md").decode()
    assert job.rows == 0
    assert "This dataset has no rows" in page
    assert "# THIS DATASET HAS NO ROWS" in card
    assert job.manifest["why_empty"] in page
    assert job.manifest["why_empty"] in card
    assert "All 13 judgements were left out" in card


def test_the_card_says_what_a_loader_and_a_person_need(admin: Client, project: Project) -> None:
    job = export(admin, "pairwise", slug="rich", validation="40")

    card = download(admin, job, "README.md").decode()
    manifest = json.loads(download(admin, job, "manifest.json"))
    assert card.startswith(
        '---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: "train-*.jsonl"'
    )
    assert "Krippendorff's alpha" in card
    assert "| prompt | text |" in card
    assert "| Ties | " in card
    assert manifest == job.manifest | {"files": manifest["files"]}
    assert manifest["product_version"]


def test_running_it_again_on_the_same_data_gives_the_same_files(admin: Client, project: Project) -> None:
    first = export(admin, "pairwise", slug="rich")
    answer = admin.post(f"{PAGE}{first.public_id}/repeat/", {"data": "same"})
    second = Export.objects.order_by("pk").last()
    assert second is not None
    run(Export, second.pk)

    assert answer["Location"] == f"{PAGE}{second.public_id}/"
    assert dict(second.files.values_list("name", "sha256")) == dict(first.files.values_list("name", "sha256"))
    today = admin.post(f"{PAGE}{first.public_id}/repeat/", {"data": "today"})
    assert today.status_code == 302


# ------------------------------------------------------------------------------------------------ names of people
def test_names_leave_only_with_a_reason_which_is_kept(lead: Client, project: Project) -> None:
    refused = lead.post(PAGE, {"format": "annotations", "identity": "names"})
    assert refused.status_code == 422
    assert "Say why the names of people have to leave" in refused.content.decode()
    assert not Export.objects.exists()

    job = export(lead, "annotations", slug="rich", identity="names", reason="Paying the annotators.", container="jsonl")

    member = Membership.objects.get(project=project, pseudonym="a-one")
    assert member.user.username in download(lead, job, "train-00001-of-00001.jsonl").decode()
    event = Event.objects.get(verb="export.names_requested")
    assert (event.actor.username if event.actor else "", event.data) == (
        "the-lead",
        {"reason": "Paying the annotators."},
    )


def test_names_cannot_be_asked_for_or_fetched_without_the_permission(
    lead: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotate import access

    job = export(lead, "annotations", slug="rich", identity="names", reason="A study.")
    less = access.ROLE_PERMISSIONS[Role.LEAD] - {access.Permission.EXPORT_NAMES}
    monkeypatch.setitem(access.ROLE_PERMISSIONS, Role.LEAD, less)

    assert lead.get(f"{PAGE}{job.public_id}/files/manifest.json").status_code == 403
    assert lead.post(f"{PAGE}{job.public_id}/repeat/", {"data": "same"}).status_code == 422
    assert 'name="identity"' not in lead.get(PAGE).content.decode()
    lead.post(PAGE, {"format": "annotations", "identity": "names", "reason": "Curious."})
    assert Export.objects.exclude(options__identity="pseudonym").count() == 1


# --------------------------------------------------------------------------------------------- time goes by
def test_files_are_deleted_when_their_time_is_up_and_the_description_stays(admin: Client, project: Project) -> None:
    job = export(admin, "pairwise", slug="rich")
    assert job.expires_at is not None
    housekeeping.delete_expired_files()
    assert job.folder.exists()
    Export.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with_commit(housekeeping.delete_expired_files)

    assert not job.root.exists()
    assert admin.get(f"{PAGE}{job.public_id}/files/manifest.json").status_code == 410
    page = admin.get(f"{PAGE}{job.public_id}/").content.decode()
    assert "The files were deleted because their time was up" in page
    assert "Judgements in" in page
    assert Event.objects.filter(verb="export.files_deleted").count() == 1


def test_what_a_failed_export_left_is_removed(admin: Client, project: Project) -> None:
    job = export(admin, "pairwise", slug="rich")
    Export.objects.update(state="failed")

    with_commit(housekeeping.delete_expired_files)

    assert not job.root.exists()


def with_commit(deed: Any) -> None:
    """Do it and what it leaves for after the commit, which a test never reaches."""
    from django.test import TestCase

    with TestCase.captureOnCommitCallbacks(execute=True):
        deed()


def test_a_schedule_makes_the_dataset_of_the_day_until_it_is_stopped(lead: Client, project: Project) -> None:
    first = export(lead, "pairwise", slug="rich", consensus="majority")
    assert lead.post(f"{PAGE}{first.public_id}/schedule/", {"every": "day"}).status_code == 302
    schedule = ExportSchedule.objects.get()
    housekeeping.start_due_schedules()
    assert Export.objects.count() == 1
    Export.objects.update(created_at=timezone.now() - timedelta(days=1))
    ExportSchedule.objects.update(next_at=timezone.now())

    housekeeping.start_due_schedules()
    housekeeping.start_due_schedules()

    made = Export.objects.exclude(pk=first.pk).get()
    assert (made.schedule, made.options, made.created_by) == (schedule, first.options, first.created_by)
    assert "Every day" in lead.get(PAGE).content.decode()
    lead.post(f"{PAGE}{made.public_id}/schedule/", {"every": ""})
    assert not ExportSchedule.objects.exists()
    assert Export.objects.count() == 2


def test_a_schedule_of_somebody_who_may_no_longer_export_says_so(lead: Client, project: Project) -> None:
    job = export(lead, "pairwise", slug="rich")
    lead.post(f"{PAGE}{job.public_id}/schedule/", {"every": "week"})
    Membership.objects.filter(user__username="the-lead").update(role=Role.ANNOTATOR)
    ExportSchedule.objects.update(next_at=timezone.now())

    housekeeping.start_due_schedules()

    assert Export.objects.count() == 1
    assert "may not export from this project any more" in ExportSchedule.objects.get().problem


@pytest.mark.parametrize("every", ["hour", "day"])
def test_a_schedule_that_cannot_be_is_refused(lead: Client, project: Project, every: str) -> None:
    job = export(lead, "annotations", slug="rich", identity="names", reason="A study.")

    assert lead.post(f"{PAGE}{job.public_id}/schedule/", {"every": every}).status_code == 422
    assert not ExportSchedule.objects.exists()
