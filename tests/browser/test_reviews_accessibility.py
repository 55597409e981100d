"""The pages about reviews: no violation of WCAG 2.2 AA, and nothing wider than the window."""

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import enter
from tests.browser.review_world import review_world
from tests.browser.test_accessibility import check

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_pages_about_reviews(page: Page) -> None:
    world = review_world()

    for name, (person, place) in world.places.items():
        page.context.clear_cookies()
        enter(page, person)
        page.goto(f"/projects/study/{place}")
        page.wait_for_load_state()
        check(page, name)
