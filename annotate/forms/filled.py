"""A stored judgement back as the fields of the form: to go on with it, or to look at it."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotate.forms.judgement import LETTERS, rating_name
from annotate.forms.remarks import remark_fields
from annotate.rules.judgement import (
    ALL_BAD,
    CANNOT_JUDGE,
    TIE,
    FlagValue,
    Judgement,
    JudgementSpec,
    RatingValue,
)
from annotate.rules.references import from_stored


def judgement_from(content: Mapping[str, Any]) -> Judgement:
    """Return what ``queries.judging.content_of`` gave, or a revision kept, as the rules see it."""
    winner = content["winner"]
    return Judgement(
        outcome=content["outcome"],
        winner=str(winner) if winner else None,
        margin=content["margin"],
        ranking=tuple(tuple(str(pk) for pk in group) for group in content["ranking"]),
        ratings=tuple(_rating(rating) for rating in content["ratings"]),
        justification=content["justification"],
        reason=content["reason"],
        rewrites={str(rewrite["response"]): rewrite["content"] for rewrite in content["rewrites"]},
        reason_kind=content["reason_kind"],
        flags=tuple(FlagValue(str(flag["response"]), flag["kind"], flag["note"]) for flag in content["flags"]),
        references=tuple(from_stored(reference) for reference in content["references"]),
    )


def _rating(content: Mapping[str, Any]) -> RatingValue:
    response = content["response"]
    return RatingValue(
        dimension=content["dimension"],
        response=str(response) if response else None,
        value=content["value"],
        text=content["text"],
        tags=tuple(content["tags"]),
        justification=content["justification"],
    )


def fields_from(judgement: Judgement, spec: JudgementSpec) -> dict[str, Any]:
    """Return the fields that ``parse`` turns into this judgement. ``spec.responses`` is in the order of the page."""
    letter_of = dict(zip(spec.responses, LETTERS, strict=False))
    return {
        **dict(_preference(judgement, spec, letter_of)),
        **{name: value for rating in judgement.ratings for name, value in _rating_fields(rating, letter_of)},
        **dict(remark_fields(judgement, spec, letter_of)),
        "justification": judgement.reason if judgement.outcome == CANNOT_JUDGE else judgement.justification,
    }


def _preference(judgement: Judgement, spec: JudgementSpec, letter_of: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if judgement.reason_kind:
        yield "cannot_reason", judgement.reason_kind
    if judgement.outcome in {ALL_BAD, CANNOT_JUDGE}:
        yield "preference", judgement.outcome
    elif spec.is_ranked:
        for rank, group in enumerate(judgement.ranking, start=1):
            yield from ((f"rank-{letter_of[response]}", str(rank)) for response in group)
        if judgement.margin:
            yield "margin", str(judgement.margin)
    elif judgement.outcome == TIE:
        yield "preference", TIE
    elif judgement.winner:
        yield "preference", f"{letter_of[judgement.winner]}{judgement.margin or ''}"


def _rating_fields(rating: RatingValue, letter_of: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    letter = letter_of[rating.response] if rating.response else ""
    name = rating_name(rating.dimension, letter)
    if rating.value is not None:
        yield name, str(rating.value)
    elif rating.tags:
        yield name, list(rating.tags) if len(rating.tags) > 1 else rating.tags[0]
    elif rating.text:
        yield name, rating.text
    if rating.justification:
        yield rating_name(rating.dimension, letter, "why"), rating.justification
