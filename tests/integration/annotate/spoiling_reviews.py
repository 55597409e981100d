"""What breaks the rules of reviews, disputes and audit lots."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from annotate.models import (
    Appeal,
    AuditLot,
    Dispute,
    Review,
    ReviewComment,
    ReviewItem,
    ReviewPoint,
    ReviewSettings,
    RubricScore,
)
from tests.integration.annotate.spoiling import World, twice


def review(w: World, **fields: Any) -> Review:
    return Review.objects.create(**{"annotation": w.annotation, "reviewer": w.reviewer, "verdict": "accept", **fields})


def item(w: World, **fields: Any) -> ReviewItem:
    return ReviewItem.objects.create(**{"annotation": w.annotation, "reasons": ["sample"], **fields})


def lot(w: World, **fields: Any) -> AuditLot:
    plan = {"size": 9, "last_annotation": 9, "limit": 10, "risk": 10, "most": 3}
    return AuditLot.objects.create(**{"batch": w.task.batch, "annotator": w.person, **plan, **fields})


def appeal(w: World, **fields: Any) -> Appeal:
    return Appeal.objects.create(**{"review": review(w), "author": w.person, "text": "Why?", **fields})


def settings(w: World, **fields: Any) -> ReviewSettings:
    return ReviewSettings.objects.create(project=w.project, **fields)


REVIEW_BREAKERS: dict[str, Callable[[World], Any]] = {
    "annotate_reviewitem_one_open": lambda w: twice(lambda: item(w)),
    "annotate_reviewitem_state": lambda w: item(w, state="done"),
    "annotate_reviewitem_lease_has_reviewer": lambda w: item(w, lease_until=timezone.now()),
    "annotate_rubricscore_unique": lambda w: twice(
        lambda r=review(w): RubricScore.objects.create(review=r, key="specific", value=1)
    ),
    "annotate_rubricscore_range": lambda w: RubricScore.objects.create(review=review(w), key="specific", value=3),
    "annotate_reviewpoint_place": lambda w: ReviewPoint.objects.create(review=review(w), place="odd"),
    "annotate_reviewpoint_quote": lambda w: ReviewPoint.objects.create(review=review(w), place="flags", quote="so"),
    "annotate_lot_one_open": lambda w: twice(lambda: lot(w)),
    "annotate_lot_state": lambda w: lot(w, state="accepted"),
    "annotate_lot_plan": lambda w: lot(w, limit=0),
    "annotate_reviewsettings_new_share": lambda w: settings(w, new_share=101),
    "annotate_reviewsettings_return_days": lambda w: settings(w, return_days=0),
    "annotate_reviewsettings_lots": lambda w: settings(w, lot_limit=60),
    "annotate_reviewcomment_text": lambda w: ReviewComment.objects.create(
        annotation=w.annotation, author=w.person, text=""
    ),
    "annotate_appeal_text": lambda w: appeal(w, text=""),
    "annotate_appeal_state": lambda w: appeal(w, state="granted"),
    "annotate_appeal_not_own": lambda w: appeal(w, state="granted", decided_by=w.person, decided_at=timezone.now()),
    "annotate_dispute_unique": lambda w: twice(lambda: Dispute.objects.create(prompt=w.prompt)),
    "annotate_dispute_state": lambda w: Dispute.objects.create(prompt=w.prompt, state="settled"),
    # triggers
    "annotate_review_not_own": lambda w: review(w, reviewer=w.person),
    "annotate_reviewitem_not_own": lambda w: item(w, reviewer=w.person),
    "annotate_adjudication_not_own": lambda w: w.annotate(
        assignment=w.assign(kind="adjudication", round=1), is_adjudication=True
    ),
    "annotate_appeal_by_author": lambda w: appeal(w, author=w.reviewer),
}
