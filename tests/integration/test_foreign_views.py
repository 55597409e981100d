"""Other people's views, of the administration and of sign-in: closed to whom they do not concern, and never broken."""

import pytest
from django.urls import get_resolver

from tests.integration.access_table import PEOPLE
from tests.integration.test_access import World, walk

pytestmark = pytest.mark.django_db


def foreign() -> list[str]:
    """The addresses of other people's views that need no arguments."""
    routes = [route for _, route, _ in walk(get_resolver()) if route.startswith(("admin/", "accounts/"))]
    return sorted({f"/{route}" for route in routes if "<" not in route and "(" not in route})


@pytest.mark.parametrize("who", PEOPLE)
def test_other_peoples_views_keep_the_administration_closed_and_never_break(who: str) -> None:
    client = World().client(who)

    answers = {url: client.get(url).status_code for url in foreign() if url != "/accounts/logout/"}

    assert len(answers) > 20
    assert {url: status for url, status in answers.items() if status >= 500} == {}
    if who != "admin":
        opened = [url for url, status in answers.items() if url.startswith("/admin/") and status == 200]
        assert opened in ([], ["/admin/login/"])
