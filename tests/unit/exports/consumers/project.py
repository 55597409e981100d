"""A small project with everything that people do, written in any format for the consumers' own code."""

from __future__ import annotations

from typing import Any

from exports.accounting import Accounting
from exports.formats import get
from exports.options import DimensionScale, ExportOptions, Rubric
from exports.records import Message, Part, RatingRecord, RewriteRecord, TaskRecord
from tests.unit.exports.samples import prompt, response, says, task, text, wins

PICTURE = f"media/{'a' * 64}.png"
TIME = "2025-01-02T03:04:05Z"
RUBRIC = Rubric(margin_levels=3, dimensions=(DimensionScale(key="truthfulness", lowest=1, highest=5),))


def rating(key: str, value: int, reason: str = "") -> RatingRecord:
    return RatingRecord(dimension="truthfulness", response=key, value=value, justification=reason)


RATINGS = [rating("a", 5, "It is right."), rating("b", 2)]
FIRST = prompt(
    wins(
        "a",
        margin=2,
        ratings=RATINGS,
        justification="@A is right, Response B is not.",
        display_order=["b", "a"],
        rewrites=[RewriteRecord(response="b", content=text("It lies on the Seine."))],
        submitted_at=TIME,
        seconds=30,
        active_seconds=20,
        idle_seconds=10,
    ),
    wins("b", by="bob", margin=1, submitted_at=TIME, ratings=[rating("a", 1), rating("b", 4)]),
    says("tie", by="cy", submitted_at=TIME),
    key="1",
    responses=[
        response("a", "On the river Seine.", model="m1", continues=True),
        response("b", "In the north, I think.", model="m2"),
    ],
    content=text("Where is Paris?"),
)
SECOND = prompt(
    wins("d", ranking=[["d"], ["c", "e"]], margin=1, submitted_at=TIME),
    says("all_bad", by="bob", submitted_at=TIME),
    key="2",
    responses=[response(key, f"Answer {key} is the best.", model="m1") for key in "cde"],
    content=text("And how many\r\npeople live there?"),
)
PICTURED = prompt(
    wins("a", margin=3),
    responses=[response("a", "A cat sleeps."), response("b", "A dog barks.")],
    content=[Part(type="image", path=PICTURE), *text("What is this?")],
)
SYSTEM = Message(role="system", content=text("Be brief."))
RECORDS = [
    task(FIRST, SECOND, key="t1", context=[SYSTEM]),
    task(prompt(wins("b", by="bob", margin=1)), key="t2", metadata={"domain": "stem"}),
]
PICTURES = [task(PICTURED, key="t3"), task(PICTURED, key="t4", context=[SYSTEM])]


def rows(name: str, records: list[TaskRecord] | None = None, **options: Any) -> list[dict[str, Any]]:
    """The rows of the project in the format called `name`; at least one."""
    if records is None:
        records = PICTURES if get(name).media and name not in ("tiebreak", "scale", "dataloop") else RECORDS
    found = list(get(name).write(records, ExportOptions(**{"rubric": RUBRIC, **options}), Accounting()))
    assert found, name
    return found
