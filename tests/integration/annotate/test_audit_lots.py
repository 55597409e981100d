"""Audit lots: a sample, a bound, a decision."""

import pytest

from annotate.actions.audit_lots import decide, open_lot
from annotate.actions.reviews import Remarks, ReviewConflict, accept
from annotate.enums import Role
from annotate.models import Annotation, AuditLot, Project, ReviewItem, ReviewSettings, User
from annotate.queries.audit_lots import standing_of
from annotate.views.judged import turns_submitted
from tests import factories
from tests.integration.annotate.test_reviews import returned, seen, submitted

pytestmark = pytest.mark.django_db
SIZE = 40


@pytest.fixture
def project() -> Project:
    project = factories.project("study", review_share=0)
    ReviewSettings.objects.create(project=project, new_share=0)
    for _ in range(SIZE):
        factories.task(project)
    return project


@pytest.fixture
def author(project: Project) -> User:
    person = factories.member(project, username="mina")
    for _ in range(SIZE):
        submitted(project, person)
    return person


@pytest.fixture
def reviewer(project: Project) -> User:
    return factories.member(project, Role.REVIEWER)


def lot_of(project: Project, author: User, by: User) -> AuditLot:
    return open_lot(batch=project.batches.get(), annotator=author, by=by)


def review(lot: AuditLot, by: User, defects: int = 0) -> None:
    for place, item in enumerate(lot.items.filter(state="open")):
        if place < defects:
            returned(item.annotation, by)
        else:
            accept(annotation=item.annotation, seen=seen(item.annotation), remarks=Remarks(), by=by)


def test_a_clean_sample_accepts_the_lot(project: Project, author: User, reviewer: User) -> None:
    lot = lot_of(project, author, reviewer)
    first = standing_of(lot)
    review(lot, reviewer)

    assert (first.drawn, first.reviewed, first.decision) == (first.plan.samples[0], 0, "enlarge")
    assert decide(lot=lot, turns_of=turns_submitted, by=reviewer) == "accept"
    lot.refresh_from_db()
    assert (lot.state, standing_of(lot).bound <= 0.1) == ("accepted", True)


def test_a_defect_enlarges_the_sample(project: Project, author: User, reviewer: User) -> None:
    lot = lot_of(project, author, reviewer)
    review(lot, reviewer, defects=1)

    assert decide(lot=lot, turns_of=turns_submitted, by=reviewer) == "enlarge"
    standing = standing_of(lot)
    assert standing.drawn == standing.plan.samples[1]
    review(lot, reviewer)
    assert decide(lot=lot, turns_of=turns_submitted, by=reviewer) == "accept"


def test_too_many_defects_return_what_nobody_looked_at(project: Project, author: User, reviewer: User) -> None:
    lot = lot_of(project, author, reviewer)
    review(lot, reviewer, defects=4)

    assert decide(lot=lot, turns_of=turns_submitted, by=reviewer) == "return"
    looked_at = standing_of(lot).reviewed
    assert Annotation.objects.filter(state="returned").count() == 4 + SIZE - looked_at
    with pytest.raises(ReviewConflict, match="decided already"):
        decide(lot=lot, turns_of=turns_submitted, by=reviewer)


def test_a_lot_is_open_once_and_nobody_audits_themselves(project: Project, author: User, reviewer: User) -> None:
    lot_of(project, author, reviewer)

    with pytest.raises(ReviewConflict, match="being audited already"):
        lot_of(project, author, reviewer)
    with pytest.raises(ReviewConflict, match="your own work"):
        lot_of(project, author, author)
    with pytest.raises(ReviewConflict, match="nothing to audit"):
        lot_of(project, reviewer, author)


def test_work_that_waits_already_is_looked_at_once(project: Project, author: User, reviewer: User) -> None:
    for annotation in Annotation.objects.all():
        ReviewItem.objects.create(annotation=annotation, reasons=["chosen"])

    lot = lot_of(project, author, reviewer)

    assert ReviewItem.objects.count() == SIZE
    assert {tuple(item.reasons) for item in lot.items.all()} == {("chosen", "lot")}
