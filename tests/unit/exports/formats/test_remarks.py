"""Flags, mentions and quotes of a file are checked against the responses they speak of."""

from typing import Any

import pytest

from exports import formats
from exports.problems import ProblemList

GOOD: dict[str, Any] = {
    "annotator": "ann",
    "outcome": "winner",
    "winner": "r1",
    "justification": "@A says “use pandas”.",
    "flags": [{"response": "r2", "kind": "other", "note": "A poem."}, {"response": "r2", "kind": "unsafe"}],
    "references": [
        {"kind": "mention", "at": [0, 2], "response": "r1", "text": "@A"},
        {"kind": "quote", "at": [9, 19], "response": "r1", "quote": [0, 14], "text": "use pandas"},
    ],
    "warnings": [{"code": "names_only_loser", "decision": "kept"}],
    "active_seconds": 30,
    "idle_seconds": 4,
    "dimension_order": ["tone", "help"],
}


def row(**changes: Any) -> dict[str, Any]:
    responses = [
        {"id": f"r{n}", "content": [{"type": "text", "text": t}]} for n, t in [(1, "Use **pandas**."), (2, "No")]
    ]
    prompt = {"id": "p", "content": [{"type": "text", "text": "How?"}], "responses": responses}
    return {"id": "t", "prompts": [{**prompt, "annotations": [{**GOOD, **changes}]}]}


def problems(**changes: Any) -> list[tuple[str, str]]:
    found = ProblemList()
    list(formats.get("tiebreak").read([(1, row(**changes))], "f.jsonl", found))
    return [(problem.field.removeprefix("prompts[0].annotations[0]."), problem.found) for problem in found]


def test_good_remarks_are_read_as_they_are() -> None:
    found = ProblemList()

    [(_, record)] = formats.get("tiebreak").read([(1, row())], "f.jsonl", found)

    annotation = record.prompts[0].annotations[0]
    assert list(found) == []
    assert [flag.kind for flag in annotation.flags] == ["other", "unsafe"]
    assert annotation.references[1].quote == [0, 14]
    assert annotation.warnings[0].decision == "kept"
    assert (annotation.active_seconds, annotation.idle_seconds) == (30, 4)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"flags": [{"response": "r9", "kind": "unsafe"}]}, "flags[0].response"),
        ({"flags": [{"response": "r1", "kind": "odd"}]}, "flags[0].kind"),
        ({"flags": [{"response": "r1", "kind": "other"}]}, "flags[0].note"),
        ({"flags": [{"response": "r1", "kind": "unsafe", "note": "x" * 1001}]}, "flags[0].note"),
        ({"flags": [{"response": "r1", "kind": "unsafe"}] * 2}, "flags[1]"),
        ({"references": [{"kind": "mention", "at": [1, 3], "response": "r1", "text": "@A"}]}, "references[0]"),
        ({"references": [{"kind": "mention", "at": [0, 2], "response": "r9", "text": "@A"}]}, "references[0]"),
        ({"references": [{"kind": "mention", "at": [0], "response": "r1", "text": "@A"}]}, "references[0].at"),
        ({"references": [{"kind": "joke", "at": [0, 2], "response": "r1", "text": "@A"}]}, "references[0].kind"),
        ({"warnings": [{"code": "x", "decision": "odd"}]}, "warnings[0].decision"),
        ({"reason_kind": "language"}, "reason_kind"),
        ({"active_seconds": "long"}, "active_seconds"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(changes: dict[str, Any], field: str) -> None:
    assert [place for place, _ in problems(**changes)] == [field]
