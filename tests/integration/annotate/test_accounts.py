"""Accounts over HTTP: signing in and out, passwords, and who can never get in."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client

from annotate.models import User
from tests import factories
from tests.factories import PASSWORD
from tests.fixtures import REPOSITORY

pytestmark = pytest.mark.django_db
NEW = "another long secret"


def sign_in(login: str = "mina", password: str = PASSWORD, client: Client | None = None, **headers: str) -> Any:
    client = client or Client()
    return client.post("/accounts/login/", {"login": login, "password": password}, headers=headers)


def signed_in(login: str = "mina", password: str = PASSWORD) -> Client:
    client = Client()
    assert sign_in(login, password, client).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def words(answer: Any) -> str:
    """What a person reads of a page: without the token that differs each time, and what they typed."""
    return re.sub(r'value="[^"]*"', "", re.sub(r"<[^>]*csrf[^>]*>", "", answer.content.decode()))


@pytest.fixture
def mina() -> User:
    return factories.user("mina")


# ---------------------------------------------------------------------------------------------------- signing in
@pytest.mark.parametrize("login", ["mina", "mina@example.org", "MINA@Example.ORG"])
def test_people_sign_in_by_username_or_address(mina: User, login: str) -> None:
    client = Client()

    answer = sign_in(login, client=client)

    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert is_in(client)


def test_a_wrong_password_and_an_unknown_person_get_the_same_answer(mina: User) -> None:
    wrong, unknown = sign_in("mina", "wrong"), sign_in("nobody", "wrong")

    assert (wrong.status_code, words(wrong)) == (unknown.status_code, words(unknown))
    assert sign_in("nobody@example.org", "wrong").status_code == wrong.status_code


@pytest.mark.parametrize("spread", ["", "over addresses"])
def test_after_several_failures_even_the_right_password_waits(mina: User, spread: str) -> None:
    for n in range(10):
        sign_in("mina", "wrong", **({"X-Forwarded-For": f"10.0.0.{n}"} if spread else {}))

    answer = sign_in("mina")

    assert answer.status_code in {200, 429}
    assert "too many" in answer.content.decode().lower()


def test_guessing_over_many_names_is_stopped_too(mina: User) -> None:
    statuses = [sign_in(f"person{n}", "wrong").status_code for n in range(40)]

    assert statuses[-1] == 429 or "too many" in sign_in("mina").content.decode().lower()


def test_the_limit_counts_the_client_of_the_proxy_not_the_proxy(mina: User, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for n in range(40):
        sign_in(f"person{n}", "wrong", **{"X-Forwarded-For": "6.6.6.6"})

    assert sign_in("mina", **{"X-Forwarded-For": "7.7.7.7"}).status_code == 302


def test_signing_in_changes_the_session_key(mina: User) -> None:
    client = Client()
    client.session.save()
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = session.session_key
    before = session.session_key

    sign_in(client=client)

    assert client.cookies["sessionid"].value not in {"", before}
    other = Client()
    other.cookies["sessionid"] = str(before)
    assert not is_in(other)


def test_the_session_cookie_is_out_of_reach_for_scripts_and_other_sites(mina: User) -> None:
    cookie = sign_in().cookies["sessionid"]

    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


# --------------------------------------------------------------------------------------------------- signing out
def test_signing_out_takes_a_post(mina: User) -> None:
    client = signed_in()

    client.get("/accounts/logout/")
    assert is_in(client)
    answer = client.post("/accounts/logout/")

    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")
    assert not is_in(client)


# ----------------------------------------------------------------------------------------------------- passwords
def test_changing_the_password_ends_all_other_sessions(mina: User) -> None:
    here, elsewhere = signed_in(), signed_in()

    answer = here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})

    assert answer.status_code == 302
    assert (is_in(here), is_in(elsewhere)) == (True, False)
    assert sign_in(password=NEW).status_code == 302


@pytest.mark.parametrize("old", ["", "wrong"])
def test_changing_the_password_takes_the_old_one(mina: User, old: str) -> None:
    signed_in().post("/accounts/password/change/", {"oldpassword": old, "password1": NEW, "password2": NEW})

    mina.refresh_from_db()
    assert mina.check_password(PASSWORD)


@pytest.mark.parametrize("weak", ["short", "password123", "12345678901234", "mina@example.org"])
def test_a_weak_password_is_refused(mina: User, weak: str) -> None:
    signed_in().post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": weak, "password2": weak})

    mina.refresh_from_db()
    assert mina.check_password(PASSWORD)


def reset_link() -> str:
    match = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body))
    assert match, mail.outbox[-1].body
    return match[1]


def follow(client: Client, link: str) -> str:
    """Open the link; return where the form is."""
    answer = client.get(link, follow=True)
    return answer.redirect_chain[-1][0] if answer.redirect_chain else link


def test_a_forgotten_password_is_replaced_by_mail_once(mina: User) -> None:
    old_session = signed_in()
    Client().post("/accounts/password/reset/", {"email": "mina@example.org"})
    assert [message.to for message in mail.outbox] == [["mina@example.org"]]
    link, client = reset_link(), Client()

    answer = client.post(follow(client, link), {"password1": NEW, "password2": NEW})

    assert answer.status_code == 302
    assert sign_in(password=NEW).status_code == 302
    assert not is_in(old_session)
    again = Client()
    assert "This link no longer works" in again.get(link, follow=True).content.decode()
    again.post(follow(again, link), {"password1": "a third secret", "password2": "a third secret"})
    assert not User.objects.get().check_password("a third secret")


def test_asking_for_an_unknown_address_tells_nothing(mina: User) -> None:
    known = Client().post("/accounts/password/reset/", {"email": "mina@example.org"})
    unknown = Client().post("/accounts/password/reset/", {"email": "nobody@example.org"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])


# ------------------------------------------------------------------------------------------------ who is kept out
def test_an_imported_person_can_never_sign_in_even_with_a_password() -> None:
    ghost = factories.user("ghost", is_imported=True, is_active=False)
    Client().post("/accounts/password/reset/", {"email": ghost.email})

    client = Client()
    sign_in("ghost", client=client)

    assert not is_in(client)
    assert authenticate(username="ghost", password=PASSWORD) is None
    assert [message for message in mail.outbox if "/reset/key/" in str(message.body)] == []
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=ghost.pk).update(is_active=True)


def test_a_deactivated_person_is_out_at_once_and_stays_out(mina: User) -> None:
    client = signed_in()
    User.objects.update(is_active=False)

    assert not is_in(client)
    again = Client()
    sign_in(client=again)
    assert not is_in(again)


@pytest.mark.parametrize("address", ["mina@example.org", "MINA@EXAMPLE.ORG", "Mina@Example.Org"])
def test_an_address_belongs_to_one_person_whatever_its_case(mina: User, address: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("other", address, PASSWORD)


def test_many_people_may_have_no_address() -> None:
    for name in ["a", "b"]:
        User.objects.create_user(name, "", PASSWORD)

    assert User.objects.count() == 2


# ------------------------------------------------------------------------------------------------------ deploying
def test_djangos_deployment_check_finds_nothing_in_production_settings(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "TIEBREAK_VAR": str(tmp_path / "var"),
        "TIEBREAK_ENV_FILE": str(tmp_path / "none.env"),
        "HTTPS": "true",
        "ALLOWED_HOSTS": "example.org",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True)

    assert (done.returncode, done.stdout + done.stderr) == (
        0,
        "System check identified no issues (0 silenced).\n",
    )
