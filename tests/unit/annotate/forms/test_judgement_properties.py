"""Properties of the comparison form: nothing breaks it, and what was filled in comes back."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from annotate.forms.judgement import LETTERS, errors_by_field, parse, rating_name
from annotate.rules.content import clean_written_text, text_problems
from annotate.rules.judgement import (
    DimensionSpec,
    Judgement,
    JudgementSpec,
    RatingValue,
    findings,
    outcome_of_ranking,
)
from tests.unit.annotate.forms.test_judgement import ALL, TAGS, spec

any_text = st.text(st.characters())  # with NUL and lone surrogates
written = any_text.map(clean_written_text)
values = any_text | st.lists(any_text, max_size=3)
names = st.sampled_from(
    ["preference", "margin", "justification", *(f"rank-{x}" for x in LETTERS)]
    + [rating_name(d.key, x, prefix) for d in ALL for x in ["", "a", "b", "i"] for prefix in ["rating", "why"]]
)
steps = st.sampled_from(["a1", "b3", "tie", "all_bad", "cannot_judge", "1", "2", "-1", "0", "kind"])


@given(st.dictionaries(names | any_text, values | steps, max_size=12), st.integers(2, 9), st.integers(0, 4))
def test_no_fields_break_it_and_what_it_gives_can_be_stored(fields: dict[str, Any], count: int, levels: int) -> None:
    asked = spec(*(str(n) for n in range(count)), levels=levels)
    judgement = parse(fields, asked)

    texts = [judgement.justification, judgement.reason]
    texts += [text for rating in judgement.ratings for text in (rating.text, rating.justification, *rating.tags)]
    assert [list(text_problems(text, "")) for text in texts] == [[]] * len(texts)
    assert isinstance(errors_by_field(findings(judgement, asked), asked), dict)


@st.composite
def complete(draw: st.DrawFn) -> tuple[Judgement, JudgementSpec]:
    """A judgement that has everything, and what it was asked."""
    ids = [str(n) for n in draw(st.lists(st.integers(1, 2**62), min_size=2, max_size=9, unique=True))]
    asked = spec(*ids, levels=draw(st.integers(0, 4)))
    why = draw(written)
    choices = ["cannot_judge", "all_bad", "judged"]
    outcome = draw(st.sampled_from(choices))
    if outcome == "cannot_judge":
        return Judgement(outcome, reason=why or "Unclear."), asked
    ratings = tuple(draw(rating(d, target)) for d in ALL for target in (ids if d.target == "response" else [None]))
    if outcome == "all_bad":
        return Judgement(outcome, ratings=ratings, justification=why), asked
    ranking: tuple[tuple[str, ...], ...] = ()
    winner = draw(st.sampled_from([None, *ids]))
    if len(ids) > 2:
        ranks = {response: draw(st.integers(1, len(ids))) for response in ids}
        ranking = tuple(tuple(r for r in ids if ranks[r] == rank) for rank in sorted(set(ranks.values())))
        winner = outcome_of_ranking(ranking)[1]
    margin = draw(st.integers(1, asked.margin_levels)) if winner and asked.margin_levels else None
    if not winner and asked.margin_levels:
        margin = 0
    return Judgement("winner" if winner else "tie", winner, margin, ranking, ratings, why), asked


@st.composite
def rating(draw: st.DrawFn, asked: DimensionSpec, response: str | None) -> RatingValue:
    why = draw(written)
    if asked.kind == "tags":
        tags = tuple(draw(st.lists(st.sampled_from(TAGS), min_size=1, unique=True)))
        return RatingValue(asked.key, response, tags=tags, justification=why)
    if asked.kind == "text":
        return RatingValue(asked.key, response, text=draw(written) or "Fine.", justification=why)
    return RatingValue(asked.key, response, draw(st.integers(asked.minimum, asked.maximum)), justification=why)


def filled(judgement: Judgement, asked: JudgementSpec) -> Mapping[str, Any]:
    """The form as a person would fill it to say this."""
    letter = dict(zip(asked.responses, LETTERS, strict=False))
    fields: dict[str, Any] = {"preference": judgement.outcome, "justification": judgement.justification}
    if judgement.outcome == "cannot_judge":
        fields["justification"] = judgement.reason
    elif judgement.outcome == "winner":
        fields["preference"] = f"{letter[judgement.winner or '']}{judgement.margin or ''}"
    if judgement.ranking:
        del fields["preference"]
        fields |= {f"rank-{letter[r]}": str(i) for i, group in enumerate(judgement.ranking, 1) for r in group}
        fields["margin"] = str(judgement.margin or "")
    for given_rating in judgement.ratings:
        side = letter.get(given_rating.response or "", "")
        value = "" if given_rating.value is None else str(given_rating.value)
        fields[rating_name(given_rating.dimension, side)] = list(given_rating.tags) or given_rating.text or value
        fields[rating_name(given_rating.dimension, side, "why")] = given_rating.justification
    return fields


@given(complete())
def test_a_filled_form_gives_the_judgement_back_and_it_is_complete(said: tuple[Judgement, JudgementSpec]) -> None:
    judgement, asked = said

    assert parse(filled(judgement, asked), asked) == judgement
    assert findings(judgement, asked) == []
