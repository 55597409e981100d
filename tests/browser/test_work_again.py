"""Second thoughts in the browser: undo, Back, edit, earlier turns, the history, and honest working time."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from annotate.models import Annotation, Assignment, Project
from tests import factories
from tests.browser.helpers import is_ready, open_task, submit, submitted, the_annotation

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    project = factories.project("study", "arena")
    factories.task(project)
    return project


def judge(page: Page, reason: str = "A answers the question.") -> None:
    page.keyboard.press("a")
    page.locator("#why").fill(reason)
    submit(page)


def test_undo_brings_the_task_back_as_it_was_submitted(page: Page, study: Project) -> None:
    open_task(page, study)
    judge(page)
    submitted(page)

    page.get_by_role("button", name="Undo submit").click()
    is_ready(page)
    expect(page.get_by_role("heading", name="Changing a submitted task")).to_be_visible()
    expect(page.locator("#why")).to_have_value("A answers the question.")
    expect(page.get_by_role("radio", name="A is better")).to_be_checked()
    page.locator("#why").fill("A answers it, with a source.")
    submit(page)

    expect(page.get_by_role("heading", name="A task you submitted")).to_be_visible()
    expect(page.get_by_role("region", name="What you submitted")).to_contain_text("A answers it, with a source.")
    assert (the_annotation().revision, the_annotation().justification) == (2, "A answers it, with a source.")


def test_undo_of_a_skip_brings_the_draft_back(page: Page, study: Project) -> None:
    open_task(page, study)
    page.locator("#why").fill("half a thought")
    expect(page.locator("#saved-line")).to_have_attribute("data-state", "saved")
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("radio", name="Something else").check()
    page.get_by_role("button", name="Skip task").click()
    page.get_by_role("button", name="Undo skip").click()

    is_ready(page)
    expect(page.locator("#why")).to_have_value("half a thought")


def test_back_after_a_submit_shows_it_read_only_with_edit(page: Page, study: Project) -> None:
    open_task(page, study)
    task = page.url
    judge(page)
    submitted(page)

    page.go_back()

    expect(page).to_have_url(task)
    expect(page.locator("#judge")).to_have_count(0)
    expect(page.get_by_role("region", name="What you submitted")).to_contain_text("A answers the question.")
    page.get_by_role("button", name="Edit").click()
    is_ready(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#judge")).to_have_count(0)
    assert the_annotation().revision == 1


def test_the_history_leads_to_what_was_submitted(page: Page, study: Project) -> None:
    open_task(page, study)
    judge(page)
    submitted(page)

    page.get_by_role("link", name="Your history").click()
    page.get_by_role("link", name=re.compile("^Question")).click()

    expect(page.get_by_role("region", name="What you submitted")).to_contain_text("A is better")


def test_an_earlier_turn_is_opened_changed_and_left_again(page: Page) -> None:
    study = factories.project("study", "arena")
    factories.task(study, turns=2)
    open_task(page, study)
    judge(page, "The first turn.")
    expect(page.get_by_role("heading", name="Turn 2 of 2")).to_be_visible()
    expect(page.locator("#count")).to_have_text("0 of 1")  # from then on keys work
    page.keyboard.press("b")
    page.locator("#why").fill("The second turn.")

    page.get_by_role("link", name="Turn 1").click()
    expect(page.get_by_role("heading", name="Turn 1 of 2")).to_be_visible()
    expect(page.locator("#why")).to_have_value("The first turn.")
    page.keyboard.press("t")
    submit(page)
    expect(page.get_by_role("heading", name="Turn 2 of 2")).to_be_visible()
    expect(page.locator("#why")).to_have_value("The second turn.")
    expect(page.get_by_role("radio", name="B is better")).to_be_checked()
    submit(page)

    submitted(page)
    found = Annotation.objects.order_by("prompt__position").values_list("outcome", "justification")
    assert list(found) == [("tie", "The first turn."), ("winner", "The second turn.")]


def test_a_lost_answer_to_next_turn_goes_on_by_itself(page: Page) -> None:
    study = factories.project("study", "arena")
    factories.task(study, turns=2)
    open_task(page, study)
    lost = []

    def lose_the_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/submit/", lose_the_first)
    judge(page)

    expect(page.get_by_role("heading", name="Turn 2 of 2")).to_be_visible()
    assert lost == [200]


def test_time_counts_while_the_page_is_used_and_rests_when_it_is_not(page: Page, study: Project) -> None:
    page.clock.install()
    assignment = open_task(page, study)
    Assignment.objects.filter(pk=assignment.pk).update(opened_at="2020-01-01T00:00:00Z")
    page.mouse.move(10, 10)
    page.clock.run_for(30_000)
    page.mouse.move(20, 20)
    page.clock.run_for(150_000)  # a minute of reading, then nobody is there

    active, idle = (int(page.locator(f"#{name}").input_value()) for name in ["active", "idle"])

    assert 85 <= active <= 95
    assert 85 <= idle <= 95
    judge(page)
    page.clock.run_for(2_000)
    submitted(page)
    annotation = the_annotation()
    assert 85 <= (annotation.active_seconds or 0) <= 100
    assert 85 <= (annotation.idle_seconds or 0) <= 100
