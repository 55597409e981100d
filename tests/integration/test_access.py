"""Every address of the site, as everybody: an address without an expectation here fails."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from annotate.access import ProjectPermission
from annotate.enums import Role
from annotate.models import (
    Annotation,
    Appeal,
    Asset,
    Assignment,
    AuditLot,
    Dispute,
    Review,
    ReviewItem,
    Task,
    TaskAsset,
    User,
)
from exports.models import Export, ExportFile, Import
from tests import factories
from tests.integration.access_table import EXPECTED, LOGIN, PEOPLE

pytestmark = pytest.mark.django_db
GOES_ON = {200, 302, 400, 409, 415, 422}  # it was let in; what it did with the request is another test's business
# Other people's views: allauth and the administration bring their own policy, which is tried apart.
FOREIGN = {"admin", "account"}


def walk(resolver: URLResolver, prefix: str = "", namespace: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield (name, route, view) of every address."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            inner = ":".join(filter(None, [namespace, entry.namespace]))
            yield from walk(entry, prefix + str(entry.pattern), inner)
        else:
            assert isinstance(entry, URLPattern)
            yield ":".join(filter(None, [namespace, entry.name])), prefix + str(entry.pattern), entry.callback


def ours() -> dict[str, tuple[str, Any]]:
    found = {}
    for name, route, view in walk(get_resolver()):
        if name.split(":")[0].split("_")[0] not in FOREIGN and not route.startswith(("admin/", "accounts/")):
            found[name] = (route, view)
    return found


def test_every_address_has_an_expectation() -> None:
    assert set(ours()) == set(EXPECTED)


def test_every_view_carries_a_policy() -> None:
    without = [
        name
        for name, (_, view) in ours().items()
        if not hasattr(view, "policy")
        and ProjectPermission not in getattr(getattr(view, "view_class", None), "permission_classes", [])
    ]

    assert without == []


class World:
    def __init__(self) -> None:
        self.project = factories.project("study", preset="arena")
        self.task = factories.task(self.project)
        self.people = {
            "anonymous": None,
            "outsider": factories.user("outsider"),
            "annotator": factories.member(self.project, Role.ANNOTATOR),
            "reviewer": factories.member(self.project, Role.REVIEWER),
            "lead": factories.member(self.project, Role.LEAD),
            "admin": factories.admin(),
        }
        other = factories.member(self.project)
        self.assignment = Assignment.objects.create(
            task=self.task, annotator=other, state="live", lease_until=timezone.now() + timedelta(hours=1)
        )
        Task.objects.filter(pk=self.task.pk).update(claimed_count=1)
        self._add_reviews(other)
        self.asset = Asset.objects.create(
            sha256="a" * 64, kind="image", media_type="image/png", bytes=1, file="assets/none.png"
        )
        self.asset.file.save("x.png", ContentFile(b"x"))
        TaskAsset.objects.create(task=self.task, asset=self.asset)
        finished = {"project": self.project, "state": "done", "finished_at": timezone.now()}
        self.imported = Import.objects.create(**finished, file_name="a.jsonl")
        self.exported = Export.objects.create(**finished, format="pairwise", token=uuid.uuid4())
        ExportFile.objects.create(export=self.exported, name="f.jsonl", sha256="b" * 64, bytes=1, rows=1)
        self.exported.folder.mkdir(parents=True)
        (self.exported.folder / "f.jsonl").write_text("{}\n")

    def _add_reviews(self, author: User) -> None:
        prompt = self.task.prompts.get()
        said = Annotation.objects.create(
            assignment=self.assignment, prompt=prompt, annotator=author, outcome="tie", submitted_at=timezone.now()
        )
        self.reviewed = {
            "annotation": said.pk,
            "item": ReviewItem.objects.create(annotation=said, reasons=["chosen"]).pk,
            "dispute": Dispute.objects.create(prompt=prompt, about=["outcome"]).pk,
            "lot": AuditLot.objects.create(
                batch=self.task.batch, annotator=author, size=1, last_annotation=said.pk, limit=10, risk=10, most=3
            ).pk,
        }
        review = Review.objects.create(annotation=said, reviewer=factories.user(), verdict="accept")
        self.reviewed["review"] = review.pk
        self.reviewed["appeal"] = Appeal.objects.create(review=review, author=author, text="Why?").pk

    def url(self, name: str, route: str) -> str:
        ids = {"exports": self.exported.public_id}
        ids |= dict.fromkeys(["imports", "imports_api"], self.imported.public_id)
        public_id = ids.get(name.split(":")[0], self.assignment.public_id)
        values = {
            "<slug:slug>": "study",
            "<uuid:public_id>": str(public_id),
            "<uuid:task_id>": str(self.task.public_id),
            "<sha256:sha256>": self.asset.sha256,
            "<size:size>": "full",
            "<filename:name>": "f.jsonl",
            "<int:turn>": "1",
            "<slug:language>": "de",
            **{f"<int:{name}>": str(pk) for name, pk in self.reviewed.items()},
        }
        for key, value in values.items():
            route = route.replace(key, value)
        assert "<" not in route, f"Say what {route} needs."
        return f"/{route}"

    def client(self, who: str) -> Client:
        client = Client()
        if person := self.people[who]:
            client.force_login(person)
        return client


@pytest.mark.parametrize("name", sorted(EXPECTED))
@pytest.mark.parametrize("who", PEOPLE)
def test_everybody_gets_what_the_table_says(name: str, who: str) -> None:
    world = World()
    url, client, expected = world.url(name, ours()[name][0]), world.client(who), EXPECTED[name][who]

    for method in ["get", "post"]:
        answer = getattr(client, method)(url)
        if answer.status_code == 405:
            continue
        if expected == LOGIN:
            assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/accounts/login/"), method
        elif expected:
            assert answer.status_code == expected, method
        else:
            assert answer.status_code in GOES_ON, method
            assert not answer.get("Location", "").startswith("/accounts/login/"), method


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if name.startswith(("work", "imports", "exports"))))
def test_a_get_changes_nothing(name: str) -> None:
    world = World()
    before = list(Assignment.objects.values()), list(Import.objects.values()), list(Export.objects.values())

    world.client("lead").get(world.url(name, ours()[name][0]))

    assert (list(Assignment.objects.values()), list(Import.objects.values()), list(Export.objects.values())) == before


def test_a_suspended_member_is_an_outsider() -> None:
    world = World()
    world.project.memberships.update(is_suspended=True)

    assert world.client("lead").get("/projects/study/").status_code == 404
    assert world.client("lead").get("/").content.decode().count("/projects/study/") == 0


def test_a_deactivated_person_is_out_at_once() -> None:
    world = World()
    client = world.client("lead")
    person = world.people["lead"]
    assert person is not None
    person.is_active = False
    person.save()

    assert client.get("/projects/study/").status_code == 302


def test_a_lead_of_another_project_sees_nothing_of_this_one() -> None:
    world = World()
    stranger = factories.member(factories.project("other"), Role.LEAD)
    client = Client()
    client.force_login(stranger)
    url = f"/projects/other/exports/{world.exported.public_id}/files/f.jsonl"

    assert client.get(url).status_code == 404
    assert client.get(f"/projects/other/media/{world.task.public_id}/{world.asset.sha256}/full").status_code == 404


def test_a_background_request_of_somebody_signed_out_gets_401_so_that_the_text_stays() -> None:
    world = World()
    url = f"/projects/study/work/{world.assignment.public_id}/draft/"

    assert Client().post(url, headers={"HX-Request": "true"}).status_code == 401


@pytest.mark.parametrize("who", [who for who in PEOPLE if who not in {"anonymous", "admin"}])
def test_the_administration_is_for_admins(who: str) -> None:
    assert World().client(who).get("/admin/annotate/user/").status_code == 302


def test_staff_without_superuser_may_not_open_the_administration() -> None:
    client = Client()
    client.force_login(factories.user(is_staff=True))

    assert client.get("/admin/").status_code == 302


def test_sign_up_is_closed() -> None:
    answer = Client().post("/accounts/signup/", {"username": "eve", "password1": "x", "password2": "x"})

    assert answer.templates[0].name == "account/signup_closed.html"
    assert not User.objects.filter(username="eve").exists()


@pytest.mark.parametrize(
    "goal", ["//evil.example", "https:evil.example", "/\\evil.example", "%2f%2fevil", "javascript:x"]
)
def test_signing_in_never_leads_elsewhere(goal: str) -> None:
    person = factories.user("mina")

    answer = Client().post("/accounts/login/", {"login": "mina", "password": factories.PASSWORD, "next": goal})

    assert person.is_active
    assert answer.status_code == 302
    assert urlsplit(answer["Location"])[:2] == ("", "")
    assert not answer["Location"].startswith(("//", "/\\"))


def test_posting_without_a_csrf_token_is_refused_everywhere() -> None:
    world = World()
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.people["lead"])  # type: ignore[arg-type]

    statuses = {
        name: client.post(world.url(name, ours()[name][0])).status_code
        for name in EXPECTED
        if not name.startswith("api")
    }

    assert set(statuses.values()) == {403}


def test_every_page_has_the_security_headers() -> None:
    answer = World().client("lead").get("/projects/study/")

    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "Content-Security-Policy-Report-Only" not in answer
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer["Cache-Control"]
    assert settings.SESSION_COOKIE_HTTPONLY
