"""PandaLM (WeOpenML): pairs judged by three annotators: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import Sheet, answer, name_of, prompt, responses_of, task
from exports.formats.row_ids import row_digest
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class PandaLm(Format):
    """`instruction`, `input`, `response1`, `response2` and `annotator1` … with 0 for a tie (WeOpenML/PandaLM)."""

    name = "pandalm"
    label = gettext_noop("PandaLM")
    description = gettext_noop("Two responses with the verdicts of several annotators, ties included.")
    recognised_by = gettext_noop("instruction, response1, response2 and annotator1")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("instruction", "response1", "response2"))
        if sheet is None:
            return None
        question, more = sheet.text("instruction", is_needed=True), sheet.text("input")
        texts = [_spoken(sheet, "response1"), _spoken(sheet, "response2")]
        names = sorted(key for key in sheet.row if key.startswith("annotator") and key[9:].isdigit())
        votes = {name: sheet.one_of(name, (0, 1, 2)) for name in names if sheet.row[name] is not None}
        models = str(sheet.row.get("cmp_key") or "").split("_")
        if reader.failed:
            return None
        known = models if len(models) == len(texts) else [None, None]
        responses = responses_of([answer(text, model) for text, model in zip(texts, known, strict=True)], "", reader)
        made = [verdict(name, vote - 1 if vote else None) for name, vote in votes.items()]
        text = f"{question}\n\n{more}" if more else question
        name = f"{name_of(sheet.take('idx'), sheet.row)}-{row_digest(sheet.row)[:8]}"
        return task(name, [prompt(text, responses, made)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"instruction", "response1", "response2", "annotator1"} <= row.keys()


def _spoken(sheet: Sheet, column: str) -> str:
    """A response as text. Six of the published rows hold true or false where the model wrote True or False."""
    value = sheet.take(column)
    if isinstance(value, bool):
        return str(value)
    return sheet.text(column)
