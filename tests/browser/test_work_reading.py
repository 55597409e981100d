"""What helps to read and to look: tabs, one response alone, source text, quoting, pictures, sound."""

import io
import struct
import wave
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from annotate.media.storage import store
from annotate.models import Asset, Project, Task, TaskAsset
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.helpers import checked, open_task, sideways

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    return factories.project("study", "arena", justification="optional")


def picture(colour: str) -> Asset:
    buffer = io.BytesIO()
    Image.new("RGB", (640, 480), colour).save(buffer, "PNG")
    return store(buffer.getvalue())


def sound(seconds: int, pitch: int) -> Asset:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        wave_form = [((index * pitch) % 200 - 100) * 100 for index in range(8000 * seconds)]
        file.writeframes(struct.pack(f"<{len(wave_form)}h", *wave_form))
    return store(buffer.getvalue())


def show(task: Task, *assets: Asset) -> None:
    """Let each response be one of the files."""
    for response, asset in zip(task.prompts.get().responses.all(), assets, strict=True):
        response.content = [{"type": asset.kind, "asset": asset.sha256, "name": "from-model-secret"}]
        response.save()
        TaskAsset.objects.create(task=task, asset=asset)


def transforms(page: Page) -> Any:
    return page.evaluate("[...document.querySelectorAll('#viewer .layer')].map((layer) => layer.style.transform)")


def test_pictures_open_side_by_side_and_zoom_together(page: Page, study: Project) -> None:
    show(factories.task(study), picture("teal"), picture("maroon"))
    open_task(page, study)
    page.get_by_role("link", name="Open Image 1 in the viewer").first.click()
    viewer = page.get_by_role("dialog", name="2 images, side by side")
    expect(viewer.locator("figcaption")).to_have_text(["AResponse A", "BResponse B"])
    page.get_by_role("button", name="Zoom in").click()
    expect(viewer.locator("output")).to_have_text("150 %")
    viewer.locator("figure").first.hover()
    page.mouse.wheel(0, -400)
    page.keyboard.press("ArrowRight")

    left, right = transforms(page)
    assert left == right
    assert "scale(" in left
    page.keyboard.press("0")
    expect(viewer.locator("output")).to_have_text("100 %")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    assert checked(page) == 0


def test_z_opens_the_viewer_and_the_pictures_are_loaded(page: Page, study: Project) -> None:
    show(factories.task(study), picture("teal"), picture("maroon"))
    open_task(page, study)
    page.keyboard.press("z")
    expect(page.locator("#viewer")).to_be_visible()
    widths = page.evaluate(
        """Promise.all([...document.querySelectorAll('#viewer img')].map(
             (image) => image.decode().then(() => image.naturalWidth)))"""
    )

    assert widths == [640, 640]


def test_sound_plays_and_can_be_wound_forward(page: Page, study: Project) -> None:
    show(factories.task(study), sound(40, 5), sound(40, 7))
    open_task(page, study)
    page.locator("body").click()
    state = page.evaluate(
        """async () => {
          const player = document.querySelector('audio');
          await player.play();
          player.currentTime = 30;
          await new Promise((done) => player.addEventListener('seeked', done, {once: true}));
          return {end: Math.round(player.seekable.end(0)), at: Math.round(player.currentTime), paused: player.paused};
        }"""
    )

    assert state == {"end": 40, "at": 30, "paused": False}


def test_starting_one_player_pauses_the_other(page: Page, study: Project) -> None:
    show(factories.task(study), sound(20, 5), sound(20, 7))
    open_task(page, study)
    page.locator("body").click()
    states = page.evaluate(
        """async () => {
          const players = [...document.querySelectorAll('audio')];
          for (const player of players) await player.play();
          await new Promise((done) => setTimeout(done, 200));
          return players.map((player) => player.paused);
        }"""
    )

    assert states == [True, False]


def test_v_shows_the_source_and_the_formatted_text_again(page: Page, study: Project) -> None:
    task = factories.task(study)
    response = task.prompts.get().responses.all()[0]
    response.content = factories.text("**bold** and $x^2$")
    response.save()
    open_task(page, study)
    expect(page.locator(".pane strong")).to_have_text("bold")
    page.keyboard.press("v")
    expect(page.locator(".pane .raw", has_text="bold")).to_have_text("**bold** and $x^2$")
    expect(page.locator(".pane strong")).to_be_hidden()
    page.keyboard.press("v")

    expect(page.locator(".pane strong")).to_be_visible()


def test_shift_and_a_letter_show_one_response_alone(page: Page, study: Project) -> None:
    factories.task(study, responses=2)
    open_task(page, study)
    page.keyboard.press("Shift+B")
    expect(page.locator("#pane-a")).to_be_hidden()
    expect(page.locator("#pane-b")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.locator("#pane-a")).to_be_visible()
    assert checked(page) == 0


def test_q_quotes_the_selected_text(page: Page, study: Project) -> None:
    factories.task(study)
    open_task(page, study)
    words = page.locator("#pane-b .md p")
    words.click(click_count=3)
    page.keyboard.press("q")

    expect(page.locator("#why")).to_be_focused()
    expect(page.locator("#why")).to_have_value(f"@B: “{words.inner_text()}” ")


def test_on_a_phone_tabs_show_one_response_at_a_time(page: Page, study: Project) -> None:
    study.max_responses = 4
    study.save()
    factories.task(study, responses=3)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    open_task(page, study)
    expect(page.locator("#pane-a")).to_be_visible()
    expect(page.locator("#pane-c")).to_be_hidden()
    page.get_by_role("tab", name="Response C").click()
    expect(page.locator("#pane-c")).to_be_visible()
    expect(page.locator("#pane-a")).to_be_hidden()
    page.keyboard.press("ArrowLeft")

    expect(page.get_by_role("tab", name="Response B")).to_be_focused()
    expect(page.locator("#pane-b")).to_be_visible()
    assert sideways(page) == 0
