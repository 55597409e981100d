"""What the readers of other people's datasets share: rows looked at column by column, and tasks made of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from msgspec.structs import replace

from exports.formats.base import RowReader
from exports.formats.coherence import check_task
from exports.formats.imported import Verdict, by_number
from exports.formats.row_ids import row_id
from exports.records import AnnotationRecord, Message, Part, PromptRecord, ResponseRecord, Role, TaskRecord, text_of
from exports.safe_names import has_invisible

MOST = len(ascii_lowercase)
ROLES: Mapping[str, Role] = {
    "system": "system",
    "user": "user",
    "human": "user",
    "prompter": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "tool": "tool",
}
Answer = tuple[Sequence[Part], str | None, dict[str, Any]]
"""A response as it is read: its content, its model, and what else is known about it."""


class Sheet:
    """A row of which columns are taken one by one; what nobody took is metadata and does not get lost."""

    def __init__(self, row: dict[str, Any], reader: RowReader) -> None:
        self.row, self.reader = row, reader
        self.taken: set[str] = set()

    @classmethod
    def of(cls, row: object, reader: RowReader, needed: Sequence[str]) -> Sheet | None:
        """The sheet of a row that is an object with the `needed` columns, or None with its problems reported."""
        if not isinstance(row, dict):
            reader.unexpected("", row, f"an object with {', '.join(needed)}")
            return None
        for column in needed:
            if column not in row:
                reader.problem(column, "nothing", f"the column {column}")
        return None if reader.failed else cls(row, reader)

    def take(self, column: str) -> Any:
        """The value of a column, or None."""
        self.taken.add(column)
        return self.row.get(column)

    def text(self, column: str, *, is_needed: bool = False) -> str:
        """The text in a column; null is none. Reports anything else, and with `is_needed` blank text."""
        value = self.take(column)
        if value is None and not is_needed:
            return ""
        if not isinstance(value, str) or (is_needed and not value.strip()):
            self.reader.unexpected(column, value, "text that is not blank" if is_needed else "text")
            return ""
        return value

    def whole(self, column: str, least: int, most: int) -> int | None:
        """The whole number in a column, None for null. Reports anything else."""
        value = self.take(column)
        if value is None:
            return None
        return whole_number(value, column, self.reader, least, most)

    def one_of(self, column: str, values: Collection[object]) -> Any:
        """The value of a column, which must be one of `values`."""
        value = self.take(column)
        if isinstance(value, (dict, list)) or value not in values or isinstance(value, bool):
            self.reader.unexpected(column, value, "one of " + ", ".join(str(each) for each in values))
            return None
        return next(each for each in values if each == value)  # 1.0 is the 1 of the values

    def rest(self, **more: Any) -> dict[str, Any]:
        """The columns that nobody took, and `more` of which nothing is None: the metadata of the task."""
        left = {key: value for key, value in self.row.items() if key not in self.taken and value is not None}
        return left | {key: value for key, value in more.items() if value not in (None, "", [], {})}


def whole_number(value: object, field: str, reader: RowReader, least: int, most: int) -> int | None:
    """A whole number from `least` to `most`; 2.0 is 2. Reports anything else."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or value != int(value) or not least <= value <= most:  # type: ignore[call-overload,operator]
        reader.unexpected(field, value, f"a whole number from {least} to {most}")
        return None
    return int(value)  # type: ignore[call-overload]


def name_of(value: object, otherwise: object) -> str:
    """The id that a source gives, as text; a digest of `otherwise` where it gives none that can be one."""
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        text = str(value).strip()
        if text and len(text) <= 150 and not has_invisible(text):
            return text
    return row_id(otherwise)


def told_apart(annotations: Sequence[AnnotationRecord]) -> list[AnnotationRecord]:
    """The judgements with pseudonyms that differ: a second one of the same person gets `-2` behind it."""
    seen: dict[str, int] = {}
    made = []
    for each in annotations:
        seen[each.annotator] = count = seen.get(each.annotator, 0) + 1
        made.append(each if count == 1 else replace(each, annotator=f"{each.annotator}-{count}"))
    return made


def responses_of(answers: Sequence[Answer], field: str, reader: RowReader) -> list[ResponseRecord]:
    """The responses in the order of the source, with letters as their ids."""
    if len(answers) > MOST:
        reader.problem(field, f"{len(answers)} responses", f"at most {MOST}")
        return []
    return [
        ResponseRecord(id=letter, content=list(content) or [Part.of_text("")], model=model or None, metadata=metadata)
        for letter, (content, model, metadata) in zip(ascii_lowercase, answers, strict=False)
    ]


def answer(text: str, model: str | None = None, **metadata: Any) -> Answer:
    """A response of plain text."""
    return [Part.of_text(text)], model, {key: value for key, value in metadata.items() if value is not None}


def task(
    name: str,
    prompts: Sequence[PromptRecord],
    reader: RowReader,
    *,
    context: Sequence[Message] = (),
    metadata: Mapping[str, Any] | None = None,
) -> TaskRecord | None:
    """The task, or None with everything reported that does not hold inside it."""
    if reader.failed:
        return None
    record = TaskRecord(id=name, context=list(context), prompts=list(prompts), metadata=dict(metadata or {}))
    check_task(record, reader)
    return None if reader.failed else record


def prompt(
    text: str | Sequence[Part],
    responses: list[ResponseRecord],
    annotations: Sequence[AnnotationRecord] = (),
    name: str = "1",
) -> PromptRecord:
    """One turn to judge."""
    content = [Part.of_text(text)] if isinstance(text, str) else list(text)
    return PromptRecord(id=name, content=content, responses=responses, annotations=told_apart(annotations))


def ranked_vote(annotator: str, ranks: Sequence[float], responses: Sequence[ResponseRecord]) -> AnnotationRecord:
    """A vote by a rank for each response, the lowest being the best; equal ones are a tie."""
    verdict = by_number(dict(zip([each.id for each in responses], ranks, strict=True)), is_best_low=True)
    return vote(annotator, verdict)


def vote(annotator: str, verdict: Verdict, **more: Any) -> AnnotationRecord:
    """The annotation that says this verdict."""
    ranking = [list(group) for group in verdict.ranking]
    outcome, winner, margin = verdict.outcome, verdict.winner, verdict.margin
    return AnnotationRecord(annotator=annotator, outcome=outcome, winner=winner, margin=margin, ranking=ranking, **more)


def messages_in(value: object, field: str, reader: RowReader) -> list[Message]:
    """A list of messages whose contents are text or blocks of text and images. Reports anything else."""
    if not isinstance(value, list) or not value:
        reader.unexpected(field, value, "a list of messages")
        return []
    made = []
    for index, message in enumerate(value):
        where = f"{field}[{index}]"
        if not isinstance(message, dict):
            reader.unexpected(where, message, "an object with role and content")
            continue
        role = message.get("role")
        if not isinstance(role, str) or role not in ROLES:
            reader.unexpected(f"{where}.role", role, "one of " + ", ".join(ROLES))
            continue
        made.append(Message(role=ROLES[role], content=content_in(message.get("content"), f"{where}.content", reader)))
    return made


def content_in(value: object, field: str, reader: RowReader) -> list[Part]:
    """Text, or a list of blocks `{"type": "text", "text": …}` and `{"type": "image", "image": …}`."""
    if isinstance(value, str):
        return [Part.of_text(value)]
    if not isinstance(value, list):
        reader.unexpected(field, value, "text, or a list of blocks")
        return []
    parts = []
    for index, block in enumerate(value):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text" and isinstance(block.get("text"), str):
            parts.append(Part.of_text(block["text"]))
        elif kind == "image" and isinstance(block.get("image"), str) and block["image"]:
            parts.append(Part(type="image", path=block["image"]))
        else:
            reader.unexpected(f"{field}[{index}]", block, "a block of text or of an image")
    return parts


def said_text(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Role and text of each message, to compare conversations by."""
    return [(message.role, text_of(message.content)) for message in messages]
