"""Reading battles of two whole conversations, as Chatbot Arena and MT-bench publish them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from exports.formats.base import RowReader
from exports.formats.foreign import Answer, Sheet, messages_in, prompt, responses_of, said_text, task
from exports.formats.imported import pseudonym
from exports.formats.pairwise import labelled
from exports.records import AnnotationRecord, Message, Part, TaskRecord, text_of

SIDES = ("conversation_a", "conversation_b")
OUTCOMES = {
    "tie": "tie",
    "tievote": "tie",
    "tie (bothbad)": "all_bad",
    "both_bad": "all_bad",
    "bothbad_vote": "all_bad",
}
WINNERS = {"model_a": "a", "model_b": "b", "leftvote": "a", "rightvote": "b"}
ONE_HOT = {"winner_model_a": "model_a", "winner_model_b": "model_b", "winner_tie": "tie"}


def judge_of(row: object, reader: RowReader) -> AnnotationRecord | None:
    """The vote that a row holds, or None with its problems reported."""
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with winner and two conversations")
        return None
    winner = row.get("winner")
    if winner is None:
        winner = next((name for column, name in ONE_HOT.items() if row.get(column) in (1, True)), None)
    judge = pseudonym(row.get("judge"))
    when = _time(row.get("tstamp"), reader)
    if isinstance(winner, str) and winner in WINNERS:
        return AnnotationRecord(annotator=judge, outcome="winner", winner=WINNERS[winner], submitted_at=when)
    if isinstance(winner, str) and winner in OUTCOMES:
        return AnnotationRecord(annotator=judge, outcome=OUTCOMES[winner], submitted_at=when)  # type: ignore[arg-type]
    reader.unexpected("winner", winner, "one of " + ", ".join([*WINNERS, *OUTCOMES]))
    return None


def battle_of(
    row: dict[str, Any], votes: list[AnnotationRecord | None], name: str, reader: RowReader
) -> TaskRecord | None:
    """The task of the two conversations: what they share is the context, what differs the responses."""
    sheet = Sheet.of(row, reader, SIDES)
    if sheet is None:
        return None
    models = [sheet.text("model_a"), sheet.text("model_b")]
    turn = sheet.whole("turn", 1, 1000)
    both = [messages_in(sheet.take(side), side, reader) for side in SIDES]
    for column in ("winner", "judge", "tstamp", *ONE_HOT):
        sheet.take(column)
    if reader.failed:
        return None
    if turn is not None:
        both = [_until(messages, turn) for messages in both]
    for side, messages in zip(SIDES, both, strict=True):
        if not messages or messages[-1].role != "assistant":
            reader.problem(side, "a conversation that does not end with an answer", "the assistant last")
    shared = _shared(*both)
    if not reader.failed and (not shared or shared[-1].role not in ("user", "tool")):
        reader.problem("conversation_b", "another question than in conversation_a", "the same first question")
    if reader.failed:
        return None
    answers = [_answer(messages[len(shared) :], model) for messages, model in zip(both, models, strict=True)]
    given = [vote for vote in votes if vote is not None]
    # After a tool's result there is no message of the user to show.
    context, content = (shared, []) if shared[-1].role == "tool" else (shared[:-1], shared[-1].content)
    record = prompt(content, responses_of(answers, SIDES[0], reader), given)
    return task(name, [record], reader, context=context, metadata=sheet.rest(turn=turn))


def _until(messages: list[Message], turn: int) -> list[Message]:
    """The conversation up to the answer to the question number `turn`: what came later was not judged."""
    asked, kept = 0, []
    for message in messages:
        asked += message.role == "user"
        if asked > turn:
            break
        kept.append(message)
    return kept


def _shared(first: list[Message], second: list[Message]) -> list[Message]:
    """The messages with which both begin, up to the last question that both were asked."""
    pairs = zip(said_text(first), said_text(second), strict=False)
    count = 0
    for place, (one, other) in enumerate(pairs, 1):
        if one != other:
            break
        if one[0] in ("user", "tool"):
            count = place
    count = min(count, len(first) - 1, len(second) - 1)
    return first[:count]


def _answer(messages: list[Message], model: str) -> Answer:
    """One message as it is; several, where the sides went different ways, with a label before each."""
    if len(messages) == 1:
        return messages[0].content, model, {}
    parts: list[Part] = []
    for message in messages:
        parts.append(Part.of_text(labelled(message.role, text_of(message.content))))
        parts += [part for part in message.content if part.type != "text"]
    return parts, model, {}


def _time(value: object, reader: RowReader) -> str | None:
    """Seconds since 1970 as ISO 8601; 0 is no time, as it is written where none is known."""
    if value is None or value == 0:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 253402300800:
        reader.unexpected("tstamp", value, "seconds since 1970")
        return None
    return datetime.fromtimestamp(value, UTC).isoformat()
