from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.accounting import Accounting
from exports.conversation import EVERYTHING, TEXT
from exports.options import ExportOptions
from exports.pairs import Pair, pairs_of
from exports.records import AnnotationRecord, Message, TaskRecord
from tests.unit.exports.samples import image, prompt, response, says, task, tasks, text, wins


def exported(*records: TaskRecord, media: bool = False, **options: Any) -> tuple[list[Pair], Accounting]:
    accounting = Accounting()
    pairs = [
        pair
        for record in records
        for pair in pairs_of(record, ExportOptions(**options), accounting, EVERYTHING if media else TEXT)
    ]
    accounting.check()
    return pairs, accounting


def ids(pairs: list[Pair]) -> list[str]:
    return [pair.id for pair in pairs]


def test_one_vote_is_one_pair() -> None:
    (pair,), accounting = exported(task(prompt(wins("b", margin=2))))
    assert (pair.id, pair.chosen, pair.rejected, pair.margin) == ("t:p:b:a:ann", response("b"), response("a"), None)
    assert pair.messages == [Message(role="user", content=text("Question?"))]
    assert accounting == Accounting(votes_in=1, votes_exported=1)


@pytest.mark.parametrize(
    ("vote", "reason"),
    [
        (says("tie"), "tie"),
        (says("all_bad"), "all_bad"),
        (says("cannot_judge"), "cannot_judge"),
        (wins("a", state="returned"), "returned"),
        (wins("a", ranking=[["b"], ["a"]]), "contradiction"),
    ],
)
@pytest.mark.parametrize("consensus", ["each", "majority"])
def test_vote_without_a_preference_is_dropped_with_its_reason(
    vote: AnnotationRecord, reason: str, consensus: str
) -> None:
    pairs, accounting = exported(task(prompt(vote)), consensus=consensus)
    assert (pairs, accounting) == ([], Accounting(votes_in=1, drops={reason: 1}))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"responses": [response("a", "x\r\n"), response("b", " x")]}, "identical_responses"),
        ({"responses": [response("a", " "), response("b")]}, "empty_response"),
        ({"responses": [response("a"), response("b", "")]}, "empty_response"),
        ({"responses": [response("a", image()), response("b")]}, "media_in_text_format"),
    ],
)
@pytest.mark.parametrize("consensus", ["each", "majority"])
def test_vote_whose_pair_cannot_be_used_is_dropped_with_its_reason(
    fields: dict[str, Any], reason: str, consensus: str
) -> None:
    pairs, accounting = exported(task(prompt(wins("a"), **fields)), consensus=consensus)
    assert (pairs, accounting) == ([], Accounting(votes_in=1, drops={reason: 1}, pair_drops={reason: 1}))


@pytest.mark.parametrize(
    ("content", "context", "reason"),
    [
        (text(" "), [], "empty_prompt"),
        ([], [], "empty_prompt"),
        ([], ["assistant"], "context_not_ending_in_user"),
        ([], ["user", "system"], "context_not_ending_in_user"),
        (image(), [], "media_in_text_format"),
    ],
)
def test_vote_on_an_unusable_conversation_is_dropped(content: list, context: list, reason: str) -> None:
    messages = [Message(role=role, content=text("x")) for role in context]
    pairs, accounting = exported(task(prompt(wins("a"), content=content), context=messages))
    assert (pairs, accounting.drops) == ([], {reason: 1})


def test_format_with_media_keeps_media() -> None:
    pairs, accounting = exported(task(prompt(wins("a"), content=image())), media=True)
    assert (len(pairs), accounting.drops) == (1, {})


def test_later_turn_without_a_path_is_dropped() -> None:
    record = task(prompt(wins("a"), key="1"), prompt(wins("a"), wins("b", by="bob"), key="2"))
    pairs, accounting = exported(record)
    assert ids(pairs) == ["t:1:a:b:ann", "t:2:a:b:ann"]
    assert (accounting.votes_in, accounting.drops) == (3, {"no_path": 1})
    assert [message.role for message in pairs[1].messages] == ["user", "assistant", "user"]


def test_prompt_with_one_response_is_dropped() -> None:
    assert exported(task(prompt(wins("a"), ids="a")))[1].drops == {"single_response": 1}


def test_adjudication_is_counted_apart() -> None:
    pairs, accounting = exported(task(prompt(wins("a", kind="adjudication"), wins("b"))))
    assert (ids(pairs), accounting) == (["t:p:b:a:ann"], Accounting(votes_in=1, votes_exported=1, adjudications=1))


def test_returned_vote_is_used_when_included() -> None:
    assert ids(exported(task(prompt(wins("a", state="returned"))), include_returned=True)[0]) == ["t:p:a:b:ann"]


def test_ranking_gives_several_pairs_of_one_vote() -> None:
    pairs, accounting = exported(task(prompt(wins("a", ranking=[["a"], ["b", "c"]]), ids="abc")))
    assert ids(pairs) == ["t:p:a:b:ann", "t:p:a:c:ann"]
    assert (accounting.votes_in, accounting.votes_exported) == (1, 1)


def test_ranking_that_loses_some_pairs_is_still_exported() -> None:
    responses = [response("a"), response("b", ""), response("c")]
    pairs, accounting = exported(task(prompt(wins("a", ranking=[["a"], ["b"], ["c"]]), responses=responses)))
    assert ids(pairs) == ["t:p:a:c:ann"]
    assert accounting == Accounting(votes_in=1, votes_exported=1, pair_drops={"empty_response": 2})


def test_margin_is_written_and_votes_without_one_are_dropped() -> None:
    pairs, accounting = exported(task(prompt(wins("a", margin=3), wins("b", by="bob"))), margin="absolute")
    assert [(pair.id, pair.margin) for pair in pairs] == [("t:p:a:b:ann", 3.0)]
    assert accounting.drops == {"missing_margin": 1}


def test_margin_of_a_ranking_is_not_copied_to_other_pairs() -> None:
    vote = wins("a", margin=1, ranking=[["a"], ["b"], ["c"]])
    pairs, accounting = exported(task(prompt(vote, ids="abc")), margin="absolute")
    assert [(pair.id, pair.margin) for pair in pairs] == [("t:p:a:b:ann", 1.0)]
    assert (accounting.votes_exported, accounting.pair_drops) == (1, {"missing_margin": 2})


def test_winner_among_three_with_a_margin_says_nothing_about_the_runner_up() -> None:
    pairs, accounting = exported(task(prompt(wins("a", margin=1), ids="abc")), margin="absolute")
    assert (pairs, accounting.drops) == ([], {"missing_margin": 1})


def test_same_preference_by_the_same_annotator_twice_has_two_ids() -> None:
    assert ids(exported(task(prompt(wins("a"), wins("a"), wins("b"))))[0]) == [
        "t:p:a:b:ann",
        "t:p:a:b:ann#2",
        "t:p:b:a:ann",
    ]


def test_ids_with_colons_stay_different() -> None:
    first = task(prompt(wins("a", by="x#2%"), key="b:c"), key="a")
    second = task(prompt(wins("a", by="x#2%"), key="c"), key="a:b")
    assert ids(exported(first, second)[0]) == ["a:b%3Ac:a:b:x%232%25", "a%3Ab:c:a:b:x%232%25"]


@given(st.lists(tasks(), max_size=3, unique_by=lambda record: record.id), st.booleans(), st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_every_vote_is_accounted_for(records: list[TaskRecord], media: bool, data: st.DataObject) -> None:
    options = ExportOptions(
        ranking_pairs=data.draw(st.sampled_from(["all", "best_vs_rest", "best_vs_worst", "adjacent"])),
        margin=data.draw(st.sampled_from(["none", "absolute"])),
        consensus=data.draw(st.sampled_from(["each", "majority"])),
        include_returned=data.draw(st.booleans()),
    )
    accounting = Accounting()
    pairs = [
        pair for record in records for pair in pairs_of(record, options, accounting, EVERYTHING if media else TEXT)
    ]
    accounting.check()
    everything = [vote for record in records for turn in record.prompts for vote in turn.annotations]
    assert accounting.votes_in + accounting.adjudications == len(everything)
    assert len(set(ids(pairs))) == len(pairs)
    assert all(pair.chosen != pair.rejected and 2 * pair.votes > pair.voters for pair in pairs)
    assert all((pair.margin is None) == (options.margin == "none") for pair in pairs)
    again = Accounting()
    assert (
        [pair for record in records for pair in pairs_of(record, options, again, EVERYTHING if media else TEXT)],
        again,
    ) == (
        pairs,
        accounting,
    )


def test_accounting_that_does_not_add_up_is_an_error() -> None:
    with pytest.raises(ValueError, match="3 in, 1 exported, 1 dropped"):
        Accounting(votes_in=3, votes_exported=1, drops={"tie": 1}).check()


def test_accounting_as_dict_sorts_reasons() -> None:
    accounting = Accounting(votes_in=2)
    accounting.drop("tie")
    accounting.drop("all_bad")
    assert list(accounting.as_dict()["drops"].items()) == [("all_bad", 1), ("tie", 1)]
    assert list(accounting.as_dict()) == [
        "votes_in",
        "votes_exported",
        "rows_out",
        "adjudications",
        "adjudications_exported",
        "drops",
        "pair_drops",
        "superseded",
    ]
