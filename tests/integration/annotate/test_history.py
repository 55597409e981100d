"""A person's own history: theirs alone, in pages that stay right while new work comes in."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Annotation, Project
from annotate.queries.history import PAGE
from tests import factories
from tests.integration.annotate.working import send, signed_in, take

pytestmark = pytest.mark.django_db
URL = "/projects/study/work/history/"


def judge(project: Project, web: Client, count: int) -> None:
    for _ in range(count):
        factories.task(project)
        send(web, take(web))
    for age, annotation in enumerate(Annotation.objects.order_by("-pk")):
        Annotation.objects.filter(pk=annotation.pk).update(submitted_at=timezone.now() - timedelta(minutes=age // 3))


def excerpts(body: str) -> list[str]:
    return re.findall(r'dir="auto">(Question [^<]+)</a>', body)


def test_the_history_is_read_page_by_page_without_gaps(project: Project, web: Client) -> None:
    judge(project, web, PAGE + 3)
    first = web.get(URL).content.decode()
    following = re.search(r'href="(\?before=[^"]+)" rel="next"', first)
    assert following is not None
    factories.task(project)
    send(web, take(web))  # comes on top: the second page does not move

    second = web.get(URL + following[1].replace("&amp;", "&")).content.decode()

    seen = [*excerpts(first), *excerpts(second)]
    assert len(excerpts(first)) == PAGE
    assert len(seen) == len(set(seen)) == PAGE + 3
    assert 'rel="next"' not in second


def test_the_history_shows_outcome_state_and_the_way_to_open_it(project: Project, web: Client) -> None:
    judge(project, web, 1)
    annotation = Annotation.objects.get()

    body = web.get(URL).content.decode()

    assert f"/work/{annotation.assignment.public_id}/?turn=1" in body
    assert "A winner" in body
    assert "Submitted" in body


def test_nobody_sees_the_history_of_others(project: Project, web: Client) -> None:
    judge(project, web, 2)

    body = signed_in(factories.member(project)).get(URL).content.decode()

    assert excerpts(body) == []
    assert "Nothing submitted yet" in body


@pytest.mark.parametrize("before", ["", "x", "_", "2026-01-01_5", "2026-01-01T00:00:00+00:00_²", "9" * 400])
def test_a_broken_cursor_starts_at_the_beginning(project: Project, web: Client, before: str) -> None:
    judge(project, web, 1)

    answer = web.get(URL, {"before": before})

    assert answer.status_code == 200
    assert len(excerpts(answer.content.decode())) == 1
