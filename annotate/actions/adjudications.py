"""Settling a disagreement with a final judgement of its own."""

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.actions.annotations import Incomplete, said_fields, store_details
from annotate.actions.events import record
from annotate.actions.reviews import ReviewConflict
from annotate.enums import AdjudicationReason, AssignmentKind, AssignmentState, DisputeState
from annotate.models import Annotation, Assignment, Dispute, Task, User
from annotate.queries.judging import dimensions_for, in_order, spec_for
from annotate.rules.judgement import Judgement, findings


@transaction.atomic
def adjudicate(
    *, dispute: Dispute, judgement: Judgement, reason: str, seen: int, order: list[int], by: User
) -> Annotation:
    """Settle the dispute with this judgement, which is an annotation of kind adjudication and no vote.

    :param seen: how many annotations of the prompt the page showed.
    :param order: response ids as the page showed them.
    :raises Incomplete: when the judgement is missing something.
    :raises ReviewConflict: when the person took part, it is settled, or somebody submitted meanwhile.
    """
    task = Task.objects.select_for_update().select_related("project").get(pk=dispute.prompt.task_id)
    current = Dispute.objects.select_for_update().get(pk=dispute.pk)
    votes = Annotation.objects.filter(prompt=current.prompt_id, is_adjudication=False)
    if votes.filter(annotator=by).exists():
        raise ReviewConflict(_("You judged this prompt yourself. Somebody else has to settle it."))
    if current.state != DisputeState.OPEN:
        raise ReviewConflict(_("Somebody else has settled this while you looked at it."))
    if votes.count() != seen:
        raise ReviewConflict(_("Another judgement of this prompt came in while you looked at it. Look again."))
    if reason not in AdjudicationReason.values:
        raise ReviewConflict(_("Choose why it is settled this way."))
    dimensions = dimensions_for(task, by.pk)
    if found := findings(judgement, spec_for(task.project, in_order(current.prompt, order), dimensions)):
        raise Incomplete({current.prompt_id: found})
    made = Annotation.objects.create(
        assignment=_assignment(task, by, current.prompt_id, order),
        prompt=current.prompt,
        annotator=by,
        is_adjudication=True,
        display_order=order,
        dimension_order=[each.key for each in dimensions] if task.project.rotate_dimensions else [],
        rubric_version=task.project.rubric_version,
        guidelines_version=task.project.guidelines_version,
        submitted_at=timezone.now(),
        **said_fields(judgement),
    )
    store_details(made, judgement, {each.key: each for each in dimensions})
    current.state, current.reason, current.settled_at = DisputeState.SETTLED, reason, timezone.now()
    current.adjudication = made
    current.save()
    record("prompt.adjudicated", made, by=by, project=task.project, reason=reason, about=current.about)
    return made


def _assignment(task: Task, by: User, prompt_id: int, order: list[int]) -> Assignment:
    last = Assignment.objects.filter(task=task, annotator=by).aggregate(last=Max("round"))["last"]
    now = timezone.now()
    return Assignment.objects.create(
        task=task,
        annotator=by,
        kind=AssignmentKind.ADJUDICATION,
        round=0 if last is None else last + 1,
        state=AssignmentState.SUBMITTED,
        display_order={str(prompt_id): order},
        opened_at=now,
        finished_at=now,
    )
