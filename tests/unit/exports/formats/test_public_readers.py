"""Public pairs and strengths: each example becomes the task and the judgements that it means."""

from __future__ import annotations

from typing import Any

import pytest

from exports.records import text_of
from tests.unit.exports.formats.public import HELPSTEER2, HELPSTEER3, PANDALM, SUMMARY, only, texts, votes


def test_llmbar_labels_name_the_better_output() -> None:
    record = only("llmbar", {"input": "i", "output_1": "a", "output_2": "b", "label": 2})
    assert (texts(record), votes(record)) == (["a", "b"], [("imported", "winner", "b", None)])


def test_pick_a_pic_takes_the_bytes_of_an_object_however_few_they_are() -> None:
    held = {f"jpg_{n}": {"bytes": text, "path": None} for n, text in enumerate(("/9j/4AAQ", "/9j/4AAR"))}
    record = only("pick_a_pic", {"caption": "a cat", **held, "label_0": 1, "label_1": 0, "user_id": 7})
    paths = [response.content[0].path for response in record.prompts[0].responses]
    assert paths == ["data:image/jpeg;base64,/9j/4AAQ", "data:image/jpeg;base64,/9j/4AAR"]


def test_pandalm_keeps_three_annotators_ties_and_responses_that_are_booleans() -> None:
    row = {**PANDALM, "response2": True, "annotator1": 2, "annotator2": 1, "annotator3": 0}
    record = only("pandalm", row)
    assert texts(record) == ["a", "True"]
    assert [each[1:3] for each in votes(record)] == [("winner", "b"), ("winner", "a"), ("tie", None)]
    assert [response.model for response in record.prompts[0].responses] == ["m", "n"]


@pytest.mark.parametrize(("preference", "outcome"), [(1.0, "a"), (1.9, "b"), (1.5, None), (None, "none")])
def test_alpaca_eval_prefers_by_the_side_of_one_and_a_half(preference: float | None, outcome: str | None) -> None:
    row = {"instruction": "q", "output_1": "a", "generator_1": "m", "output_2": "b", "preference": preference}
    found = votes(only("alpaca_eval", row))
    assert [each[2] for each in found] == ([] if outcome == "none" else [outcome])


def test_safe_rlhf_takes_the_better_one_and_keeps_the_safer_one_aside() -> None:
    row = {"prompt": "q", "response_0": "a", "response_1": "b", "better_response_id": 0, "safer_response_id": 1}
    record = only("safe_rlhf", row)
    assert (votes(record)[0][2], record.metadata) == ("a", {"safer_response_id": 1})


@pytest.mark.parametrize(("label", "winner"), [(1, "a"), (0, "b")])
def test_shp_labels_say_whether_a_was_preferred(label: int, winner: str) -> None:
    record = only("shp", {"history": "q", "human_ref_A": "a", "human_ref_B": "b", "labels": label, "score_A": 9})
    assert votes(record)[0][2] == winner
    assert record.prompts[0].responses[0].metadata == {"score": 9}


@pytest.mark.parametrize(("score", "winner"), [(0.5, "a"), (-0.5, "b"), (0, None)])
def test_webgpt_scores_decide_by_their_sign(score: float, winner: str | None) -> None:
    row = {"question": {"id": "1", "full_text": "Why?"}, "answer_0": "A", "answer_1": "B", "score_0": score}
    record = only("webgpt", row)
    assert votes(record)[0][1:3] == ("winner" if winner else "tie", winner)
    assert record.metadata == {"question": {"id": "1"}, "score_0": score}


def test_summaries_keep_their_first_space_and_the_worker() -> None:
    record = only("summarize_from_feedback", {**SUMMARY, "choice": 1, "worker": "w1"})
    assert (texts(record), votes(record)) == ([" A", " B"], [("w1", "winner", "b", None)])
    assert text_of(record.prompts[0].content) == "T\n\nP"


def test_people_with_addresses_become_pseudonyms() -> None:
    record = only("summarize_from_feedback", {**SUMMARY, "choice": 0, "worker": "eve@example.org"})
    assert votes(record)[0][0].startswith("person-")
    assert "eve" not in repr(record)


def test_helpsteer2_keeps_every_person_and_the_strength_that_means_neither() -> None:
    people = [{"strength": 1, "justification": "@Response 2 is better."}, {"strength": -100, "justification": ""}]
    record = only("helpsteer2_preference", {**HELPSTEER2, "all_preferences_unprocessed": people})
    assert votes(record) == [("annotator-1", "winner", "b", 1), ("annotator-2", "all_bad", None, None)]
    [mention] = record.prompts[0].annotations[0].references
    assert (mention.response, mention.at, mention.text) == ("b", [0, 11], "@Response 2")


@pytest.mark.parametrize(
    ("strength", "vote"), [(-3, ("winner", "a", 3)), (0, ("tie", None, None)), (2, ("winner", "b", 2))]
)
def test_helpsteer_strengths_below_nothing_are_for_the_first_response(strength: int, vote: tuple[Any, ...]) -> None:
    assert votes(only("helpsteer2_preference", {**HELPSTEER2, "preference_strength": strength}))[0][1:] == vote
    assert votes(only("helpsteer3", {**HELPSTEER3, "overall_preference": strength}))[0][1:] == vote


def test_helpsteer3_takes_the_people_where_they_are() -> None:
    people = [{"score": -2, "reasoning": "@Response 1 is complete.", "feedback1": "f", "feedback2": ""}, {"score": 0}]
    record = only("helpsteer3", {**HELPSTEER3, "individual_preference": people})
    assert [each[1:] for each in votes(record)] == [("winner", "a", 2), ("tie", None, None)]
    assert record.prompts[0].annotations[0].justification == "@Response 1 is complete.\n\nf"
    assert record.metadata == {"overall_preference": -2}


def test_helpsteer2_rows_with_one_prompt_are_one_task_with_ratings_and_no_made_up_winner() -> None:
    rows = [
        {
            "prompt": "q",
            "response": text,
            "helpfulness": value,
            "correctness": 4,
            "coherence": 4,
            "complexity": 1,
            "verbosity": 2,
        }
        for text, value in [("a", 3), ("b", 1)]
    ]
    record = only("helpsteer2", *rows)
    assert (texts(record), votes(record)[0][1]) == (["a", "b"], "cannot_judge")
    ratings = [(r.response, r.value) for r in record.prompts[0].annotations[0].ratings if r.dimension == "helpfulness"]
    assert ratings == [("a", 3), ("b", 1)]
