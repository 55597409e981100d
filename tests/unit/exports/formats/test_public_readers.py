"""Datasets of other people: each example of theirs becomes the task and the judgements that it means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import formats
from exports.bundle import open_bundle
from exports.formats.base import FormatError
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import TaskRecord, text_of

DATA = Path(__file__).parents[5] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the real data lie beside the project in shared/data")


def read(name: str, *rows: Any, mapping: dict[str, str] | None = None) -> tuple[list[TaskRecord], list[str]]:
    problems = ProblemList()
    setup = Setup(mapping=mapping or {})
    records = [record for _, record in formats.get(name).read(enumerate(rows, 1), "f.jsonl", problems, setup)]
    return records, [f"{each.field}: {each.found}" for each in problems]


def only(name: str, *rows: Any, mapping: dict[str, str] | None = None) -> TaskRecord:
    records, problems = read(name, *rows, mapping=mapping)
    assert problems == []
    assert len(records) == 1
    return records[0]


def votes(record: TaskRecord, turn: int = 0) -> list[tuple[str, str, str | None, int | None]]:
    return [(a.annotator, a.outcome, a.winner, a.margin) for a in record.prompts[turn].annotations]


def texts(record: TaskRecord, turn: int = 0) -> list[str]:
    return [text_of(response.content) for response in record.prompts[turn].responses]


def message(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


TALK_A = [message("user", "Hi"), message("assistant", "A")]
TALK_B = [message("user", "Hi"), message("assistant", "B")]
BATTLE = {"model_a": "m1", "model_b": "m2", "conversation_a": TALK_A, "conversation_b": TALK_B}
ARENA = {"question_id": "q1", **BATTLE, "winner": "tie (bothbad)", "judge": "arena_user_1", "turn": 1, "anony": True}
HELPSTEER2 = {"prompt": "q", "response_1": "a", "response_2": "b", "preference_strength": 1}
HELPSTEER3 = {"context": [message("user", "q")], "response1": "a", "response2": "b", "overall_preference": -2}
PANDALM = {"idx": 0, "cmp_key": "m_n", "instruction": "i", "input": "", "response1": "a", "response2": "b"}
SUMMARY = {"info": {"id": "t", "post": "P", "title": "T"}, "summaries": [{"text": " A", "policy": "s"}, {"text": " B"}]}
PICK = {"caption": "a cat", "image_0_url": "0.jpg", "image_1_url": "1.jpg", "user_id": 7}


# ------------------------------------------------------------------------------------------------------ pairs
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


# -------------------------------------------------------------------------------------------------- strengths
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


# --------------------------------------------------------------------------------------------------- rankings
def test_nectar_ranks_from_one_and_takes_the_transcript_apart() -> None:
    row = {
        "prompt": "\n\nHuman: Hi\n\nAssistant: Hello\n\nHuman: And? \n\nAssistant: ",
        "answers": [{"answer": "x", "model": "m1", "rank": 2}, {"answer": "y", "model": "m2", "rank": 1}],
    }
    record = only("nectar", row)
    assert votes(record) == [("imported", "winner", "b", None)]
    assert [text_of(each.content) for each in record.context] == ["Hi", "Hello"]
    assert text_of(record.prompts[0].content) == "And?"


def test_image_reward_ranks_have_ties_and_gaps() -> None:
    record = only("image_reward", {"id": "1", "prompt": "a cat", "generations": ["a", "b", "c"], "ranking": [4, 1, 4]})
    assert record.prompts[0].annotations[0].ranking == [["b"], ["a", "c"]]
    assert [part.path for r in record.prompts[0].responses for part in r.content] == ["a", "b", "c"]


def test_hpd_reads_preferences_and_the_ranks_of_each_annotator() -> None:
    record = only("hpd", {"prompt": "a cat", "file_path": ["a.jpg", "b.jpg"], "human_preference": [0, 1]})
    assert votes(record)[0][2] == "b"
    raw = [{"rank": [1, 0], "user_hash": "u1"}, {"rank": [0, 1], "user_hash": "u2"}]
    record = only("hpd", {"prompt": "c", "image_path": ["a.jpg", "b.jpg"], "rank": [0, 1], "raw_annotations": raw})
    assert [(each[0], each[2]) for each in votes(record)] == [("u1", "b"), ("u2", "a")]


@pytest.mark.parametrize(
    ("labels", "vote"), [((1, 0), ("winner", "a")), ((0, 1), ("winner", "b")), ((0.5, 0.5), ("tie", None))]
)
def test_pick_a_pic_labels_of_a_half_are_ties(labels: tuple[float, float], vote: tuple[str, str | None]) -> None:
    record = only("pick_a_pic", {**PICK, "label_0": labels[0], "label_1": labels[1]})
    assert votes(record)[0][:3] == ("7", *vote)


def test_pick_a_pic_bytes_become_media_inside_the_row() -> None:
    row = {**PICK, "label_0": 1, "label_1": 0, "jpg_0": {"bytes": "iVBORw0KGgo=", "path": None}}
    record = only("pick_a_pic", row)
    assert record.prompts[0].responses[0].content[0].path == "data:image/jpeg;base64,iVBORw0KGgo="


def test_reward_bench_lists_are_groups_in_an_order_that_tells_nothing() -> None:
    record = only("reward_bench", {"id": "1", "prompt": "Name", "chosen": ["red", "blue"], "rejected": ["dog"]})
    by_id = {each.id: text_of(each.content) for each in record.prompts[0].responses}
    groups = [[by_id[name] for name in group] for group in record.prompts[0].annotations[0].ranking]
    assert [sorted(group) for group in groups] == [["blue", "red"], ["dog"]]
    assert votes(record)[0][1] == "tie"


def test_open_assistant_trees_and_their_single_messages_give_the_same_tasks() -> None:
    replies = [
        {"message_id": n, "parent_id": "t", "text": n.upper(), "role": "assistant", "rank": rank, "replies": []}
        for n, rank in [("a", 1), ("b", 0), ("c", None)]
    ]
    replies[1]["replies"] = [{"message_id": "u", "parent_id": "b", "text": "More?", "role": "prompter", "replies": []}]
    root = {"message_id": "t", "text": "q", "role": "prompter", "replies": replies}
    record = only("open_assistant", {"message_tree_id": "T", "tree_state": "ready_for_export", "prompt": root})
    assert (record.id, texts(record), votes(record)) == ("t", ["A", "B", "C"], [("imported", "winner", "b", None)])
    flat = [{**root, "replies": None, "parent_id": None}, *replies, replies[1]["replies"][0]]
    rows = [{**row, "message_tree_id": "T"} for row in flat]
    assert texts(only("open_assistant", *rows)) == texts(record)


# ---------------------------------------------------------------------------------------------------- battles
@pytest.mark.parametrize(
    ("winner", "vote"),
    [
        ("model_a", ("winner", "a")),
        ("model_b", ("winner", "b")),
        ("tie", ("tie", None)),
        ("tie (bothbad)", ("all_bad", None)),
        ("both_bad", ("all_bad", None)),
    ],
)
def test_arena_verdicts_in_both_spellings(winner: str, vote: tuple[str, str | None]) -> None:
    record = only("arena", {**ARENA, "winner": winner, "tstamp": 1682351591.13})
    assert votes(record)[0][:3] == ("arena_user_1", *vote)
    assert record.prompts[0].annotations[0].submitted_at == "2023-04-24T15:53:11.130000+00:00"
    assert record.id == "q1"


def test_arena_blocks_with_pictures_are_read() -> None:
    asked = [{"type": "text", "text": "What?"}, {"type": "image", "image": "cat.png", "mimeType": "image/png"}]
    talks = [[message("user", asked), message("assistant", [{"type": "text", "text": said}])] for said in "AB"]
    row = {
        "id": "x",
        "model_a": "m",
        "model_b": "n",
        "winner": "both_bad",
        "conversation_a": talks[0],
        "conversation_b": talks[1],
    }
    record = only("arena", row)
    assert [part.type for part in record.prompts[0].content] == ["text", "image"]
    assert (record.id, texts(record)) == ("x", ["A", "B"])


def test_conversations_that_went_different_ways_keep_all_that_was_said() -> None:
    more = [message("user", "And?"), message("assistant", "More")]
    record = only("arena", {**ARENA, "turn": 2, "conversation_a": [*TALK_A, *more], "conversation_b": [*TALK_B, *more]})
    assert texts(record)[0] == "Assistant: A\n\nHuman: And?\n\nAssistant: More"
    assert text_of(record.prompts[0].content) == "Hi"


def test_mt_bench_votes_on_one_pair_are_one_task_and_the_first_turn_ends_with_its_reply() -> None:
    more = [message("user", "And?"), message("assistant", "More")]
    row = {"question_id": 81, **BATTLE, "winner": "model_a", "judge": "expert_0", "turn": 1}
    row |= {"conversation_a": [*TALK_A, *more], "conversation_b": [*TALK_B, *more]}
    record = only("mt_bench", row, {**row, "judge": "author_1", "winner": "tie"})
    assert texts(record) == ["A", "B"]
    assert [(each[0], each[1]) for each in votes(record)] == [("expert_0", "winner"), ("author_1", "tie")]


# ---------------------------------------------------------------------------------------------------- ratings
def test_ultrafeedback_ratings_are_numbers_in_text_and_others_are_kept_aside() -> None:
    annotations = {"honesty": {"Rating": "3", "Rationale": "Fine."}, "helpfulness": {"Rating": "N/A", "Rationale": ""}}
    completion = {"model": "m1", "principle": "honesty", "response": "a", "annotations": annotations}
    record = only("ultrafeedback", {"instruction": "q", "models": ["m1"], "completions": [completion, completion]})
    ratings = record.prompts[0].annotations[0].ratings
    assert [(r.dimension, r.response, r.value, r.justification) for r in ratings] == [
        ("honesty", "a", 3, "Fine."),
        ("honesty", "b", 3, "Fine."),
    ]
    kept = record.prompts[0].responses[0].metadata
    assert kept == {"principle": "honesty", "annotation helpfulness": {"Rating": "N/A", "Rationale": ""}}


def test_vl_feedback_structs_of_lists_become_responses() -> None:
    rated = [{"Helpfulness": {"Rating": value, "Rationale": "r"}} for value in ("5", "N/A")]
    held = {"model": ["m1", "m2"], "response": ["A cat.", "A dog."], "annotations": rated}
    record = only("vl_feedback", {"id": "1", "prompt": "What?", "img_path": "a.jpg", "completions": held})
    assert [part.path for part in record.prompts[0].content] == ["a.jpg", None]
    assert [(r.response, r.value) for r in record.prompts[0].annotations[0].ratings] == [("a", 5)]


def test_prism_scores_decide_and_not_the_random_choice_on_ties() -> None:
    def reply(score: int, name: str, *, chosen: bool) -> dict[str, Any]:
        return {"turn": 0, "role": "model", "content": name, "model_name": name, "score": score, "if_chosen": chosen}

    history = [{"turn": 0, "role": "user", "content": "Hi"}, reply(80, "m", chosen=True), reply(80, "n", chosen=False)]
    record = only("prism", {"conversation_id": "c1", "user_id": "u1", "conversation_history": history})
    assert votes(record) == [("u1", "tie", None, None)]
    assert [response.continues for response in record.prompts[0].responses] == [True, False]


def test_align_anything_asks_about_a_picture() -> None:
    row = {"question": "What?", "image": "a.jpg", "response_1": "A cat.", "response_2": "A dog.", "overall_response": 1}
    record = only("align_anything", row)
    assert [part.type for part in record.prompts[0].content] == ["image", "text"]
    assert votes(record)[0][2] == "a"


# ------------------------------------------------------------------------------------------------ any table
MAPPING = {"q": "prompt", "one": "response:1", "two": "response:2", "who": "annotator", "won": "winner", "key": "id"}


def row(**changes: Any) -> dict[str, Any]:
    return {"key": "k", "q": "Why?", "one": "Because.", "two": "So.", "who": "w1", "won": "one", "more": "5"} | changes


@pytest.mark.parametrize(
    ("won", "vote"),
    [
        ("one", ("winner", "a")),
        ("B", ("winner", "b")),
        ("Response 2", ("winner", "b")),
        ("left", ("winner", "a")),
        ("1", ("winner", "a")),
        ("tie", ("tie", None)),
        ("both_bad", ("all_bad", None)),
        ("skip", ("cannot_judge", None)),
    ],
)
def test_winners_of_a_table_are_named_in_any_usual_way(won: str, vote: tuple[str, str | None]) -> None:
    record = only("columns", row(won=won), mapping=MAPPING)
    assert votes(record)[0][:3] == ("w1", *vote)
    assert (record.id, record.metadata) == ("k", {"more": "5"})


def test_rows_of_a_table_with_one_id_are_votes_on_one_task() -> None:
    record = only("columns", row(), row(who="w2", won="tie"), row(who="w3", won=""), mapping=MAPPING)
    assert [each[:2] for each in votes(record)] == [("w1", "winner"), ("w2", "tie")]


def test_rows_of_a_table_without_id_are_tasks_of_their_own_and_the_same_every_time() -> None:
    mapping = {key: value for key, value in MAPPING.items() if value != "id"}
    first, _ = read("columns", row(), row(q="How?"), mapping=mapping)
    again, _ = read("columns", row(q="How?"), row(), mapping=mapping)
    assert {record.id for record in first} == {record.id for record in again}
    assert len(first) == 2


@pytest.mark.parametrize(
    ("mapping", "found"),
    [
        ({}, "no column that means the prompt"),
        ({"q": "prompt"}, "no column that means a response"),
        ({**MAPPING, "more": "prompt"}, 'two columns that mean "prompt"'),
        ({**MAPPING, "more": "nonsense"}, 'the meaning "nonsense", which there is not'),
    ],
)
def test_mappings_that_make_no_tasks_are_refused(mapping: dict[str, str], found: str) -> None:
    assert read("columns", row(), mapping=mapping) == ([], [f": {found}"])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"won": "three"}, "won"),
        ({"won": "C"}, "won"),
        ({"q": ""}, "q"),
        ({"q": {"a": 1}}, "q"),
        ({"one": ["x"]}, "one"),
    ],
)
def test_cells_that_mean_nothing_are_reported_with_their_column(changes: dict[str, Any], field: str) -> None:
    records, problems = read("columns", row(**changes), mapping=MAPPING)
    assert records == []
    assert any(problem.startswith(f"{field}: ") for problem in problems)


def test_votes_on_other_content_under_the_same_id_are_reported() -> None:
    records, problems = read("columns", row(), row(two="Other."), mapping=MAPPING)
    assert (records, problems) == ([], ["two: another content than in the first row with this id"])


def test_rankings_ratings_margins_and_models_of_a_table() -> None:
    mapping = {"q": "prompt", "all": "responses", "order": "ranking", "h1": "rating:help:1", "whole": "rating:clarity"}
    cells = {"q": "Why?", "all": '["x", {"text": "y", "model": "m"}]', "order": "2 > 1", "h1": "4", "whole": "2"}
    record = only("columns", cells, mapping=mapping)
    [annotation] = record.prompts[0].annotations
    assert annotation.ranking == [["b"], ["a"]]
    assert [(r.dimension, r.response, r.value) for r in annotation.ratings] == [("help", "a", 4), ("clarity", None, 2)]
    assert record.prompts[0].responses[1].model == "m"


def test_a_proposal_is_made_for_the_usual_names() -> None:
    first = {
        "id": 0,
        "question": "?",
        "answer_a": "x",
        "answer_b": "y",
        "model_a": "m",
        "winner": "a",
        "judge": "w",
        "extra": 1,
    }
    proposed = {column.key: column.proposed for column in formats.get("columns").mappable([first])}
    assert proposed == {
        "id": "id",
        "question": "prompt",
        "answer_a": "response:1",
        "answer_b": "response:2",
        "model_a": "model:1",
        "winner": "winner",
        "judge": "annotator",
        "extra": "metadata",
    }


# ---------------------------------------------------------------------------------------------------- real data
def read_file(
    path: Path, name: str = "", mapping: dict[str, str] | None = None
) -> tuple[list[TaskRecord], ProblemList]:
    with open_bundle(path) as bundle:
        problems = bundle.problem_list()
        format_ = formats.get(name) if name else formats.choose(row for _, row in bundle.good_rows(problems))
        records = format_.read(bundle.good_rows(problems), bundle.file, problems, Setup(mapping=mapping or {}))
        return [record for _, record in records], problems


@needs_data
def test_llmbar_whole() -> None:
    records, problems = read_file(DATA / "llmbar" / "natural.json")
    labels = [row["label"] for row in json.loads((DATA / "llmbar" / "natural.json").read_text())]
    assert (len(records), len(problems)) == (100, 0)
    assert ["ab".index(votes(record)[0][2] or "") + 1 for record in records] == labels
    assert len({record.id for record in records}) == 100


@needs_data
def test_image_reward_whole() -> None:
    records, problems = read_file(DATA / "imagereward" / "test.json")
    rows = json.loads((DATA / "imagereward" / "test.json").read_text())
    assert (len(records), len(problems)) == (466, 0)
    assert [len(record.prompts[0].responses) for record in records] == [len(row["generations"]) for row in rows]
    ties = [record for record in records if any(len(g) > 1 for g in record.prompts[0].annotations[0].ranking)]
    assert len(ties) == 349


@needs_data
def test_mt_bench_questions_whole_with_the_answers_beside_them(tmp_path: Path) -> None:
    import zipfile

    folder = DATA / "mt-bench"
    questions, problems = read_file(folder / "question.jsonl")
    assert (len(questions), {len(record.prompts) for record in questions}, len(problems)) == (80, {2}, 0)
    records, problems = read_file(folder / "reference_answer.jsonl")
    assert (records, len(problems)) == ([], 30)
    assert "put both files into one zip" in str(next(iter(problems)))
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        for name in ("question.jsonl", "reference_answer.jsonl"):
            archive.write(folder / name, name)
    records, problems = read_file(tmp_path / "both.zip")
    assert (len(records), len(problems)) == (80, 0)
    assert sum(bool(record.prompts[0].responses) for record in records) == 30


@needs_data
def test_llmfao_pairs_are_read_with_the_proposed_meanings() -> None:
    path = DATA / "llmfao" / "pairs-crowd.jsonl"
    with pytest.raises(FormatError):
        read_file(path)
    with open_bundle(path) as bundle:
        rows = [row for _, row in bundle.good_rows(ProblemList())]
    mapping = {column.key: column.proposed for column in formats.get("columns").mappable(rows)}
    assert {key: mapping[key] for key in ("id", "text", "result_x", "result_y", "model_x", "model_y")} == {
        "id": "id",
        "text": "prompt",
        "result_x": "response:1",
        "result_y": "response:2",
        "model_x": "model:1",
        "model_y": "model:2",
    }
    records, problems = read_file(path, "columns", mapping)
    assert (len(records), len(problems)) == (len(rows), 0)
    assert [texts(record) for record in records[:50]] == [[row["result_x"], row["result_y"]] for row in rows[:50]]  # type: ignore[index]


# ------------------------------------------------------------------------------------------------- any value
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
GOOD: dict[str, dict[str, Any]] = {
    "llmbar": {"input": "i", "output_1": "a", "output_2": "b", "label": 2},
    "pandalm": {**PANDALM, "annotator1": 2},
    "alpaca_eval": {"instruction": "q", "output_1": "a", "output_2": "b", "preference": 1.2, "annotator": "x"},
    "safe_rlhf": {"prompt": "q", "response_0": "a", "response_1": "b", "better_response_id": 0},
    "shp": {"history": "q", "human_ref_A": "a", "human_ref_B": "b", "labels": 1},
    "webgpt": {"question": {"full_text": "?"}, "answer_0": "A", "answer_1": "B", "score_0": 0.5},
    "summarize_from_feedback": {**SUMMARY, "choice": 1, "worker": "w"},
    "helpsteer2_preference": {**HELPSTEER2, "all_preferences_unprocessed": [{"strength": 1, "justification": ""}]},
    "helpsteer3": {**HELPSTEER3, "individual_preference": [{"score": 1, "reasoning": "r"}]},
    "helpsteer2": {"prompt": "q", "response": "a", "helpfulness": 3, "verbosity": 1},
    "nectar": {"prompt": "q", "answers": [{"answer": "x", "model": "m", "rank": 1}]},
    "image_reward": {"id": "1", "prompt": "p", "generations": ["a", "b"], "ranking": [1, 2]},
    "hpd": {"prompt": "p", "file_path": ["a", "b"], "human_preference": [1, 0]},
    "pick_a_pic": {**PICK, "label_0": 1, "label_1": 0},
    "reward_bench": {"prompt": "p", "chosen": ["a"], "rejected": ["b"], "models": ["m", "n"]},
    "open_assistant": {"message_tree_id": "t", "prompt": {"text": "q", "role": "prompter", "replies": []}},
    "arena": ARENA,
    "mt_bench": {"question_id": 1, **BATTLE, "winner": "tie", "turn": 1},
    "mt_bench_answers": {"question_id": 1, "turns": ["a", "b"]},
    "ultrafeedback": {"instruction": "q", "completions": [{"model": "m", "response": "a", "annotations": {}}]},
    "vl_feedback": {
        "prompt": "q",
        "img_path": "a",
        "completions": {"model": ["m"], "response": ["r"], "annotations": [{}]},
    },
    "prism": {"conversation_id": "c", "conversation_history": [{"turn": 0, "role": "user", "content": "Hi"}]},
    "align_anything": {"question": "q", "response_1": "a", "response_2": "b", "overall_response": 1},
}


@pytest.mark.parametrize("name", sorted(GOOD))
@given(data=st.data())
def test_no_value_in_any_column_is_more_than_a_problem(name: str, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from(sorted(GOOD[name])))
    records, problems = read(name, {**GOOD[name], column: data.draw(JSON)})
    assert len(records) <= 1
    assert records or problems or name in ("open_assistant",)
    formats.get(name).sniff(data.draw(JSON))


@pytest.mark.parametrize("name", sorted(GOOD))
def test_each_is_recognised_as_itself_and_nothing_else(name: str) -> None:
    assert formats.detect([GOOD[name]]) == [name]


@given(
    cells=st.dictionaries(st.sampled_from(sorted(MAPPING)), JSON),
    mapping=st.dictionaries(
        st.sampled_from(sorted(MAPPING)),
        st.sampled_from(
            [
                "prompt",
                "response:1",
                "response:2",
                "responses",
                "context",
                "ranking",
                "winner",
                "margin",
                "rating:x:1",
                "image:1",
                "media:1",
                "system",
            ]
        ),
    ),
)
def test_no_table_and_no_mapping_is_more_than_a_problem(cells: dict[str, Any], mapping: dict[str, str]) -> None:
    read("columns", row(**cells), "not an object", mapping=mapping)
    formats.get("columns").mappable([cells, 5])
