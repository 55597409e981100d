"""Reviews from one end to the other, with two people at two browsers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotate.actions.jobs import run
from annotate.enums import Role
from annotate.models import Annotation, Project, Review
from exports.actions import request_export
from exports.models import Export
from exports.options import ExportOptions
from tests import factories
from tests.browser.helpers import click, enter, open_task, sideways, start_judging

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WRONG, RIGHT = (
    "It is better because it is better, as I said.",
    "Response A answers; response B only repeats the question.",
)


@pytest.fixture
def reviewed(db: None) -> Project:
    project = factories.project("study", preset="arena", review_share=100, justification="required")
    for _ in range(2):
        factories.task(project)
    return project


def judge(page: Page, why: str) -> None:
    page.keyboard.press("a")
    page.locator("#why").fill(why)
    page.locator("#submit").click()


def other_person(browser: Browser, base_url: str, project: Project) -> Page:
    context = browser.new_context(base_url=base_url, viewport={"width": 1366, "height": 768}, locale="en-GB")
    page = context.new_page()
    enter(page, factories.member(project, Role.REVIEWER, username="ren"))
    return page


def exported(project: Project) -> tuple[list[Any], dict[str, Any]]:
    options = ExportOptions(include_returned=True)
    job = request_export(project=project, format_name="tiebreak", options=options, by=None)
    run(Export, job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    data = next(path for path in Path(job.folder).rglob("*.jsonl"))
    return [json.loads(line) for line in data.read_text().splitlines()], job.manifest


def test_a_return_comes_first_is_mended_accepted_and_exported_once(
    page: Page, browser: Browser, base_url: str, reviewed: Project
) -> None:
    open_task(page, reviewed)
    judge(page, WRONG)
    expect(page.get_by_role("heading", name="Task 2 of 2")).to_be_visible()
    first = Annotation.objects.get()

    reviewer = other_person(browser, base_url, reviewed)
    reviewer.goto("/projects/study/reviews/")
    reviewer.get_by_role("button", name="Review the next one").click()
    expect(reviewer.locator("#review")).to_contain_text(WRONG)
    reviewer.keyboard.press("n")
    expect(reviewer.locator("#comment")).to_be_focused()
    reviewer.keyboard.type("Say what the answers do.")
    click(reviewer.get_by_label("Justification"))
    reviewer.locator("#comment").press("Control+Enter")
    expect(reviewer.get_by_text("Returned to its author.")).to_be_visible()

    page.goto("/projects/study/work/")
    expect(page.get_by_text("A reviewer said something about 1 judgement of yours")).to_be_visible()
    page.get_by_role("link", name="Go on judging").click()
    expect(page.locator(".returned")).to_contain_text("Say what the answers do.")
    expect(page.locator(".returned")).to_contain_text("Wanted by")
    expect(page.locator(".returned")).to_contain_text("Justification")
    expect(page.locator("#why")).to_have_value(WRONG)
    assert page.locator("#judge input:checked").count() == 1
    page.locator("#why").fill(RIGHT)
    page.locator("#submit").click()
    expect(page.locator("#why")).to_have_value("")

    reviewer.goto("/projects/study/reviews/")
    expect(reviewer.get_by_text("Mended after a return")).to_be_visible()
    reviewer.get_by_role("button", name="Review the next one").click()
    expect(reviewer.locator("#review")).to_contain_text(RIGHT)
    reviewer.keyboard.press("y")
    expect(reviewer.get_by_text("Nothing waits for a review")).to_be_visible()

    first.refresh_from_db()
    assert [review.verdict for review in Review.objects.all()] == ["return", "accept"]
    rows, manifest = exported(reviewed)
    said = [each for row in rows for prompt in row["prompts"] for each in prompt.get("annotations", [])]
    assert [each["justification"] for each in said] == [RIGHT]
    assert manifest["accounting"]["superseded"] == {"mended": 1}
    reviewer.context.close()


def test_the_keys_of_the_review_page(page: Page, reviewed: Project) -> None:
    author = factories.member(reviewed)
    enter(page, author)
    start_judging(page)
    judge(page, WRONG)
    expect(page.get_by_role("heading", name="Task 2 of 2")).to_be_visible()
    judge(page, RIGHT)
    expect(page.get_by_role("heading", name="Nothing left for you here")).to_be_visible()
    enter(page, factories.member(reviewed, Role.REVIEWER))
    page.goto("/projects/study/reviews/")
    page.get_by_role("button", name="Review the next one").click()
    expect(page.locator("#review")).to_contain_text(WRONG)
    page.wait_for_load_state("networkidle")

    page.keyboard.press("j")
    expect(page.locator("#review")).to_contain_text(RIGHT)
    page.wait_for_load_state("networkidle")
    page.keyboard.press("k")
    expect(page.locator("#review")).to_contain_text(WRONG)
    page.wait_for_load_state("networkidle")
    page.keyboard.press("e")
    expect(page.locator("#why")).to_have_value(WRONG)
    page.locator("#why").fill("The first one answers the question.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Fixed. The author is told, and their version is kept.")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("y")
    expect(page.get_by_text("Nothing waits for a review")).to_be_visible()
    assert sorted(Review.objects.values_list("verdict", flat=True)) == ["accept", "fix"]


def test_a_disagreement_is_settled_blind(page: Page, db: None) -> None:
    project = factories.project("study", preset="arena", overlap=2, review_share=0)
    task = factories.task(project)
    for _ in range(2):  # sides are swapped for the second person: both prefer A, and not the same response
        enter(page, factories.member(project))
        start_judging(page)
        page.keyboard.press("a")
        page.locator("#why").fill("Because of what it says about the matter.")
        page.locator("#submit").click()
        expect(page.get_by_role("heading", name="Nothing left for you here")).to_be_visible()
    enter(page, factories.member(project, Role.REVIEWER))
    page.goto("/projects/study/reviews/")

    page.locator("section:has(#h-disputes) a").first.click()
    expect(page.locator(".side-by-side article")).to_have_count(2)
    assert not re.search(r"model-\d", page.content())
    page.locator("#reason").select_option("ambiguous")
    page.keyboard.press("Escape")
    page.locator("#h-voices").click()
    page.keyboard.press("a")
    page.locator("#why").fill("Both have a point, the first one more.")
    page.locator("#submit").click()
    expect(page.get_by_text("Settled.", exact=True)).to_be_visible()
    final = Annotation.objects.get(is_adjudication=True)
    assert (final.prompt.task, final.settles.reason) == (task, "ambiguous")


@pytest.mark.parametrize("width", [1366, 390])
def test_no_page_is_wider_than_the_window(page: Page, reviewed: Project, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    enter(page, factories.member(reviewed))
    start_judging(page)
    page.locator("#judge .seg").first.click()
    page.locator("#why").fill(WRONG)
    page.locator("#submit").click()
    expect(page.get_by_role("heading", name=re.compile("Task 2 of 2"))).to_be_visible()
    said = Annotation.objects.get()
    enter(page, factories.member(reviewed, Role.LEAD))
    item = said.review_items.get().pk
    places = ["feedback/", "reviews/", f"reviews/items/{item}/", f"reviews/items/{item}/fix/", "reviews/lots/"]
    for place in [*places, "reviews/settings/", f"judgements/{said.pk}/"]:
        page.goto(f"/projects/study/{place}")
        assert sideways(page) == 0, place
