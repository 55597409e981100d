"""Recordings and documents on the comparison page: players that move as one, pages that can be compared."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotate.media.storage import store
from annotate.models import Project
from tests import factories
from tests.browser.helpers import open_task
from tests.browser.test_work_reading import picture, show, sound
from tests.media_samples import SECRET, document, video

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    return factories.project("study", "arena")


def players(page: Page, what: str) -> Any:
    return page.evaluate(f"[...document.querySelectorAll('audio, video')].map((player) => player.{what})")


def expect_players(page: Page, what: str, wanted: list[Any]) -> None:
    page.wait_for_timeout(50)
    for _ in range(100):
        if players(page, what) == wanted:
            return
        page.wait_for_timeout(50)
    assert players(page, what) == wanted


def test_videos_play_stop_and_move_together_and_one_is_heard(page: Page, study: Project) -> None:
    show(factories.task(study), store(video("webm", "libvpx-vp9", 60)), store(video("webm", "libvpx-vp9", 61)))
    open_task(page, study)
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Play together")).to_have_attribute("aria-pressed", "true")

    page.evaluate("document.querySelectorAll('video')[0].play()")
    expect_players(page, "paused", [False, False])
    assert players(page, "muted") == [False, True]

    page.evaluate("document.querySelectorAll('video')[1].muted = false")
    expect_players(page, "muted", [True, False])

    page.evaluate("document.querySelectorAll('video')[1].pause()")
    expect_players(page, "paused", [True, True])

    page.evaluate("document.querySelectorAll('video')[0].currentTime = 3.5")
    expect_players(page, "currentTime.toFixed(1)", ["3.5", "3.5"])


def test_recordings_play_one_at_a_time_unless_asked_otherwise(page: Page, study: Project) -> None:
    show(factories.task(study), sound(4, 3), sound(4, 7))
    open_task(page, study)

    page.evaluate("document.querySelectorAll('audio')[0].play()")
    expect_players(page, "paused", [False, True])
    page.evaluate("document.querySelectorAll('audio')[1].play()")
    expect_players(page, "paused", [True, False])


def test_without_recordings_nothing_offers_to_play_them(page: Page, study: Project) -> None:
    show(factories.task(study), picture("teal"), picture("maroon"))
    open_task(page, study)

    expect(page.get_by_role("button", name="Play together")).to_have_count(0)


def test_pages_of_documents_are_read_in_the_panes_and_compared_in_the_viewer(page: Page, study: Project) -> None:
    show(factories.task(study), store(document(2)), store(document(3)))
    open_task(page, study)

    panes = page.locator(".pane")
    assert sorted(panes.nth(index).locator("img").count() for index in (0, 1)) == [2, 3]
    assert SECRET not in page.content()
    page.get_by_role("link", name="Open File 1, page 2 in the viewer").first.click()
    viewer = page.get_by_role("dialog", name="2 images, side by side")
    expect(viewer.locator("figcaption")).to_have_text(["AResponse A", "BResponse B"])
    expect(viewer.locator("img").first).to_have_js_property("complete", True)
