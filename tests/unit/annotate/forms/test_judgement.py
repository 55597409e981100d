"""The comparison form: letters become ids whatever the order, and no field can break it."""

import pytest
from django.http import QueryDict

from annotate.forms.judgement import errors_by_field, fields_of, parse
from annotate.rules.judgement import (
    DimensionSpec,
    Finding,
    Judgement,
    JudgementSpec,
    RatingValue,
)

KINDS = ["scale", "yes_no", "category", "tags", "text"]
TAGS = ("kind", "rude", "off topic")


def dimension(kind: str, target: str = "response") -> DimensionSpec:
    minimum, maximum = (0, 1) if kind == "yes_no" else (1, 5)
    return DimensionSpec(
        key=f"{kind}_{target}",
        label=kind.capitalize(),
        kind=kind,
        target=target,
        minimum=minimum,
        maximum=maximum,
        is_required=True,
        justification="optional",
        choices=TAGS if kind == "tags" else (),
    )


ALL = tuple(dimension(kind, target) for kind in KINDS for target in ["response", "comparison"])


def spec(*responses: str, levels: int = 3, dimensions: tuple[DimensionSpec, ...] = ALL) -> JudgementSpec:
    return JudgementSpec(
        responses=responses or ("71", "8"),
        margin_levels=levels,
        allow_tie=True,
        allow_all_bad=True,
        allow_cannot_judge=True,
        justification="optional",
        justification_min_length=0,
        dimensions=dimensions,
    )


PLAIN = spec(dimensions=())


# ------------------------------------------------------------------------------------------------ the preference
@pytest.mark.parametrize(
    ("value", "levels", "expected"),
    [
        ("a3", 3, ("winner", "71", 3)),
        ("b1", 3, ("winner", "8", 1)),
        ("tie", 3, ("tie", None, 0)),
        ("a", 0, ("winner", "71", None)),
        ("b", 0, ("winner", "8", None)),
        ("tie", 0, ("tie", None, None)),
        ("all_bad", 3, ("all_bad", None, None)),
        ("cannot_judge", 3, ("cannot_judge", None, None)),
        ("a9", 3, ("winner", "71", 9)),  # kept as it is: the rules refuse it
        ("a", 3, ("winner", "71", None)),
    ],
)
def test_a_step_of_the_line_is_outcome_winner_and_margin(
    value: str, levels: int, expected: tuple[str, str | None, int | None]
) -> None:
    judgement = parse({"preference": value}, spec(levels=levels, dimensions=()))

    assert (judgement.outcome, judgement.winner, judgement.margin) == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        "c1",
        "i",
        "A1",
        "a0",
        "a10",
        "a-1",
        " a1",
        "a1 ",
        "a1\n",
        "a１",
        "tie ",
        "TIE",
        "winner",
        "71",
        "\0",
        "x" * 10**6,
    ],
    ids=range(17),
)
def test_what_is_no_step_is_no_preference(value: str) -> None:
    assert parse({"preference": value}, PLAIN) == Judgement()


def test_the_same_letter_is_another_response_when_the_order_is_swapped() -> None:
    fields = {"preference": "a2", "rating-scale_response-a": "5", "rating-scale_response-b": "1"}
    one, other = parse(fields, spec("71", "8")), parse(fields, spec("8", "71"))

    assert (one.winner, other.winner) == ("71", "8")
    assert [(r.response, r.value) for r in one.ratings] == [("71", 5), ("8", 1)]
    assert [(r.response, r.value) for r in other.ratings] == [("8", 5), ("71", 1)]


def test_ranks_belong_to_letters_too() -> None:
    fields = {"rank-a": "2", "rank-b": "1", "rank-c": "2", "margin": "3"}

    assert parse(fields, spec("5", "6", "7", dimensions=())) == Judgement("winner", "6", 3, (("6",), ("5", "7")))
    assert parse(fields, spec("7", "5", "6", dimensions=())).ranking == (("5",), ("7", "6"))


def test_a_tie_at_the_top_takes_no_margin() -> None:
    fields = {"rank-a": "1", "rank-b": "1", "rank-c": "2", "margin": "3"}

    assert parse(fields, spec("5", "6", "7", dimensions=())) == Judgement("tie", None, 0, (("5", "6"), ("7",)))


def test_the_words_of_a_prompt_that_cannot_be_judged_are_the_reason() -> None:
    fields = {"preference": "cannot_judge", "justification": " Not my language.\r\n", "rating-scale_response-a": "5"}

    assert parse(fields, spec()) == Judgement("cannot_judge", reason="Not my language.")


# --------------------------------------------------------------------------------------------------- the ratings
@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("scale", "4", RatingValue("d", "71", 4)),
        ("scale", "-3", RatingValue("d", "71", -3)),
        ("yes_no", "0", RatingValue("d", "71", 0)),
        ("category", "2", RatingValue("d", "71", 2)),
        ("tags", "kind", RatingValue("d", "71", tags=("kind",))),
        ("tags", ["kind", "rude"], RatingValue("d", "71", tags=("kind", "rude"))),
        ("tags", ["kind", "kind", "", "\0"], RatingValue("d", "71", tags=("kind",))),
        ("tags", ["a\0b", "\ud800"], RatingValue("d", "71", tags=("ab", "?"))),
        ("text", " Fine.\r\n ", RatingValue("d", "71", text="Fine.")),
        ("text", "\0\ud800", RatingValue("d", "71", text="?")),
    ],
    ids=range(10),
)
def test_a_rating_of_every_kind_is_read(kind: str, value: object, expected: RatingValue) -> None:
    asked = DimensionSpec("d", "D", kind, "response", 0, 5, True)

    assert parse({"rating-d-a": value}, spec(dimensions=(asked,))).ratings == (expected,)


@pytest.mark.parametrize("kind", ["scale", "yes_no", "category"])
@pytest.mark.parametrize(
    "value",
    ["", " 1", "1.0", "1e3", "+1", "0x1", "²", "NaN", "10000", "9" * 10**6, "1\n", "\0", ["1", "2"], [], None, {}],
    ids=range(16),
)
def test_what_is_no_small_number_is_no_rating(kind: str, value: object) -> None:
    asked = DimensionSpec("d", "D", kind, "response", 0, 5, True)

    assert parse({"rating-d-a": value, "why-d-a": "Because."}, spec(dimensions=(asked,))).ratings == ()


def test_a_list_is_no_text() -> None:
    asked = DimensionSpec("d", "D", "text", "response", 0, 5, True)
    fields = {"rating-d-a": ["x", "y"], "justification": ["x"], "preference": ["a1", "b1"], "why-d-a": ["z"]}

    assert parse(fields, spec(dimensions=(asked,))) == Judgement()


def test_fields_of_another_page_are_ignored() -> None:
    fields = {"rating-charm-a": "3", "rating-scale_response-c": "3", "rating-scale_comparison-a": "3", "rank-a": "1"}

    assert parse({**fields, "preference": "a1"}, spec()) == Judgement("winner", "71", 1)


# -------------------------------------------------------------------------------------------------- posted forms
def test_only_fields_of_the_judgement_are_kept() -> None:
    posted = QueryDict(
        "preference=a1&justification=%20so%00%20&rating-tags-a=x&rating-tags-a=y&rank-a=1&margin=2&why-t-a=z"
        "&csrfmiddlewaretoken=t&key=k&turn=1&winner=8&is_superuser=1&rating-=1&rating-a%0a=1&rank-%3Cb%3E=1&annotator=3"
    )

    assert fields_of(posted) == {
        "preference": "a1",
        "justification": " so ",
        "rating-tags-a": ["x", "y"],
        "rank-a": "1",
        "margin": "2",
        "why-t-a": "z",
    }


def test_a_long_text_is_kept_whole() -> None:
    posted = QueryDict(mutable=True)
    posted["justification"] = "word " * 50_000

    assert fields_of(posted)["justification"] == posted["justification"]


# -------------------------------------------------------------------------------------------------------- errors
def test_findings_become_errors_at_the_fields_of_the_page() -> None:
    found = [
        Finding("rating:tone:8", "Rate Tone."),
        Finding("rating:tone:8", "A second one is not shown."),
        Finding("rating:safety:", "Rate Safety."),
        Finding("preference", "Choose."),
        Finding("margin", "How much?"),
    ]

    assert errors_by_field(found, PLAIN) == {
        "rating-tone-b": "Rate Tone.",
        "rating-safety": "Rate Safety.",
        "preference": "Choose.",
        "margin": "How much?",
    }
