"""What is submitted may go to the reviewers, or show that annotators disagree."""

from collections.abc import Sequence, Set

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from annotate.enums import AssignmentKind, DisputeState, ReviewItemState
from annotate.models import Annotation, Dispute, Prompt, ReviewItem, ReviewSettings, Task
from annotate.queries.reviews import (
    earlier_reasons,
    gold_record,
    policy_of,
    rule_of,
    said_about,
    settings_of,
)
from annotate.rendering import word_count
from annotate.rules.content import text_of
from annotate.rules.reviewing import Facts, Policy, disagreements, is_comparable, most_similar, why_reviewed


def queue_for_review(task: Task, annotations: Sequence[Annotation], returned: Set[int] = frozenset()) -> None:
    """Put into the queue what the project wants reviewed. Call in the transaction of the submit.

    :param returned: primary keys of those that a reviewer had sent back.
    """
    chosen = settings_of(task.project)
    policy = policy_of(task.project, chosen)
    for annotation in annotations:
        if annotation.assignment.kind == AssignmentKind.QUEUE:
            _queue(task, annotation, policy, was_returned=annotation.pk in returned)
            look_for_dispute(annotation.prompt, chosen)


def _queue(task: Task, annotation: Annotation, policy: Policy, *, was_returned: bool) -> None:
    if not was_returned and ReviewItem.objects.filter(annotation=annotation).exists():
        return  # it was looked at once, or still waits
    found = why_reviewed(facts_of(task, annotation, policy, was_returned=was_returned), policy)
    if found.reasons:
        add_item(annotation, found.reasons, signals=found.signals)


def add_item(annotation: Annotation, reasons: Sequence[str], **fields: object) -> ReviewItem:
    """Put the annotation into the queue; when it is there already, the reasons are added."""
    item = ReviewItem.objects.filter(annotation=annotation, state=ReviewItemState.OPEN).first()
    if item is None:
        return ReviewItem.objects.create(annotation=annotation, reasons=list(reasons), **fields)
    item.reasons = [*item.reasons, *(reason for reason in reasons if reason not in item.reasons)]
    for name, value in fields.items():
        setattr(item, name, value)
    item.save()
    return item


def facts_of(task: Task, annotation: Annotation, policy: Policy, *, was_returned: bool) -> Facts:
    """Return what the rules look at; what no rule of the project asks for is not fetched."""
    earlier = Annotation.objects.filter(
        annotator=annotation.annotator_id,
        is_adjudication=False,
        pk__lt=annotation.pk,
        prompt__task__project=task.project,
    )
    in_batch = Count("pk", filter=Q(prompt__task__batch=task.batch_id))
    counts = earlier.aggregate(place=in_batch, experience=Count("pk"))
    said = annotation.justification
    is_compared = "repeated" in policy.rules and is_comparable(said)
    mine, others = earlier_reasons(annotation) if is_compared else ([], [])
    return Facts(
        seed=f"{settings.SECRET_KEY}:{task.batch_id}:{annotation.annotator_id}",
        place=counts["place"],
        experience=counts["experience"],
        justification=said,
        words=words_of(annotation.prompt),
        seconds=annotation.active_seconds if annotation.active_seconds is not None else annotation.seconds,
        pasted=annotation.pasted,
        warnings={each["code"] for each in annotation.warnings if each["decision"] != "changed"},
        flags=set(annotation.flags.values_list("kind", flat=True)),
        own_similarity=most_similar(said, mine),
        other_similarity=most_similar(said, others),
        gold=gold_record(annotation.annotator_id, task.project) if "gold" in policy.rules else (0, 0),
        was_returned=was_returned,
    )


def words_of(prompt: Prompt) -> int:
    """Return how many words there were to read."""
    contents = [prompt.content, *(response.content for response in prompt.responses.all())]
    return sum(word_count(text_of(content)) for content in contents)


def look_for_dispute(prompt: Prompt, chosen: ReviewSettings) -> None:
    """Open a dispute when annotators disagree about the prompt; close an open one that has gone."""
    if prompt.task.overlap < 2:
        return
    about = disagreements(said_about(prompt), rule_of(chosen))
    if about:
        dispute, created = Dispute.objects.get_or_create(prompt=prompt, defaults={"about": about})
        if not created and dispute.state == DisputeState.OPEN and dispute.about != about:
            dispute.about = about
            dispute.save(update_fields=["about"])
    else:
        Dispute.objects.filter(prompt=prompt, state=DisputeState.OPEN).delete()


def close_items(annotation: Annotation) -> None:
    """Take the annotation out of the queue: somebody has decided."""
    waiting = ReviewItem.objects.filter(annotation=annotation, state=ReviewItemState.OPEN)
    waiting.update(state=ReviewItemState.DONE, done_at=timezone.now(), lease_until=None)
