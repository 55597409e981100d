"""PRISM: conversations with scored replies: read only."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Answer,
    Sheet,
    answer,
    name_of,
    prompt,
    responses_of,
    task,
    vote,
    whole_number,
)
from exports.formats.imported import by_number, pseudonym
from exports.records import PromptRecord, TaskRecord


class Prism(Format):
    """Conversations whose replies have scores from 1 to 100 (HannahRoseKirk/prism-alignment).

    `if_chosen` is drawn at random where two replies have the same score, so that the scores decide, not it.
    """

    name = "prism"
    label = gettext_noop("PRISM conversations")
    description = gettext_noop("Conversations in which a person scored the replies of several models.")
    recognised_by = gettext_noop("conversation_id and conversation_history with scores")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("conversation_id", "conversation_history"))
        if sheet is None:
            return None
        history = sheet.take("conversation_history")
        judge = pseudonym(sheet.take("user_id"))
        turns: dict[int, list[dict[str, Any]]] = {}
        for index, each in enumerate(history if isinstance(history, list) else []):
            where = f"conversation_history[{index}]"
            if not isinstance(each, dict) or not isinstance(each.get("content"), str):
                reader.unexpected(where, each, "an object with turn, role and content")
                continue
            turn = whole_number(each.get("turn"), f"{where}.turn", reader, 0, 1000)
            if each.get("role") not in ("user", "model"):
                reader.unexpected(f"{where}.role", each.get("role"), "user or model")
            turns.setdefault(turn or 0, []).append(each)
        if not turns:
            reader.unexpected("conversation_history", history, "a list of messages")
        if reader.failed:
            return None
        prompts = [_scored_turn(turn, turns[turn], judge, reader) for turn in sorted(turns)]
        name = name_of(sheet.take("conversation_id"), sheet.row)
        return task(name, [each for each in prompts if each is not None], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"conversation_id", "conversation_history"} <= row.keys()


def _scored_turn(turn: int, said: list[dict[str, Any]], judge: str, reader: RowReader) -> PromptRecord | None:
    asked = [each["content"] for each in said if each["role"] == "user"]
    replies = [each for each in said if each["role"] == "model"]
    if len(asked) != 1:
        reader.problem("conversation_history", f"{len(asked)} messages of the user in turn {turn}", "one in each turn")
        return None
    answers: list[Answer] = []
    scores: list[int] = []
    for each in replies:
        names = [each.get(key) for key in ("model_provider", "model_name")]
        model = "/".join(name for name in names if isinstance(name, str) and name)
        answers.append(answer(each["content"], model, score=each.get("score"), if_chosen=each.get("if_chosen")))
        score = whole_number(each.get("score"), "conversation_history.score", reader, 0, 100)
        scores.append(score or 0)
    responses = responses_of(answers, "conversation_history", reader)
    numbers = dict(zip([each.id for each in responses], map(float, scores), strict=False))
    votes = [vote(judge, by_number(numbers))] if len(numbers) > 1 else []
    made = prompt(asked[0], responses, votes, name=str(turn + 1))
    chosen = [place for place, each in enumerate(replies) if each.get("if_chosen") is True]
    if len(chosen) != 1 or reader.failed:
        return made
    went_on = [replace(each, continues=place == chosen[0]) for place, each in enumerate(made.responses)]
    return replace(made, responses=went_on)
