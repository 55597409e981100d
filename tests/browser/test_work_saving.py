"""The comparison page never loses what was typed: drafts, bad networks, second tabs, lost sessions, lost answers."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotate.actions.assignments import claim_next
from annotate.models import Annotation, Assignment, Project
from tests import factories
from tests.browser.helpers import (
    REASON,
    assignment_of,
    checked,
    fill,
    is_ready,
    open_task,
    sign_in,
    submit,
    submitted,
    the_annotation,
)

pytestmark = pytest.mark.browser
SAVED = re.compile(r"^Saved \d\d:\d\d$")
DRAFT, SUBMIT = re.compile("/draft/$"), re.compile("/submit/$")


@pytest.fixture
def study() -> Project:
    project = factories.project("study", "helpsteer3")
    factories.task(project)
    return project


def draft_of(username: str = "mina") -> dict[str, str]:
    """The fields of the saved draft of the first turn."""
    turns = assignment_of(username).draft.get("turns", {})
    return next(iter(turns.values()), {})


def test_a_draft_is_called_saved_only_after_the_server_answered(page: Page, study: Project) -> None:
    open_task(page, study)
    held: list[Route] = []
    page.route(DRAFT, lambda route: held.append(route))
    page.locator("#why").fill("half a thought")
    expect(page.locator("#saved")).to_have_text("Saving…")
    page.wait_for_timeout(1500)
    assert len(held) == 1
    expect(page.locator("#saved")).to_have_text("Saving…")
    assert draft_of() == {}

    held[0].continue_()

    expect(page.locator("#saved")).to_have_text(SAVED)
    assert draft_of()["justification"] == "half a thought"


def test_a_saved_draft_survives_a_reload_and_a_cleared_browser(page: Page, study: Project) -> None:
    open_task(page, study)
    page.keyboard.press("5")
    page.locator("#why").fill("half a thought")
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.evaluate("localStorage.clear()")
    page.reload()

    expect(page.locator("#why")).to_have_value("half a thought")
    assert checked(page) == 1
    expect(page.locator("#saved")).to_have_text(SAVED)


def test_what_was_typed_a_moment_before_a_reload_is_there_again(page: Page, study: Project) -> None:
    open_task(page, study)
    page.route(DRAFT, lambda route: route.abort())
    page.locator("#why").fill("typed and gone at once")
    page.reload()

    expect(page.locator("#why")).to_have_value("typed and gone at once")
    page.unroute(DRAFT)
    expect(page.locator("#saved")).to_have_text(SAVED, timeout=10_000)
    assert draft_of()["justification"] == "typed and gone at once"


def test_control_s_saves_at_once(page: Page, study: Project) -> None:
    open_task(page, study)
    page.locator("#why").fill("now")
    with page.expect_response(DRAFT, timeout=700):  # before the pause that ends a burst of typing is over
        page.keyboard.press("Control+s")
    expect(page.locator("#saved")).to_have_text(SAVED)


def test_offline_is_said_and_online_saves(page: Page, context: BrowserContext, study: Project) -> None:
    open_task(page, study)
    context.set_offline(True)
    page.locator("#why").fill("written in a tunnel")
    expect(page.locator("#saved")).to_have_text("Not saved yet")
    expect(page.locator("#strip")).to_contain_text("kept on this device")
    assert draft_of() == {}

    context.set_offline(False)

    expect(page.locator("#saved")).to_have_text(SAVED)
    expect(page.locator("#strip")).to_be_hidden()
    assert draft_of()["justification"] == "written in a tunnel"


def test_a_submit_while_the_server_is_down_is_sent_once_it_is_back(page: Page, study: Project) -> None:
    open_task(page, study)
    fill(page)
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.route(SUBMIT, lambda route: route.abort())
    submit(page)
    expect(page.locator("#strip")).to_contain_text("Not sent yet")
    expect(page.locator("#why")).to_have_value(REASON)
    assert not Annotation.objects.exists()

    page.unroute(SUBMIT)

    submitted(page)
    assert the_annotation().justification == REASON


def test_a_submit_whose_answer_was_lost_is_stored_once(page: Page, study: Project) -> None:
    open_task(page, study)
    fill(page)
    lost: list[int] = []

    def lose(route: Route) -> None:
        lost.append(route.fetch().status)
        route.abort()

    page.route(SUBMIT, lose, times=1)
    submit(page)
    submitted(page)

    assert lost == [200]
    assert Annotation.objects.count() == 1


def test_many_presses_of_submit_are_one_submission(page: Page, study: Project) -> None:
    open_task(page, study)
    fill(page)
    page.evaluate("() => { for (let i = 0; i < 5; i += 1) document.querySelector('#judge').requestSubmit(); }")
    submitted(page)

    assert Annotation.objects.count() == 1


def test_a_second_tab_is_told_and_keeps_its_text(page: Page, context: BrowserContext, study: Project) -> None:
    open_task(page, study)
    second = context.new_page()
    second.goto(page.url)
    is_ready(second)
    page.locator("#why").fill("from the first tab")
    expect(page.locator("#saved")).to_have_text(SAVED)

    second.locator("#why").fill("from the second tab")

    expect(second.locator("#strip")).to_contain_text("changed in another tab")
    expect(second.locator("#saved")).to_have_text("Not saved")
    expect(second.locator("#why")).to_have_value("from the second tab")
    assert draft_of()["justification"] == "from the first tab"
    second.get_by_role("button", name="Load the newer version").click()
    expect(second.locator("#why")).to_have_value("from the first tab")
    second.get_by_role("button", name="Add it").click()
    expect(second.locator("#why")).to_have_value("from the first tab\nfrom the second tab")
    expect(second.locator("#saved")).to_have_text(SAVED)


def test_a_task_submitted_in_another_tab_is_not_submitted_again(
    page: Page, context: BrowserContext, study: Project
) -> None:
    open_task(page, study)
    second = context.new_page()
    second.goto(page.url)
    fill(page)
    submit(page)
    submitted(page)
    before = Annotation.objects.values().get()

    is_ready(second)
    fill(second, "Written in the tab that came second.")
    submit(second)

    expect(second.locator("#strip")).to_contain_text("already submitted this task")
    expect(second.locator("#why")).to_have_value("Written in the tab that came second.")
    assert Annotation.objects.values().get() == before


def test_a_lost_session_asks_to_sign_in_and_keeps_the_text(page: Page, context: BrowserContext, study: Project) -> None:
    open_task(page, study)
    context.clear_cookies()
    page.locator("#why").fill(REASON)
    dialog = page.get_by_role("dialog", name="Please sign in again")
    expect(dialog).to_be_visible()
    expect(page.locator("#saved")).to_have_text("Not saved yet")
    page.get_by_role("button", name="I have signed in").click()
    expect(dialog.get_by_role("alert")).to_have_text("You are not signed in yet.")

    other = context.new_page()
    sign_in(other, "mina")
    page.get_by_role("button", name="I have signed in").click()

    expect(dialog).to_be_hidden()
    expect(page.locator("#saved")).to_have_text(SAVED)
    assert draft_of()["justification"] == REASON


def test_a_submit_with_a_lost_session_goes_on_after_signing_in(
    page: Page, context: BrowserContext, study: Project
) -> None:
    open_task(page, study)
    fill(page)
    expect(page.locator("#saved")).to_have_text(SAVED)
    context.clear_cookies()
    submit(page)
    expect(page.get_by_role("dialog", name="Please sign in again")).to_be_visible()
    expect(page.locator("#why")).to_have_value(REASON)

    sign_in(context.new_page(), "mina")
    page.get_by_role("button", name="I have signed in").click()

    submitted(page)
    assert Annotation.objects.count() == 1


def test_a_task_that_ran_out_and_went_to_others_keeps_the_text(page: Page, study: Project) -> None:
    assignment = open_task(page, study)
    Assignment.objects.filter(pk=assignment.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    for _ in range(study.overlap):  # everybody else takes it
        claim_next(project=study, by=factories.member(study))
    page.locator("#why").fill(REASON)

    expect(page.locator("#strip")).to_contain_text("Your time for this task ran out")
    expect(page.locator("#why")).to_have_value(REASON)


def test_a_key_of_its_own_for_every_task(page: Page, study: Project) -> None:
    factories.task(study)
    open_task(page, study)
    first = page.locator("#judge [name=key]").input_value()
    fill(page)
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Task 2 of 2")

    second = page.locator("#judge [name=key]").input_value()
    assert uuid.UUID(first) != uuid.UUID(second)
