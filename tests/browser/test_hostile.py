"""Hostile texts and names: nothing of them runs, nothing of them loads, and the page still works."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotate.enums import Role
from annotate.models import Batch, Dimension, Project, Task
from tests import factories
from tests.browser.conftest import LAPTOP, PHONE, Watch
from tests.browser.helpers import fill, open_task, row, sideways, sign_in, submit, submitted, the_annotation
from tests.browser.hostile import HOSTILE, NAMES, TEXT

pytestmark = pytest.mark.browser
LIVE = """() => ({
  pwned: window.__pwned ?? null,
  schemes: [...document.querySelectorAll('.md a[href]')].map((a) => a.getAttribute('href'))
    .filter((href) => !/^(https?:\\/\\/|mailto:|#fn)/i.test(href)),
  elements: document.querySelectorAll(
    ['script', 'style', 'iframe', 'object', 'form', 'button', 'img', 'svg', 'video', 'link', 'base', 'meta', 'select']
      .map((tag) => `.md ${tag}`).join(', ')).length,
  attributes: [...document.querySelectorAll('.md *')].flatMap((element) => element.getAttributeNames())
    .filter((name) => /^(on|hx-|data-hx|style|name|srcset|poster)/.test(name)),
  twice: [...document.querySelectorAll('[id]')].map((element) => element.id)
    .filter((id, index, all) => all.indexOf(id) !== index),
})"""
NOTHING: dict[str, Any] = {"pwned": None, "schemes": [], "elements": 0, "attributes": [], "twice": []}


@pytest.fixture
def study() -> Project:
    """Every name and text of the project is hostile."""
    project = factories.project(
        "study",
        "helpsteer3",
        name=NAMES[0],
        description=NAMES[1],
        guidelines=TEXT,
        justification_min_length=0,
    )
    Dimension.objects.filter(project=project, key="helpfulness").update(label=NAMES[1], definition=NAMES[0])
    Batch.objects.create(project=project, name=NAMES[2])
    return project


def hostile_task(project: Project, prompt_text: str, *responses: str) -> Task:
    task = factories.task(project, batch=project.batches.get(name=NAMES[2]))
    task.context = [
        {"role": "system", "content": factories.text(prompt_text)},
        {"role": "assistant", "content": factories.text(prompt_text)},
    ]
    task.save()
    prompt = task.prompts.get()
    prompt.content = factories.text(prompt_text)
    prompt.save()
    for response, text in zip(prompt.responses.all(), responses, strict=True):
        response.content = factories.text(text)
        response.save()
    return task


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_shown_and_does_nothing(page: Page, study: Project, watch: Watch, name: str) -> None:
    hostile_task(study, HOSTILE[name], HOSTILE[name], TEXT)
    open_task(page, study)
    page.keyboard.press("p")  # earlier turns
    page.keyboard.press("v")  # source and back
    page.keyboard.press("v")
    page.keyboard.press("i")  # guidelines
    page.keyboard.press("Escape")
    page.wait_for_timeout(100)

    assert page.evaluate(LIVE) == NOTHING
    assert not [request for request in watch.requests if "hx-from-content" in request]
    fill(page, TEXT)
    submit(page)
    submitted(page)
    assert the_annotation().justification == TEXT.strip()


def test_hostile_names_are_shown_as_they_are(page: Page, study: Project) -> None:
    lead = factories.member(study, Role.LEAD, username="lead")
    lead.display_name = NAMES[1]
    lead.save()
    hostile_task(study, "Which?", "One.", "Two.")
    sign_in(page, "lead")
    expect(page.get_by_role("heading", name=NAMES[0])).to_be_visible()
    for address in ["", "guidelines/", "imports/", "exports/", "work/"]:
        page.goto(f"/projects/study/{address}")
        expect(page.get_by_role("link", name=NAMES[0], exact=True)).to_be_visible()
        assert page.evaluate("window.__pwned ?? null") is None
    page.goto("/projects/study/")
    expect(page.get_by_role("cell", name=NAMES[2], exact=True)).to_be_visible()
    expect(page.get_by_role("cell", name=NAMES[1], exact=True)).to_be_visible()
    page.goto("/projects/study/work/")
    page.get_by_role("button", name="Start judging").click()

    expect(row(page, f"{NAMES[1]}, response A")).to_be_visible()
    assert page.evaluate("window.__pwned ?? null") is None


def test_a_hostile_draft_comes_back_as_text(page: Page, study: Project) -> None:
    hostile_task(study, "Which?", "One.", "Two.")
    open_task(page, study)
    page.locator("#why").fill(TEXT)
    expect(page.locator("#saved-line")).to_have_attribute("data-state", "saved")
    page.reload()

    expect(page.locator("#why")).to_have_value(TEXT)
    assert page.evaluate("window.__pwned ?? null") is None


def test_a_refusal_with_hostile_words_is_shown_as_text(page: Page, study: Project) -> None:
    hostile_task(study, "Which?", "One.", "Two.")
    open_task(page, study)
    refusal = {"status": 409, "content_type": "text/plain; charset=utf-8", "body": f"{NAMES[1]} changed elsewhere."}
    page.route("**/draft/", lambda route: route.fulfill(**refusal))
    page.locator("#why").fill("x")

    expect(page.locator("#strip")).to_contain_text(f"{NAMES[1]} changed elsewhere.")
    assert page.evaluate("window.__pwned ?? null") is None


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_very_long_words_and_lines_do_not_push_the_page_sideways(page: Page, size: dict[str, int]) -> None:
    project = factories.project("study", "arena", name="N" * 120)
    Batch.objects.create(project=project, name=NAMES[2])
    long, emoji, zalgo = "W" * 20_000, "👩‍👩‍👧‍👦" * 3000, " Z̸̢̛" * 500
    table = "|" + " wide |" * 60 + "\n|" + "-|" * 60 + "\n|" + " cell |" * 60
    hostile_task(project, long, f"```\n{long}\n```\n\n{table}", f"{emoji}{zalgo}\n\n$${'x+' * 400}y$$")
    page.set_viewport_size(size)  # type: ignore[arg-type]
    open_task(page, project)

    assert sideways(page) == 0
