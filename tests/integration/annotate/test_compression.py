"""Pages travel compressed; media travels as it is, with its length and its ranges."""

import gzip

import pytest
from django.test import Client

from annotate.enums import Role
from annotate.models import Project
from tests import factories
from tests.integration.annotate.test_media import address, png, store, task_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return factories.project("study", guidelines="Judge fairly. " * 100)


@pytest.fixture
def reviewer(project: Project) -> Client:
    client = Client(headers={"Accept-Encoding": "gzip, br"})
    client.force_login(factories.member(project, Role.REVIEWER))
    return client


def test_a_page_is_compressed_for_browsers_that_can_read_it(project: Project, reviewer: Client) -> None:
    answer = reviewer.get("/projects/study/guidelines/")
    plain = reviewer.get("/projects/study/guidelines/", headers={"Accept-Encoding": "identity"})

    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert "Judge fairly." in gzip.decompress(answer.content).decode()
    assert len(answer.content) < len(plain.content) / 2


def test_media_is_never_compressed(project: Project, reviewer: Client) -> None:
    asset = store(png())
    url = address(task_with(project, asset), asset)

    for headers in ({}, {"Range": "bytes=0-9"}):
        answer = reviewer.get(url, headers=headers)
        body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        assert "Content-Encoding" not in answer.headers
        assert int(answer.headers["Content-Length"]) == len(body)
