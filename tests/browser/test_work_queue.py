"""Around the comparison page: skipping, the end of the queue, going back, and keys that must not fire."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from annotate.models import Assignment, Project
from tests import factories
from tests.browser.helpers import assignment_of, checked, fill, is_ready, open_task, row, sign_in, submit, submitted

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    project = factories.project("study", "helpsteer3")
    factories.task(project)
    factories.task(project)
    return project


def test_a_skip_asks_for_a_reason_and_shows_the_next_task(page: Page, study: Project) -> None:
    first = open_task(page, study)
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog", name="Skip this task")
    dialog.get_by_role("button", name="Skip task").click()
    expect(dialog).to_be_visible()  # no reason was chosen
    dialog.get_by_label("I lack the knowledge to judge it").check()
    dialog.get_by_label("Note").fill("I do not know Rust.")
    dialog.get_by_role("button", name="Skip task").click()

    expect(dialog).to_be_hidden()
    expect(page.locator("#toast")).to_have_text("Skipped.")
    assert assignment_of("mina").task != first.task
    first.refresh_from_db()
    assert (first.state, first.skip_reason, first.skip_note) == ("skipped", "expertise", "I do not know Rust.")


def test_a_skip_that_was_thought_better_of_changes_nothing(page: Page, study: Project) -> None:
    first = open_task(page, study)
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Keep judging").click()

    expect(page.get_by_role("dialog", name="Skip this task")).to_be_hidden()
    assert assignment_of("mina") == first


def test_after_a_submit_the_next_task_is_there_at_once(page: Page, study: Project) -> None:
    first = open_task(page, study)
    expect(page.get_by_role("heading", level=1)).to_have_text("Task 1 of 2")
    expect(page).to_have_title("Task 1 of 2 · Study")
    fill(page)
    submit(page)

    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Task 2 of 2")
    expect(heading).to_be_focused()
    expect(page).to_have_title("Task 2 of 2 · Study")
    assert checked(page) == 0
    expect(page.locator("#why")).to_have_value("")
    second = assignment_of("mina")
    assert second.task != first.task
    expect(page).to_have_url(re.compile(f"/work/{second.public_id}/$"))


def test_keys_work_on_the_next_task_too(page: Page, study: Project) -> None:
    open_task(page, study)
    fill(page)
    submit(page)
    heading = page.get_by_role("heading", level=1, name="Task 2 of 2")
    expect(heading).to_be_focused()
    page.keyboard.press("4")
    page.keyboard.press("b")

    expect(row(page, "Helpfulness, response A").get_by_role("radio", name="4, Good")).to_be_checked()
    expect(page.locator("#verdict")).to_have_text("B is slightly better")


def test_the_queue_ends_with_a_page_that_says_so(page: Page, study: Project) -> None:
    open_task(page, study)
    for title in ["Task 2 of 2", None]:
        fill(page, "It names the cause first.")
        submit(page)
        if title:
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
    submitted(page)

    expect(page).to_have_url(re.compile("/projects/study/work/$"))
    expect(page.get_by_text("You have submitted 2 tasks in this project.")).to_be_visible()
    page.get_by_role("link", name="All projects", exact=True).click()
    expect(page.get_by_text("Nothing left for you")).to_be_visible()


def test_back_shows_what_was_submitted_and_leads_to_the_task_in_hand(page: Page, study: Project) -> None:
    first = open_task(page, study)
    fill(page)
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Task 2 of 2")
    page.locator("#why").fill("half a thought")
    expect(page.locator("#saved")).to_have_text(re.compile("Saved"))
    page.go_back()

    expect(page.get_by_role("heading", name="A task you submitted")).to_be_visible()
    page.get_by_role("link", name="Go on judging").click()
    expect(page.locator("#why")).to_have_value("half a thought")
    assert assignment_of("mina").task != first.task


def test_no_single_key_fires_while_typing(page: Page, study: Project) -> None:
    open_task(page, study)
    page.keyboard.press("w")
    page.keyboard.type("a 1 b 2 t x i ? s v z j k l 0 q p")

    expect(page.locator("#why")).to_have_value("a 1 b 2 t x i ? s v z j k l 0 q p")
    assert checked(page) == 0
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("button", name="Source")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator("#verdict")).to_have_text("A is slightly better")


def test_no_single_key_fires_in_a_dialog_or_with_a_modifier(page: Page, study: Project) -> None:
    open_task(page, study)
    page.keyboard.press("i")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_visible()
    page.keyboard.press("5")
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_hidden()
    page.keyboard.press("Control+b")
    page.keyboard.press("Alt+1")

    assert checked(page) == 0


def test_single_keys_can_be_switched_off_and_stay_off(page: Page, study: Project) -> None:
    open_task(page, study)
    page.keyboard.press("?")
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("5")
    assert checked(page) == 0
    page.reload()
    is_ready(page)
    page.keyboard.press("5")

    assert checked(page) == 0


def test_a_task_in_hand_is_offered_again(page: Page, study: Project) -> None:
    open_task(page, study)
    page.goto("/projects/study/work/")
    page.get_by_role("link", name="Go on judging").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Task 1 of 2")
    assert Assignment.objects.count() == 1


def test_without_javascript_the_form_still_submits(browser: Browser, base_url: str, study: Project) -> None:
    factories.member(study, username="mina")
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    sign_in(page, "mina")
    page.goto("/projects/study/work/")
    page.get_by_role("button", name="Start judging").click()
    fill(page)
    submit(page)

    expect(page.get_by_role("heading", level=1)).to_have_text("Task 2 of 2")
    context.close()
