"""RewardBench 2 (Ai2): lists of right and wrong completions: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Sheet,
    answer,
    name_of,
    prompt,
    responses_of,
    task,
    vote,
)
from exports.formats.imported import by_number
from exports.formats.row_ids import row_digest
from exports.records import TaskRecord


class RewardBench(Format):
    """`chosen` and `rejected` as lists of completions (allenai/reward-bench-2). A list of several may hold a tie."""

    name = "reward_bench"
    label = gettext_noop("RewardBench 2")
    description = gettext_noop("Right and wrong completions of one prompt, as lists.")
    recognised_by = gettext_noop("prompt, and lists of chosen and rejected texts")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt", "chosen", "rejected"))
        if sheet is None:
            return None
        question = sheet.text("prompt", is_needed=True)
        texts: list[tuple[str, int]] = []
        for rank, column in enumerate(("chosen", "rejected")):
            held = sheet.take(column)
            if not isinstance(held, list) or not held or not all(isinstance(text, str) for text in held):
                reader.unexpected(column, held, "a list of texts")
            else:
                texts += [(text, rank) for text in held]
        models = sheet.row.get("models")
        if reader.failed:
            return None
        known = models if isinstance(models, list) and len(models) == len(texts) else [None] * len(texts)
        if known is models:
            sheet.take("models")
        # Not in the order of the source, where the right ones come first.
        shown = sorted(zip(texts, known, strict=True), key=lambda each: row_digest(each[0][0]))
        answers = [answer(text, model if isinstance(model, str) else None) for (text, _), model in shown]
        responses = responses_of(answers, "chosen", reader)
        ranks = {each.id: float(rank) for each, ((_, rank), _) in zip(responses, shown, strict=False)}
        votes = [] if reader.failed else [vote("imported", by_number(ranks, is_best_low=True))]
        name = name_of(sheet.take("id"), sheet.row)
        return task(name, [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not isinstance(row.get("prompt"), str):
            return False
        lists = [row.get("chosen"), row.get("rejected")]
        return all(isinstance(each, list) and each and isinstance(each[0], str) for each in lists)
