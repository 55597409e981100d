"""Splits keep equal prompts together; agreement is what the textbook says."""

from __future__ import annotations

from collections import Counter

import pytest

from exports.options import FileOptions
from exports.records import AnnotationRecord, Message, Part, PromptRecord, ResponseRecord, TaskRecord
from exports.splits import beginning_of, split_of, splits_of
from exports.statistics import Statistics


def task(name: str, question: str, votes: list[str] | None = None, context: str = "") -> TaskRecord:
    responses = [ResponseRecord(id=key, content=[Part.of_text(key)]) for key in "xy"]
    annotations = [
        AnnotationRecord(
            annotator=f"a-{place}",
            outcome="winner" if vote in "xy" else vote,
            winner=vote if vote in "xy" else None,  # type: ignore[arg-type]
        )
        for place, vote in enumerate(votes or [])
    ]
    prompt = PromptRecord(id="p", content=[Part.of_text(question)], responses=responses, annotations=annotations)
    messages = [Message(role="system", content=[Part.of_text(context)])] if context else []
    return TaskRecord(id=name, context=messages, prompts=[prompt])


def test_tasks_with_one_prompt_are_in_one_split_whatever_their_id_and_spaces() -> None:
    options = FileOptions(validation=0.3, test=0.3, seed=4)
    for number in range(50):
        splits = {
            split_of(task("a", f"Question {number}?"), options),
            split_of(task("b", f"  question   {number}?\n"), options),
            split_of(task("c", f"Question {number}？", votes=["x"]), options),
        }
        assert len(splits) == 1


def test_another_context_is_another_beginning() -> None:
    assert beginning_of(task("a", "Q")) != beginning_of(task("a", "Q", context="Be brief."))


def test_shares_come_out_about_right_and_move_with_the_seed() -> None:
    tasks = [task(str(number), f"Question {number}") for number in range(2000)]
    options = FileOptions(validation=0.1, test=0.2)

    counts = Counter(split_of(each, options) for each in tasks)

    assert splits_of(options) == ("train", "validation", "test")
    assert counts["test"] == pytest.approx(400, abs=60)
    assert counts["validation"] == pytest.approx(200, abs=50)
    other = FileOptions(validation=0.1, test=0.2, seed=1)
    assert [split_of(each, other) for each in tasks] != [split_of(each, options) for each in tasks]


def test_without_shares_everything_is_for_training() -> None:
    assert splits_of(FileOptions()) == ("train",)
    assert split_of(task("a", "Q"), FileOptions()) == "train"


def test_alpha_is_that_of_the_textbook() -> None:
    """Nominal data by two observers, ten units: Krippendorff, Computing alpha-reliability (2011), part A: 0.095."""
    first, second = "0100000010", "1110010000"
    statistics = Statistics()
    for number, pair in enumerate(zip(first, second, strict=True)):
        statistics.see(task(str(number), "Q", ["x" if value == "0" else "y" for value in pair]))

    assert statistics.alpha == pytest.approx(0.095, abs=0.0005)
    assert statistics.percent_agreement == pytest.approx(0.6)


def test_counts_of_two_parts_add_up_and_survive_json() -> None:
    tasks = [task("a", "Q", ["x", "x", "tie"]), task("b", "Q", ["y", "all_bad"]), task("c", "Q", ["cannot_judge", "x"])]
    whole, parts = Statistics(), Statistics()
    for each in tasks:
        whole.see(each)
        part = Statistics()
        part.see(each)
        parts.add(Statistics.from_dict(part.as_dict()))

    assert parts == whole
    assert whole.outcomes == {"winner": 4, "tie": 1, "all_bad": 1, "cannot_judge": 1}
    assert (whole.judged, whole.agreeing) == ({"3": 1, "2": 1}, {"3": 2, "2": 0})
    assert whole.percent_agreement == pytest.approx(2 / 8)


def test_agreement_has_no_value_without_two_votes_or_two_verdicts() -> None:
    alone, same = Statistics(), Statistics()
    alone.see(task("a", "Q", ["x"]))
    same.see(task("a", "Q", ["x", "x"]))

    assert (alone.percent_agreement, alone.alpha) == (None, None)
    assert (same.percent_agreement, same.alpha) == (1.0, None)
