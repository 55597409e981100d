"""When a judgement is complete and agrees with itself."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.judgement import (
    DimensionSpec,
    Finding,
    Judgement,
    JudgementSpec,
    RatingValue,
    findings,
    rating_problems,
)

WON = Judgement("winner", "1", 2, justification="Because it is right.")


def spec(responses: str = "12", **changes: Any) -> JudgementSpec:
    fields = {
        "responses": tuple(responses),
        "margin_levels": 3,
        "allow_tie": True,
        "allow_all_bad": True,
        "allow_cannot_judge": True,
        "justification": "optional",
        "justification_min_length": 0,
        "dimensions": (),
    }
    return JudgementSpec(**{**fields, **changes})  # type: ignore[arg-type]


def dimension(kind: str = "scale", **changes: Any) -> DimensionSpec:
    fields = {"key": "tone", "label": "Tone", "kind": kind, "target": "response", "minimum": 1, "maximum": 5}
    return DimensionSpec(**{**fields, "is_required": True, **changes})  # type: ignore[arg-type]


def places(judgement: Judgement, asked: JudgementSpec) -> list[str]:
    return [finding.where for finding in findings(judgement, asked)]


def messages(judgement: Judgement, asked: JudgementSpec) -> list[str]:
    return [finding.message for finding in findings(judgement, asked)]


# ------------------------------------------------------------------------------------------------------ complete
@pytest.mark.parametrize(
    ("judgement", "asked"),
    [
        (WON, spec()),
        (Judgement("winner", "2", 3), spec()),
        (Judgement("winner", "2"), spec(margin_levels=0)),
        (Judgement("tie"), spec()),
        (Judgement("tie", margin=0), spec()),
        (Judgement("tie", margin=0), spec(margin_levels=0)),
        (Judgement("all_bad"), spec()),
        (Judgement("cannot_judge", reason="Not my language."), spec(justification="required")),
        (Judgement("winner", "1", 1, (("1",), ("2", "3"))), spec("123")),
        (Judgement("tie", None, 0, (("1", "2"), ("3",))), spec("123")),
        (Judgement("tie", None, 0, (tuple("123456789"),)), spec("123456789")),
        (Judgement("all_bad"), spec("123")),
    ],
)
def test_a_complete_judgement_has_no_finding(judgement: Judgement, asked: JudgementSpec) -> None:
    assert findings(judgement, asked) == []


# -------------------------------------------------------------------------------------------- missing or refused
@pytest.mark.parametrize(
    ("judgement", "asked", "expected"),
    [
        (Judgement(), spec(), Finding("preference", "Choose the better response.")),
        (Judgement(), spec("123"), Finding("preference", "Rank every response.")),
        (
            Judgement("tie"),
            spec(allow_tie=False),
            Finding("preference", "This project does not allow a tie. Choose the better response."),
        ),
        (
            Judgement("all_bad"),
            spec(allow_all_bad=False),
            Finding("preference", "This project does not offer “all are bad”. Choose the better response."),
        ),
        (
            Judgement("cannot_judge", reason="x"),
            spec(allow_cannot_judge=False),
            Finding("preference", "This project asks for a judgement of every task. Skip the task instead."),
        ),
        (Judgement("cannot_judge"), spec(), Finding("justification", "Say why it cannot be judged.")),
        (Judgement("winner", "1"), spec(), Finding("margin", "Say how much better the first response is.")),
        (Judgement("winner", "1", 4), spec(), Finding("margin", "The margin goes from 1 to 3.")),
        (Judgement("winner", "1", 0), spec(), Finding("margin", "The margin goes from 1 to 3.")),
        (Judgement("winner", "1", -1), spec(), Finding("margin", "The margin goes from 1 to 3.")),
        (
            Judgement("winner", "1", 1),
            spec(margin_levels=0),
            Finding("margin", "No margin is asked for here. Reload the page."),
        ),
        (
            Judgement("winner", "9", 1),
            spec(),
            Finding("preference", "The chosen response is not one of this prompt. Reload the page."),
        ),
        (
            Judgement("winner", "1", 1),
            spec(justification="required"),
            Finding("justification", "Say why: name the difference that decided it."),
        ),
        (
            Judgement("winner", "1", 1, justification="x" * 19),
            spec(justification="required", justification_min_length=20),
            Finding("justification", "Write 1 more character."),
        ),
        (
            Judgement("winner", "1", 1, justification="x" * 10),
            spec(justification="optional", justification_min_length=20),
            Finding("justification", "Write 10 more characters."),
        ),
        (
            Judgement("winner", "1", 1, (("1",), ("2",))),
            spec("123"),
            Finding("preference", "Rank every response; equal numbers are a tie."),
        ),
        (
            Judgement("winner", "2", 1, (("1",), ("2",), ("3",))),
            spec("123"),
            Finding("preference", "The winner is not the response that is ranked first."),
        ),
        (
            Judgement("tie", None, 0, (("1",), ("2",), ("3",))),
            spec("123"),
            Finding("preference", "The winner is not the response that is ranked first."),
        ),
    ],
)
def test_what_is_missing_or_not_offered_is_named(judgement: Judgement, asked: JudgementSpec, expected: Finding) -> None:
    assert findings(judgement, asked) == [expected]


def test_nothing_written_is_fine_where_a_minimum_is_only_for_what_is_written() -> None:
    assert findings(Judgement("tie"), spec(justification_min_length=20)) == []
    assert findings(Judgement("tie", justification="x"), spec(justification="off", justification_min_length=20)) == []


# ----------------------------------------------------------------------------------------------- contradictions
@pytest.mark.parametrize(
    "judgement",
    [
        Judgement("maybe"),
        Judgement("WINNER", "1", 1),
        Judgement("winner", None, 1),
        Judgement("tie", "1", 0),
        Judgement("tie", None, 2),
        Judgement("all_bad", "1"),
        Judgement("all_bad", None, 0),
        Judgement("cannot_judge", "1", reason="x"),
        Judgement("cannot_judge", None, 1, reason="x"),
        Judgement("cannot_judge", ranking=(("1",), ("2",)), reason="x"),
        Judgement("cannot_judge", ratings=(RatingValue("tone", "1", 3),), reason="x"),
        Judgement("winner", "1", 1, ranking=(("1",), ("9",))),
        Judgement("winner", "1", 1, ranking=(("1",), ("1", "2"))),
        Judgement("winner", "1", 1, ranking=((), ("1",), ("2",))),
        Judgement("winner", "1", 1, rewrites={"9": []}),
        Judgement("cannot_judge", reason="x", rewrites={"9": []}),
    ],
)
def test_a_judgement_that_contradicts_itself_or_its_prompt_is_refused(judgement: Judgement) -> None:
    assert findings(judgement, spec()) != []


def test_a_winner_without_margin_levels_has_no_margin_not_even_zero() -> None:
    assert places(Judgement("winner", "1", 0), spec(margin_levels=0)) == ["margin"]


@given(
    st.builds(
        Judgement,
        outcome=st.sampled_from(["", "winner", "tie", "all_bad", "cannot_judge", "maybe"]),
        winner=st.sampled_from([None, "1", "2", "3", "9"]),
        margin=st.sampled_from([None, -1, 0, 1, 3, 4, 10**6]),
        ranking=st.lists(st.lists(st.sampled_from("1239"), max_size=3).map(tuple), max_size=4).map(tuple),
        reason=st.sampled_from(["", "x"]),
    ),
    st.sampled_from(["12", "123"]),
    st.integers(0, 4),
)
def test_what_passes_satisfies_the_constraints_of_the_database(
    judgement: Judgement, responses: str, levels: int
) -> None:
    if findings(judgement, spec(responses, margin_levels=levels)):
        return
    assert judgement.outcome in {"winner", "tie", "all_bad", "cannot_judge"}
    assert (judgement.outcome == "winner") == (judgement.winner is not None)
    assert judgement.winner is None or judgement.winner in responses
    assert (
        judgement.margin is None
        or (judgement.outcome == "winner" and 1 <= judgement.margin <= levels)
        or (judgement.outcome == "tie" and judgement.margin == 0)
    )
    ranked = [response for group in judgement.ranking for response in group]
    assert len(set(ranked)) == len(ranked)
    assert set(ranked) <= set(responses)


# ------------------------------------------------------------------------------------------------------- ratings
def test_each_required_rating_is_asked_for_in_the_order_of_the_page() -> None:
    asked = spec(
        dimensions=(
            dimension(),
            dimension(key="safety", label="Safety", target="comparison"),
            dimension(key="notes", label="Notes", kind="text", is_required=False),
        )
    )

    assert findings(Judgement(), asked) == [
        Finding("rating:tone:1", "Rate Tone."),
        Finding("rating:tone:2", "Rate Tone."),
        Finding("rating:safety:", "Rate Safety."),
        Finding("preference", "Choose the better response."),
    ]


def test_zero_is_a_rating() -> None:
    asked = spec(dimensions=(dimension("yes_no", minimum=0, maximum=1, target="comparison"),))

    assert findings(Judgement("tie", ratings=(RatingValue("tone", None, 0),)), asked) == []


@pytest.mark.parametrize(
    ("rating", "asked", "expected"),
    [
        (RatingValue("tone", "1", 5), dimension(), []),
        (RatingValue("tone", "1", 6), dimension(), ["Tone goes from 1 to 5."]),
        (RatingValue("tone", "1", 0), dimension(), ["Tone goes from 1 to 5."]),
        (RatingValue("tone", "1", None, "good"), dimension(), ["Tone goes from 1 to 5."]),
        (RatingValue("tone", "1", 2), dimension("yes_no", minimum=0, maximum=1), ["Tone goes from 0 to 1."]),
        (RatingValue("tone", "1", 9), dimension("category", maximum=3), ["Tone goes from 1 to 3."]),
        (RatingValue("tone", "1", None, "Fine."), dimension("text"), []),
        (RatingValue("tone", "1", 3, "Fine."), dimension("text"), ["Tone takes no number."]),
        (RatingValue("tone", "1", tags=("kind",)), dimension("tags"), []),
        (RatingValue("tone", "1", tags=("kind",)), dimension("tags", choices=("kind", "rude")), []),
        (RatingValue("tone", "1", tags=("x", "b")), dimension("tags", choices=("kind",)), ["Tone has no tag 'b'."]),
        (RatingValue("tone", "1", 3), dimension(justification="required"), ["Say why you rated Tone so."]),
        (RatingValue("tone", "1", 3, justification="So."), dimension(justification="required"), []),
        (RatingValue("tone", "1", 3), dimension(justification="optional"), []),
    ],
)
def test_a_rating_fits_its_dimension(rating: RatingValue, asked: DimensionSpec, expected: list[str]) -> None:
    assert list(rating_problems(rating, asked)) == expected


@pytest.mark.parametrize(
    "rating", [RatingValue("charm", "1", 3), RatingValue("tone", "9", 3), RatingValue("tone", None, 3)]
)
def test_a_rating_that_nobody_asked_for_is_refused(rating: RatingValue) -> None:
    asked = spec(dimensions=(dimension(is_required=False),))

    assert messages(Judgement("tie", ratings=(rating,)), asked) == ["This project has no such rating. Reload the page."]


def test_one_thing_is_rated_once() -> None:
    asked = spec(dimensions=(dimension(is_required=False),))
    twice = (RatingValue("tone", "1", 3), RatingValue("tone", "1", 4))

    assert messages(Judgement("tie", ratings=twice), asked) == ["Something is rated twice. Reload the page."]


def test_all_bad_still_asks_for_ratings_and_reasons() -> None:
    asked = spec(dimensions=(dimension(target="comparison"),), justification="required")

    assert places(Judgement("all_bad"), asked) == ["rating:tone:", "justification"]
