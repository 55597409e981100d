"""Reading rows of ms-swift, NeMo-RL and of chats for fine-tuning."""

from __future__ import annotations

from typing import Any

from exports.formats.base import RowReader
from exports.formats.foreign import name_of, vote
from exports.formats.imported import by_number
from exports.formats.media_slots import Slots
from exports.formats.pair_rows import has_columns, shuffled_contents
from exports.formats.single_answers import Answered
from exports.formats.training_reading import answered, asked, conversation, pair_task
from exports.formats.trl_reading import answer_of
from exports.records import Message, Part, PromptRecord, TaskRecord

SWIFT_COLUMNS = ("messages", "rejected_response", "rejected_messages", "rejected_images")


def swift_pair(row: object, reader: RowReader) -> TaskRecord | None:
    """`messages` end in the chosen answer; the rejected one is an answer, a whole conversation, or other pictures."""
    if not has_columns(row, reader, ("messages",)):
        return None
    slots = Slots(row, reader)
    messages = conversation(row["messages"], "messages", reader, slots)
    if not reader.failed and (len(messages) < 2 or messages[-1].role != "assistant"):
        reader.problem("messages", "a conversation that does not end in an answer", "the chosen answer last")
    if reader.failed:
        return None
    question = asked(messages[:-1], "messages", slots, reader)
    worse = _rejected(row, messages, reader)
    return None if reader.failed else pair_task(row, reader, question, (messages[-1].content, worse), SWIFT_COLUMNS)


def _rejected(row: dict[str, Any], messages: list[Message], reader: RowReader) -> list[Part]:
    other = Slots({"images": row.get("rejected_images")}, reader)
    if row.get("rejected_messages") is not None:
        said = conversation(row["rejected_messages"], "rejected_messages", reader, other)
        if not reader.failed and [each.role for each in said] != [each.role for each in messages]:
            reader.problem("rejected_messages", "other turns than in messages", "the same turns with another answer")
        return said[-1].content if said else []
    held = row.get("rejected_response")
    if isinstance(held, (str, list)):
        return answer_of(held, "rejected_response", reader, other)
    if row.get("rejected_images"):
        # The same conversation about other pictures: the answer that is worse is the one with these.
        return [*other.rest(), *(part for part in messages[-1].content if part.type == "text")]
    reader.unexpected("rejected_response", held, "the rejected answer")
    return []


def nemo_task(row: object, reader: RowReader) -> TaskRecord | None:
    """`completions` with a `rank` each, 0 the best; equal ranks are a tie, which the trainer itself cannot read."""
    if not has_columns(row, reader, ("context", "completions")):
        return None
    slots = Slots(row, reader)
    context, content = asked(conversation(row["context"], "context", reader, slots), "context", slots, reader)
    held = row["completions"]
    if not isinstance(held, list) or len(held) < 2 or not all(isinstance(each, dict) for each in held):
        reader.unexpected("completions", held, "a list of two or more completions")
        return None
    contents, ranks = [], []
    for index, each in enumerate(held):
        contents.append(answer_of(each.get("completion"), f"completions[{index}].completion", reader, slots))
        rank = each.get("rank")
        if isinstance(rank, bool) or not isinstance(rank, int):
            reader.unexpected(f"completions[{index}].rank", rank, "a whole number")
        else:
            ranks.append(float(rank))
    if reader.failed:
        return None
    responses, ids = shuffled_contents([content or [Part.of_text("")] for content in contents])
    votes = [vote("imported", by_number(dict(zip(ids, ranks, strict=True)), is_best_low=True))]
    prompt = PromptRecord(id="1", content=content, responses=responses, annotations=votes)
    rest = {key: value for key, value in row.items() if key not in ("context", "completions", "id")}
    return TaskRecord(id=name_of(row.get("id"), row), context=context, prompts=[prompt], metadata=rest)


def chat(row: object, reader: RowReader) -> Answered | None:
    """A conversation that may end in an answer. `weight` says what is learnt and is not kept."""
    if not has_columns(row, reader, ("messages",)):
        return None
    slots = Slots(row, reader)
    messages = conversation(row["messages"], "messages", reader, slots)
    if reader.failed:
        return None
    has_answer = len(messages) > 1 and messages[-1].role == "assistant"
    before = messages[:-1] if has_answer else messages
    question = asked(before, "messages", slots, reader)
    answer = messages[-1].content if has_answer else None
    return None if reader.failed else answered(row, reader, question, answer, ("messages",))


def chat_key(row: dict[str, Any]) -> object:
    """What two chats share that answer the same question."""
    messages = row.get("messages")
    if not isinstance(messages, list) or not messages:
        return row
    is_answered = isinstance(messages[-1], dict) and messages[-1].get("role") == "assistant"
    return messages[:-1] if is_answered else messages
