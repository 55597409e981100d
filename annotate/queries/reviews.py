"""What reviewers have to look at, and what is known about it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from annotate.enums import (
    AnnotationState,
    AppealState,
    DimensionKind,
    DisputeState,
    KnownKind,
    ReviewItemState,
    TaskState,
    Verdict,
)
from annotate.models import (
    Annotation,
    Appeal,
    Dimension,
    Dispute,
    KnownJudgement,
    Project,
    Prompt,
    Rating,
    Review,
    ReviewComment,
    ReviewItem,
    ReviewSettings,
    User,
)
from annotate.rules.coherence import RECENT
from annotate.rules.reviewing import DisagreementRule, Policy, Said

GOLD_LOOKED_AT = 200


def settings_of(project: Project) -> ReviewSettings:
    """Return how the project reviews: what a lead has set, else the defaults, unsaved."""
    return ReviewSettings.objects.filter(project=project).first() or ReviewSettings(project=project)


def policy_of(project: Project, chosen: ReviewSettings) -> Policy:
    """Return how judgements are chosen for review."""
    return Policy(project.review_share, chosen.new_share, chosen.new_count, frozenset(chosen.rules))


def rule_of(chosen: ReviewSettings) -> DisagreementRule:
    """Return what the project calls a disagreement."""
    return DisagreementRule(chosen.outcome_differs, chosen.margin_spread, chosen.dimension_spread)


# ------------------------------------------------------------------------------------------------------- the queue
def open_items(project: Project, user: User) -> QuerySet[ReviewItem]:
    """Return what waits for a reviewer, without the person's own work: first in, first out."""
    waiting = ReviewItem.objects.filter(state=ReviewItemState.OPEN, annotation__prompt__task__project=project)
    submitted = waiting.filter(
        annotation__state=AnnotationState.SUBMITTED, annotation__prompt__task__state=TaskState.ACTIVE
    )
    return submitted.exclude(annotation__annotator=user).order_by("pk")


def free_items(project: Project, user: User) -> QuerySet[ReviewItem]:
    """Return what the person could take now: not in other hands."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now()) | Q(reviewer=user)
    return open_items(project, user).filter(free)


def neighbours(item: ReviewItem, project: Project, user: User) -> tuple[int | None, int | None]:
    """Return the primary keys of the items before and after this one that the person could take."""
    free = free_items(project, user)
    before = free.filter(pk__lt=item.pk).order_by("-pk").values_list("pk", flat=True).first()
    after = free.filter(pk__gt=item.pk).values_list("pk", flat=True).first()
    return before, after


def dimensions_at(annotation: Annotation) -> list[Dimension]:
    """Return the dimensions that the author saw: those of the annotation's rubric version, in the order shown."""
    version, at = annotation.rubric_version, annotation.submitted_at
    dimensions = Dimension.objects.filter(project=annotation.prompt.task.project, since_version__lte=version)
    not_yet_retired = Q(retired_at__isnull=True) | (Q(retired_at__gt=at) if at else Q(pk__in=[]))
    used = Q(pk__in=Rating.objects.filter(annotation=annotation).values("dimension"))
    found = list(dimensions.filter(not_yet_retired | used))
    places = {key: place for place, key in enumerate(annotation.dimension_order)}
    return sorted(found, key=lambda each: places.get(each.key, len(places) + each.position))


def annotation_in(project: Project, pk: int) -> Annotation | None:
    """Return the annotation with all its parts, if it is the project's."""
    ratings = Prefetch("ratings", Rating.objects.select_related("dimension"))
    rows = Annotation.objects.select_related(
        "assignment__task__project", "assignment__task__batch", "assignment__annotator", "prompt__task", "annotator"
    ).prefetch_related(ratings, "placements", "rewrites", "flags")
    return rows.filter(pk=pk, prompt__task__project=project).first()


def others_on(annotation: Annotation) -> Sequence[Annotation]:
    """Return what other annotators said about the same prompt."""
    same = Annotation.objects.filter(prompt=annotation.prompt_id, is_adjudication=False)
    return list(same.exclude(pk=annotation.pk).order_by("pk")[:20])


def earlier_reasons(annotation: Annotation) -> tuple[list[str], list[str]]:
    """Return reasons to compare with: the author's last ones on other prompts, and others' on the same prompt."""
    project = annotation.prompt.task.project_id
    own = Annotation.objects.filter(annotator=annotation.annotator_id, prompt__task__project=project)
    mine = own.exclude(prompt=annotation.prompt_id).exclude(justification="").order_by("-submitted_at", "-pk")
    same = Annotation.objects.filter(prompt=annotation.prompt_id).exclude(annotator=annotation.annotator_id)
    return (
        list(mine.values_list("justification", flat=True)[:RECENT]),
        list(same.exclude(justification="").values_list("justification", flat=True)[:RECENT]),
    )


def gold_record(user_id: int, project: Project) -> tuple[int, int]:
    """Return how many known answers the person gave, and how many of those were right: (right, given)."""
    if not KnownJudgement.objects.filter(kind=KnownKind.GOLD, prompt__task__project=project).exists():
        return 0, 0  # without looking through all that the person ever said
    known = KnownJudgement.objects.filter(kind=KnownKind.GOLD, prompt=OuterRef("prompt"))
    given = Annotation.objects.filter(annotator=user_id, prompt__task__project=project, is_adjudication=False)
    newest = given.filter(Exists(known)).order_by("-pk").values_list("prompt_id", "outcome", "winner__external_id")
    rows = list(newest[:GOLD_LOOKED_AT])
    answers: dict[int, list[tuple[str, str | None]]] = {}
    for each in KnownJudgement.objects.filter(kind=KnownKind.GOLD, prompt_id__in=[row[0] for row in rows]):
        answers.setdefault(each.prompt_id, []).append((each.content["outcome"], each.content.get("winner")))
    return sum((outcome, winner) in answers.get(prompt, []) for prompt, outcome, winner in rows), len(rows)


# ---------------------------------------------------------------------------------------------------- disagreement
def said_about(prompt: Prompt) -> list[Said]:
    """Return what annotators say about the prompt, as far as they can disagree."""
    ordinal = Rating.objects.filter(dimension__kind__in=[DimensionKind.SCALE, DimensionKind.YES_NO])
    numbers = Prefetch("ratings", ordinal.exclude(value=None).select_related("dimension"))
    rows = Annotation.objects.filter(prompt=prompt, is_adjudication=False, state=AnnotationState.SUBMITTED)
    return [
        Said(
            row.outcome,
            row.winner_id,
            row.margin,
            {(each.dimension.key, each.response_id): each.value or 0 for each in row.ratings.all()},
        )
        for row in rows.prefetch_related(numbers)
    ]


def open_disputes(project: Project, user: User) -> QuerySet[Dispute]:
    """Return the disagreements that the person may settle: none in which they took part."""
    own = Annotation.objects.filter(prompt=OuterRef("prompt"), annotator=user, is_adjudication=False)
    disputes = Dispute.objects.filter(prompt__task__project=project, state=DisputeState.OPEN)
    return disputes.filter(~Exists(own)).select_related("prompt__task__batch").order_by("pk")


def open_appeals(project: Project, user: User) -> QuerySet[Appeal]:
    """Return the appeals that the person may decide: not against their own verdicts, not their own."""
    appeals = Appeal.objects.filter(review__annotation__prompt__task__project=project, state=AppealState.OPEN)
    foreign = appeals.exclude(author=user).exclude(review__reviewer=user)
    return foreign.select_related("review__annotation__prompt", "author", "review__reviewer").order_by("pk")


def mentions_of(user: User, project: Project, limit: int = 10) -> Sequence[ReviewComment]:
    """Return the last comments in which somebody named the person."""
    named = ReviewComment.objects.filter(mentioned=user, annotation__prompt__task__project=project)
    return list(named.select_related("author").order_by("-pk")[:limit])


# -------------------------------------------------------------------------------------------------- for annotators
def reviews_of(user: User, project: Project) -> QuerySet[Review]:
    """Return the verdicts on the person's work, newest first."""
    mine = Review.objects.filter(annotation__annotator=user, annotation__prompt__task__project=project)
    return mine.select_related("annotation__prompt__task", "annotation__assignment").order_by("-pk")


def unseen_reviews(user: User, project: Project) -> int:
    """Return how many returns and fixes the person has not looked at yet."""
    return reviews_of(user, project).filter(seen_at__isnull=True).exclude(verdict=Verdict.ACCEPT).count()


def latest_return(annotation: Annotation) -> Review | None:
    """Return why the annotation is with its author again."""
    return annotation.reviews.filter(verdict=Verdict.RETURN).prefetch_related("points").order_by("-pk").first()


def verdict_counts(user: User, project: Project) -> dict[str, int]:
    """Return how often each verdict was given on the person's work."""
    rows = reviews_of(user, project).order_by().values_list("verdict").annotate(count=Count("pk"))
    return dict(rows)


def consensus_agreement(user: User, project: Project, limit: int = 500) -> tuple[int, int]:
    """Return (agreed, compared): own outcomes against the strict majority of the others, at least two of them."""
    own = Annotation.objects.filter(annotator=user, prompt__task__project=project, is_adjudication=False)
    mine = {row[0]: row[1:] for row in own.order_by("-pk").values_list("prompt_id", "outcome", "winner_id")[:limit]}
    votes: dict[int, list[tuple[Any, ...]]] = {}
    others = Annotation.objects.filter(prompt_id__in=mine, is_adjudication=False).exclude(annotator=user)
    for prompt, *vote in others.values_list("prompt_id", "outcome", "winner_id"):
        votes.setdefault(prompt, []).append(tuple(vote))
    agreed = compared = 0
    for prompt, given in votes.items():
        best = max(set(given), key=given.count)
        if len(given) > 1 and 2 * given.count(best) > len(given):
            compared += 1
            agreed += best == mine[prompt]
    return agreed, compared


def settled_for(user: User, project: Project, limit: int = 20) -> Sequence[Dispute]:
    """Return settled disagreements on prompts that the person judged: there is nothing new to see, only to learn."""
    own = Annotation.objects.filter(prompt=OuterRef("prompt"), annotator=user, is_adjudication=False)
    settled = Dispute.objects.filter(prompt__task__project=project, state=DisputeState.SETTLED).filter(Exists(own))
    return list(settled.select_related("prompt", "adjudication").order_by("-settled_at")[:limit])


def resolution_hours(since: datetime, until: datetime | None) -> float:
    """Return how long something took, or has taken so far, in hours."""
    return ((until or timezone.now()) - since).total_seconds() / 3600


def votes_on(prompt: Prompt) -> list[Annotation]:
    """Return what annotators said about the prompt, with all its parts; adjudications are no votes."""
    ratings = Prefetch("ratings", Rating.objects.select_related("dimension"))
    votes = Annotation.objects.filter(prompt=prompt, is_adjudication=False)
    return list(votes.prefetch_related(ratings, "placements", "rewrites", "flags"))
