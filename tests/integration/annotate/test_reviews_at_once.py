"""Reviewers who decide in the same moment, for real: in threads, each with a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from annotate.actions.reviews import Remarks, ReviewConflict, Seen, accept, claim_item, send_back
from annotate.enums import Role
from annotate.models import Annotation, Project, Review, ReviewItem, User
from annotate.views.judged import turns_submitted
from tests import factories
from tests.integration.annotate.test_reviews import seen, submitted

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 4


def at_once(deeds: list[Callable[[], object]]) -> list[object]:
    """Start all in the same moment; return what each gave, or the conflict it met."""
    barrier = Barrier(len(deeds))

    def run(deed: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return deed()
        except ReviewConflict as conflict:
            return conflict
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(run, deeds))


def deciding(annotation: Annotation, saw: Seen, person: User, place: int) -> Callable[[], object]:
    fresh = Annotation.objects.get(pk=annotation.pk)
    if place % 2:
        return lambda: accept(annotation=fresh, seen=saw, remarks=Remarks(), by=person)
    remarks = Remarks("Say why.")
    return lambda: send_back(annotation=fresh, seen=saw, remarks=remarks, turns_of=turns_submitted, by=person)


@pytest.fixture
def project() -> Project:
    made = factories.project("study", review_share=100)
    for _ in range(MANY):
        factories.task(made)
    return made


def test_one_verdict_stands_and_the_others_are_told(project: Project) -> None:
    annotation = submitted(project, factories.member(project))
    people = [factories.member(project, Role.REVIEWER) for _ in range(MANY)]
    saw = seen(annotation)

    results = at_once([deciding(annotation, saw, person, place) for place, person in enumerate(people)])

    assert Review.objects.count() == 1
    assert sum(isinstance(result, ReviewConflict) for result in results) == MANY - 1


def test_everybody_gets_an_item_of_their_own(project: Project) -> None:
    author = factories.member(project)
    for _ in range(MANY):
        submitted(project, author)
    people = [factories.member(project, Role.REVIEWER) for _ in range(MANY)]

    at_once([lambda person=person: claim_item(project=project, by=person) for person in people])  # type: ignore[misc]

    held = ReviewItem.objects.exclude(reviewer=None).values_list("reviewer", flat=True)
    assert sorted(held) == sorted(person.pk for person in people)
