"""Reading TRL's other types: unpaired, prompt and completion, implicit preference, and preference with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exports.formats.base import RowReader
from exports.formats.media_slots import Slots
from exports.formats.pair_rows import COLUMNS, SIDES, has_columns
from exports.formats.single_answers import Answered
from exports.formats.training_reading import USUAL, answered, asked, conversation, pair_task
from exports.records import Message, Part, TaskRecord

PICTURES = ("images", "image")


def has_blocks(row: dict[str, Any]) -> bool:
    """Whether any message of the row has blocks as its content, or the row lists pictures."""
    if any(row.get(column) not in (None, []) for column in PICTURES):
        return True
    return any(
        isinstance(message, dict) and isinstance(message.get("content"), list)
        for column in COLUMNS
        if isinstance(row.get(column), list)
        for message in row[column]
    )


def vision_task(row: object, reader: RowReader) -> TaskRecord | None:
    """A preference about pictures: the places in the prompt are filled from `images` in their order."""
    if not has_columns(row, reader):
        return None
    slots = Slots(row, reader)
    if isinstance(row["prompt"], str):
        question: tuple[list[Message], list[Part]] = ([], [*slots.rest(), Part.of_text(row["prompt"])])
    else:
        question = asked(conversation(row["prompt"], "prompt", reader, slots), "prompt", slots, reader)
    sides = [answer_of(row[side], side, reader, slots) for side in SIDES]
    if reader.failed:
        return None
    return pair_task(row, reader, question, (sides[0], sides[1]), COLUMNS)


def answer_of(value: object, path: str, reader: RowReader, slots: Slots) -> list[Part]:
    """The content of a column that holds one message of the assistant, or one text."""
    if isinstance(value, str):
        return [Part.of_text(value)]
    messages = conversation(value, path, reader, slots)
    if not reader.failed and [message.role for message in messages] != ["assistant"]:
        roles = ", ".join(message.role for message in messages)
        reader.problem(path, f"messages of {roles}", "one message of the assistant")
    return messages[0].content if messages else []


def question_of(value: object, path: str, reader: RowReader, slots: Slots) -> tuple[list[Message], list[Part]]:
    """The context and the question of a column with messages or one text."""
    if isinstance(value, str):
        if not value.strip():
            reader.unexpected(path, value, "text that is not blank")
        return [], [*slots.rest(), Part.of_text(value)]
    return asked(conversation(value, path, reader, slots), path, slots, reader)


def axolotl_pair(row: object, reader: RowReader) -> TaskRecord | None:
    """`messages` (or `system` and `input`) with chosen and rejected as a text, a message, or messages of which the last
    counts."""
    if not has_columns(row, reader, SIDES):
        return None
    slots = Slots(row, reader)
    if "messages" in row:
        context, content = question_of(row["messages"], "messages", reader, slots)
    else:
        context, content = question_of(row.get("input"), "input", reader, slots)
        system = row.get("system")
        if system and not isinstance(system, str):
            reader.unexpected("system", system, "text")
        context = [Message(role="system", content=[Part.of_text(str(system))])] if system else []
    sides = []
    for side in SIDES:
        held = row[side]
        last = held[-1:] if isinstance(held, list) else [held] if isinstance(held, dict) else held
        sides.append(answer_of(last, side, reader, slots))
    if reader.failed:
        return None
    return pair_task(row, reader, (context, content), (sides[0], sides[1]), ("messages", "input", "system", *SIDES))


def single(row: object, reader: RowReader, *columns: str) -> Answered | None:
    """A row with `prompt` and perhaps `completion` and `label`."""
    if not has_columns(row, reader, columns) or reader.failed:
        return None
    slots = Slots(row, reader)
    question = question_of(row["prompt"], "prompt", reader, slots)
    answer = answer_of(row["completion"], "completion", reader, slots) if "completion" in columns else None
    label = row.get("label") if "label" in columns else None
    if "label" in columns and not isinstance(label, bool):
        reader.unexpected("label", label, "true or false")
    return None if reader.failed else answered(row, reader, question, answer, columns, label)


def implicit_task(row: object, reader: RowReader) -> TaskRecord | None:
    """Two whole conversations: the question is what both share before their last message.

    Texts are refused: what two texts share in letters ends in the middle of a word.
    """
    if not has_columns(row, reader, SIDES):
        return None
    for side in SIDES:
        if isinstance(row[side], str):
            reader.problem(side, "a whole conversation as one text", "a list of messages, or a prompt of its own")
    if reader.failed:
        return None
    slots = Slots(row, reader)
    both = [conversation(row[side], side, reader, slots, USUAL) for side in SIDES]
    if reader.failed:
        return None
    return _shared(row, both, slots, reader)


def _shared(row: dict[str, Any], both: Sequence[list[Message]], slots: Slots, reader: RowReader) -> TaskRecord | None:
    for side, messages in zip(SIDES, both, strict=True):
        if len(messages) < 2 or messages[-1].role != "assistant":
            reader.problem(side, "a conversation without question and answer", "the answer of the assistant last")
    if not reader.failed and both[0][:-1] != both[1][:-1]:
        reader.problem("rejected", "another conversation before the answer than in chosen", "the same one in both")
    if reader.failed:
        return None
    question = asked(both[0][:-1], "chosen", slots, reader)
    if reader.failed:
        return None
    return pair_task(row, reader, question, (both[0][-1].content, both[1][-1].content), SIDES)
