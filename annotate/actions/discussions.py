"""Words about a verdict: comments with mentions, the author's one answer, an appeal to a lead and its end."""

import re

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.events import record
from annotate.actions.review_queue import add_item
from annotate.actions.reviews import MAX_COMMENT, ReviewConflict
from annotate.enums import AnnotationState, AppealState, ReviewReason
from annotate.models import Annotation, Appeal, Review, ReviewComment, User
from annotate.queries.reviews import settings_of

_MENTION = re.compile(r"(?<!\w)@([\w.+-]{2,150})")


@transaction.atomic
def comment(*, annotation: Annotation, text: str, by: User, parent: ReviewComment | None = None) -> ReviewComment:
    """Say something about the annotation, below another word where ``parent`` is given.

    :raises ReviewConflict: when there is no text.
    """
    written = ReviewComment.objects.create(annotation=annotation, parent=parent, author=by, text=_words(text))
    written.mentioned.set(mentioned_in(written.text, annotation))
    record("review.commented", annotation, by=by, project=annotation.prompt.task.project)
    return written


def mentioned_in(text: str, annotation: Annotation) -> list[User]:
    """Return the members whom "@username" names: reviewers, leads and the author."""
    names = {name.rstrip(".") for name in _MENTION.findall(text)}
    members = User.objects.filter(memberships__project=annotation.prompt.task.project, username__in=names)
    staff = members.filter(memberships__role__in=["reviewer", "lead"]) | members.filter(pk=annotation.annotator_id)
    return list(staff.distinct())


@transaction.atomic
def answer(*, review: Review, text: str, by: User) -> ReviewComment:
    """The author answers a verdict, once.

    :raises ReviewConflict: when the work is another's, or it was answered before.
    """
    annotation = review.annotation
    if annotation.annotator_id != by.pk:
        raise ReviewConflict(_("Only the author of the work answers a verdict."))
    try:
        with transaction.atomic():
            written = ReviewComment.objects.create(annotation=annotation, review=review, author=by, text=_words(text))
    except IntegrityError:
        raise ReviewConflict(_("You have answered this verdict already.")) from None
    written.mentioned.set(mentioned_in(written.text, annotation))
    record("review.answered", review, by=by, project=annotation.prompt.task.project)
    return written


@transaction.atomic
def appeal(*, review: Review, text: str, by: User) -> Appeal:
    """The author asks a lead to look at a verdict, once.

    :raises ReviewConflict: when the work is another's, the project has no appeals, or there was one before.
    """
    project = review.annotation.prompt.task.project
    if review.annotation.annotator_id != by.pk:
        raise ReviewConflict(_("Only the author of the work appeals against a verdict."))
    if not settings_of(project).may_appeal:
        raise ReviewConflict(_("This project has no appeals. Answer the reviewer instead."))
    try:
        with transaction.atomic():
            made = Appeal.objects.create(review=review, author=by, text=_words(text))
    except IntegrityError:
        raise ReviewConflict(_("You have appealed against this verdict already.")) from None
    record("appeal.made", made, by=by, project=project)
    return made


@transaction.atomic
def settle(*, appeal: Appeal, is_granted: bool, decision: str, by: User) -> Appeal:
    """A lead decides about an appeal. When it is granted, the work is looked at again by somebody else.

    :raises ReviewConflict: when it was decided before, or is about the lead's own work or verdict.
    """
    current = Appeal.objects.select_for_update().get(pk=appeal.pk)
    if current.state != AppealState.OPEN:
        raise ReviewConflict(_("This appeal has been decided already."))
    if by.pk in {current.author_id, current.review.reviewer_id}:
        raise ReviewConflict(_("Somebody who is not part of this has to decide about it."))
    current.state = AppealState.GRANTED if is_granted else AppealState.REFUSED
    current.decided_by, current.decided_at, current.decision = by, timezone.now(), decision.strip()[:MAX_COMMENT]
    current.save()
    annotation = current.review.annotation
    if is_granted and annotation.state == AnnotationState.SUBMITTED:
        add_item(annotation, [ReviewReason.APPEAL])
    record("appeal.decided", current, by=by, project=annotation.prompt.task.project, state=current.state)
    return current


def _words(text: str) -> str:
    cleaned = text.replace("\0", "").strip()[:MAX_COMMENT]
    if not cleaned:
        raise ReviewConflict(_("Write something first."))
    return cleaned
