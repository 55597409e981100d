"""Audit lots: draw a sample of somebody's work in a batch, enlarge it, decide."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.events import record
from annotate.actions.review_queue import add_item
from annotate.actions.reviews import Remarks, ReviewConflict, Seen, send_back
from annotate.enums import AnnotationState, LotState, ReviewItemState, ReviewReason
from annotate.models import Assignment, AuditLot, Batch, User
from annotate.quality.audit_lots import ACCEPT, ENLARGE, RETURN
from annotate.queries.audit_lots import judgements_in, plan_of, standing_of
from annotate.queries.reviews import settings_of


@transaction.atomic
def open_lot(*, batch: Batch, annotator: User, by: User) -> AuditLot:
    """Make a lot of all that the person has judged in the batch, and draw its first sample.

    :raises ReviewConflict: when there is nothing to look at, or the lot is open already.
    """
    if annotator == by:
        raise ReviewConflict(_("This is your own work. Somebody else has to audit it."))
    if AuditLot.objects.filter(batch=batch, annotator=annotator, state=LotState.OPEN).exists():
        raise ReviewConflict(_("This lot is being audited already."))
    keys = list(judgements_in(batch, annotator).filter(state=AnnotationState.SUBMITTED).values_list("pk", flat=True))
    if not keys:
        raise ReviewConflict(_("There is nothing to audit yet."))
    chosen = settings_of(batch.project)
    lot = AuditLot.objects.create(
        batch=batch,
        annotator=annotator,
        size=len(keys),
        last_annotation=keys[-1],
        limit=chosen.lot_limit,
        risk=chosen.lot_risk,
        most=chosen.lot_most,
        created_by=by,
    )
    draw(lot, plan_of(lot).samples[0])
    record("lot.opened", lot, by=by, project=batch.project, size=lot.size)
    return lot


def draw(lot: AuditLot, wanted: int) -> None:
    """Put judgements of the lot into the queue until the sample has ``wanted``. The order is random and fixed."""
    taken = set(lot.items.values_list("annotation_id", flat=True))
    within = judgements_in(lot.batch, lot.annotator).filter(pk__lte=lot.last_annotation)
    rest = within.filter(state=AnnotationState.SUBMITTED).exclude(pk__in=taken)
    ordered = sorted(
        rest, key=lambda each: hashlib.sha256(f"{settings.SECRET_KEY}:{lot.pk}:{each.pk}".encode()).digest()
    )
    for annotation in ordered[: max(0, wanted - len(taken))]:
        # Work that waits for another reason is looked at once for both.
        add_item(annotation, [ReviewReason.LOT], lot=lot)


@transaction.atomic
def decide(*, lot: AuditLot, turns_of: Callable[[Assignment], Mapping[str, Mapping[str, Any]]], by: User) -> str:
    """Do what the sample asks for: accept the lot, enlarge the sample, or return what was not looked at yet.

    :raises ReviewConflict: when the lot was decided before, or the sample is not done.
    """
    current = AuditLot.objects.select_for_update().select_related("batch__project", "annotator").get(pk=lot.pk)
    if current.state != LotState.OPEN:
        raise ReviewConflict(_("This lot has been decided already."))
    if current.annotator_id == by.pk:
        raise ReviewConflict(_("This is your own work. Somebody else has to audit it."))
    standing = standing_of(current)
    if standing.decision == ENLARGE:
        draw(current, standing.needed)
        record("lot.enlarged", current, by=by, project=current.batch.project, sample=standing.needed)
        return ENLARGE
    current.state = LotState.ACCEPTED if standing.decision == ACCEPT else LotState.RETURNED
    current.decided_at = timezone.now()
    current.save(update_fields=["state", "decided_at"])
    if standing.decision == RETURN:
        _return_rest(current, turns_of, by)
    found = {"reviewed": standing.reviewed, "defects": standing.defects}
    record(f"lot.{current.state}", current, by=by, project=current.batch.project, **found)
    return standing.decision


def _return_rest(lot: AuditLot, turns_of: Callable[[Assignment], Mapping[str, Mapping[str, Any]]], by: User) -> None:
    """Send back what nobody looked at; what was reviewed has its own verdict."""
    looked_at = lot.items.filter(state=ReviewItemState.DONE).values("annotation_id")
    rest = judgements_in(lot.batch, lot.annotator).filter(pk__lte=lot.last_annotation, state=AnnotationState.SUBMITTED)
    text = _("Too many judgements of the sample from this batch had to be sent back or fixed. Look at this one again.")
    for annotation in rest.exclude(pk__in=looked_at).select_related("prompt"):
        seen = Seen(annotation.revision, annotation.reviews.count())
        send_back(annotation=annotation, seen=seen, remarks=Remarks(comment=text), turns_of=turns_of, by=by)
