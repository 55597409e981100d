"""What a judgement of a prompt must contain, from the project's configuration."""

from collections.abc import Iterable, Sequence
from typing import Any

from annotate.models import Annotation, Assignment, Dimension, Project, Prompt, Rating, Response, Task
from annotate.rules.content import text_of
from annotate.rules.display import dimension_order
from annotate.rules.judgement import DimensionSpec, JudgementSpec

# Fields of an annotation that a revision keeps as they are.
PLAIN_CONTENT = (
    "state",
    "outcome",
    "margin",
    "justification",
    "reason",
    "reason_kind",
    "references",
    "warnings",
    "display_order",
    "dimension_order",
    "rubric_version",
    "guidelines_version",
    "seconds",
    "active_seconds",
    "idle_seconds",
    "pasted",
)


def current_dimensions(project: Project) -> list[Dimension]:
    """Return the dimensions in use now, in the order of the page."""
    return list(project.dimensions.filter(retired_at__isnull=True))


def dimension_spec(dimension: Dimension) -> DimensionSpec:
    """Return the dimension as the rules see it."""
    return DimensionSpec(
        key=dimension.key,
        label=dimension.label,
        kind=dimension.kind,
        target=dimension.target,
        minimum=dimension.minimum,
        maximum=dimension.maximum,
        is_required=dimension.is_required,
        justification=dimension.justification,
        choices=tuple(point["label"] for point in dimension.points) if dimension.kind == "tags" else (),
    )


def dimensions_for(task: Task, annotator_id: int) -> list[Dimension]:
    """Return the dimensions in the order in which this person sees them at this task."""
    dimensions = current_dimensions(task.project)
    if not task.project.rotate_dimensions:
        return dimensions
    by_key = {dimension.key: dimension for dimension in dimensions}
    return [by_key[key] for key in dimension_order(list(by_key), f"{task.public_id}:{annotator_id}")]


def spec_for(project: Project, responses: Iterable[Response], dimensions: Iterable[Dimension]) -> JudgementSpec:
    """Return what is asked of a judgement of a prompt with these responses, in this order; ids become text."""
    sources = {str(response.pk): text_of(response.content) for response in responses}
    return JudgementSpec(
        responses=tuple(sources),
        margin_levels=project.margin_levels,
        allow_tie=project.allow_tie,
        allow_all_bad=project.allow_all_bad,
        allow_cannot_judge=project.allow_cannot_judge,
        justification=project.justification,
        justification_min_length=project.justification_min_length,
        dimensions=tuple(dimension_spec(dimension) for dimension in dimensions),
        rewrite=project.rewrite,
        rewrite_target=project.rewrite_target,
        flags=tuple(project.flags),
        sources=sources,
    )


def in_order(prompt: Prompt, order: Sequence[int]) -> list[Response]:
    """Return the prompt's responses in the order of their ids in ``order``."""
    by_pk = {response.pk: response for response in prompt.responses.all()}
    return [by_pk[pk] for pk in order]


def spec_shown(assignment: Assignment, prompt: Prompt, dimensions: Iterable[Dimension]) -> JudgementSpec:
    """Return what is asked of this person: responses in the order in which they are shown."""
    shown = in_order(prompt, assignment.display_order[str(prompt.pk)])
    return spec_for(assignment.task.project, shown, dimensions)


def spec_of_prompt(project: Project, prompt: Prompt) -> JudgementSpec:
    """Return what is asked of a judgement of this prompt."""
    return spec_for(project, prompt.responses.all(), current_dimensions(project))


def content_of(annotation: Annotation) -> dict[str, Any]:
    """Return everything of the annotation that can change, as JSON: what ``AnnotationRevision.content`` holds.

    Responses are primary keys, dimensions are keys, ``ranking`` is groups of responses, best first, ``submitted_at``
    an ISO 8601 time. Costs no query when ratings (with their dimension), placements, rewrites and flags are prefetched.
    """
    groups: dict[int, list[int]] = {}
    for placement in annotation.placements.all():
        groups.setdefault(placement.rank, []).append(placement.response_id)
    rewrites, flags = annotation.rewrites.all(), annotation.flags.all()
    return {
        **{name: getattr(annotation, name) for name in PLAIN_CONTENT},
        "winner": annotation.winner_id,
        "ranking": [group for _, group in sorted(groups.items())],
        "ratings": [_rating_content(rating) for rating in annotation.ratings.all()],
        "rewrites": [{"response": rewrite.response_id, "content": rewrite.content} for rewrite in rewrites],
        "flags": [{"response": flag.response_id, "kind": flag.kind, "note": flag.note} for flag in flags],
        "submitted_at": annotation.submitted_at.isoformat() if annotation.submitted_at else None,
    }


def _rating_content(rating: Rating) -> dict[str, Any]:
    return {
        "dimension": rating.dimension.key,
        "response": rating.response_id,
        "value": rating.value,
        "text": rating.text,
        "tags": rating.tags,
        "justification": rating.justification,
    }
