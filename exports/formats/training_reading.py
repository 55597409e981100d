"""Reading rows that trainers read: conversations with a better and a worse answer, or with good and bad ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exports.formats.base import Row, RowReader
from exports.formats.coherence import check_task
from exports.formats.foreign import ROLES
from exports.formats.media_slots import LISTS, Slots
from exports.formats.pair_rows import Frame, shuffled_contents
from exports.formats.row_ids import row_digest
from exports.formats.setup import Setup
from exports.formats.turbo_alignment_reading import verdict_of
from exports.grouping import grouped
from exports.problems import ProblemList
from exports.records import (
    AnnotationRecord,
    Message,
    Part,
    PromptRecord,
    RatingRecord,
    ResponseRecord,
    Role,
    TaskRecord,
)

DESIRABLE = "desirable"
MEDIA_COLUMNS = tuple(LISTS)
SPEAKERS: Mapping[str, Role] = {
    **ROLES,
    "observation": "tool",
    "function": "tool",
    "tool_response": "tool",
    "developer": "system",
}


@dataclass(frozen=True)
class Keys:
    """What role and content are called in the messages of a format."""

    role: str = "role"
    content: str = "content"


USUAL, SHAREGPT = Keys(), Keys("from", "value")


def conversation(value: object, path: str, reader: RowReader, slots: Slots, keys: Keys = USUAL) -> list[Message]:
    """The messages in a list, each with its text or blocks. Reports everything that is wrong with them."""
    if not isinstance(value, list) or not value:
        reader.unexpected(path, value, "a list of messages")
        return []
    made = []
    for index, message in enumerate(value):
        where = f"{path}[{index}]"
        role = message.get(keys.role) if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(role, str) or role not in SPEAKERS:
            reader.unexpected(f"{where}.{keys.role}", role if isinstance(message, dict) else message, "a known role")
            continue
        content = slots.content(message.get(keys.content), f"{where}.{keys.content}")
        made.append(Message(role=SPEAKERS[role], content=content))
    return made


def asked(messages: Sequence[Message], path: str, slots: Slots, reader: RowReader) -> tuple[list[Message], list[Part]]:
    """The context and the question. Files without a place come before the question's text."""
    if not messages or messages[-1].role not in ("user", "tool"):
        last = messages[-1].role if messages else "nothing"
        reader.problem(path, f"{last} as the last role", "a user or tool message at the end")
        return [], []
    if messages[-1].role == "tool":
        return list(messages), slots.rest()
    return list(messages[:-1]), [*slots.rest(), *messages[-1].content]


def pair_task(
    row: dict[str, Any],
    reader: RowReader,
    question: tuple[list[Message], list[Part]],
    sides: tuple[list[Part], list[Part]],
    columns: Sequence[str],
    margin: int | None = None,
) -> TaskRecord | None:
    """The task with a better and a worse response. `columns`: those that are read; the others are metadata."""
    frame = Frame.of(row, reader, columns=(*columns, *MEDIA_COLUMNS))
    if frame is None:
        return None
    responses, (best, _) = shuffled_contents([side or [Part.of_text("")] for side in sides])
    vote = frame.vote(best)
    record = frame.task(*question, responses, [vote])
    check_task(record, reader)
    return None if reader.failed else record


@dataclass
class Single:
    """A row with one answer to a conversation, or with none. `label`: whether it is good, if that is known."""

    id: str
    question: tuple[list[Message], list[Part]]
    answer: list[Part] | None
    label: bool | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


def by_question(
    rows: Iterable[Row],
    file: str,
    problems: ProblemList,
    setup: Setup,
    read: Callable[[dict[str, Any], RowReader], Single | None],
    key: Callable[[dict[str, Any]], object],
) -> Iterator[tuple[int, TaskRecord]]:
    """Yield (line, task) for each conversation: the answers of all rows to it are the responses of one task."""
    for group in grouped(rows, lambda row: row_digest(key(row) if isinstance(row, dict) else row)):
        singles = []
        for line, row in group:
            reader = RowReader(file, line, problems, setup)
            if not isinstance(row, dict):
                reader.unexpected("", row, "an object")
                continue
            single = read(row, reader)
            singles += [single] if single is not None and not reader.failed else []
        reader = RowReader(file, group[0][0], problems, setup)
        record = _task_of(singles, reader) if singles else None
        if record is not None:
            yield group[0][0], record


def _task_of(singles: Sequence[Single], reader: RowReader) -> TaskRecord | None:
    given = [single for single in singles if single.answer is not None]
    different = {row_digest([repr(single.answer)]): single for single in reversed(given)}
    kept = [single for single in given if different.get(row_digest([repr(single.answer)])) is single]
    contents = [single.answer or [Part.of_text("")] for single in kept]
    if len(contents) > 26:
        reader.problem("", f"{len(contents)} answers to one conversation", "at most 26")
        return None
    responses, ids = shuffled_contents(contents)
    labels = _labels(given, kept, ids)
    by_id = dict(zip(ids, kept, strict=True))
    alone = len(singles) == 1
    made = [
        ResponseRecord(
            id=each.id,
            content=each.content,
            metadata={} if alone else {**by_id[each.id].metadata, "row": by_id[each.id].id},
        )
        for each in responses
    ]
    verdict = verdict_of({name: label for name, label in labels.items() if label is not None}, len(made))
    votes = []
    if verdict is not None and all(label is not None for label in labels.values()) and made:
        ratings = [RatingRecord(dimension=DESIRABLE, response=name, value=int(bool(labels[name]))) for name in labels]
        votes = [
            AnnotationRecord(annotator="imported", outcome=verdict.outcome, winner=verdict.winner, ratings=ratings)
        ]
    elif labels:
        made = [
            ResponseRecord(id=r.id, content=r.content, metadata={**r.metadata, DESIRABLE: labels[r.id]})
            if labels.get(r.id) is not None
            else r
            for r in made
        ]
    context, content = singles[0].question
    prompt = PromptRecord(id="1", content=content, responses=made, annotations=votes)
    metadata = singles[0].metadata if alone else {}
    record = TaskRecord(id=singles[0].id, context=context, prompts=[prompt], metadata=metadata)
    check_task(record, reader)
    return None if reader.failed else record


def _labels(given: Sequence[Single], kept: Sequence[Single], ids: Sequence[str]) -> dict[str, bool | None]:
    """The label of each response; None where its rows contradict one another or have none."""
    labels: dict[str, bool | None] = {}
    for name, single in zip(ids, kept, strict=True):
        said = {each.label for each in given if each.answer == single.answer and each.label is not None}
        labels[name] = said.pop() if len(said) == 1 else None
    return labels


def single_of(
    row: dict[str, Any],
    reader: RowReader,
    question: tuple[list[Message], list[Part]],
    answer: list[Part] | None,
    columns: Sequence[str],
    label: bool | None = None,
) -> Single | None:
    """The row as one answer; columns beside `columns` are metadata."""
    frame = Frame.of(row, reader, columns=(*columns, *MEDIA_COLUMNS), one_vote=False)
    if frame is None:
        return None
    return Single(frame.id, question, answer, label, frame.metadata)
