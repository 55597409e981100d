"""Pictures of every page and state, for designers:  python -m tests.browser.screens FOLDER [NAME …]

Starts an installation of its own with the demo and a project for each number of responses, and takes each picture
at 1366×768, 1920×1080 and on a phone, light and dark. With names, only the states that contain one of them.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from playwright.sync_api import Browser, Page, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # the helpers of the tests know the models

from scripts.checks import test_environment  # noqa: E402
from tests.browser.conftest import FLAGS  # noqa: E402
from tests.browser.helpers import fill  # noqa: E402
from tests.reliability.installation import PASSWORD, Installation  # noqa: E402

SIZES = {"laptop": (1366, 768), "wide": (1920, 1080), "phone": (390, 844)}
COUNTS = (2, 3, 4, 6, 9)
SEED = """
import sys
from annotate.enums import Role
from annotate.models import User
from annotate.actions.members import add_member
from tests import factories
people = [factories.user(f"screens{n}") for n in %r]
lead = factories.admin("chief")
for count, person in zip(%r, people):
    project = factories.project(f"of-{count}", "ranking" if count > 2 else "helpsteer3", rewrite="optional",
                                min_responses=count, max_responses=count)
    add_member(project=project, user=person, role=Role.ANNOTATOR, by=None)
    for _ in range(3):
        factories.task(project, responses=count, turns=2)
from tests.browser.review_world import review_world
import json, os, pathlib
world = review_world("reviewed")
places = {name: [person.username, place] for name, (person, place) in world.places.items()}
from tests.browser.import_world import import_world
made = import_world(factories.project("imported", "helpsteer3", name="Coding help"), lead)
places |= {name: ["chief", f"../imported/{place}"] for name, place in made.items()}
pathlib.Path(os.environ["TIEBREAK_VAR"], "screens.json").write_text(json.dumps(places))
"""

State = Callable[[Page], None]


def press(*keys: str) -> State:
    """The state after these keys on the comparison page."""

    def act(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def filled(page: Page) -> None:
    fill(page)


def too_early(page: Page) -> None:
    page.locator("#submit").click(force=True)


STATES: dict[str, State] = {
    "empty": lambda page: None,
    "filled": filled,
    "too-early": too_early,
    "keys": press("?"),
    "guidelines": press("i"),
    "skip": press("x"),
    "source": press("v"),
    "differences": press("y"),
    "one-response": press("Shift+A"),
    "flags": press("l"),
}
PAGES = {
    "home": "/",
    "settings": "/settings/",
    "jobs": "/jobs/",
    "overview": "/projects/coding-help/",
    "project-guidelines": "/projects/coding-help/guidelines/",
    "imports": "/projects/coding-help/imports/",
    "exports": "/projects/coding-help/exports/",
    "history": "/projects/coding-help/work/history/",
    "work-start": "/projects/coding-help/work/",
    "not-found": "/nowhere/",
}


@contextmanager
def installed() -> Iterator[Installation]:
    """A running installation with the demo and the projects for each number of responses."""
    with tempfile.TemporaryDirectory(prefix="tiebreak-screens-") as folder:
        made = Installation(Path(folder))
        made.prepare()
        made.manage("demo")
        made.seed(SEED % (COUNTS, COUNTS))
        made.start("web")
        try:
            yield made
        finally:
            made.stop()


def sign_in(page: Page, url: str, username: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.get_by_label("Username or e-mail").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile(r"://[^/]+/$"))


def take(page: Page, folder: Path, name: str) -> None:
    """One picture in light and one in dark."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.screenshot(path=folder / f"{name}-{theme}.png")


def pictures(browser: Browser, made: Installation, folder: Path, size: str, wanted: Callable[[str], bool]) -> None:
    """Every state at one size."""
    width, height = SIZES[size]
    for count in COUNTS:
        names = {state: f"work-{count}-{state}-{size}" for state in STATES}
        if not any(map(wanted, names.values())):
            continue
        page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        sign_in(page, made.url, f"screens{count}")
        page.goto(f"{made.url}/projects/of-{count}/work/")
        page.locator("main .btn.primary").first.click()
        page.wait_for_url(re.compile(r"/work/[0-9a-f-]{36}/"))
        task = page.url
        for state, act in STATES.items():
            if wanted(names[state]):
                page.goto(task)
                page.wait_for_load_state("networkidle")
                act(page)
                take(page, folder, names[state])
        page.close()
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.goto(f"{made.url}/accounts/login/")
    take(page, folder, f"sign-in-{size}")
    sign_in(page, made.url, "chief")
    for name, address in PAGES.items():
        if wanted(f"{name}-{size}"):
            page.goto(made.url + address)
            take(page, folder, f"{name}-{size}")
    page.close()
    about_reviews(browser, made, folder, size, wanted)


def about_reviews(browser: Browser, made: Installation, folder: Path, size: str, wanted: Callable[[str], bool]) -> None:
    """The pages about reviews, each as somebody who uses it."""
    width, height = SIZES[size]
    places = json.loads(Path(made.environment["TIEBREAK_VAR"], "screens.json").read_text())
    for name, (username, place) in places.items():
        if wanted(f"{name}-{size}"):
            page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
            sign_in(page, made.url, username)
            page.goto(f"{made.url}/projects/reviewed/{place}")
            page.wait_for_load_state("networkidle")
            take(page, folder, f"{name}-{size}")
            page.close()


def main(arguments: list[str]) -> int:
    """Take the pictures; return the exit code."""
    if not arguments:
        print(__doc__)
        return 2
    folder, names = Path(arguments[0]), arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)

    def wanted(name: str) -> bool:
        return not names or any(part in name for part in names)

    with installed() as made, sync_playwright() as playwright:
        path = test_environment().get("CHROMIUM")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for size in SIZES:
            pictures(browser, made, folder, size, wanted)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures are in {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
