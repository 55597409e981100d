"""Reviewing: who sees what, what a verdict does, and that nobody decides about their own work."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_next
from annotate.actions.reviews import (
    Remarks,
    ReviewConflict,
    Seen,
    accept,
    choose,
    claim_item,
    fix,
    restore,
    send_back,
)
from annotate.enums import Role
from annotate.forms.filled import judgement_from
from annotate.models import Annotation, Assignment, Project, Review, ReviewItem, ReviewSettings, User
from annotate.queries.queue import live_assignment
from annotate.rules.judgement import Judgement
from annotate.views.judged import turns_submitted
from exports.reading import records, watermark_of
from exports.superseded import superseded_of
from tests import factories

pytestmark = pytest.mark.django_db


def submitted(project: Project, by: User, winner: int = 0, why: str = "") -> Annotation:
    """The person's judgement of their next task: the ``winner``-th response as stored."""
    assignment = claim_next(project=project, by=by)
    assert assignment is not None
    prompt = assignment.task.prompts.get()
    chosen = prompt.responses.all()[winner]
    judgement = Judgement("winner", str(chosen.pk), None, justification=why)
    submit(public_id=assignment.public_id, judgements={prompt.pk: judgement}, key=assignment.public_id, by=by)
    return Annotation.objects.get(assignment=assignment)


def seen(annotation: Annotation) -> Seen:
    annotation.refresh_from_db()
    return Seen(annotation.revision, annotation.reviews.count())


def returned(annotation: Annotation, by: User, **more: Any) -> Review:
    remarks = Remarks(comment="Say why.", **more)
    return send_back(annotation=annotation, seen=seen(annotation), remarks=remarks, turns_of=turns_submitted, by=by)


@pytest.fixture
def reviewed() -> Project:
    return factories.project("study", review_share=100)


@pytest.fixture
def author(reviewed: Project) -> User:
    return factories.member(reviewed, username="mina")


@pytest.fixture
def reviewer(reviewed: Project) -> User:
    return factories.member(reviewed, Role.REVIEWER, username="ren")


def test_a_submission_waits_for_a_reviewer_and_never_for_its_author(
    reviewed: Project, author: User, reviewer: User
) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)

    item = claim_item(project=reviewed, by=reviewer)

    assert item is not None
    assert (item.annotation, item.reasons) == (annotation, ["all"])
    assert claim_item(project=reviewed, by=author) is None


def test_a_lease_keeps_others_away_until_it_ends(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    submitted(reviewed, author)
    other = factories.member(reviewed, Role.REVIEWER)
    item = claim_item(project=reviewed, by=reviewer)

    assert claim_item(project=reviewed, by=reviewer) == item
    assert claim_item(project=reviewed, by=other) is None
    ReviewItem.objects.update(lease_until=timezone.now())
    assert claim_item(project=reviewed, by=other) == item


def test_accepting_ends_it(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)

    review = accept(annotation=annotation, seen=seen(annotation), remarks=Remarks(scores={"specific": 2}), by=reviewer)

    assert (review.verdict, review.scores.get().value) == ("accept", 2)
    assert ReviewItem.objects.get().state == "done"
    assert claim_item(project=reviewed, by=reviewer) is None


def test_a_returned_task_comes_first_filled_and_with_a_deadline(
    reviewed: Project, author: User, reviewer: User
) -> None:
    for _ in range(3):
        factories.task(reviewed)
    annotation = submitted(reviewed, author)
    claim_next(project=reviewed, by=author)  # another task is in hand

    returned(annotation, reviewer, points=[("justification", "")])

    back = live_assignment(author, reviewed)
    assert back == annotation.assignment
    assert back.due_at is not None
    assert back.draft["turns"][str(annotation.prompt_id)]["preference"] in {"a", "b"}
    annotation.refresh_from_db()
    assert (annotation.state, annotation.revision) == ("returned", 2)


def test_mended_work_comes_back_to_the_queue_as_a_revision(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)
    returned(annotation, reviewer)

    again = submitted_again(annotation, author, winner=1)

    assert list(again.revisions.values_list("cause", flat=True)) == ["returned", "mended"]
    assert (again.state, again.revision) == ("submitted", 3)
    item = claim_item(project=reviewed, by=reviewer)
    assert item is not None
    assert item.reasons == ["mended", "all"]
    assert Assignment.objects.get().due_at is None


def submitted_again(annotation: Annotation, by: User, winner: int) -> Annotation:
    chosen = annotation.prompt.responses.all()[winner]
    judgements = {annotation.prompt_id: Judgement("winner", str(chosen.pk), None, justification="Now it says why.")}
    key = "33333333-3333-4333-8333-333333333333"
    submit(public_id=annotation.assignment.public_id, judgements=judgements, key=key, by=by)  # type: ignore[arg-type]
    annotation.refresh_from_db()
    return annotation


def test_a_fix_is_a_revision_by_the_reviewer_and_keeps_the_original(
    reviewed: Project, author: User, reviewer: User
) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)
    other = annotation.prompt.responses.exclude(pk=annotation.winner_id).get()

    fix(
        annotation=annotation,
        seen=seen(annotation),
        judgement=Judgement("winner", str(other.pk), None),
        remarks=Remarks(),
        by=reviewer,
    )

    kept = annotation.revisions.get()
    current = Annotation.objects.get()
    assert (kept.by, kept.cause, kept.content["winner"]) == (reviewer, "fixed", annotation.winner_id)
    assert (current.winner, current.annotator, current.revision) == (other, author, 2)


def test_two_reviewers_cannot_overwrite_one_another(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)
    second = factories.member(reviewed, Role.REVIEWER)
    both_saw = seen(annotation)
    accept(annotation=annotation, seen=both_saw, remarks=Remarks(), by=reviewer)

    with pytest.raises(ReviewConflict, match="Somebody else decided"):
        send_back(annotation=annotation, seen=both_saw, remarks=Remarks("No."), turns_of=turns_submitted, by=second)

    assert Review.objects.get().reviewer == reviewer


def test_a_verdict_on_what_the_author_changed_meanwhile_is_refused(
    reviewed: Project, author: User, reviewer: User
) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)
    stale = seen(annotation)
    Annotation.objects.update(revision=2)

    with pytest.raises(ReviewConflict, match="changed it"):
        accept(annotation=annotation, seen=stale, remarks=Remarks(), by=reviewer)


def test_nobody_reviews_their_own_work(reviewed: Project) -> None:
    factories.task(reviewed)
    lead = factories.member(reviewed, Role.LEAD)
    annotation = submitted(reviewed, lead)

    with pytest.raises(ReviewConflict, match="your own work"):
        accept(annotation=annotation, seen=seen(annotation), remarks=Remarks(), by=lead)
    with pytest.raises(IntegrityError, match="annotate_review_not_own"), transaction.atomic():
        Review.objects.create(annotation=annotation, reviewer=lead, verdict="accept")


def test_a_return_needs_a_comment_and_an_author_who_can_work(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)

    with pytest.raises(ReviewConflict, match="comment"):
        send_back(
            annotation=annotation, seen=seen(annotation), remarks=Remarks(" "), turns_of=turns_submitted, by=reviewer
        )
    User.objects.filter(pk=author.pk).update(is_active=False)
    with pytest.raises(ReviewConflict, match="cannot work here"):
        returned(annotation, reviewer)


def test_an_earlier_text_stands_again(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)
    first = annotation.winner_id
    other = annotation.prompt.responses.exclude(pk=first).get()
    change = Judgement("winner", str(other.pk), None)
    fix(annotation=annotation, seen=seen(annotation), judgement=change, remarks=Remarks(), by=reviewer)
    revision = annotation.revisions.get()

    restore(revision=revision, judgement=judgement_from(revision.content), seen=seen(annotation), by=reviewer)

    assert Annotation.objects.get().winner_id == first
    assert list(annotation.revisions.values_list("cause", flat=True)) == ["fixed", "restored"]


def test_chosen_by_hand_and_by_rule_is_one_item(reviewed: Project, author: User, reviewer: User) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)

    choose(annotation=annotation, by=reviewer)

    assert ReviewItem.objects.get().reasons == ["all", "chosen"]


def test_new_people_are_looked_at_more_closely(author: User, reviewed: Project) -> None:
    Project.objects.update(review_share=0)
    ReviewSettings.objects.create(project=reviewed, new_count=2)
    for _ in range(4):
        factories.task(reviewed)
    reviewed.refresh_from_db()

    for _ in range(4):
        submitted(reviewed, author)

    assert [item.reasons for item in ReviewItem.objects.all()] == [["newcomer"], ["newcomer"]]


def test_an_export_holds_the_final_version_once_and_counts_the_others(
    reviewed: Project, author: User, reviewer: User
) -> None:
    factories.task(reviewed)
    annotation = submitted(reviewed, author)
    before = watermark_of(reviewed)
    returned(annotation, reviewer)
    sent_back = watermark_of(reviewed)
    submitted_again(annotation, author, winner=1)

    states = [[each.state for each in annotations_at(reviewed, cut)] for cut in (before, sent_back)]
    assert states == [["submitted"], ["returned"]]
    assert [each.justification for each in annotations_at(reviewed, watermark_of(reviewed))] == ["Now it says why."]
    counts = [superseded_of(reviewed, cut) for cut in (before, sent_back, watermark_of(reviewed))]
    assert counts == [{}, {}, {"mended": 1}]


def annotations_at(project: Project, cut: dict[str, int]) -> list[Any]:
    return [each for task in records(project, cut) for prompt in task.prompts for each in prompt.annotations]
