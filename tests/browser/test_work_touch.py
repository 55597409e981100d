"""A task judged with a finger: a phone, a touch screen, nothing else."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotate.models import Project
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.helpers import REASON, is_ready, open_task, shown, sideways, submitted, the_annotation

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    return factories.project("study", "helpsteer3")


@pytest.fixture
def phone(browser: Browser, base_url: str, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    context = browser.new_context(**{**browser_context_args, "viewport": PHONE, "has_touch": True, "is_mobile": True})
    yield context.new_page()
    context.close()


def tap(choice: Locator) -> None:
    """Tap where a person does: on the drawn box around the invisible radio button."""
    box = choice.locator("xpath=..")
    box.scroll_into_view_if_needed()
    box.tap()


def test_a_task_is_judged_by_touch_alone(phone: Page, study: Project) -> None:
    factories.task(study)
    assignment = open_task(phone, study)
    is_ready(phone)
    phone.get_by_role("tab", name="Response B").tap()
    expect(phone.locator("#pane-b")).to_be_visible()
    expect(phone.locator("#pane-a")).to_be_hidden()

    rows = phone.locator("#judge [data-need][data-kind='scale']")
    for index in range(rows.count()):
        tap(rows.nth(index).get_by_role("radio").nth(3 if rows.nth(index).get_attribute("data-r") == "b" else 2))
    tap(phone.locator("#judge [data-kind='line'] .seg input").last)
    phone.locator("#why").tap()
    phone.keyboard.insert_text(REASON)
    assert not sideways(phone)
    phone.locator("#submit").tap()
    submitted(phone)

    annotation = the_annotation()
    assert (annotation.winner_id, annotation.margin) == (shown(assignment)[1], 3)
    assert {rating.value for rating in annotation.ratings.filter(response=annotation.winner)} == {4}
    assert {rating.value for rating in annotation.ratings.exclude(response=annotation.winner)} == {3}
