"""What a person does on the pages, for all tests of this folder."""

import re
from typing import Any

from django.conf import settings
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from annotate.models import Annotation, Assignment, Project, User
from tests import factories

REASON = "The first one answers the question, the other one does not."
AT_HOME = re.compile(r"://[^/]+/$")


def sign_in(page: Page, username: str, password: str = factories.PASSWORD) -> None:
    """Sign in through the form."""
    page.goto("/accounts/login/")
    page.get_by_label("Username or e-mail").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(AT_HOME)
    page.wait_for_load_state()  # the scripts of the page have run


def enter(page: Page, user: User) -> None:
    """Be signed in without the form, which has tests of its own: a session made by the server, its cookie set here."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "domain": "localhost", "path": "/"}])


def start_judging(page: Page, slug: str = "study") -> None:
    """Take the next task."""
    page.goto(f"/projects/{slug}/work/")
    page.get_by_role("button", name=re.compile("Start judging|Take the next task")).click()
    is_ready(page)


def is_ready(page: Page) -> None:
    """Wait until the scripts of the page have counted what is to be filled: from then on keys work."""
    expect(page.locator("#count")).to_have_text(re.compile(r"\d+ of \d+"))


def is_counted(page: Page) -> None:
    """As `is_ready`, in any language."""
    expect(page.locator("#count")).to_have_text(re.compile(r"\d.*\d"))


def open_task(page: Page, project: Project, username: str = "mina") -> Assignment:
    """A new annotator signs in and takes a task; return what was lent."""
    enter(page, factories.member(project, username=username))
    start_judging(page, project.slug)
    return assignment_of(username)


def assignment_of(username: str) -> Assignment:
    """The task that the person has in hand."""
    return Assignment.objects.get(annotator=User.objects.get(username=username), state="live")


def shown(assignment: Assignment) -> list[int]:
    """Ids of the responses of the only prompt, as they stand on the page: the first one is A."""
    return list(assignment.display_order[str(assignment.task.prompts.get().pk)])


def row(page: Page, name: str) -> Locator:
    """A row of choices by its name for screen readers."""
    return page.get_by_role("radiogroup", name=name, exact=True)


def choose(page: Page, name: str, option: str) -> None:
    """Choose with the mouse."""
    click(row(page, name).get_by_role("radio", name=option, exact=True))


def click(choice: Locator) -> None:
    """Click where a person does: on the drawn box around the invisible radio button or check box."""
    choice.locator("xpath=..").click()


def fill(page: Page, reason: str = REASON) -> None:
    """Fill the form with clicks, A better than the others in all, and write the reason."""
    for cell in page.locator("#judge [data-need]:visible").all():
        inputs = cell.locator("input")
        kind, letter, count = cell.get_attribute("data-kind"), cell.get_attribute("data-r"), inputs.count()
        if kind == "scale" and letter not in {None, "a"} and count > 2:
            click(inputs.nth(count - 2))
        else:
            click(inputs.first if kind in {"line", "margin"} else inputs.last)
    if reason:
        page.locator("#why").fill(reason)


def submit(page: Page) -> None:
    """Press Submit, also while it is marked as not ready (``aria-disabled``), which people can."""
    page.locator("#submit").click(force=True)


def submitted(page: Page) -> None:
    """Wait for the end of the queue."""
    expect(page.get_by_role("heading", name="Nothing left for you here")).to_be_visible()


def the_annotation() -> Annotation:
    return Annotation.objects.get()


def checked(page: Page) -> int:
    return page.locator("#judge [data-cell] input:checked").count()


def sideways(page: Page) -> Any:
    """How many pixels the page is wider than the window; 0 when it fits."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
