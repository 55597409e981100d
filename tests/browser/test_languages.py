"""The pages in other languages: right to left, with long words, and the scripts speak the language too."""

import pytest
from playwright.sync_api import Page, expect

from annotate.enums import Role
from annotate.models import Project
from tests import factories
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.helpers import enter, is_counted, sideways
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
LANGUAGES = ["de", "es", "ar", "zh-hans"]


@pytest.fixture
def study() -> Project:
    project = factories.project("study", "helpsteer3", guidelines="Judge fairly.", rewrite="optional")
    factories.task(project)
    return project


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_comparison_page_fits_and_reads_in_the_language(page: Page, study: Project, language: str) -> None:
    person = factories.member(study, username="mina")
    person.language = language
    person.save()
    enter(page, person)
    page.goto("/projects/study/work/")
    page.locator("main .btn.primary").first.click()
    is_counted(page)

    expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert not sideways(page)
        assert violations(page) == []
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    page.keyboard.press("v")
    expect(page.locator("#live")).not_to_have_text("Showing source text")
    expect(page.locator("#live")).not_to_be_empty()
    page.keyboard.press("a")
    expect(page.locator("#verdict")).not_to_contain_text("better")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_a_lead_fit_in_the_language(page: Page, study: Project, language: str) -> None:
    person = factories.member(study, Role.LEAD)
    person.language = language
    person.save()
    enter(page, person)
    for address in ("", "projects/study/", "projects/study/imports/", "projects/study/exports/", "settings/"):
        page.goto(f"/{address}")
        for size in (LAPTOP, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert not sideways(page), address
            assert violations(page) == [], address
