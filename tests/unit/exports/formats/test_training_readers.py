"""Rows that trainers read come back as tasks, with their judgements and their media; so do exports of other tools."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from exports import formats
from exports.cells import TableRow
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import TaskRecord, text_of
from tests.unit.exports.formats.test_public_readers import JSON, message


def read(name: str, *rows: Any, **setup: Any) -> tuple[list[TaskRecord], list[str]]:
    """Read the rows after the proposed meanings of their columns were confirmed."""
    problems, given = ProblemList(), Setup(**setup)
    proposed = {column.key: column.proposed for column in formats.get(name).mappable(rows, given)}
    confirmed = Setup(mapping=given.mapping or proposed, companions=given.companions)
    found = formats.get(name).read(enumerate(rows, 1), "data/my_pref.json", problems, confirmed)
    return [record for _, record in found], [f"{each.field}: {each.found}" for each in problems]


def only(name: str, *rows: Any, **setup: Any) -> TaskRecord:
    records, problems = read(name, *rows, **setup)
    assert problems == []
    assert len(records) == 1
    return records[0]


def texts(record: TaskRecord) -> list[str]:
    return [text_of(response.content) for response in record.prompts[0].responses]


def best(record: TaskRecord) -> str | None:
    """The text of the winner of the only vote."""
    [vote] = record.prompts[0].annotations
    won = [response for response in record.prompts[0].responses if response.id == vote.winner]
    return text_of(won[0].content) if won else None


def outcomes(record: TaskRecord) -> list[str]:
    return [vote.outcome for vote in record.prompts[0].annotations]


Q = [message("user", "q")]
A, B = [message("assistant", "a")], [message("assistant", "b")]
PICTURE = [{"type": "image"}, {"type": "text", "text": "What?"}]
BLOCKS_A = [message("assistant", [{"type": "text", "text": "A cat."}])]
BLOCKS_B = [message("assistant", [{"type": "text", "text": "A dog."}])]
VISION = {"prompt": [message("user", PICTURE)], "chosen": BLOCKS_A, "rejected": BLOCKS_B, "images": ["images/1.jpg"]}


# -------------------------------------------------------------------------------------------------------- TRL
@pytest.mark.parametrize("prompt", ["q", Q])
@pytest.mark.parametrize(
    ("labels", "outcome"), [((True, False), "winner"), ((True, True), "tie"), ((False, False), "all_bad")]
)
def test_unpaired_rows_with_one_prompt_are_one_task(prompt: Any, labels: tuple[bool, bool], outcome: str) -> None:
    rows = [
        {"prompt": prompt, "completion": text, "label": label} for text, label in zip(["a", "b"], labels, strict=True)
    ]
    record = only("trl_unpaired", *rows)
    assert (sorted(texts(record)), outcomes(record)) == (["a", "b"], [outcome])
    if outcome == "winner":
        assert best(record) == "a"
    ratings = {rating.response: rating.value for rating in record.prompts[0].annotations[0].ratings}
    assert sorted(ratings.values()) == sorted(int(label) for label in labels)  # type: ignore[type-var]


def test_several_good_answers_among_bad_ones_name_no_winner_and_keep_their_labels() -> None:
    rows = [
        {"prompt": "q", "completion": text, "label": label} for text, label in [("a", True), ("b", True), ("c", False)]
    ]
    record = only("trl_unpaired", *rows)
    assert record.prompts[0].annotations == []
    kept = {text_of(each.content): each.metadata["desirable"] for each in record.prompts[0].responses}
    assert kept == {"a": True, "b": True, "c": False}


def test_labels_that_contradict_one_another_are_no_vote() -> None:
    rows = [{"prompt": "q", "completion": "a", "label": label} for label in (True, False)]
    record = only("trl_unpaired", *rows, {"prompt": "q", "completion": "b", "label": True})
    assert (sorted(texts(record)), record.prompts[0].annotations) == (["a", "b"], [])


def test_labels_that_are_no_booleans_are_refused() -> None:
    assert read("trl_unpaired", {"prompt": "q", "completion": "a", "label": 1})[1] == ["label: the number 1"]


def test_completions_of_one_prompt_are_its_responses_without_a_vote() -> None:
    record = only("trl_prompt_completion", *({"prompt": Q, "completion": said} for said in (A, B)))
    assert (sorted(texts(record)), record.prompts[0].annotations) == (["a", "b"], [])


def test_prompts_alone_are_tasks_without_responses() -> None:
    record = only("trl_prompt_only", {"prompt": [message("system", "s"), *Q]})
    assert (record.context[0].role, record.prompts[0].responses) == ("system", [])


def test_implicit_conversations_share_everything_but_the_last_message() -> None:
    record = only("trl_implicit", {"chosen": [*Q, *A], "rejected": [*Q, *B]})
    assert (best(record), text_of(record.prompts[0].content)) == ("a", "q")
    other = [message("user", "other"), *B]
    assert read("trl_implicit", {"chosen": [*Q, *A], "rejected": other})[1] == [
        "rejected: another conversation before the answer than in chosen"
    ]


def test_implicit_texts_are_refused_because_letters_in_common_are_no_prompt() -> None:
    _, problems = read("trl_implicit", {"chosen": "The sky is blue.", "rejected": "The sky is black."})
    assert problems == ["chosen: a whole conversation as one text", "rejected: a whole conversation as one text"]


def test_pictures_fill_the_places_of_the_prompt_in_order() -> None:
    record = only("trl_vision", VISION)
    assert [part.path or part.text for part in record.prompts[0].content] == ["images/1.jpg", "What?"]
    assert best(record) == "A cat."


@pytest.mark.parametrize("images", [[], ["a.jpg", "b.jpg"]])
def test_pictures_that_are_missing_are_reported_and_those_left_over_come_first(images: list[str]) -> None:
    records, problems = read("trl_vision", {**VISION, "images": images})
    if images:
        assert [part.path for part in records[0].prompts[0].content] == ["b.jpg", "a.jpg", None]
    else:
        assert (
            problems == ["prompt[0].content: a place for a image without a image"] or "place for a image" in problems[0]
        )


def test_picture_objects_with_bytes_become_media_inside_the_row() -> None:
    record = only("trl_vision", {**VISION, "images": [{"bytes": "iVBORw==", "path": "x.png"}]})
    assert record.prompts[0].content[0].path == "data:application/octet-stream;base64,iVBORw=="
    assert record.prompts[0].content[0].name == "x.png"


# ----------------------------------------------------------------------------------------------- other trainers
SHAREGPT = {
    "conversations": [{"from": "human", "value": "<image>What is this?"}],
    "chosen": {"from": "gpt", "value": "A cat."},
    "rejected": {"from": "gpt", "value": "A dog."},
    "images": ["images/0001.jpg"],
}


def test_llama_factory_pairs_with_pictures() -> None:
    record = only("llama_factory_pair", SHAREGPT)
    assert [part.path or part.text for part in record.prompts[0].content] == ["images/0001.jpg", "What is this?"]
    assert best(record) == "A cat."


def test_llama_factory_alpaca_pairs_with_history_and_input() -> None:
    row = {
        "instruction": "Add.",
        "input": "1+1",
        "chosen": "2",
        "rejected": "3",
        "system": "s",
        "history": [["h", "i"]],
    }
    record = only("llama_factory_pair", row)
    assert [message.role for message in record.context] == ["system", "user", "assistant"]
    assert (text_of(record.prompts[0].content), best(record)) == ("Add.\n1+1", "2")


def test_dataset_info_says_what_columns_and_tags_are_called() -> None:
    info = {
        "x": {
            "file_name": "my_pref.json",
            "formatting": "sharegpt",
            "ranking": True,
            "columns": {"messages": "talk", "chosen": "good", "rejected": "bad"},
            "tags": {"role_tag": "role", "content_tag": "content"},
        },
        "y": {"file_name": "other.json", "columns": {"messages": "wrong"}},
    }
    row = {"talk": Q, "good": A[0], "bad": B[0]}
    assert best(only("llama_factory_pair", row, companions={"dataset_info.json": json.dumps(info).encode()})) == "a"


def test_llama_factory_kto_answers_of_one_conversation_are_one_task() -> None:
    rows = [
        {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": text}], "kto_tag": tag}
        for text, tag in [("a", False), ("b", True)]
    ]
    record = only("llama_factory_kto", *rows)
    assert (best(record), sorted(texts(record))) == ("b", ["a", "b"])
    assert read("llama_factory_kto", {**rows[0], "kto_tag": "true"})[1] == ['kto_tag: "true"']


@pytest.mark.parametrize(
    "rejected",
    [{"rejected_response": "b"}, {"rejected_response": B}, {"rejected_messages": [*Q, *B]}],
)
def test_ms_swift_writes_the_rejected_answer_in_three_ways(rejected: dict[str, Any]) -> None:
    record = only("ms_swift", {"messages": [*Q, *A], **rejected, "margin": 2.0})
    assert (best(record), sorted(texts(record)), record.prompts[0].annotations[0].margin) == ("a", ["a", "b"], 2)


def test_ms_swift_answers_may_be_pictures() -> None:
    turns = [message("user", "draw a cat"), message("assistant", "<image>")]
    row = {"messages": turns, "images": ["good.png"], "rejected_messages": turns, "rejected_images": ["bad.png"]}
    record = only("ms_swift", row)
    [vote] = record.prompts[0].annotations
    paths = {response.id: response.content[0].path for response in record.prompts[0].responses}
    assert (paths[vote.winner or ""], set(paths.values())) == ("good.png", {"good.png", "bad.png"})


@pytest.mark.parametrize(("ranks", "outcome"), [((1, 0), "winner"), ((0, 0), "tie")])
def test_nemo_ranks_begin_with_the_best_and_may_be_equal(ranks: tuple[int, int], outcome: str) -> None:
    completions = [{"rank": rank, "completion": said} for rank, said in zip(ranks, (A, B), strict=True)]
    record = only("nemo_rl", {"context": Q, "completions": completions})
    assert outcomes(record) == [outcome]
    assert best(record) == ("b" if outcome == "winner" else None)


def test_chats_with_one_question_are_one_task_and_weights_say_nothing() -> None:
    rows = [{"messages": [*Q, {**said[0], "weight": 1}]} for said in (A, B)]
    assert sorted(texts(only("openai_chat", *rows))) == ["a", "b"]


@pytest.mark.parametrize(
    "row",
    [
        {"messages": Q, "chosen": A[0], "rejected": B[0]},
        {"messages": Q, "chosen": A, "rejected": B},
        {"messages": "q", "chosen": "a", "rejected": "b"},
        {"system": "", "input": "q", "chosen": "a", "rejected": "b"},
    ],
)
def test_axolotl_answers_are_texts_messages_or_lists(row: dict[str, Any]) -> None:
    assert formats.detect([row]) == ["axolotl"]
    assert best(only("axolotl", row)) == "a"


def test_rows_without_ids_have_the_same_id_every_time_and_different_ones_differ() -> None:
    rows = [{"prompt": "q", "chosen": "a", "rejected": text} for text in "bc"]
    first = [record.id for record in read("pairwise", *rows)[0]]
    assert first == [record.id for record in read("pairwise", *rows)[0]]
    assert len(set(first)) == 2


# ----------------------------------------------------------------------------------------------- Label Studio
CONFIG = b"""<View><Text name="p" value="$prompt"/><Text name="t1" value="$answer1"/><Text name="t2" value="$answer2"/>
<Pairwise name="cmp" toName="t2,t1"/><Rating name="quality" toName="t1" maxRating="5"/></View>"""


def studio(*results: Any, **annotation: Any) -> dict[str, Any]:
    made = {"id": 7, "completed_by": 3, "was_cancelled": False, "lead_time": 4.2, "result": list(results), **annotation}
    data = {"prompt": "q", "answer1": "a", "answer2": "b"}
    return {"id": 1, "data": data, "annotations": [made], "predictions": []}


def region(kind: str, value: Any, name: str = "cmp", to: str = "t1") -> dict[str, Any]:
    return {"id": "r", "from_name": name, "to_name": to, "type": kind, "value": value}


def test_left_and_right_are_the_order_in_the_configuration() -> None:
    row = studio(region("pairwise", {"selected": "left"}))
    assert best(only("label_studio", row)) == "a"
    assert best(only("label_studio", row, companions={"config.xml": CONFIG})) == "b"
    named = studio(region("pairwise", {"selected": "t1"}))
    assert best(only("label_studio", named, companions={"config.xml": CONFIG})) == "a"


def test_ratings_reasons_times_and_people_of_label_studio_are_kept() -> None:
    row = studio(
        region("pairwise", {"selected": "right"}),
        region("rating", {"rating": 4}, "quality"),
        region("textarea", {"text": ["Because."]}, "why"),
        completed_by={"id": 9, "email": "eve@example.org"},
    )
    [vote] = only("label_studio", row, companions={"config.xml": CONFIG}).prompts[0].annotations
    assert (vote.annotator, vote.seconds, vote.justification) == ("9", 4, "Because.")
    assert [(r.dimension, r.response, r.value) for r in vote.ratings] == [("quality", "a", 4)] or vote.ratings[
        0
    ].value == 4


@pytest.mark.parametrize("annotation", [{"was_cancelled": True}, {"result": []}])
def test_cancelled_and_empty_annotations_are_no_votes(annotation: dict[str, Any]) -> None:
    row = studio(region("pairwise", {"selected": "left"}), **annotation)
    assert only("label_studio", row).prompts[0].annotations == []


@pytest.mark.parametrize("value", [["m2", "m1"], {"cmp": ["m2", "m1"]}, {"_": [], "best": ["m2", "m1"]}])
def test_rankers_name_the_items_best_first(value: Any) -> None:
    items = [{"id": "m1", "text": "a"}, {"id": "m2", "text": "b"}]
    row = studio(region("ranker", {"ranker": value}))
    row["data"] = {"prompt": "q", "items": items}
    record = only("label_studio", row, mapping={"prompt": "prompt", "items": "responses"})
    assert record.prompts[0].annotations[0].ranking == [["b"], ["a"]]


def test_a_winner_that_names_no_response_is_reported() -> None:
    _, problems = read("label_studio", studio(region("pairwise", {"selected": "middle"})))
    assert problems == ['annotations[0].result[0].value.selected: "middle"']


# ----------------------------------------------------------------------------------------------------- Argilla
FIELDS = {"prompt": "q", "response1": "a", "response2": "b"}
USER = "00000000-0000-0000-0000-000000000000"


def argilla(**responses: Any) -> dict[str, Any]:
    held = {name: [{"value": value, "user_id": USER}] for name, value in responses.items()}
    return {
        "id": "1",
        "fields": FIELDS,
        "metadata": {"k": 1},
        "suggestions": {},
        "responses": held,
        "status": "completed",
    }


def test_argilla_rankings_ratings_labels_and_texts_are_one_vote_of_a_person() -> None:
    record = only("argilla", argilla(preference=["response2", "response1"], quality=4, why="Because."))
    [vote] = record.prompts[0].annotations
    assert (vote.annotator, vote.ranking, vote.ratings[0].value) == (USER, [["b"], ["a"]], 4)
    assert "Because." in vote.justification
    assert record.metadata == {"k": 1}


@pytest.mark.parametrize(
    "value",
    [
        {"rank": [1, 1], "value": ["response2", "response1"]},
        [{"rank": 1, "value": "response1"}, {"rank": 1, "value": "response2"}],
    ],
)
def test_equal_ranks_of_argilla_1_are_ties(value: Any) -> None:
    row = {**FIELDS, "id": "1", "ranking": [{"user_id": USER, "value": value, "status": "submitted"}]}
    assert formats.detect([row]) == ["argilla"]
    assert outcomes(only("argilla", row)) == ["tie"]


def test_flat_columns_of_argilla_2_and_their_statuses() -> None:
    row = {
        **FIELDS,
        "id": "1",
        "status": "completed",
        "preference.responses": ["response1", "response2"],
        "preference.responses.users": ["u1", "u2"],
        "preference.responses.status": ["submitted", "discarded"],
    }
    assert formats.detect([row]) == ["argilla"]
    assert best(only("argilla", row)) == "a"


# --------------------------------------------------------------------------------------------------- any value
GOOD: dict[str, dict[str, Any]] = {
    "trl_unpaired": {"prompt": Q, "completion": A, "label": True},
    "trl_prompt_completion": {"prompt": Q, "completion": A},
    "trl_prompt_only": {"prompt": Q},
    "trl_implicit": {"chosen": [*Q, *A], "rejected": [*Q, *B]},
    "trl_vision": VISION,
    "trl_preference": {"prompt": Q, "chosen": A, "rejected": B},
    "pairwise": {"prompt": "q", "chosen": "a", "rejected": "b"},
    "ranked": {"prompt": "q", "responses": ["a", "b"], "ranks": [1, 2]},
    "grouped": {"prompt": "q", "pairs": [["a", "b"]]},
    "hh_rlhf": {"chosen": "\n\nHuman: Hi\n\nAssistant: a", "rejected": "\n\nHuman: Hi\n\nAssistant: b"},
    "llama_factory_pair": SHAREGPT,
    "llama_factory_kto": {
        "conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}],
        "kto_tag": True,
    },
    "ms_swift": {"messages": [*Q, *A], "rejected_response": "b"},
    "nemo_rl": {"context": Q, "completions": [{"rank": 0, "completion": A}, {"rank": 1, "completion": B}]},
    "openai_chat": {"messages": [*Q, *A]},
    "axolotl": {"messages": Q, "chosen": A[0], "rejected": B[0]},
    "label_studio": studio(region("pairwise", {"selected": "left"})),
    "argilla": argilla(preference=["response2", "response1"]),
}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_each_is_recognised_as_itself_and_nothing_else(name: str) -> None:
    assert formats.detect([GOOD[name]]) == [name]
    assert formats.get(name).recognised_by


@pytest.mark.parametrize("name", sorted(GOOD))
@given(value=JSON, column=JSON)
def test_no_value_in_any_column_is_more_than_a_problem(name: str, value: Any, column: Any) -> None:
    keys = sorted(GOOD[name])
    key = keys[hash(repr(column)) % len(keys)]
    read(name, {**GOOD[name], key: value}, value)
    formats.get(name).sniff({**GOOD[name], key: value})
    list(formats.get(name).mappable([{**GOOD[name], key: value}, value]))


@pytest.mark.parametrize("name", ["pairwise", "ranked", "grouped"])
def test_rows_of_tables_hold_json_in_cells(name: str) -> None:
    row = TableRow({key: value if isinstance(value, str) else json.dumps(value) for key, value in GOOD[name].items()})
    assert formats.detect([row]) == [name]
    assert best(only(name, row)) == "a" or texts(only(name, row))
