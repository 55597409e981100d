from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.accounting import Accounting
from exports.conversation import TEXT
from exports.options import ExportOptions
from exports.rankings import Ranking, rankings_of
from exports.records import Message, TaskRecord
from tests.unit.exports.samples import image, prompt, response, says, task, tasks, text, wins


def exported(*records: TaskRecord, **options: Any) -> tuple[list[Ranking], Accounting]:
    accounting = Accounting()
    rankings = [
        ranking for record in records for ranking in rankings_of(record, ExportOptions(**options), accounting, TEXT)
    ]
    accounting.check()
    return rankings, accounting


def groups(ranking: Ranking) -> list[list[str]]:
    return [[each.id for each in group] for group in ranking.groups]


def test_ranking_keeps_its_order_and_its_ties() -> None:
    vote = wins("b", ranking=[["b"], ["a", "c"]])
    (ranking,), accounting = exported(task(prompt(vote, ids="abc")))
    assert (ranking.id, groups(ranking), ranking.margin) == ("t:p:ann", [["b"], ["a", "c"]], None)
    assert ranking.messages == [Message(role="user", content=text("Question?"))]
    assert (accounting.votes_in, accounting.votes_exported) == (1, 1)


def test_responses_that_were_not_ranked_are_left_out() -> None:
    (ranking,), _ = exported(task(prompt(wins("c", ranking=[["c"], ["a"]]), ids="abc")))
    assert groups(ranking) == [["c"], ["a"]]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"responses": [response("a"), response("b", " "), response("c")]}, "empty_response"),
        ({"responses": [response("a", "x"), response("b"), response("c", "x\r\n")]}, "identical_responses"),
        ({"responses": [response("a"), response("b"), response("c", image())]}, "media_in_text_format"),
        ({"content": text(" ")}, "empty_prompt"),
    ],
)
def test_vote_with_anything_unusable_is_dropped_whole(changes: dict[str, Any], reason: str) -> None:
    vote = wins("a", ranking=[["a"], ["b"], ["c"]])
    rankings, accounting = exported(task(prompt(vote, ids="abc", **changes)))
    assert (rankings, accounting) == ([], Accounting(votes_in=1, drops={reason: 1}))


def test_margin_is_written_when_asked_for_and_a_tie_has_none_to_give() -> None:
    votes = [wins("a", margin=2), says("tie", by="bob"), wins("b", by="cy")]
    rankings, accounting = exported(task(prompt(*votes)), margin="absolute")
    assert [(each.annotator, each.margin) for each in rankings] == [("ann", 2.0), ("bob", 0.0)]
    assert accounting.drops == {"missing_margin": 1}


def test_second_vote_of_the_same_annotator_has_an_id_of_its_own() -> None:
    assert [each.id for each in exported(task(prompt(wins("a"), wins("b"))))[0]] == ["t:p:ann", "t:p:ann#2"]


def test_later_turn_without_a_path_is_dropped() -> None:
    rankings, accounting = exported(task(prompt(says("tie"), key="1"), prompt(wins("a"), key="2")))
    assert ([each.prompt for each in rankings], accounting.drops) == (["1"], {"no_path": 1})


@given(st.lists(tasks(), max_size=3, unique_by=lambda record: record.id), st.booleans(), st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_every_vote_is_accounted_for(records: list[TaskRecord], with_margin: bool, returned: bool) -> None:
    options = {"margin": "absolute" if with_margin else "none", "include_returned": returned}
    rankings, accounting = exported(*records, **options)
    everything = [vote for record in records for turn in record.prompts for vote in turn.annotations]
    assert accounting.votes_in + accounting.adjudications == len(everything)
    assert accounting.votes_exported == len(rankings) == len({each.id for each in rankings})
    assert all((each.margin is None) != with_margin for each in rankings)
    assert all(sum(len(group) for group in each.groups) > 1 for each in rankings)
