"""What the readers of turbo-alignment's types share: ids, messages, and answers to the same conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from exports.formats.base import Row, RowReader
from exports.formats.coherence import check_id, check_task
from exports.formats.imported import Verdict, letters, merged
from exports.formats.messages import check_message, check_messages
from exports.formats.pair_rows import IMPORTED, MOST
from exports.formats.row_ids import row_digest, row_id
from exports.formats.setup import Setup
from exports.formats.turbo_alignment_pairs import IGNORED, NAMES
from exports.grouping import grouped
from exports.problems import ProblemList
from exports.records import (
    AnnotationRecord,
    Message,
    Part,
    PromptRecord,
    RatingRecord,
    ResponseRecord,
    TaskRecord,
)

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


def id_of(row: dict[str, Any], reader: RowReader) -> str:
    """The id of a row: text, or a whole number; without one, a digest of the row."""
    value = row.get("id")
    if value is None:
        return row_id(row)
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        reader.unexpected("id", value, "text or a whole number")
        return ""
    check_id("id", str(value), reader)
    return str(value)


def messages_in(value: object, path: str, reader: RowReader) -> list[Message]:
    """The messages of a column; everything that is wrong with them is reported."""
    failed, reader.failed = reader.failed, False
    check_messages(value, path, reader, names=NAMES, ignored=IGNORED)
    made: list[Message] = []
    if not reader.failed and isinstance(value, list):
        made = [Message(role=NAMES[each["role"]], content=[Part.of_text(each["content"])]) for each in value]
    reader.failed |= failed
    return made


def message_in(value: object, path: str, reader: RowReader) -> list[Message]:
    """The one message of a column, in a list; everything that is wrong with it is reported."""
    failed, reader.failed = reader.failed, False
    check_message(value, path, reader, names=NAMES, ignored=IGNORED)
    made = []
    if not reader.failed and isinstance(value, dict):
        made = [Message(role=NAMES[value["role"]], content=[Part.of_text(value["content"])])]
    reader.failed |= failed
    return made


def rest_of(row: dict[str, Any], *known: str) -> dict[str, Any]:
    """What the row says beside the known columns. `meta` is metadata already."""
    meta = row.get("meta")
    own = meta if isinstance(meta, dict) else {} if meta is None else {"meta": meta}
    return merged(
        own, {key: value for key, value in row.items() if key not in (*known, "id", "meta") and value is not None}
    )


def split(messages: Sequence[Message], path: str, reader: RowReader) -> tuple[list[Message], list[Part], list[Part]]:
    """The context, the prompt, and what the assistant said after it: all of its messages up to the end, as parts.

    Reports a conversation in which the user does not speak right before the answer.
    """
    end = len(messages)
    while end and messages[end - 1].role == "assistant":
        end -= 1
    if not end or messages[end - 1].role != "user":
        role = messages[end - 1].role if end else "no user"
        reader.problem(path, f"{role} before the answer", "a message of the user before it")
        return [], [], []
    answer = [part for message in messages[end:] for part in message.content]
    return list(messages[: end - 1]), messages[end - 1].content, answer


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
    named = dict(zip(letters(MOST), by_answer.values(), strict=False))
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
