"""The administration: everything can be found, judgements cannot be touched, and what admins change is logged."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client

from annotate.admin import Audited, ReadOnly
from annotate.enums import Role
from annotate.models import Event, Membership, User
from tests import factories

pytestmark = pytest.mark.django_db
OURS = sorted(
    (model for model in apps.get_models() if model._meta.app_label in {"annotate", "exports"}),
    key=lambda model: model._meta.label,
)
PARTS_OF_OTHERS = {"annotate.TaskAsset", "annotate.RenderedText"}
IDS = [model._meta.label for model in OURS]


@pytest.fixture
def client() -> Client:
    made = Client()
    made.force_login(factories.admin())
    return made


@pytest.mark.parametrize("model", OURS, ids=IDS)
def test_every_table_has_a_page_with_search_and_filters(client: Client, model: type) -> None:
    if model._meta.label in PARTS_OF_OTHERS:  # type: ignore[attr-defined]
        return
    page = admin.site._registry[model]
    project = factories.project("study")
    factories.task(project)

    answer = client.get(f"/admin/{model._meta.app_label}/{model._meta.model_name}/", {"q": "x"})  # type: ignore[attr-defined]

    assert page.search_fields
    assert page.list_filter
    assert isinstance(page, (ReadOnly, Audited))
    assert answer.status_code == 200


def test_nothing_can_be_deleted_here(client: Client) -> None:
    request = client.get("/admin/").wsgi_request

    assert [m for m, page in admin.site._registry.items() if _ours(m) and page.has_delete_permission(request)] == []


def _ours(model: type) -> bool:
    return model in OURS


def test_a_membership_that_an_admin_makes_is_logged(client: Client) -> None:
    project, person = factories.project("study"), factories.user("mina")

    client.post("/admin/annotate/membership/add/", {"user": person.pk, "project": project.pk, "role": Role.LEAD})

    membership = Membership.objects.get()
    event = Event.objects.latest("pk")
    assert (membership.role, membership.user) == ("lead", person)
    assert (event.verb, event.target_id, event.project) == ("admin.added", membership.pk, project)
    assert event.actor == User.objects.get(username="admin")


def test_a_new_person_is_logged_without_the_password(client: Client) -> None:
    client.post(
        "/admin/annotate/user/add/",
        {
            "username": "new",
            "email": "new@example.org",
            "password1": factories.PASSWORD,
            "password2": factories.PASSWORD,
            "usable_password": "true",
        },
    )

    event = Event.objects.latest("pk")
    assert User.objects.get(username="new").check_password(factories.PASSWORD)
    assert event.verb == "admin.added"
    assert factories.PASSWORD not in str(event.data)
