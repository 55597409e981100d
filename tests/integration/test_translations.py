"""The catalogues are complete, say the same things as the code, and reach the pages."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from tests import factories
from tests.fixtures import REPOSITORY

LOCALE = REPOSITORY / "config" / "locale"
LANGUAGES = ["de", "es", "ar", "zh_Hans"]
CATALOGUES = [(language, domain) for language in LANGUAGES for domain in ("django", "djangojs")]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|</?\w+[^>]*>")


def catalogue(language: str, domain: str, folder: Path = LOCALE) -> polib.POFile:
    return polib.pofile(str(folder / language / "LC_MESSAGES" / f"{domain}.po"))


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_every_text_is_translated_and_keeps_its_placeholders(language: str, domain: str) -> None:
    entries = catalogue(language, domain)
    assert [entry.msgid for entry in entries if not entry.translated() or entry.fuzzy or entry.obsolete] == []
    for entry in entries:
        allowed = set(PLACEHOLDER.findall(entry.msgid + (entry.msgid_plural or "")))
        for text in entry.msgstr_plural.values() or [entry.msgstr]:
            found = set(PLACEHOLDER.findall(text))
            assert found <= allowed, (entry.msgid, text)
            assert entry.msgid_plural or found == allowed, (entry.msgid, text)


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="GNU gettext is missing; .ci/run installs it")
@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_the_catalogues_hold_the_texts_of_the_code_and_no_others(domain: str, tmp_path: Path) -> None:
    for name in ("annotate", "exports", "templates", "static"):
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(REPOSITORY / "config", tmp_path / "config", ignore=shutil.ignore_patterns("__pycache__", "locale"))
    (tmp_path / "config" / "locale").mkdir()
    shutil.copy(REPOSITORY / "manage.py", tmp_path)
    command = [sys.executable, "manage.py", "makemessages", "-l", "de", "-d", domain, "--no-wrap"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    wanted = {entry.msgid for entry in catalogue("de", domain, tmp_path / "config" / "locale")}
    for language in LANGUAGES:
        have = {entry.msgid for entry in catalogue(language, domain)}
        assert (wanted - have, have - wanted) == (set(), set()), f"Run makemessages for {language} and translate."


@pytest.fixture
def compiled(settings: Any, tmp_path: Path) -> None:
    settings.BUILT_LOCALE = tmp_path
    settings.LOCALE_PATHS = [LOCALE, tmp_path]
    call_command("build_messages")
    forget_catalogues()


@pytest.fixture(autouse=True)
def again() -> Any:
    yield
    forget_catalogues()


def forget_catalogues() -> None:
    """Django keeps what it has read once."""
    trans_real._translations.clear()
    trans_real._default = None
    for cached in (trans_real.translation_catalog_exists, trans_real._get_supported_language_variant):
        cached.cache_clear()


@pytest.mark.django_db
@pytest.mark.parametrize("code", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_pages_are_in_the_language_of_the_person(compiled: None, code: str) -> None:
    project = factories.project("study")
    factories.task(project)
    person = factories.member(project)
    person.language = code
    person.save()
    client = Client()
    client.force_login(person)

    page = client.get("/projects/study/work/").content.decode()

    with translation.override(code):
        wanted = translation.gettext("Start judging")
    assert wanted != "Start judging"
    assert wanted in page
    assert f'lang="{code}"' in page
    assert f'dir="{"rtl" if code == "ar" else "ltr"}"' in page
    script = client.get(f"/texts/{code}.js")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "catalog" in script.content.decode()


@pytest.mark.django_db
def test_a_language_that_there_is_not_has_no_texts() -> None:
    assert Client().get("/texts/tlh.js").status_code == 404
