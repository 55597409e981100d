"""Rows with one answer each: those that answer the same conversation are one task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from exports.formats.base import Row, RowReader
from exports.formats.coherence import check_task
from exports.formats.imported import Verdict, letters
from exports.formats.pair_rows import IMPORTED, MOST, shuffled_contents
from exports.formats.row_ids import row_digest
from exports.formats.setup import Setup
from exports.grouping import grouped
from exports.problems import ProblemList
from exports.records import AnnotationRecord, Message, Part, PromptRecord, RatingRecord, ResponseRecord, TaskRecord

DESIRABLE = "desirable"


@dataclass(frozen=True)
class Answered:
    """A row that holds a conversation and at most one answer to it, with a label or none."""

    id: str
    context: list[Message]
    prompt: list[Part]
    answer: list[Part]
    label: bool | None
    rest: dict[str, Any]


ReadAnswer = Callable[[object, RowReader], Answered | None]


def by_conversation(
    rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup, read: ReadAnswer, key: Callable[[Any], object]
) -> Iterator[tuple[int, TaskRecord]]:
    """Yield (line, task) for each conversation: all answers to it are the responses of one task.

    `key` gives what the conversation of a raw row is, as JSON.
    """
    for group in grouped(rows, lambda row: row_digest(key(row) if isinstance(row, dict) else row)):
        made: list[tuple[int, Answered]] = []
        for line, row in group:
            one = read(row, RowReader(file, line, problems, setup))
            made += [(line, one)] if one is not None else []
        answered = [each for each in made if each[1].answer]
        alone = [[each] for each in made if not each[1].answer]
        for of_task in [*([answered] if answered else []), *alone]:
            line = of_task[0][0]
            record = _task([each for _, each in of_task], RowReader(file, line, problems, setup))
            if record is not None:
                yield line, record


def _task(made: Sequence[Answered], reader: RowReader) -> TaskRecord | None:
    by_answer: dict[str, list[Answered]] = {}
    for each in (each for each in made if each.answer):
        by_answer.setdefault(row_digest(msgspec.to_builtins(each.answer)), []).append(each)
    if len(by_answer) > MOST:
        reader.problem("", f"{len(by_answer)} answers to one conversation", f"at most {MOST}")
        return None
    named = _named(list(by_answer.values()))
    labels = {key: {each.label for each in rows if each.label is not None} for key, rows in named.items()}
    agreed = {key: each.pop() for key, each in ((key, set(each)) for key, each in labels.items()) if len(each) == 1}
    verdict = verdict_of(agreed, len(named))
    first = made[0]
    is_alone = len(made) == 1
    responses = []
    for key, rows in named.items():
        metadata: dict[str, Any] = {} if is_alone else {"rows": [{"id": each.id, **each.rest} for each in rows]}
        said = [each.label for each in rows if each.label is not None]
        if verdict is None and said:
            metadata[DESIRABLE] = said if len(said) > 1 else said[0]
        responses.append(ResponseRecord(id=key, content=rows[0].answer, metadata=metadata))
    votes = [_vote(verdict, agreed)] if verdict is not None else []
    prompt = PromptRecord(id="1", content=first.prompt, responses=responses, annotations=votes)
    about = first.rest if is_alone else {}
    task = TaskRecord(id=first.id, context=first.context, prompts=[prompt], metadata=about)
    check_task(task, reader)
    return None if reader.failed else task


def _named(answers: Sequence[list[Answered]]) -> dict[str, list[Answered]]:
    """The answers by their ids, in the order of the file; in one that tells nothing where some are labelled."""
    ids = letters(len(answers))
    if any(each.label is not None for rows in answers for each in rows):
        _, ids = shuffled_contents([rows[0].answer for rows in answers])
    return dict(sorted(zip(ids, answers, strict=True), key=lambda pair: pair[0]))


def _vote(verdict: Verdict, labels: dict[str, bool]) -> AnnotationRecord:
    ratings = [RatingRecord(dimension=DESIRABLE, response=key, value=int(each)) for key, each in labels.items()]
    return AnnotationRecord(annotator=IMPORTED, outcome=verdict.outcome, winner=verdict.winner, ratings=ratings)


def verdict_of(labels: dict[str, bool], count: int) -> Verdict | None:
    """What good and bad answers say of the comparison: None where they do not say it, or where one has no label."""
    good = [key for key, each in labels.items() if each]
    if not labels or len(labels) < count:
        return None
    if not good:
        return Verdict("all_bad")
    if len(good) == count:
        return Verdict("tie") if count > 1 else Verdict("winner", good[0])
    return Verdict("winner", good[0]) if len(good) == 1 else None
