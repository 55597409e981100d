"""What was said about an annotation: verdicts, comments, answers, appeals; and how long things took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import ngettext

from annotate.enums import ReviewPlace, RevisionCause, Verdict
from annotate.models import Annotation, Review
from annotate.queries.reviews import resolution_hours, settings_of


@dataclass(frozen=True)
class Spoken:
    """A verdict, a comment or an answer in the thread below an annotation."""

    who: str
    at: datetime
    text: str
    pk: int
    verdict: str = ""
    verdict_label: str = ""
    revision: int = 0
    scores: Sequence[tuple[str, str]] = ()
    points: Sequence[str] = ()
    quotes: Sequence[str] = ()
    answers: list["Spoken"] = field(default_factory=list)
    resolved: str = ""
    appeal: Any = None
    appeal_took: str = ""


_SCORE = {0: "–", 1: "±", 2: "+"}


def thread_of(annotation: Annotation) -> list[Spoken]:
    """Return verdicts and comments, oldest first, each with what was said below it."""
    labels = {each["key"]: each["label"] for each in settings_of(annotation.prompt.task.project).rubric}
    reviews = annotation.reviews.select_related("reviewer", "appeal__decided_by", "answer__author")
    mended = list(annotation.revisions.filter(cause=RevisionCause.MENDED).values_list("created_at", flat=True))
    said = [_verdict(review, labels, mended) for review in reviews.prefetch_related("scores", "points")]
    comments = list(annotation.comments.filter(review__isnull=True).select_related("author"))
    by_pk = {each.pk: Spoken(each.author.name, each.created_at, each.text, each.pk) for each in comments}
    for each in comments:
        if each.parent_id in by_pk:
            by_pk[each.parent_id].answers.append(by_pk[each.pk])
    roots = [by_pk[each.pk] for each in comments if each.parent_id not in by_pk]
    return sorted([*said, *roots], key=lambda each: each.at)


def _verdict(review: Review, labels: Mapping[str, str], mended: Sequence[datetime]) -> Spoken:
    points = list(review.points.all())
    answer, appeal = getattr(review, "answer", None), getattr(review, "appeal", None)
    after = min((at for at in mended if at > review.created_at), default=None)
    is_mended = review.verdict == Verdict.RETURN and after is not None
    return Spoken(
        who=review.reviewer.name,
        at=review.created_at,
        text=review.comment,
        pk=review.pk,
        verdict=review.verdict,
        verdict_label=str(Verdict(review.verdict).label),
        revision=review.annotation_revision,
        scores=[(labels.get(each.key, each.key), _SCORE[each.value]) for each in review.scores.all()],
        points=list(dict.fromkeys(str(ReviewPlace(each.place).label) for each in points)),
        quotes=[each.quote for each in points if each.quote],
        answers=[Spoken(answer.author.name, answer.created_at, answer.text, answer.pk)] if answer else [],
        resolved=duration(resolution_hours(review.created_at, after)) if is_mended else "",
        appeal=appeal,
        appeal_took=duration(resolution_hours(appeal.created_at, appeal.decided_at)) if appeal else "",
    )


def duration(hours: float) -> str:
    """Return a time that passed, in the unit that suits it."""
    minutes = round(hours * 60)
    if minutes < 60:
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    if hours < 48:
        return ngettext("%(count)s hour", "%(count)s hours", round(hours)) % {"count": round(hours)}
    days = round(hours / 24)
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}
