"""The demo, task by task: every one opens cleanly on a laptop and a phone, names no model, and can be judged."""

import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import F
from playwright.sync_api import APIResponse, BrowserContext, Page, Response, expect

from annotate.actions.members import add_member
from annotate.enums import Role
from annotate.models import Assignment, Project, Task
from exports.demo import models
from tests import factories
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.helpers import assignment_of, fill, is_ready, sideways, sign_in, start_judging, submit, submitted

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
NAMES = (models.LARCH, models.OSPREY, models.QUILL, models.TERN)


@pytest.fixture
def demo(settings: Any, tmp_path: Path) -> None:
    """The demo with room for one more annotator on every task."""
    settings.VAR_DIR = tmp_path
    call_command("demo")
    visitor = factories.user("visitor")
    for project in Project.objects.all():
        add_member(project=project, user=visitor, role=Role.ANNOTATOR, by=None)
    Task.objects.update(overlap=F("overlap") + 1)


class Leaks:
    """Finds answers in which the name of a model stands: in the address, the headers or the text."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def look_at(self, answer: Response | APIResponse, text: str = "") -> None:
        seen = f"{answer.url} {answer.headers} {text}"
        self.found += [f"{name} in {answer.url}" for name in NAMES if name in seen]

    def look(self, page: Page) -> None:
        """Look at the page as it stands, as it is sent, and at its files."""
        raw = page.request.get(page.url)
        self.look_at(raw, raw.text() + page.content())
        files = page.evaluate("[...document.querySelectorAll('#panel [src]')].map((element) => element.src)")
        for address in files:
            file = page.request.get(address)
            self.look_at(file, file.body().decode("latin-1"))


def fits(page: Page) -> list[str]:
    """Where the page is wider than the window, of all sizes and tabs."""
    wide = []
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for tab in page.get_by_role("tab").all() if size is PHONE else [None]:
            if tab:
                tab.click()
            if sideways(page):
                wide.append(f"{size['width']} px, {tab and tab.inner_text()}")
    return wide


@pytest.mark.parametrize("slug", ["coding-help", "open-arena"])
def test_every_task_opens_fits_names_no_model_and_can_be_judged(
    page: Page, context: BrowserContext, demo: None, slug: str
) -> None:
    leaks = Leaks()
    sign_in(page, "visitor")
    context.on("response", leaks.look_at)
    start_judging(page, slug)
    tasks = Task.objects.filter(project__slug=slug)
    seen = []
    for number in range(1, tasks.count() + 1):
        expect(page.locator("#place h1")).to_contain_text(f"Task {number} of {tasks.count()}")
        task = assignment_of("visitor").task
        seen.append(task.external_id)
        assert fits(page) == [], task.external_id
        for turn in range(task.prompts.count()):
            expect(page.locator("#panel")).to_have_attribute("data-turn", str(turn + 1))
            is_ready(page)
            leaks.look(page)
            fill(page, f"{uuid.uuid4().hex}{uuid.uuid4().hex} decides it.")  # the same twice would be asked about
            submit(page)
    submitted(page)

    assert leaks.found == []
    assert sorted(seen) == sorted(tasks.values_list("external_id", flat=True))
    done = Assignment.objects.filter(annotator__username="visitor", state="submitted")
    assert done.count() == tasks.count()


def test_pages_of_a_lead_and_of_an_annotator_fit_a_phone_and_a_laptop(page: Page, demo: None) -> None:
    lead = factories.user("boss")
    for project in Project.objects.all():
        add_member(project=project, user=lead, role=Role.LEAD, by=None)
    sign_in(page, "boss")
    addresses = ["/"]
    for slug in ("coding-help", "open-arena"):
        addresses += [f"/projects/{slug}/{part}" for part in ("", "guidelines/", "imports/", "exports/", "work/")]
    for address in addresses:
        page.goto(address)
        assert fits(page) == [], address


def test_the_picture_and_the_sound_of_the_demo_load(page: Page, demo: None) -> None:
    sign_in(page, "visitor")
    start_judging(page, "open-arena")
    expect(page.locator(".pane .figure img")).to_have_count(2)
    widths = page.evaluate("[...document.querySelectorAll('.figure img')].map((image) => image.naturalWidth > 0)")
    while not page.locator("audio").count():
        heading = page.locator("#place h1")
        before = heading.inner_text()
        fill(page, reason="")
        submit(page)
        expect(heading).not_to_have_text(re.compile(f"^{re.escape(before)}$"))
    ready = page.evaluate(
        """async () => {
          const ends = [];
          for (const player of document.querySelectorAll('audio')) {
            await player.play();
            ends.push(player.seekable.end(0) > 0);
          }
          return ends;
        }"""
    )

    assert widths == [True, True]
    assert ready == [True, True]
