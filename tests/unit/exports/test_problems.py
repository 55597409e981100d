from __future__ import annotations

import pytest

from exports.problems import Problem, ProblemError, ProblemList, describe


def test_problem_is_one_sentence_with_its_place() -> None:
    problem = Problem("tasks.jsonl", 7, "prompts[0].responses[1].id", '"a" twice', "ids that differ within the prompt")
    assert str(problem) == (
        'tasks.jsonl, line 7, prompts[0].responses[1].id: found "a" twice; expected ids that differ within the prompt.'
    )


@pytest.mark.parametrize(
    ("file", "line", "field", "start"),
    [("a.json", None, "", "a.json: found"), ("", 3, "", "line 3: found"), ("", None, "", "Found")],
)
def test_problem_leaves_out_what_is_not_known(file: str, line: int | None, field: str, start: str) -> None:
    assert str(Problem(file, line, field, "x", "y")) == f"{start} x; expected y."


def test_problem_error_carries_its_problem() -> None:
    problem = Problem("", None, "a", "x", "y")
    assert ProblemError(problem).problem.at("f", 2) == Problem("f", 2, "a", "x", "y")
    assert str(ProblemError(problem)) == "a: found x; expected y."


def test_list_keeps_the_first_and_counts_all() -> None:
    problems = ProblemList()
    assert not problems
    for line in range(1, 1001):
        problems.add(Problem("f", line, "", "x", "y"))
    assert (len(problems), len(problems.kept), problems.kept[-1].line) == (1000, 200, 200)
    assert list(problems) == problems.kept


def test_list_of_array_elements_places_problems_at_an_index() -> None:
    problems = ProblemList(by_index=True)
    problems.add(Problem("f.json", 3, "id", "x", "y"))
    problems.add(Problem("f.json", 0, "", "x", "y"))
    problems.add(Problem("f.json", None, "[2].a", "x", "y"))
    assert [(each.line, each.field) for each in problems] == [(None, "[3].id"), (None, "[0]"), (None, "[2].a")]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (3, "the number 3"),
        (2.5, "the number 2.5"),
        ([], "an empty list"),
        ([1], "a list"),
        ({}, "an empty object"),
        ({"a": 1}, "an object"),
        ("é", '"é"'),
        ("a\u202eb\n\ud800", r'"a\u202eb\n\ud800"'),
        ("x" * 61, '"' + "x" * 59 + '…"'),
    ],
)
def test_describe_is_short_and_shows_what_cannot_be_seen(value: object, words: str) -> None:
    assert describe(value) == words
