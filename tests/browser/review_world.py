"""A project in the middle of its reviews: every page about them has something to show."""

import uuid
from dataclasses import dataclass, replace

from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_next
from annotate.actions.audit_lots import open_lot
from annotate.actions.discussions import answer, appeal, comment
from annotate.actions.reviews import Remarks, Seen, accept, fix, send_back
from annotate.enums import Role
from annotate.forms.filled import judgement_from
from annotate.models import Annotation, Dispute, Project, ReviewItem, ReviewSettings, User
from annotate.queries.judging import content_of
from annotate.rules.judgement import Judgement, RatingValue
from annotate.rules.references import mentions
from annotate.views.judged import turns_submitted
from tests import factories

WHY = "@A explains every step in plain words and names the reason for it; Response B only repeats the question."


@dataclass(frozen=True)
class ReviewWorld:
    """``places``: name of a page to (who looks, address below the project)."""

    project: Project
    places: dict[str, tuple[User, str]]


def judge_all(project: Project, person: User) -> None:
    """The person prefers what stands on the left, every time."""
    keys = list(project.dimensions.values_list("key", flat=True))
    while assignment := claim_next(project=project, by=person):
        prompt = assignment.task.prompts.get()
        shown = [str(pk) for pk in assignment.display_order[str(prompt.pk)]]
        ratings = tuple(RatingValue(key, pk, 3 + (pk == shown[0])) for key in keys for pk in shown)
        said = Judgement("winner", shown[0], 2, ratings=ratings, justification=WHY)
        said = replace(said, references=tuple(mentions(WHY, shown)))
        submit(public_id=assignment.public_id, judgements={prompt.pk: said}, key=uuid.uuid4(), by=person)


def seen(annotation: Annotation) -> Seen:
    annotation.refresh_from_db()
    return Seen(annotation.revision, annotation.reviews.count())


def review_world(slug: str = "study") -> ReviewWorld:
    project = factories.project(slug, preset="helpsteer3", review_share=100, overlap=2, name="Coding help")
    ReviewSettings.objects.create(project=project, show_settled=True)
    for _ in range(6):
        factories.task(project)
    batch = project.batches.get()
    mina, tom = factories.member(project), factories.member(project)
    reviewer, lead = factories.member(project, Role.REVIEWER), factories.member(project, Role.LEAD)
    judge_all(project, mina)
    judge_all(project, tom)
    Annotation.objects.filter(prompt__task__project=project).update(pasted=100, active_seconds=0)
    first, second, third, fourth = Annotation.objects.filter(annotator=mina)[:4]
    points = [("justification", "in plain words"), ("ratings", "")]
    remarks = Remarks("Say which step is missing in B.", {"specific": 0, "language": 2}, points)
    send_back(annotation=first, seen=seen(first), remarks=remarks, turns_of=turns_submitted, by=reviewer)
    better = replace(judgement_from(content_of(second)), margin=1, justification="Response A explains every step.")
    better = replace(better, references=())
    fixed = fix(
        annotation=second, seen=seen(second), judgement=better, remarks=Remarks("Slightly is enough."), by=reviewer
    )
    answer(review=fixed, text="I still think it is clearly better.", by=mina)
    appeal(review=fixed, text="Two steps more are not slight.", by=mina)
    comment(annotation=second, text=f"@{lead.username} please look.", by=reviewer)
    accept(annotation=third, seen=seen(third), remarks=Remarks(), by=reviewer)
    lot = open_lot(batch=batch, annotator=tom, by=lead)
    item, dispute = ReviewItem.objects.get(annotation=fourth), Dispute.objects.filter(prompt__task__project=project)[0]
    places = {
        "review-queue": (lead, "reviews/"),
        "review-item": (reviewer, f"reviews/items/{item.pk}/"),
        "review-fix": (reviewer, f"reviews/items/{item.pk}/fix/"),
        "review-dispute": (lead, f"reviews/disputes/{dispute.pk}/"),
        "review-lots": (lead, "reviews/lots/"),
        "review-lot": (lead, f"reviews/lots/{lot.pk}/"),
        "review-rules": (lead, "reviews/settings/"),
        "review-history": (lead, f"judgements/{second.pk}/"),
        "feedback": (mina, "feedback/"),
        "feedback-history": (mina, f"judgements/{second.pk}/"),
        "returned": (mina, f"work/{first.assignment.public_id}/"),
    }
    return ReviewWorld(project, places)
