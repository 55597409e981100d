"""Where people differ: disputes and their end, comments, answers, appeals."""

import pytest

from annotate.actions.adjudications import adjudicate
from annotate.actions.annotations import Incomplete
from annotate.actions.discussions import answer, appeal, comment, settle
from annotate.actions.reviews import Remarks, ReviewConflict, accept, claim_item
from annotate.enums import Role
from annotate.models import Annotation, Dispute, Project, Review, ReviewItem, ReviewSettings, User
from annotate.queries.reviews import consensus_agreement, open_appeals, open_disputes
from annotate.rules.judgement import Judgement
from exports.reading import records, watermark_of
from tests import factories
from tests.integration.annotate.test_reviews import seen, submitted

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed() -> Project:
    project = factories.project("study", overlap=2, review_share=0)
    ReviewSettings.objects.create(project=project, new_share=0)
    factories.task(project)
    return project


def disagree(project: Project) -> tuple[User, User]:
    people = factories.member(project), factories.member(project)
    for place, person in enumerate(people):
        submitted(project, person, winner=place)
    return people


def settled(project: Project, by: User, reason: str = "majority", votes: int = 2) -> Annotation:
    dispute = Dispute.objects.get()
    order = [response.pk for response in dispute.prompt.responses.all()]
    judgement = Judgement("winner", str(order[0]), None)
    return adjudicate(dispute=dispute, judgement=judgement, reason=reason, seen=votes, order=order, by=by)


def test_different_winners_open_a_dispute_for_those_who_took_no_part(disputed: Project) -> None:
    lead = factories.member(disputed, Role.LEAD)
    submitted(disputed, lead, winner=0)
    submitted(disputed, factories.member(disputed), winner=1)
    reviewer = factories.member(disputed, Role.REVIEWER)

    assert Dispute.objects.get().about == ["outcome"]
    assert list(open_disputes(disputed, reviewer)) == [Dispute.objects.get()]
    assert not open_disputes(disputed, lead)


def test_agreement_opens_none(disputed: Project) -> None:
    for _ in range(2):
        submitted(disputed, factories.member(disputed), winner=1)

    assert not Dispute.objects.exists()


def test_a_settlement_is_an_annotation_of_its_own_and_no_vote(disputed: Project) -> None:
    disagree(disputed)
    final = settled(disputed, factories.member(disputed, Role.REVIEWER))

    record = next(records(disputed, watermark_of(disputed)))
    assert [each.kind for each in record.prompts[0].annotations] == ["annotation", "annotation", "adjudication"]
    assert (final.assignment.kind, final.settles.reason) == ("adjudication", "majority")
    task = final.prompt.task
    assert (task.submitted_count, task.claimed_count) == (2, 0)


def test_nobody_settles_what_they_judged(disputed: Project) -> None:
    first, _ = disagree(disputed)

    with pytest.raises(ReviewConflict, match="judged this prompt yourself"):
        settled(disputed, first)


def test_a_settlement_is_not_overwritten(disputed: Project) -> None:
    disagree(disputed)
    settled(disputed, factories.member(disputed, Role.REVIEWER))

    with pytest.raises(ReviewConflict, match="Somebody else has settled"):
        settled(disputed, factories.member(disputed, Role.LEAD))
    assert Annotation.objects.filter(is_adjudication=True).count() == 1


def test_a_settlement_fits_what_was_shown_and_has_a_reason(disputed: Project) -> None:
    disagree(disputed)
    reviewer = factories.member(disputed, Role.REVIEWER)

    with pytest.raises(ReviewConflict, match="came in"):
        settled(disputed, reviewer, votes=1)
    with pytest.raises(ReviewConflict, match="Choose why"):
        settled(disputed, reviewer, reason="odd")
    with pytest.raises(Incomplete):
        adjudicate(
            dispute=Dispute.objects.get(),
            judgement=Judgement(),
            reason="majority",
            seen=2,
            order=[each.pk for each in Dispute.objects.get().prompt.responses.all()],
            by=reviewer,
        )


def test_agreement_with_the_others_never_counts_a_settlement(disputed: Project) -> None:
    Project.objects.update(overlap=3)
    factories.task(Project.objects.get(), overlap=3)
    first = factories.member(disputed)
    for person in (first, factories.member(disputed), factories.member(disputed)):
        submitted(disputed, person, winner=0)  # the task for two: full after the second
    assert consensus_agreement(first, disputed) == (0, 0)


# ----------------------------------------------------------------------------------------------------- discussions
@pytest.fixture
def verdict() -> Review:
    project = factories.project("talk", review_share=100)
    factories.task(project)
    author = factories.member(project, username="mina")
    annotation = submitted(project, author)
    reviewer = factories.member(project, Role.REVIEWER, username="ren")
    return accept(annotation=annotation, seen=seen(annotation), remarks=Remarks("Fine."), by=reviewer)


def test_an_author_answers_once(verdict: Review) -> None:
    author = verdict.annotation.annotator
    answer(review=verdict, text="Thanks.", by=author)

    with pytest.raises(ReviewConflict, match="answered this verdict already"):
        answer(review=verdict, text="And …", by=author)
    with pytest.raises(ReviewConflict, match="Only the author"):
        answer(review=verdict, text="I too", by=verdict.reviewer)


def test_comments_are_threaded_and_mention_members(verdict: Review) -> None:
    annotation = verdict.annotation
    lead = factories.member(annotation.prompt.task.project, Role.LEAD, username="lea")
    factories.user("stranger")
    first = comment(annotation=annotation, text="@lea, @stranger: look. @mina too.", by=verdict.reviewer)
    second = comment(annotation=annotation, text="Done.", by=lead, parent=first)

    assert set(first.mentioned.all()) == {lead, annotation.annotator}
    assert list(first.answers.all()) == [second]
    with pytest.raises(ReviewConflict, match="Write something"):
        comment(annotation=annotation, text=" \0", by=lead)


def test_a_granted_appeal_brings_it_back_to_the_queue(verdict: Review) -> None:
    project = verdict.annotation.prompt.task.project
    lead = factories.member(project, Role.LEAD)
    made = appeal(review=verdict, text="Why?", by=verdict.annotation.annotator)

    assert list(open_appeals(project, lead)) == [made]
    settle(appeal=made, is_granted=True, decision="Right.", by=lead)

    item = ReviewItem.objects.get(state="open")
    assert item.reasons == ["appeal"]
    assert claim_item(project=project, by=lead) == item
    with pytest.raises(ReviewConflict, match="decided already"):
        settle(appeal=made, is_granted=False, decision="", by=lead)


def test_those_concerned_do_not_decide_an_appeal(verdict: Review) -> None:
    made = appeal(review=verdict, text="Why?", by=verdict.annotation.annotator)

    with pytest.raises(ReviewConflict, match="not part of this"):
        settle(appeal=made, is_granted=False, decision="", by=verdict.reviewer)


def test_a_project_may_have_no_appeals(verdict: Review) -> None:
    ReviewSettings.objects.create(project=verdict.annotation.prompt.task.project, may_appeal=False)

    with pytest.raises(ReviewConflict, match="no appeals"):
        appeal(review=verdict, text="Why?", by=verdict.annotation.annotator)
