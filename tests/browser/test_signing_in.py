"""Getting in and out: sign-in, sign-out, passwords, and no sign-up."""

import re

import pytest
from django.core import mail
from playwright.sync_api import Page, expect

from tests import factories
from tests.browser.helpers import AT_HOME, sign_in

pytestmark = pytest.mark.browser
NEW = "a staple of batteries"


def test_a_wrong_password_is_told_and_keeps_the_name(page: Page) -> None:
    factories.user("mina")
    page.goto("/accounts/login/")
    page.get_by_label("Username or e-mail").fill("mina")
    page.get_by_label("Password", exact=True).fill("wrong horse")
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("alert")).to_contain_text("password you specified are not correct")
    expect(page.get_by_label("Username or e-mail")).to_have_value("mina")


def test_a_page_asked_for_before_signing_in_opens_after_it(page: Page) -> None:
    person = factories.member(factories.project("study"), username="mina")
    page.goto("/projects/study/guidelines/")
    page.get_by_label("Username or e-mail").fill(person.email)
    page.get_by_label("Password", exact=True).fill(factories.PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("heading", name="Guidelines")).to_be_visible()


def test_signing_out_closes_the_pages(page: Page) -> None:
    factories.user("mina")
    sign_in(page, "mina")
    page.get_by_role("button", name="Account: mina").click()
    page.get_by_role("button", name="Sign out").click()

    expect(page).to_have_url(re.compile("/accounts/login/"))
    page.goto("/")
    expect(page).to_have_url(re.compile("/accounts/login/"))


def test_a_changed_password_works_and_the_old_one_does_not(page: Page) -> None:
    person = factories.user("mina")
    sign_in(page, "mina")
    page.get_by_role("button", name="Account: mina").click()
    page.get_by_role("link", name="Change password").click()
    page.get_by_label("Current Password").fill(factories.PASSWORD)
    page.get_by_label("New Password", exact=True).fill(NEW)
    page.get_by_label("New Password (again)").fill(NEW)
    page.get_by_role("button", name="Change password").click()

    expect(page.get_by_text("Password successfully changed")).to_be_visible()
    person.refresh_from_db()
    assert person.check_password(NEW)
    assert not person.check_password(factories.PASSWORD)


def test_too_simple_a_new_password_is_refused_beside_its_field(page: Page) -> None:
    person = factories.user("mina")
    sign_in(page, "mina")
    page.goto("/accounts/password/change/")
    page.get_by_label("Current Password").fill(factories.PASSWORD)
    page.get_by_label("New Password", exact=True).fill("12345")
    page.get_by_label("New Password (again)").fill("12345")
    page.get_by_role("button", name="Change password").click()

    expect(page.locator(".errors").first).to_contain_text("too short")
    person.refresh_from_db()
    assert person.check_password(factories.PASSWORD)


def test_a_forgotten_password_is_set_anew_through_the_mailed_link(page: Page) -> None:
    factories.user("mina")
    page.goto("/accounts/login/")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill("mina@example.org")
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()

    link = re.search(r"https?://\S+/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    assert link
    page.goto(link[0])
    page.get_by_label("New Password", exact=True).fill(NEW)
    page.get_by_label("New Password (again)").fill(NEW)
    page.get_by_role("button", name="Save the new password").click()

    expect(page.get_by_role("heading", name="Your password is changed")).to_be_visible()
    sign_in(page, "mina", NEW)
    page.goto(link[0])
    expect(page.get_by_role("heading", name="This link no longer works")).to_be_visible()


def test_a_reset_for_an_unknown_address_looks_the_same_and_names_no_account(page: Page) -> None:
    page.goto("/accounts/password/reset/")
    page.get_by_label("Email").fill("nobody@example.org")
    page.get_by_role("button", name="Send the link").click()

    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()


def test_nobody_can_sign_up(page: Page) -> None:
    page.goto("/accounts/signup/")

    expect(page.get_by_role("heading", name="Accounts are made for you")).to_be_visible()
    page.get_by_role("link", name="Back to sign in").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_theme_once_chosen_stays(page: Page) -> None:
    factories.user("mina")
    sign_in(page, "mina")
    expect(page).to_have_url(AT_HOME)
    page.get_by_role("button", name="Switch light or dark theme").click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
