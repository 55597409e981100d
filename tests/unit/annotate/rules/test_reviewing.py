"""Which judgements are reviewed, and why."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.reviewing import (
    RULES,
    DisagreementRule,
    Facts,
    Policy,
    Said,
    disagreements,
    is_drawn,
    most_similar,
    why_reviewed,
)

NOBODY = Policy(share=0, new_share=0, new_count=0, rules=frozenset(RULES))
FACTS = Facts(seed="s", place=3, experience=99)
LONG = "The first answer explains every step in plain words and names its reasons."


@given(share=st.integers(1, 100), seed=st.text(max_size=5))
def test_the_share_holds_for_everybody(share: int, seed: str) -> None:
    drawn = sum(is_drawn(share, seed, place) for place in range(300))

    assert abs(drawn - 3 * share) <= 1


def test_nobody_can_tell_which_one_is_drawn() -> None:
    places = {next(place for place in range(5) if is_drawn(20, str(seed), place)) for seed in range(100)}

    assert places == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"was_returned": True}, "mended"),
        ({"warnings": frozenset({"names_only_loser"})}, "coherence"),
        ({"flags": frozenset({"unsafe"})}, "flags"),
        ({"words": 300, "seconds": 19}, "too_fast"),
        ({"own_similarity": 90}, "repeated"),
        ({"other_similarity": 95}, "repeated"),
        ({"justification": LONG, "pasted": 70}, "pasted"),
        ({"gold": (3, 5)}, "gold"),
    ],
)
def test_each_rule_has_its_reason(changes: dict[str, object], reason: str) -> None:
    assert why_reviewed(replace(FACTS, **changes), NOBODY).reasons == [reason]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"words": 300, "seconds": 20},
        {"words": 300},
        {"own_similarity": 89},
        {"justification": "Copied.", "pasted": 7},
        {"gold": (0, 4)},
        {"gold": (4, 5)},
    ],
)
def test_what_is_usual_is_left_alone(changes: dict[str, object]) -> None:
    assert why_reviewed(replace(FACTS, **changes), NOBODY).reasons == []  # type: ignore[arg-type]


def test_a_rule_that_is_off_gives_no_reason_but_its_number() -> None:
    off = replace(NOBODY, rules=frozenset())
    found = why_reviewed(replace(FACTS, words=300, seconds=2), off)

    assert (found.reasons, found.signals["too_fast"]) == ([], True)


def test_newcomers_and_the_others() -> None:
    policy = Policy(share=0, new_share=100, new_count=2, rules=frozenset())

    assert why_reviewed(replace(FACTS, experience=1), policy).reasons == ["newcomer"]
    assert why_reviewed(replace(FACTS, experience=2), policy).reasons == []
    assert why_reviewed(FACTS, replace(policy, share=100)).reasons == ["all"]


def test_short_reasons_are_alike_by_nature() -> None:
    assert most_similar("A is better.", ["A is better."]) == 0
    assert most_similar(LONG, [LONG.upper(), "else"]) == 100


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ([Said("winner", 1, 2), Said("winner", 2, 2)], ["outcome", "margin"]),
        ([Said("winner", 1, 1), Said("winner", 1, 3)], []),
        ([Said("winner", 1, 1), Said("winner", 1, 4)], ["margin"]),
        ([Said("winner", 1, 1), Said("tie", None, 0)], ["outcome"]),
        ([Said("winner", 1, 1), Said("cannot_judge", None, None)], []),
        ([Said("winner", 1, 1)], []),
        ([Said("winner", 1, 1, {("tone", 1): 1}), Said("winner", 1, 1, {("tone", 1): 4})], ["tone"]),
        ([Said("winner", 1, 1, {("tone", 1): 1}), Said("winner", 1, 1, {("tone", 2): 4})], []),
    ],
)
def test_what_people_disagree_on(said: list[Said], about: list[str]) -> None:
    assert disagreements(said, DisagreementRule(outcome=True, margin_spread=3, dimension_spread=3)) == about


def test_a_rule_that_is_off_finds_no_disagreement() -> None:
    said = [Said("winner", 1, 3), Said("winner", 2, 3)]

    assert disagreements(said, DisagreementRule(outcome=False)) == []
