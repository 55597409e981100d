"""What looks like a slip is warned of; what is merely unusual is not."""

from typing import Any

import pytest

from annotate.rules.coherence import coherence_warnings
from annotate.rules.judgement import DimensionSpec, Judgement, JudgementSpec, RatingValue
from annotate.rules.references import Reference

LONG = "It explains every step and the code runs; the other answer stops half way."


def dimension(key: str, kind: str = "scale", target: str = "response") -> DimensionSpec:
    return DimensionSpec(key, key, kind, target, 1, 5, True)


def spec(responses: str = "12", **changes: Any) -> JudgementSpec:
    fields: dict[str, Any] = {
        "responses": tuple(responses),
        "margin_levels": 3,
        "allow_tie": True,
        "allow_all_bad": True,
        "allow_cannot_judge": True,
        "justification": "optional",
        "justification_min_length": 0,
        "dimensions": (dimension("help"), dimension("tone"), dimension("topic", "category")),
    }
    return JudgementSpec(**{**fields, **changes})


def rated(**values: str) -> tuple[RatingValue, ...]:
    """rated(help="53") is 5 for response 1 and 3 for response 2; a blank is no rating."""
    return tuple(
        RatingValue(key, str(place), int(value))
        for key, row in values.items()
        for place, value in enumerate(row, start=1)
        if value != " "
    )


def codes(judgement: Judgement, asked: JudgementSpec | None = None, earlier: Any = ()) -> list[str]:
    return [warning.code for warning in coherence_warnings(judgement, asked or spec(), earlier)]


# ------------------------------------------------------------------------------------------------- against ratings
@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        (rated(help="24", tone="35"), ["ratings_against_winner"]),
        (rated(help="24"), ["ratings_against_winner"]),
        (rated(help="24", tone="3 "), ["ratings_against_winner"]),
        (rated(help="24", tone="44"), []),
        (rated(help="24", tone="53"), []),
        (rated(help="42", tone="53"), []),
        (rated(topic="15"), []),  # categories have no order
        (rated(help="2 ", tone=" 5"), []),  # nothing in common
        ((), []),
    ],
)
def test_a_winner_that_is_rated_lower_throughout_is_asked_about(
    ratings: tuple[RatingValue, ...], expected: list[str]
) -> None:
    assert codes(Judgement("winner", "1", 1, ratings=ratings)) == expected


def test_the_letters_in_the_warning_are_those_of_the_page() -> None:
    judgement = Judgement("winner", "1", 1, ratings=rated(help="24"))

    [warning] = coherence_warnings(judgement, spec("21"), [])

    assert warning.message == "You prefer B, but every rating of A is higher."


# -------------------------------------------------------------------------------------------------- no difference
@pytest.mark.parametrize(
    ("margin", "levels", "ratings", "expected"),
    [
        (3, 3, rated(help="44", tone="22"), ["margin_without_difference"]),
        (2, 3, rated(help="44"), []),
        (3, 3, rated(help="43"), []),
        (3, 3, (), []),
        (1, 1, rated(help="44"), []),  # one step says nothing about strength
        (None, 0, rated(help="44"), []),
    ],
)
def test_the_largest_margin_with_equal_ratings_is_asked_about(
    margin: int | None, levels: int, ratings: tuple[RatingValue, ...], expected: list[str]
) -> None:
    assert codes(Judgement("winner", "1", margin, ratings=ratings), spec(margin_levels=levels)) == expected


def test_a_ranking_is_compared_with_the_runner_up() -> None:
    ratings = rated(help="441")
    second, third = (("1",), ("2",), ("3",)), (("1",), ("3",), ("2",))

    assert codes(Judgement("winner", "1", 3, second, ratings), spec("123")) == ["margin_without_difference"]
    assert codes(Judgement("winner", "1", 3, third, ratings), spec("123")) == []


# ----------------------------------------------------------------------------------------------------- the reason
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B is better.", True),
        ("Response B is much better", True),
        ("I prefer @B because it runs.", True),
        ("B wins on style", True),
        ("@B is clearly the best", True),
        ("A is better than B", False),
        ("B is better at code, but A is better overall", False),
        ("B is worse", False),
        ("B is not better", False),
        ("Both are fine", False),
        ("", False),
    ],
)
def test_a_reason_that_names_only_the_loser_as_better_is_asked_about(text: str, expected: bool) -> None:
    assert codes(Judgement("winner", "1", 1, justification=text)) == (["names_only_loser"] if expected else [])


def test_what_a_quote_says_is_not_what_the_person_says() -> None:
    text = "@A: “B is better” is what it claims"
    quote = Reference("quote", (5, 16), "1", "B is better")

    assert codes(Judgement("winner", "1", 1, justification=text, references=(quote,))) == []


@pytest.mark.parametrize(
    ("earlier", "expected"),
    [
        ([LONG], True),
        ([LONG.upper() + "  "], True),
        ([LONG.replace("explains", "shows")], True),
        (["Something else entirely, about a different task and its two answers."], False),
        ([], False),
    ],
)
def test_a_reason_that_was_given_before_is_asked_about(earlier: list[str], expected: bool) -> None:
    found = codes(Judgement("tie", margin=0, justification=LONG), earlier=earlier)

    assert found == (["repeated_justification"] if expected else [])


def test_short_reasons_may_be_alike() -> None:
    assert codes(Judgement("tie", margin=0, justification="Both are right."), earlier=["Both are right."]) == []


@pytest.mark.parametrize("outcome", ["tie", "all_bad", "cannot_judge", ""])
def test_without_a_winner_nothing_contradicts_one(outcome: str) -> None:
    assert codes(Judgement(outcome, ratings=rated(help="24"), justification="B is better.")) == []
