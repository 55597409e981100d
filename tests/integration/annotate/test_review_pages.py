"""The pages of reviewers and what they must not tell."""

from typing import Any

import pytest

from annotate.actions.reviews import Remarks, accept
from annotate.enums import Role
from annotate.models import (
    Annotation,
    Dispute,
    Project,
    Response,
    Review,
    ReviewItem,
    ReviewSettings,
    User,
)
from tests import factories
from tests.integration.annotate.test_reviews import returned, seen, submitted
from tests.integration.annotate.working import send, signed_in, take

pytestmark = pytest.mark.django_db
FINGERPRINT = "zq-secret-model-7"


@pytest.fixture
def blind() -> Project:
    project = factories.project("study", review_share=100, overlap=2)
    factories.task(project)
    for response in Response.objects.all():
        response.model = f"{FINGERPRINT}-{response.position}"
        response.external_id = f"{FINGERPRINT}-id-{response.position}"
        response.metadata = {"model": FINGERPRINT}
        response.save()
    return project


@pytest.fixture
def annotation(blind: Project) -> Annotation:
    return submitted(blind, factories.member(blind, username="mina"))


def shown(user: User, path: str) -> str:
    answer = signed_in(user).get(f"/projects/study/{path}")
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.LEAD])
def test_no_model_is_named_before_the_verdict(blind: Project, annotation: Annotation, role: Role) -> None:
    submitted(blind, factories.member(blind), winner=1)
    item, dispute = ReviewItem.objects.get(annotation=annotation), Dispute.objects.get()
    person = factories.member(blind, role)

    for path in [
        "reviews/",
        f"reviews/items/{item.pk}/",
        f"reviews/items/{item.pk}/fix/",
        f"reviews/disputes/{dispute.pk}/",
        f"judgements/{annotation.pk}/",
        "reviews/lots/",
    ]:
        assert FINGERPRINT not in shown(person, path), path


def test_after_the_verdict_leads_see_the_models_and_reviewers_do_not(blind: Project, annotation: Annotation) -> None:
    reviewer, lead = factories.member(blind, Role.REVIEWER), factories.member(blind, Role.LEAD)
    accept(annotation=annotation, seen=seen(annotation), remarks=Remarks(), by=reviewer)

    assert FINGERPRINT in shown(lead, f"judgements/{annotation.pk}/")
    assert FINGERPRINT not in shown(reviewer, f"judgements/{annotation.pk}/")


def test_the_review_page_keeps_the_order_of_the_author(blind: Project, annotation: Annotation) -> None:
    item = ReviewItem.objects.get()
    page = shown(factories.member(blind, Role.REVIEWER), f"reviews/items/{item.pk}/")

    texts = [Response.objects.get(pk=pk).content[0]["text"] for pk in annotation.display_order]
    assert page.index(texts[0]) < page.index(texts[1])


def verdict(user: User, item: ReviewItem, **fields: Any) -> Any:
    annotation = item.annotation
    data = {"revision": annotation.revision, "reviews": annotation.reviews.count(), "verdict": "accept", **fields}
    return signed_in(user).post(f"/projects/study/reviews/items/{item.pk}/", data)


def test_a_verdict_carries_scores_and_points(blind: Project, annotation: Annotation) -> None:
    reviewer, item = factories.member(blind, Role.REVIEWER), ReviewItem.objects.get()
    more = {"score-specific": "1", "score-odd": "2", "place": ["ratings", "odd"], "quote": ["these words"]}
    verdict(reviewer, item, verdict="return", comment="Mend it.", **more)

    review = Review.objects.get()
    assert {score.key: score.value for score in review.scores.all()} == {"specific": 1}
    assert [(point.place, point.quote) for point in review.points.all()] == [
        ("ratings", ""),
        ("justification", "these words"),
    ]


def test_the_second_of_two_reviewers_is_told_and_keeps_the_words(blind: Project, annotation: Annotation) -> None:
    item = ReviewItem.objects.get()
    verdict(factories.member(blind, Role.REVIEWER), item)
    late = factories.member(blind, Role.REVIEWER)

    answer = verdict(late, item, verdict="return", comment="My long comment.", reviews=0)

    assert answer.status_code == 409
    assert "Somebody else decided about this" in answer.content.decode()
    assert "My long comment." in answer.content.decode()
    assert Review.objects.count() == 1


def test_a_fix_over_the_page_tells_the_author(blind: Project, annotation: Annotation) -> None:
    reviewer, item = factories.member(blind, Role.REVIEWER), ReviewItem.objects.get()
    data = {"revision": 1, "reviews": 0, "preference": "tie", "comment": "Equal."}
    answer = signed_in(reviewer).post(f"/projects/study/reviews/items/{item.pk}/fix/", data)

    assert answer.status_code == 302
    annotation.refresh_from_db()
    assert annotation.outcome == "tie"
    author = annotation.annotator
    assert "said something about 1 judgement" in shown(author, "work/")
    assert "Equal." in shown(author, f"judgements/{annotation.pk}/")
    assert "said something about" not in shown(author, "work/")


def test_an_incomplete_fix_comes_back_with_what_is_missing(blind: Project, annotation: Annotation) -> None:
    reviewer, item = factories.member(blind, Role.REVIEWER), ReviewItem.objects.get()
    data = {"revision": 1, "reviews": 0, "comment": "Hm."}
    answer = signed_in(reviewer).post(f"/projects/study/reviews/items/{item.pk}/fix/", data)

    assert answer.status_code == 422
    assert "Hm." in answer.content.decode()
    assert not Review.objects.exists()


def test_an_annotator_sees_own_history_and_no_other(blind: Project, annotation: Annotation) -> None:
    other = factories.member(blind)

    assert "First submission" in shown(annotation.annotator, f"judgements/{annotation.pk}/")
    assert signed_in(other).get(f"/projects/study/judgements/{annotation.pk}/").status_code == 404


def test_an_earlier_version_is_restored_over_the_page(blind: Project, annotation: Annotation) -> None:
    reviewer, item = factories.member(blind, Role.REVIEWER), ReviewItem.objects.get()
    data = {"revision": 1, "reviews": 0, "preference": "tie"}
    signed_in(reviewer).post(f"/projects/study/reviews/items/{item.pk}/fix/", data)

    url = f"/projects/study/judgements/{annotation.pk}/restore/"
    signed_in(reviewer).post(url, {"number": 1, "revision": 2, "reviews": 1})

    annotation.refresh_from_db()
    assert (annotation.outcome, annotation.revision) == ("winner", 3)
    assert "Earlier text restored" in shown(reviewer, f"judgements/{annotation.pk}/")


def test_the_page_of_an_annotator(blind: Project, annotation: Annotation) -> None:
    returned(annotation, factories.member(blind, Role.REVIEWER))

    page = shown(annotation.annotator, "feedback/")

    assert "To mend" in page
    assert "Say why." in page
    assert "0 % of 1" in page


def test_a_lead_sets_the_rules(blind: Project) -> None:
    lead = factories.member(blind, Role.LEAD)
    data = {
        "share": 30,
        "new_share": 50,
        "new_count": 5,
        "rules": ["too_fast", "flags"],
        "rubric_lines": "Specific\nNames a step\n\nNames a step",
        "margin_spread": 3,
        "dimension_spread": 0,
        "return_days": 2,
        "lot_limit": 5,
        "lot_risk": 10,
        "lot_most": 2,
    }
    answer = signed_in(lead).post("/projects/study/reviews/settings/", data)

    assert answer.status_code == 302, answer.context["form"].errors
    chosen = ReviewSettings.objects.get()
    assert chosen.rubric == [
        {"key": "specific", "label": "Specific"},
        {"key": "names_a_step", "label": "Names a step"},
    ]
    assert (chosen.rules, chosen.outcome_differs, chosen.lot_limit) == (["flags", "too_fast"], False, 5)
    assert Project.objects.get().review_share == 30
    assert signed_in(lead).post("/projects/study/reviews/settings/", {**data, "share": 101}).status_code == 422


def test_what_was_pasted_is_stored(blind: Project) -> None:
    client = signed_in(factories.member(blind))
    send(client, take(client), justification="Some words from elsewhere.", pasted="21")

    assert Annotation.objects.get().pasted == 21


def test_hostile_forms_are_answered(blind: Project, annotation: Annotation) -> None:
    reviewer = signed_in(factories.member(blind, Role.REVIEWER))
    item = ReviewItem.objects.get()

    for revision in ["", "-1", "9" * 30, "٣", "x"]:
        answer = reviewer.post(f"/projects/study/reviews/items/{item.pk}/", {"revision": revision, "reviews": "0"})
        assert answer.status_code == 409
    for path in [f"reviews/items/{10**17}/", f"judgements/{10**17}/", f"reviews/lots/{10**17}/"]:
        assert reviewer.get(f"/projects/study/{path}").status_code == 404
    assert reviewer.post("/projects/study/reviews/lots/", {"lot": "1-x"}).status_code == 302
    assert not Review.objects.exists()


def test_an_author_answers_and_appeals_but_does_not_comment(blind: Project, annotation: Annotation) -> None:
    review = returned(annotation, factories.member(blind, Role.REVIEWER))
    author = signed_in(annotation.annotator)

    base = "/projects/study/"
    assert author.post(f"{base}judgements/{annotation.pk}/comment/", {"text": "But …"}).status_code == 403
    author.post(f"{base}feedback/verdicts/{review.pk}/answer/", {"text": "I see."})
    author.post(f"{base}feedback/verdicts/{review.pk}/appeal/", {"text": "It was right."})

    page = shown(annotation.annotator, f"judgements/{annotation.pk}/")
    assert "I see." in page
    assert "It was right." in page
    assert "Send the answer" not in page
    lead = factories.member(blind, Role.LEAD)
    assert "It was right." in shown(lead, "reviews/")
    data = {"decision": "refuse", "text": "It was not."}
    signed_in(lead).post(f"{base}reviews/appeals/{review.appeal.pk}/", data)
    assert "It was not." in shown(annotation.annotator, f"judgements/{annotation.pk}/")


def test_a_reviewer_reads_the_guidelines_that_the_author_had(blind: Project) -> None:
    blind.guidelines = "Prefer the shorter one."
    blind.save()
    then = blind.guidelines_version
    annotation = submitted(blind, factories.member(blind, username="mina"))
    blind.guidelines = "Prefer the longer one."
    blind.save(update_fields=["guidelines"])

    blind.refresh_from_db()
    assert (annotation.guidelines_version, blind.guidelines_version) == (then, then + 1)
    reviewer = factories.member(blind, Role.REVIEWER)
    page = shown(reviewer, f"reviews/items/{ReviewItem.objects.get(annotation=annotation).pk}/")
    assert f"/projects/study/guidelines/?version={then}" in page
    assert "Prefer the shorter one." in shown(reviewer, f"guidelines/?version={then}")
    assert "Prefer the longer one." in shown(reviewer, "guidelines/")
    assert "Prefer the longer one." in shown(reviewer, "guidelines/?version=99999999")


def test_saving_a_project_without_another_text_makes_no_version(blind: Project) -> None:
    number = blind.guidelines_version
    blind.save()
    assert (Project.objects.get().guidelines_version, blind.old_guidelines.count()) == (number, 0)


def test_a_reviewer_sees_how_a_rewrite_will_look(blind: Project, annotation: Annotation) -> None:
    submitted(blind, factories.member(blind), winner=1)
    dispute, reviewer = Dispute.objects.get(), factories.member(blind, Role.REVIEWER)
    fields = {"letter": "a", "rewrite-a": "**Better** words", "turn": "1"}

    for path in [f"work/{annotation.assignment.public_id}/preview/", f"reviews/disputes/{dispute.pk}/preview/"]:
        answer = signed_in(reviewer).post(f"/projects/study/{path}", fields)
        assert answer.status_code == 200, path
        assert "<strong>Better</strong> words" in answer.content.decode()
    other = signed_in(factories.member(blind)).post(
        f"/projects/study/work/{annotation.assignment.public_id}/preview/", fields
    )
    assert other.status_code == 409
