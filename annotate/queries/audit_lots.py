"""Audit lots: whose work in which batch, and what the sample says so far."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotate.enums import LotState, ReviewItemState, Verdict
from annotate.models import Annotation, AuditLot, Batch, Project, Review, User
from annotate.quality.audit_lots import Plan, bound_in_lot, clopper_pearson, plan_for


@dataclass(frozen=True)
class Standing:
    """How far the audit of a lot has come. ``needed``: reviews altogether for the next decision."""

    plan: Plan
    drawn: int
    reviewed: int
    defects: int
    decision: str
    needed: int
    bound: float
    interval: tuple[float, float]


def plan_of(lot: AuditLot) -> Plan:
    """Return the sampling plan of the lot."""
    return plan_for(lot.size, lot.limit / 100, lot.risk / 100, lot.most)


def standing_of(lot: AuditLot) -> Standing:
    """Return what was found so far. A judgement is a defect when the first verdict of the audit was not "accept"."""
    items = list(lot.items.values_list("annotation_id", "state", "created_at"))
    done = {pk: created for pk, state, created in items if state == ReviewItemState.DONE}
    first: dict[int, str] = {}
    for pk, verdict, at in (
        Review.objects.filter(annotation_id__in=done)
        .order_by("pk")
        .values_list("annotation_id", "verdict", "created_at")
    ):
        if at >= done[pk]:
            first.setdefault(pk, verdict)
    reviewed, defects = len(first), sum(verdict != Verdict.ACCEPT for verdict in first.values())
    plan = plan_of(lot)
    decision, needed = plan.decide(reviewed, defects)
    return Standing(
        plan=plan,
        drawn=len(items),
        reviewed=reviewed,
        defects=defects,
        decision=decision,
        needed=needed,
        bound=bound_in_lot(defects, reviewed, lot.size, lot.risk / 100) if reviewed else 1.0,
        interval=clopper_pearson(defects, reviewed),
    )


def lots_of(project: Project) -> QuerySet[AuditLot]:
    """Return the lots of the project, newest first."""
    return AuditLot.objects.filter(batch__project=project).select_related("batch", "annotator").order_by("-pk")


def judgements_in(batch: Batch, annotator: User) -> QuerySet[Annotation]:
    """Return what belongs to a lot."""
    mine = Annotation.objects.filter(annotator=annotator, prompt__task__batch=batch, is_adjudication=False)
    return mine.order_by("pk")


def possible_lots(project: Project) -> list[tuple[Batch, User, int]]:
    """Return (batch, annotator, judgements) for all work that is in no open lot."""
    rows = (
        Annotation.objects.filter(prompt__task__project=project, is_adjudication=False)
        .order_by()
        .values_list("prompt__task__batch", "annotator")
        .annotate(count=Count("pk"))
    )
    busy = set(lots_of(project).filter(Q(state=LotState.OPEN)).values_list("batch_id", "annotator_id"))
    wanted = [(batch, person, count) for batch, person, count in rows if (batch, person) not in busy]
    batches = Batch.objects.in_bulk({row[0] for row in wanted})
    people = User.objects.in_bulk({row[1] for row in wanted})
    found = [(batches[batch], people[person], count) for batch, person, count in wanted]
    return sorted(found, key=lambda each: (-each[0].pk, each[1].name))
