"""Every page, in both themes and at four widths: no violation of WCAG 2.2 AA or of axe's best practices."""

import json
import uuid
from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotate.actions.annotations import submit as store_judgement
from annotate.actions.assignments import claim_next
from annotate.actions.jobs import run
from annotate.enums import Role
from annotate.models import Project, Worker
from annotate.rules.judgement import Judgement
from exports.actions import request_export, request_import
from exports.models import Export, Import
from exports.options import ExportOptions
from tests import factories
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.helpers import fill, open_task, sign_in, submit
from tests.integration.exports.test_imports import lines, record

pytestmark = pytest.mark.browser
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# 320 pixels are 1280 at 400 %: the width at which nothing may scroll sideways (WCAG 1.4.10).
# Narrow windows are tall here: the bars that stick to their edges cover only what one has not scrolled to yet.
SIZES = ({"width": 320, "height": 4000}, {**PHONE, "height": 4000}, LAPTOP, {"width": 1920, "height": 1080})
OPTIONS = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
GUIDELINES = """# What counts

1. Prefer the answer that is **right**.
2. Then the one that is shorter. See [the standard](https://example.org).

| Case | Choose |
|---|---|
| both wrong | `both bad` |

```python
print("a block of code")
```

$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$
"""


def violations(page: Page) -> list[str]:
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(f"axe.run({json.dumps(OPTIONS)}).then((results) => results.violations)")
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


def check(page: Page, name: str) -> None:
    """Look at the page in both themes at every size."""
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        for size in SIZES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert violations(page) == [], f"{name}, {theme}, {size['width']} px"
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]


@pytest.fixture
def study() -> Project:
    project = factories.project("study", "helpsteer3", guidelines=GUIDELINES, description="Two answers, one choice.")
    task = factories.task(project)
    task.context = [{"role": "system", "content": factories.text("Answer in *one* sentence.")}]
    task.save()
    for response in task.prompts.get().responses.all():
        response.content = factories.text(GUIDELINES + response.external_id)
        response.save()
    return project


@pytest.mark.parametrize("address", ["login/", "password/reset/", "signup/", "password/reset/done/"])
def test_the_pages_before_signing_in(page: Page, address: str) -> None:
    page.goto(f"/accounts/{address}")
    check(page, address)


def test_the_sign_in_page_with_an_error(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Username or e-mail").fill("nobody")
    page.get_by_label("Password", exact=True).fill("wrong horse")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()

    check(page, "sign-in refused")


def test_the_pages_of_an_annotator(page: Page, study: Project) -> None:
    factories.member(study, username="mina")
    sign_in(page, "mina")
    for address in ["/", "/projects/study/", "/projects/study/guidelines/", "/projects/study/work/"]:
        page.goto(address)
        check(page, address)
    page.goto("/accounts/password/change/")
    check(page, "change password")


def test_pages_of_errors(page: Page) -> None:
    factories.user("mina")
    sign_in(page, "mina")
    page.goto("/projects/no-such-project/")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    check(page, "404")
    page.goto("/jobs/")
    check(page, "403")


def test_a_home_without_projects_and_an_empty_queue(page: Page) -> None:
    factories.user("mina")
    sign_in(page, "mina")
    check(page, "no projects")
    factories.member(factories.project("empty"), username="tomas")
    page.context.clear_cookies()
    sign_in(page, "tomas")
    page.goto("/projects/empty/work/")
    check(page, "nothing left")


def test_the_work_page_empty_open_filled_and_refused(page: Page, study: Project) -> None:
    open_task(page, study)
    check(page, "empty")
    page.keyboard.press("p")
    page.keyboard.press("v")
    check(page, "earlier turns and source")
    page.keyboard.press("v")
    fill(page)
    check(page, "filled")
    study.justification_min_length = 200
    study.save()
    submit(page)
    expect(page.locator("#why-error")).to_be_visible()
    check(page, "refused")


def test_remarks_warnings_and_what_was_submitted(page: Page) -> None:
    study = factories.project("study", "arena", rewrite="optional", guidelines=GUIDELINES)
    for task in (factories.task(study, turns=2), factories.task(study)):
        for prompt in task.prompts.all():
            prompt.responses.update(content=factories.text(GUIDELINES))
    open_task(page, study)
    page.keyboard.press("a")
    page.keyboard.press("l")
    page.locator("#flags-a").get_by_label("Something else", exact=True).check()
    page.keyboard.type("It is a poem.")
    assert violations(page) == []  # on a phone the box lies over other controls, of which too little is left to press
    page.keyboard.press("Escape")
    expect(page.locator("#flags-a")).to_be_hidden()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#pane-b .body .md li'))")
    page.keyboard.press("q")
    expect(page.locator("#why")).to_be_focused()
    page.keyboard.type("B is better")
    check(page, "quote")
    page.get_by_role("button", name="Rewrite response A").click()
    page.get_by_label("Rewrite of response A", exact=True).fill("Shorter.")
    for view in ["Write", "Preview", "Changes"]:
        page.get_by_role("button", name=view, exact=True).click()
        check(page, f"rewrite, {view}")
    page.get_by_role("button", name="Done").click()
    submit(page)
    expect(page.get_by_role("alertdialog")).to_be_visible()
    check(page, "warning")
    page.get_by_role("button", name="Go on as it is").click()
    expect(page.get_by_role("heading", name="Turn 2 of 2")).to_be_visible()
    expect(page.locator("#count")).to_have_text("0 of 1")  # from then on keys work
    page.keyboard.press("t")
    check(page, "second turn")
    submit(page)
    expect(page.get_by_role("button", name="Undo submit")).to_be_visible()
    check(page, "undo offered")
    page.go_back()
    expect(page.get_by_role("heading", name="A task you submitted")).to_be_visible()
    check(page, "submitted")
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("heading", name="Changing a submitted task")).to_be_visible()
    check(page, "edit")
    for address in ["", "history/"]:
        page.goto(f"/projects/study/work/{address}")
        check(page, f"work/{address}")


def test_cannot_judge_with_every_kind_of_dimension(page: Page) -> None:
    study = factories.project("study", "scale", allow_cannot_judge=True)
    for place, (kind, target) in enumerate([("yes_no", "response"), ("tags", "response"), ("text", "comparison")]):
        points = [{"value": 1, "label": "Kind", "example": ""}, {"value": 2, "label": "Rude", "example": ""}]
        study.dimensions.create(key=kind, label=kind.title(), kind=kind, target=target, points=points, position=place)
    factories.task(study, responses=3)
    open_task(page, study)
    check(page, "every kind")
    page.locator("[data-extra]").locator("xpath=..").click()
    check(page, "cannot judge")


@pytest.mark.parametrize("key", ["i", "x", "?"])
def test_the_dialogs_of_the_work_page(page: Page, study: Project, key: str) -> None:
    open_task(page, study)
    page.keyboard.press(key)
    expect(page.locator("dialog[open]")).to_be_visible()

    check(page, f"dialog {key}")


@pytest.mark.parametrize("preset", ["scale", "ranking"])
def test_the_work_page_with_three_responses(page: Page, preset: str) -> None:
    study = factories.project("study", preset, guidelines=GUIDELINES)
    factories.task(study, responses=3)
    open_task(page, study)
    check(page, "three, empty")
    for more in page.locator("details.more summary").all():
        more.click()
    fill(page)
    check(page, "three, filled")


@pytest.fixture
def lead(page: Page) -> Callable[[], Project]:
    project = factories.project("study", "arena")
    factories.member(project, Role.LEAD, username="lead")
    sign_in(page, "lead")
    return lambda: project


def finished_import(project: Project, data: bytes, batch: str) -> Import:
    job = request_import(project=project, chunks=[data], file_name="tasks.jsonl", batch_name=batch, by=None)
    run(Import, job.pk)
    job.refresh_from_db()
    return job


CHECKED = {
    "ready": lines(record("t8")).replace(b"One.", b"As ChatGPT, one."),
    "problems": b'{broken\n{"id": 3}\n',
    "a table": b"why,one,two\nWhy?,Because.,So.\n",
}


def import_checked(project: Project, name: str, data: bytes) -> Import:
    job = request_import(
        project=project, chunks=[data], file_name=f"{name}.jsonl", batch_name=name, check_only=True, by=None
    )
    run(Import, job.pk)
    job.refresh_from_db()
    return job


def test_the_import_pages(page: Page, lead: Callable[[], Project]) -> None:
    project = lead()
    page.goto("/projects/study/imports/")
    check(page, "imports, none yet")
    good = finished_import(project, lines(record("t1")), "good")
    bad = finished_import(project, b'{broken\n{"id": 3}\n', "bad")
    waiting = request_import(project=project, chunks=[b"x"], file_name="w.jsonl", batch_name="w", by=None)
    assert (good.state, bad.state) == ("done", "failed")
    page.goto("/projects/study/imports/")
    page.get_by_role("button", name="Check the file").click()
    check(page, "imports")
    checked = [import_checked(project, name, data) for name, data in CHECKED.items()]
    for job in (good, bad, waiting, *checked):
        page.goto(f"/projects/study/imports/{job.public_id}/")
        check(page, f"import {job.state}")


def test_the_export_pages_and_the_overview_of_a_lead(page: Page, lead: Callable[[], Project]) -> None:
    project = lead()
    task = factories.task(project)
    person = factories.member(project)
    assignment = claim_next(project=project, by=person)
    assert assignment
    prompt = task.prompts.get()
    judgement = Judgement(outcome="winner", winner=str(prompt.responses.all()[0].pk))
    store_judgement(public_id=assignment.public_id, judgements={prompt.pk: judgement}, key=uuid.uuid4(), by=person)
    job = request_export(project=project, format_name="trl_preference", options=ExportOptions(), by=None)
    page.goto(f"/projects/study/exports/{job.public_id}/")
    check(page, "export waiting")
    run(Export, job.pk)
    expect(page.locator("#status .pill")).to_have_text("Done")
    check(page, "export done")
    for address in ["/projects/study/exports/", "/projects/study/"]:
        page.goto(address)
        check(page, address)


def test_the_jobs_page(page: Page) -> None:
    project = factories.project("study")
    factories.admin("root")
    sign_in(page, "root")
    page.goto("/jobs/")
    check(page, "no worker")
    Worker.objects.create(name="here:1", pid=1, mode="embedded", seen_at=timezone.now())
    finished_import(project, b"{broken\n", "bad")
    page.goto("/jobs/")
    check(page, "jobs")
