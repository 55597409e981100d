"""What a judgement of a prompt must contain, from the project's configuration."""

from collections.abc import Iterable

from annotate.models import Annotation, Dimension, Project, Prompt
from annotate.rules.judgement import DimensionSpec, Judgement, JudgementSpec, RatingValue


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


def spec_for(project: Project, response_ids: Iterable[int], dimensions: Iterable[Dimension]) -> JudgementSpec:
    """Return what is asked of a judgement of a prompt with these responses; ids become text."""
    return JudgementSpec(
        responses=tuple(str(pk) for pk in response_ids),
        margin_levels=project.margin_levels,
        allow_tie=project.allow_tie,
        allow_all_bad=project.allow_all_bad,
        allow_cannot_judge=project.allow_cannot_judge,
        justification=project.justification,
        justification_min_length=project.justification_min_length,
        dimensions=tuple(dimension_spec(dimension) for dimension in dimensions),
    )


def spec_of_prompt(project: Project, prompt: Prompt) -> JudgementSpec:
    """Return what is asked of a judgement of this prompt."""
    return spec_for(project, prompt.responses.values_list("pk", flat=True), current_dimensions(project))


def judgement_of(annotation: Annotation) -> Judgement:
    """Return a stored annotation as the rules see it."""
    groups: dict[int, list[str]] = {}
    for placement in annotation.placements.all():
        groups.setdefault(placement.rank, []).append(str(placement.response_id))
    ratings = tuple(
        RatingValue(
            dimension=rating.dimension.key,
            response=str(rating.response_id) if rating.response_id else None,
            value=rating.value,
            text=rating.text,
            tags=tuple(rating.tags),
            justification=rating.justification,
        )
        for rating in annotation.ratings.select_related("dimension")
    )
    return Judgement(
        outcome=annotation.outcome,
        winner=str(annotation.winner_id) if annotation.winner_id else None,
        margin=annotation.margin,
        ranking=tuple(tuple(group) for _, group in sorted(groups.items())),
        ratings=ratings,
        justification=annotation.justification,
        reason=annotation.reason,
    )
