"""Keys that a person chose, and the marks of what differs."""

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Project, Response, User
from tests import factories
from tests.browser.helpers import enter, open_task

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    return factories.project("study", "arena", justification="optional")


def answers(project: Project, *texts: str) -> None:
    task = factories.task(project, responses=len(texts))
    for response, text in zip(Response.objects.filter(prompt__task=task).order_by("position"), texts, strict=True):
        response.content = factories.text(text)
        response.save()


def test_a_chosen_key_works_in_place_of_the_usual_one(page: Page, study: Project) -> None:
    factories.task(study)
    mina = factories.member(study, username="mina")
    enter(page, mina)
    page.goto("/settings/")
    page.get_by_label("Go to “Why?”").fill("r")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Your settings are saved.")).to_be_visible()
    assert User.objects.get(pk=mina.pk).keys == {"why": "r"}

    page.goto("/projects/study/work/")
    page.get_by_role("button", name="Start judging").click()
    expect(page.locator("#why")).to_have_attribute("aria-keyshortcuts", "R")
    page.keyboard.press("w")
    expect(page.locator("#why")).not_to_be_focused()
    page.keyboard.press("r")
    expect(page.locator("#why")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Go to “Why?”R")


def test_conflicting_keys_are_named_at_their_fields(page: Page, study: Project) -> None:
    enter(page, factories.member(study))
    page.goto("/settings/")
    page.get_by_label("Go to “Why?”").fill("q")
    page.get_by_role("button", name="Save settings").click()

    expect(page.get_by_text("The key Q is also that of “Quote the selected text”.")).to_be_visible()
    expect(page.get_by_label("Go to “Why?”")).to_have_attribute("aria-invalid", "true")


def test_differences_are_marked_on_both_sides_and_taken_away_again(page: Page, study: Project) -> None:
    answers(study, "The **red** fox jumps over the dog.", "The **blue** fox jumps over <b>the</b> dog.")
    open_task(page, study)
    page.keyboard.press("y")

    expect(page.get_by_role("button", name="Differences")).to_have_attribute("aria-pressed", "true")
    changes = page.locator(".pane .marked :is(ins, del)")
    assert set(changes.all_text_contents()) >= {"red", "blue"}
    expect(page.locator(".pane .body > .md").first).to_be_hidden()
    page.keyboard.press("y")
    expect(page.locator(".pane .body > .md").first).to_be_visible()
    expect(page.locator(".pane .marked").first).to_be_hidden()


def test_texts_with_little_in_common_are_not_compared(page: Page, study: Project) -> None:
    answers(study, "Yes, certainly, with pleasure.", "Nein 42 ñandú ☃")
    open_task(page, study)
    page.get_by_role("button", name="Differences").click()

    expect(page.locator("#toast")).to_contain_text("little in common")
    expect(page.locator(".pane .marked")).to_have_count(0)
