"""What people wrote themselves, as pairs and as answers to learn from."""

from __future__ import annotations

from typing import Any

import pytest

from exports.accounting import Accounting
from exports.completions import completions_of
from exports.conversation import TEXT
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import AnnotationRecord, RewriteRecord, text_of
from tests.unit.exports.samples import prompt, says, task, text, wins


def rewrites(key: str, words: str, **fields: Any) -> AnnotationRecord:
    return wins("a", rewrites=[RewriteRecord(response=key, content=text(words))], **fields)


def paired(*votes: AnnotationRecord, **options: Any) -> tuple[list[tuple[str, str, str]], Accounting]:
    accounting = Accounting()
    found = list(pairs_of(task(prompt(*votes)), ExportOptions(**options), accounting, TEXT))
    accounting.check()
    return [(pair.id, text_of(pair.chosen.content), pair.source) for pair in found], accounting


def learnt(*votes: AnnotationRecord, **options: Any) -> tuple[list[tuple[str, str, str]], dict[str, int]]:
    accounting = Accounting()
    found = list(completions_of(task(prompt(*votes)), ExportOptions(**options), accounting, TEXT))
    accounting.check()
    return [(each.id, text_of(each.response.content), each.source) for each in found], accounting.drops


def test_rewrite_stands_above_its_original_when_asked() -> None:
    vote = rewrites("b", " Better. ")
    assert paired(vote)[0] == [("t:p:a:b:ann", "answer a", "vote")]
    found, accounting = paired(vote, rewrites="pairs")
    assert found == [("t:p:a:b:ann", "answer a", "vote"), ("t:p:b:b:ann:rewrite", "Better.", "rewrite")]
    assert accounting == Accounting(votes_in=1, votes_exported=1)


def test_rewrites_alone_drop_votes_without_one() -> None:
    found, accounting = paired(rewrites("b", "Better."), wins("a", by="bob"), rewrites="only")
    assert [name for name, *_ in found] == ["t:p:b:b:ann:rewrite"]
    assert accounting.drops == {"no_rewrite": 1}


@pytest.mark.parametrize("words", ["answer b", " answer b\r\n"])
def test_rewrite_that_changes_nothing_is_no_pair(words: str) -> None:
    found, accounting = paired(rewrites("b", words), rewrites="only")
    assert (found, accounting.drops) == ([], {"identical_responses": 1})


def test_rewrite_has_no_margin_and_is_left_out_where_margins_are_written() -> None:
    found, accounting = paired(rewrites("b", "Better.", margin=2), rewrites="pairs", margin="absolute")
    assert [source for *_, source in found] == ["vote"]
    assert accounting.pair_drops == {"missing_margin": 1}


def test_rewrite_of_a_tie_exports_the_vote() -> None:
    tie = says("tie", rewrites=[RewriteRecord(response="a", content=text("Better."))])
    found, accounting = paired(tie, rewrites="pairs")
    assert (len(found), accounting.votes_exported, accounting.drops) == (1, 1, {})


def test_winners_are_learnt_from() -> None:
    found, drops = learnt(wins("a"), wins("b", by="bob"), says("tie", by="cy"), says("all_bad", by="dee"))
    assert found == [("t:p:a:ann", "answer a", "vote"), ("t:p:b:bob", "answer b", "vote")]
    assert drops == {"tie": 1, "all_bad": 1}


def test_winner_of_more_than_half_is_learnt_from_once() -> None:
    votes = (wins("a"), wins("a", by="bob"), wins("b", by="cy"))
    found, drops = learnt(*votes, consensus="majority")
    assert (found, drops) == ([("t:p:a:majority", "answer a", "vote")], {"minority": 1})
    found, drops = learnt(*votes, says("tie", by="dee"), consensus="majority")
    assert (found, drops) == ([], {"no_majority": 3, "tie": 1})


def test_rewrites_are_learnt_from_when_asked() -> None:
    vote = rewrites("b", "Better.")
    assert [source for *_, source in learnt(vote, rewrites="pairs")[0]] == ["vote", "rewrite"]
    assert learnt(vote, rewrites="only")[0] == [("t:p:b:ann:rewrite", "Better.", "rewrite")]
    assert learnt(rewrites("b", "answer b"), rewrites="only") == ([], {"identical_responses": 1})
