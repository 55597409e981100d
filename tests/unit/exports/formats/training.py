"""Rows of trainers and of other tools, and what was read of them, for the tests of this folder."""

from __future__ import annotations

from typing import Any

from exports import formats
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import TaskRecord, text_of
from tests.unit.exports.formats.public import message


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


SHAREGPT = {
    "conversations": [{"from": "human", "value": "<image>What is this?"}],
    "chosen": {"from": "gpt", "value": "A cat."},
    "rejected": {"from": "gpt", "value": "A dog."},
    "images": ["images/0001.jpg"],
}


CONFIG = b"""<View><Text name="p" value="$prompt"/><Text name="t1" value="$answer1"/><Text name="t2" value="$answer2"/>
<Pairwise name="cmp" toName="t2,t1"/><Rating name="quality" toName="t1" maxRating="5"/></View>"""


def studio(*results: Any, **annotation: Any) -> dict[str, Any]:
    made = {"id": 7, "completed_by": 3, "was_cancelled": False, "lead_time": 4.2, "result": list(results), **annotation}
    data = {"prompt": "q", "answer1": "a", "answer2": "b"}
    return {"id": 1, "data": data, "annotations": [made], "predictions": []}


def region(kind: str, value: Any, name: str = "cmp", to: str = "t1") -> dict[str, Any]:
    return {"id": "r", "from_name": name, "to_name": to, "type": kind, "value": value}


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
