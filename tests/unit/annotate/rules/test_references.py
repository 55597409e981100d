"""Mentions and quotes: where they stand, whether they are right, and how they move to another order."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.references import (
    Reference,
    code_points,
    from_stored,
    justification_for,
    mentions,
    problem,
    same_words,
    utf16_units,
)

SHOWN = ["71", "8", "33"]


def quote(text: str, at: tuple[int, int], where: tuple[int, int] | None = None, response: str = "71") -> Reference:
    return Reference("quote", at, response, text, where)


# -------------------------------------------------------------------------------------------------------- mentions
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@A is right", [("@A", "71")]),
        ("Response B drops the header", [("Response B", "8")]),
        ("while response C, and @B.", [("response C", "33"), ("@B", "8")]),
        ("(@A)", [("@A", "71")]),
        ("mail me@A.example", []),
        ("@Ada wrote it", []),
        ("@D is not shown", []),
        ("@a in small letters", []),
        ("Responses A and B", []),
        ("", []),
    ],
)
def test_a_mention_is_found_where_it_stands(text: str, expected: list[tuple[str, str]]) -> None:
    found = mentions(text, SHOWN)

    assert [(item.text, item.response) for item in found] == expected
    assert [text[slice(*item.at)] for item in found] == [words for words, _ in expected]


def test_what_stands_in_a_quote_mentions_nothing() -> None:
    text = "@B: “see Response A” and @A"

    found = mentions(text, SHOWN, [quote("see Response A", (5, 19))])

    assert [(item.text, item.at) for item in found] == [("@B", (0, 2)), ("@A", (25, 27))]


# ------------------------------------------------------------------------------------------------------- to exports
def test_mentions_are_renamed_for_the_order_of_the_export() -> None:
    text = "@A beats Response B; response C is last."

    assert justification_for(["33", "8", "71"], text, mentions(text, SHOWN)) == (
        "@C beats Response B; response A is last."
    )


def test_a_mention_of_a_response_that_is_left_out_is_said_in_words() -> None:
    text = "@A beats @C."

    assert justification_for(["71", "8"], text, mentions(text, SHOWN)) == "@A beats another response."


@given(st.permutations(SHOWN), st.text(max_size=20), st.text(max_size=20))
def test_renaming_there_and_back_changes_nothing(order: list[str], before: str, after: str) -> None:
    text = f"{before} @A, Response B and @C {after}"
    there = justification_for(order, text, mentions(text, SHOWN))

    assert justification_for(SHOWN, there, mentions(there, order)) == text


# -------------------------------------------------------------------------------------------------------- soundness
SOURCES = {"71": "Use **pandas** here.", "8": "No."}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (quote("Use pandas", (0, 10), (0, 14)), ""),
        (quote("Use pandas", (0, 10)), ""),
        (quote("Use pandas", (0, 10), response="99"), "belongs to no response"),
        (quote("Use pandas", (1, 11)), "not where it should be"),
        (quote("Use pandas", (0, 400)), "not where it should be"),
        (quote("Use pandas", (5, 5)), "not where it should be"),
        (quote("Use pandas", (0, 10), (0, 3)), "not in the response"),
        (quote("Use pandas", (0, 10), (0, 900)), "not in the response"),
        (Reference("joke", (0, 3), "71", "Use"), "neither a mention nor a quote"),
        (quote("", (0, 0)), "neither a mention nor a quote"),
    ],
)
def test_a_reference_that_does_not_fit_says_why(reference: Reference, expected: str) -> None:
    found = problem(reference, "Use pandas, it said", SOURCES)

    assert expected in found
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("a **b** c", "a b c", True),
        ("`x`\n\n- y", "X y", True),
        ("ﬁne", "fine", True),
        ("a b", "a c", False),
        ("", "  *", True),
    ],
)
def test_markup_and_spaces_are_no_words(one: str, other: str, expected: bool) -> None:
    assert same_words(one, other) is expected


# ----------------------------------------------------------------------------------------------------------- units
@given(st.text(alphabet=st.sampled_from("ab😀é𝒙 "), max_size=30), st.data())
def test_offsets_go_to_utf16_and_back(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))

    assert utf16_units(text, place) == len(text[:place].encode("utf-16-le")) // 2
    assert code_points(text, utf16_units(text, place)) == place


def test_the_middle_of_a_pair_counts_as_before_it() -> None:
    assert code_points("a😀b", 2) == 1
    assert code_points("ab", 99) == 2


def test_what_is_stored_comes_back() -> None:
    whole = quote("Use", (0, 3), (0, 3))

    assert from_stored(json.loads(json.dumps(whole.as_stored()))) == whole
    assert from_stored(quote("Use", (0, 3)).as_stored()).quote is None
