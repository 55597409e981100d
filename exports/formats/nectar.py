"""Nectar: seven answers ranked by a model (berkeley-nest/Nectar): read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Answer,
    Sheet,
    answer,
    prompt,
    ranked_vote,
    responses_of,
    task,
    whole_number,
)
from exports.formats.row_ids import row_id
from exports.formats.transcripts import turns_of
from exports.records import TaskRecord


class Nectar(Format):
    """`prompt` is a transcript that ends with `Assistant:`; `answers` have `rank`, where 1 is best."""

    name = "nectar"
    label = gettext_noop("Nectar")
    description = gettext_noop("Several answers to one conversation with their models and ranks.")
    recognised_by = gettext_noop("a prompt, and answers with answer, model and rank")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt", "answers"))
        if sheet is None:
            return None
        context, question = turns_of(sheet.text("prompt", is_needed=True), "prompt", reader)
        answers, ranks = _answers(sheet.take("answers"), reader)
        if reader.failed:
            return None
        responses = responses_of(answers, "answers", reader)
        votes = [] if reader.failed else [ranked_vote("imported", ranks, responses)]
        record = prompt(question, responses, votes)
        return task(row_id(sheet.row), [record], reader, context=context, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not isinstance(row.get("prompt"), str):
            return False
        answers = row.get("answers")
        return (
            isinstance(answers, list)
            and bool(answers)
            and all(isinstance(each, dict) and {"answer", "rank"} <= each.keys() for each in answers)
        )


def _answers(value: object, reader: RowReader) -> tuple[list[Answer], list[int]]:
    if not isinstance(value, list) or not value:
        reader.unexpected("answers", value, "a list of answers")
        return [], []
    answers: list[Answer] = []
    ranks: list[int] = []
    for index, each in enumerate(value):
        where = f"answers[{index}]"
        if not isinstance(each, dict) or not isinstance(each.get("answer"), str):
            reader.unexpected(where, each, "an object with answer, model and rank")
            continue
        rank = whole_number(each.get("rank"), f"{where}.rank", reader, 0, 1000)
        model = each.get("model") if isinstance(each.get("model"), str) else None
        rest = {key: held for key, held in each.items() if key not in ("answer", "model", "rank")}
        answers.append(answer(each["answer"], model, **rest))
        ranks.append(rank or 0)
    return answers, ranks
