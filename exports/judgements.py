"""Imported judgements: annotations of people who never signed in here, under the pseudonyms of their file."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from msgspec import to_builtins

from annotate.enums import AnnotationState, AssignmentKind, AssignmentState, Role
from annotate.models import (
    Annotation,
    Assignment,
    Dimension,
    Flag,
    Membership,
    Placement,
    Project,
    Rating,
    Review,
    Rewrite,
    User,
)
from annotate.queries.judging import current_dimensions
from exports.records import AnnotationRecord, PromptRecord

Judged = tuple[int, int, PromptRecord, dict[str, int]]
"""Task, prompt, its record, and response id to primary key."""


class JudgementLoader:
    """Writes the annotations of records, a chunk at a time. Annotators are made when their pseudonym is new."""

    def __init__(self, project: Project, added: Iterable[Dimension] = ()) -> None:
        """``added``: dimensions that the import brings and that nobody sees yet."""
        self.project = project
        self.dimensions = {dimension.key: dimension for dimension in (*added, *current_dimensions(project))}
        members = Membership.objects.filter(project=project, user__is_imported=True)
        self.people: dict[str, int] = dict(members.values_list("pseudonym", "user_id"))
        self.count = 0

    def load(self, chunk: Sequence[Judged]) -> None:
        """Write all judgements of the prompts."""
        assignments = self._assignments(chunk)
        pairs: list[tuple[AnnotationRecord, Annotation, dict[str, int]]] = []
        for task, prompt, record, ids in chunk:
            for item in record.annotations:
                assignment = assignments[task, item.annotator, item.kind]
                pairs.append((item, self._annotation(item, assignment, prompt, ids), ids))
        Annotation.objects.bulk_create([annotation for _, annotation, _ in pairs])
        self._details(pairs)
        self.count += len(pairs)

    def _assignments(self, chunk: Sequence[Judged]) -> dict[tuple[int, str, str], Assignment]:
        wanted: dict[tuple[int, str, str], Assignment] = {}
        for task, prompt, record, ids in chunk:
            for item in record.annotations:
                key = (task, item.annotator, item.kind)
                assignment = wanted.setdefault(key, self._assignment(task, item))
                assignment.display_order[str(prompt)] = [ids[name] for name in item.display_order]
                if item.state == "returned":
                    assignment.state = AssignmentState.RETURNED
        Assignment.objects.bulk_create(wanted.values())
        return wanted

    def _assignment(self, task: int, item: AnnotationRecord) -> Assignment:
        is_final = item.kind == "adjudication"
        return Assignment(
            task_id=task,
            annotator_id=self.person(item.annotator, Role.REVIEWER if is_final else Role.ANNOTATOR),
            kind=AssignmentKind.ADJUDICATION if is_final else AssignmentKind.IMPORT,
            round=1 if is_final else 0,
            state=AssignmentState.SUBMITTED,
            display_order={},
            finished_at=parse_time(item.submitted_at),
        )

    def person(self, pseudonym: str, role: Role) -> int:
        """Return the user that stands for the pseudonym in this project; it can never sign in."""
        if pseudonym not in self.people:
            user = User(
                username=f"imported-{uuid.uuid4().hex}",
                display_name=f"{pseudonym} (imported)"[:150],
                is_active=False,
                is_imported=True,
            )
            user.set_unusable_password()
            user.save()
            Membership.objects.create(user=user, project=self.project, role=role, pseudonym=pseudonym)
            self.people[pseudonym] = user.pk
        return self.people[pseudonym]

    def _annotation(
        self, item: AnnotationRecord, assignment: Assignment, prompt: int, ids: dict[str, int]
    ) -> Annotation:
        return Annotation(
            assignment=assignment,
            prompt_id=prompt,
            annotator_id=assignment.annotator_id,
            is_adjudication=item.kind == "adjudication",
            state=AnnotationState.RETURNED if item.state == "returned" else AnnotationState.SUBMITTED,
            outcome=item.outcome,
            winner_id=ids[item.winner] if item.winner else None,
            margin=item.margin if item.outcome in {"winner", "tie"} else None,
            justification=item.justification,
            reason=item.reason,
            reason_kind=item.reason_kind,
            references=[
                {**to_builtins(each), "quote": each.quote, "response": ids[each.response]} for each in item.references
            ],
            warnings=to_builtins(item.warnings),
            dimension_order=item.dimension_order,
            active_seconds=item.active_seconds,
            idle_seconds=item.idle_seconds,
            display_order=[ids[name] for name in item.display_order],
            rubric_version=item.rubric_version,
            seconds=item.seconds,
            submitted_at=parse_time(item.submitted_at),
        )

    def _details(self, pairs: Sequence[tuple[AnnotationRecord, Annotation, dict[str, int]]]) -> None:
        Rating.objects.bulk_create(
            Rating(
                annotation=annotation,
                dimension=self.dimensions[rating.dimension],
                response_id=ids[rating.response] if rating.response is not None else None,
                value=rating.value,
                text=rating.text or "",
                tags=rating.tags,
                justification=rating.justification,
            )
            for item, annotation, ids in pairs
            for rating in item.ratings
        )
        Placement.objects.bulk_create(
            Placement(annotation=annotation, response_id=ids[name], rank=rank)
            for item, annotation, ids in pairs
            for rank, group in enumerate(item.ranking, start=1)
            for name in group
        )
        Rewrite.objects.bulk_create(
            Rewrite(
                annotation=annotation,
                response_id=ids[rewrite.response],
                content=[{"type": "text", "text": part.text or ""} for part in rewrite.content],
            )
            for item, annotation, ids in pairs
            for rewrite in item.rewrites
        )
        Flag.objects.bulk_create(
            Flag(annotation=annotation, response_id=ids[flag.response], kind=flag.kind, note=flag.note)
            for item, annotation, ids in pairs
            for flag in item.flags
        )
        self._reviews(pairs)

    def _reviews(self, pairs: Sequence[tuple[AnnotationRecord, Annotation, dict[str, int]]]) -> None:
        reviews = []
        for item, annotation, _ in pairs:
            for number, review in enumerate(item.reviews, start=1):
                made = Review(
                    annotation=annotation,
                    annotation_revision=number,
                    reviewer_id=self.person(review.reviewer, Role.REVIEWER),
                    verdict=review.verdict,
                    comment=review.comment,
                )
                made.created_at = parse_time(review.at) or datetime.now(UTC)
                reviews.append(made)
        Review.objects.bulk_create(reviews)


def parse_time(text: str | None) -> datetime | None:
    """Return the moment in UTC; ``None`` stays ``None``."""
    return datetime.fromisoformat(text).astimezone(UTC) if text else None
