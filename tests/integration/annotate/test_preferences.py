"""A person's own settings, over HTTP."""

import pytest
from django.test import Client

from annotate.models import Event, User
from tests import factories

pytestmark = pytest.mark.django_db
URL = "/settings/"


@pytest.fixture
def mina() -> User:
    return factories.user("mina")


@pytest.fixture
def web(mina: User) -> Client:
    client = Client()
    client.force_login(mina)
    return client


def test_keys_and_language_are_kept_with_an_event(web: Client, mina: User) -> None:
    answer = web.post(URL, {"language": "de", "key-why": "R", "key-skip": "x"}, follow=True)

    mina.refresh_from_db()
    assert (mina.language, mina.keys) == ("de", {"why": "r"})
    assert Event.objects.get(verb="user.preferences").actor == mina
    assert answer.headers["Content-Language"] == "de"
    assert 'value="r"' in answer.content.decode()


def test_an_empty_field_gives_the_usual_key_back(web: Client, mina: User) -> None:
    User.objects.update(keys={"why": "r"})
    web.post(URL, {"language": "", "key-why": ""})

    mina.refresh_from_db()
    assert mina.keys == {}


def test_conflicting_keys_change_nothing_and_say_where(web: Client, mina: User) -> None:
    answer = web.post(URL, {"language": "de", "key-why": "q"})

    mina.refresh_from_db()
    assert (answer.status_code, mina.language, mina.keys) == (422, "", {})
    assert "also that of" in answer.content.decode()


def test_an_unknown_language_is_refused(web: Client, mina: User) -> None:
    assert web.post(URL, {"language": "tlh"}).status_code == 422
    mina.refresh_from_db()
    assert mina.language == ""


def test_without_a_choice_the_browser_decides_the_language() -> None:
    answers = [Client().get("/accounts/login/", headers={"Accept-Language": wanted}) for wanted in ("es", "tlh", "")]
    assert [answer.headers["Content-Language"] for answer in answers] == ["es", "en", "en"]
    assert all("Accept-Language" in answer.headers["Vary"] for answer in answers)


def test_nobody_changes_the_settings_of_others(mina: User) -> None:
    other = Client()
    other.force_login(factories.user("tomas"))
    other.post(URL, {"language": "de", "key-why": "r"})

    mina.refresh_from_db()
    assert (mina.language, mina.keys) == ("", {})
