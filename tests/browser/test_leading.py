"""A lead's way: bring a file in, watch it, read what is wrong with it, take a dataset out."""

import json
from pathlib import Path
from typing import Any

import datasets
import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotate.actions.jobs import claim, run
from annotate.enums import Role
from annotate.models import Project, Task, Worker
from exports.models import Export, Import
from tests import factories
from tests.browser.helpers import fill, sign_in, start_judging, submit, submitted
from tests.integration.exports.test_imports import lines, record

pytestmark = pytest.mark.browser


@pytest.fixture
def study(page: Page) -> Project:
    """A project without tasks, its lead signed in."""
    project = factories.project("study", "arena", overlap=2)
    factories.member(project, Role.LEAD, username="lead")
    sign_in(page, "lead")
    return project


def upload(page: Page, data: bytes, name: str = "tasks.jsonl", batch: str = "First round") -> None:
    page.goto("/projects/study/imports/")
    page.get_by_label("File").set_input_files({"name": name, "mimeType": "application/jsonl", "buffer": data})
    page.get_by_label("Batch name").fill(batch)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_an_import_is_watched_from_waiting_to_done(page: Page, study: Project) -> None:
    upload(page, lines(*(record(f"t{number}") for number in range(4))))
    expect(page.get_by_text("Waiting for a worker. You can leave this page.")).to_be_visible()
    job = Import.objects.get()
    lease = claim(Import, job.pk)
    assert lease
    lease.beat(1, 4, force=True)
    expect(page.get_by_text("1 of 4 tasks")).to_be_visible()
    lease.write(lease_until=timezone.now())  # that worker dies
    run(Import, job.pk)
    expect(page.get_by_text("4 tasks were checked and can be imported.")).to_be_visible()
    expect(page.get_by_text("Question t0?")).to_be_visible()
    assert not Task.objects.exists()
    page.get_by_role("button", name="Import 4 tasks").click()
    expect(page.get_by_text("Waiting for a worker. You can leave this page.")).to_be_visible()
    run(Import, job.pk)

    expect(page.locator("#status .pill")).to_have_text("Done")
    expect(page.locator(".facts div", has_text="New tasks")).to_contain_text("4")
    page.get_by_role("link", name="See the project").click()
    expect(page.get_by_role("cell", name="First round", exact=True)).to_be_visible()
    assert Task.objects.filter(project=study).count() == 4


def test_a_finished_import_is_not_polled_any_more(page: Page, study: Project) -> None:
    upload(page, lines(record("t1")))
    run(Import, Import.objects.get().pk)
    expect(page.get_by_text("1 task was checked and can be imported.")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1500)

    assert asked == []


def test_a_broken_file_changes_nothing_and_lists_its_problems(page: Page, study: Project) -> None:
    twice = record("t1")
    upload(page, lines(record("t1"), b"{broken\n", twice, {"id": "t3", "prompts": []}), "broken.jsonl")
    run(Import, Import.objects.get().pk)

    expect(page.get_by_text("3 problems were found. Nothing can be imported like this.")).to_be_visible()
    problems = page.get_by_role("region", name="What to mend in the file")
    for line in ["2", "3", "4"]:
        expect(problems.get_by_role("cell", name=line, exact=True).first).to_be_visible()
    assert not Task.objects.exists()


def test_a_waiting_import_can_be_cancelled(page: Page, study: Project) -> None:
    upload(page, lines(record("t1")))
    page.get_by_role("button", name="Cancel").click()

    expect(page.locator("#status .pill")).to_have_text("Cancelled")
    assert not Task.objects.exists()


def test_a_table_is_imported_by_saying_what_its_columns_mean(page: Page, study: Project) -> None:
    upload(page, b"Frage,eins,zwei,wer\nWarum?,Darum.,So.,w1\nWie?,So.,Anders.,w2\n", "umfrage.csv")
    job = Import.objects.get()
    run(Import, job.pk)
    expect(page.get_by_text("Say below what kind of file this is, or what its columns mean.")).to_be_visible()
    for column, meaning in {"Frage": "Prompt", "eins": "Response A", "zwei": "Response B", "wer": "Leave out"}.items():
        page.get_by_label(column, exact=True).select_option(label=meaning)
    page.get_by_role("button", name="Check again with these choices").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run(Import, job.pk)
    page.get_by_role("button", name="Import 2 tasks").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run(Import, job.pk)

    expect(page.locator("#status .pill")).to_have_text("Done")
    assert {task.prompts.get().content[0]["text"] for task in Task.objects.all()} == {"Warum?", "Wie?"}


def test_tasks_that_name_a_model_are_held_back_and_masked(page: Page, study: Project) -> None:
    named = record("t1")
    named["prompts"][0]["responses"][0]["content"][0]["text"] = "As ChatGPT, I agree."
    upload(page, lines(named, record("t2")))
    job = Import.objects.get()
    run(Import, job.pk)
    expect(page.get_by_role("heading", name="Names of models in the responses")).to_be_visible()
    page.get_by_label("Responses that name a model").select_option("hold")
    page.get_by_role("button", name="Import 2 tasks").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run(Import, job.pk)
    page.get_by_role("link", name="Decide about 1 task that names a model").click()
    page.locator("section.card").get_by_role("button", name="Mask the names and release").click()

    expect(page.get_by_text("Nothing is waiting")).to_be_visible()
    assert Task.objects.filter(state="active").count() == 2
    text = Task.objects.get(external_id="t1").prompts.get().responses.all()[0].content[0]["text"]
    assert text == "As ▇▇▇, I agree."


def test_a_batch_name_in_use_is_refused_beside_its_field(page: Page, study: Project) -> None:
    factories.batch(study, "First round")
    page.goto("/projects/study/imports/")
    page.get_by_label("File").set_input_files({"name": "a.jsonl", "mimeType": "text/plain", "buffer": b"{}"})
    page.get_by_label("Batch name").fill("First round")
    page.get_by_role("button", name="Check the file").click()

    expect(page.locator("[data-field=batch] .errors")).to_contain_text("already has a batch named")
    expect(page.get_by_label("Batch name")).to_have_value("First round")


def judged(page: Page, project: Project) -> None:
    """The lead judges a task in the browser too."""
    factories.task(project)
    start_judging(page)
    fill(page, reason="")
    submit(page)
    submitted(page)


def export(page: Page, label: str) -> Export:
    page.goto("/projects/study/exports/")
    page.locator("a.choice", has_text=label).click()
    expect(page.locator("a.choice[aria-current]")).to_contain_text(label)
    page.get_by_role("button", name="Make the dataset").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    job = Export.objects.latest("pk")
    run(Export, job.pk)
    expect(page.locator("#status .pill")).to_have_text("Done")
    return job


def test_an_export_is_downloaded_and_loads_as_a_dataset(page: Page, study: Project, tmp_path: Path) -> None:
    judged(page, study)
    job = export(page, "I train DPO with TRL or Unsloth")
    expect(page.get_by_role("region", name="Where every judgement went")).to_contain_text("Judgements in")
    name = job.files.get(name__endswith=".jsonl").name
    with page.expect_download() as download:
        page.get_by_role("link", name=f"Download {name}").click()
    path = tmp_path / name
    download.value.save_as(path)

    rows: Any = datasets.load_dataset("json", data_files=str(path), cache_dir=str(tmp_path), split="train")
    prompt = Task.objects.get().prompts.get()
    winner = prompt.annotations.get().winner
    assert winner
    assert len(rows) == 1
    assert rows[0]["chosen"][-1]["content"] == winner.content[0]["text"]
    assert rows[0]["rejected"][-1]["content"] != rows[0]["chosen"][-1]["content"]


def test_the_manifest_that_is_downloaded_accounts_for_the_rows(page: Page, study: Project, tmp_path: Path) -> None:
    judged(page, study)
    export(page, "I train DPO with TRL or Unsloth")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download manifest.json").click()
    download.value.save_as(tmp_path / "manifest.json")

    accounting = json.loads((tmp_path / "manifest.json").read_text())["accounting"]
    assert (accounting["votes_in"], accounting["rows_out"]) == (1, 1)


def test_the_jobs_page_shows_an_admin_what_runs(page: Page) -> None:
    factories.admin("root")
    project = factories.project("study")
    factories.member(project, Role.LEAD, username="lead")
    sign_in(page, "root")
    page.get_by_role("button", name="Account: root").click()
    page.get_by_role("link", name="Jobs").click()
    expect(page.get_by_text("No worker is running")).to_be_visible()
    expect(page.get_by_text("No jobs yet")).to_be_visible()

    Worker.objects.create(name="here:1", pid=1, mode="embedded", seen_at=timezone.now())
    upload(page, lines(record("t1")))
    page.goto("/jobs/")
    expect(page.get_by_role("cell", name="Queued")).to_be_visible()
    run(Import, Import.objects.get().pk)

    expect(page.get_by_role("cell", name="Done")).to_be_visible()
    expect(page.get_by_text("No worker is running")).to_be_hidden()


def test_an_annotator_is_offered_neither_imports_nor_exports(page: Page) -> None:
    factories.member(factories.project("study"), username="mina")
    sign_in(page, "mina")
    page.goto("/projects/study/")
    expect(page.get_by_role("link", name="Work", exact=True)).to_be_visible()

    expect(page.get_by_role("link", name="Imports")).to_have_count(0)
    expect(page.get_by_role("link", name="Exports")).to_have_count(0)
    page.goto("/projects/study/exports/")
    expect(page.get_by_role("heading", name="You may not open this")).to_be_visible()
