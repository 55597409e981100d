"""Database to neutral records, streaming in id order with constant memory."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Max, Prefetch
from django.utils.crypto import salted_hmac

from annotate.enums import TaskState
from annotate.models import Annotation, Asset, Project, Prompt, Task
from exports.records import (
    AnnotationRecord,
    Message,
    Part,
    PromptRecord,
    RatingRecord,
    ResponseRecord,
    ReviewRecord,
    RewriteRecord,
    TaskRecord,
)

CHUNK = 200


def watermark_of(project: Project) -> dict[str, int]:
    """Return the highest ids that exist now: a snapshot is what lies at or under them."""
    tasks = Task.objects.filter(project=project).exclude(state=TaskState.STAGED)
    annotations = Annotation.objects.filter(prompt__task__project=project)
    return {
        "task": tasks.aggregate(last=Max("pk"))["last"] or 0,
        "annotation": annotations.aggregate(last=Max("pk"))["last"] or 0,
    }


def records(project: Project, watermark: dict[str, int]) -> Iterator[TaskRecord]:
    """Yield every active task of the snapshot with its judgements, in id order; 200 tasks are in memory at a time."""
    reader = _Reader(project, watermark)
    last = 0
    while chunk := reader.tasks_after(last):
        yield from (reader.record(task) for task in chunk)
        last = chunk[-1].pk


class _Reader:
    def __init__(self, project: Project, watermark: dict[str, int]) -> None:
        self.project, self.watermark = project, watermark
        self.pseudonyms: dict[int, str] = dict(project.memberships.values_list("user_id", "pseudonym"))
        self.extensions: dict[str, str] = {}

    def tasks_after(self, last: int) -> list[Task]:
        annotations = (
            Annotation.objects.filter(pk__lte=self.watermark["annotation"])
            .select_related("winner")
            .prefetch_related("ratings__dimension", "ratings__response", "placements__response", "rewrites__response")
            .prefetch_related("reviews")
            .order_by("pk")
        )
        prompts = Prompt.objects.prefetch_related("responses", Prefetch("annotations", annotations))
        tasks = Task.objects.filter(project=self.project, state=TaskState.ACTIVE)
        within = tasks.filter(pk__gt=last, pk__lte=self.watermark["task"]).order_by("pk")
        return list(within.prefetch_related(Prefetch("prompts", prompts))[:CHUNK])

    def record(self, task: Task) -> TaskRecord:
        return TaskRecord(
            id=task.external_id,
            context=[Message(role=m["role"], content=self.parts(m["content"])) for m in task.context],
            prompts=[self._prompt(prompt) for prompt in task.prompts.all()],
            priority=task.priority,
            overlap=task.overlap,
            metadata=task.metadata,
        )

    def _prompt(self, prompt: Prompt) -> PromptRecord:
        names = {response.pk: response.external_id for response in prompt.responses.all()}
        return PromptRecord(
            id=prompt.external_id,
            content=self.parts(prompt.content),
            responses=[
                ResponseRecord(
                    id=response.external_id,
                    content=self.parts(response.content),
                    model=response.model or None,
                    continues=response.continues,
                    metadata=response.metadata,
                )
                for response in prompt.responses.all()
            ],
            annotations=[self._annotation(annotation, names) for annotation in prompt.annotations.all()],
        )

    def _annotation(self, annotation: Annotation, names: dict[int, str]) -> AnnotationRecord:
        groups: dict[int, list[str]] = {}
        for placement in annotation.placements.all():
            groups.setdefault(placement.rank, []).append(names[placement.response_id])
        return AnnotationRecord(
            annotator=self.pseudonym(annotation.annotator_id),
            kind="adjudication" if annotation.is_adjudication else "annotation",
            state="returned" if annotation.state == "returned" else "submitted",
            outcome=annotation.outcome,  # type: ignore[arg-type]
            winner=names[annotation.winner_id] if annotation.winner_id else None,
            margin=annotation.margin,
            ranking=[groups[rank] for rank in sorted(groups)],
            ratings=_ratings(annotation, names),
            justification=annotation.justification,
            rewrites=[
                RewriteRecord(response=names[rewrite.response_id], content=self.parts(rewrite.content))
                for rewrite in annotation.rewrites.all()
            ],
            reviews=self._reviews(annotation),
            display_order=[names[pk] for pk in annotation.display_order],
            rubric_version=annotation.rubric_version,
            seconds=annotation.seconds,
            submitted_at=_time(annotation.submitted_at),
            reason=annotation.reason,
        )

    def _reviews(self, annotation: Annotation) -> list[ReviewRecord]:
        return [
            ReviewRecord(
                reviewer=self.pseudonym(review.reviewer_id),
                verdict=review.verdict,  # type: ignore[arg-type]
                comment=review.comment,
                at=_time(review.created_at) or "",
            )
            for review in annotation.reviews.all()
        ]

    def pseudonym(self, user_id: int) -> str:
        """The member's pseudonym; an admin who works without a membership gets a stable one."""
        if user_id not in self.pseudonyms:
            digest = salted_hmac(f"exports.pseudonym.{self.project.pk}", str(user_id), algorithm="sha256").hexdigest()
            self.pseudonyms[user_id] = f"a-{digest[:12]}"
        return self.pseudonyms[user_id]

    def parts(self, content: list[dict[str, Any]]) -> list[Part]:
        return [
            Part(type="text", text=part["text"])
            if part["type"] == "text"
            else Part(type=part["type"], path=self._path(part["asset"]), name=part.get("name"))
            for part in content
        ]

    def _path(self, sha256: str) -> str:
        if sha256 not in self.extensions:
            name = Asset.objects.values_list("file", flat=True).get(sha256=sha256)
            self.extensions[sha256] = name.rsplit(".", 1)[-1]
        return f"media/{sha256}.{self.extensions[sha256]}"


def _ratings(annotation: Annotation, names: dict[int, str]) -> list[RatingRecord]:
    return [
        RatingRecord(
            dimension=rating.dimension.key,
            response=names[rating.response_id] if rating.response_id else None,
            value=rating.value,
            text=rating.text or None,
            tags=rating.tags,
            justification=rating.justification,
        )
        for rating in annotation.ratings.all()
    ]


def _time(value: Any) -> str | None:
    return value.isoformat().replace("+00:00", "Z") if value else None
