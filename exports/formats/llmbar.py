"""LLMBar (princeton-nlp): pairs of outputs with a clear better one: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import Sheet, answer, prompt, responses_of, task
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class LlmBar(Format):
    """`input`, `output_1`, `output_2` and `label`, 1 or 2 for the better one (princeton-nlp/LLMBar)."""

    name = "llmbar"
    label = gettext_noop("LLMBar")
    description = gettext_noop("Two outputs for one instruction and which of them follows it.")
    recognised_by = gettext_noop("input, output_1, output_2 and a label of 1 or 2")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("input", "output_1", "output_2", "label"))
        if sheet is None:
            return None
        question = sheet.text("input", is_needed=True)
        texts = [sheet.text("output_1"), sheet.text("output_2")]
        label = sheet.one_of("label", (1, 2))
        if reader.failed:
            return None
        responses = responses_of([answer(text) for text in texts], "output_1", reader)
        votes = [verdict("imported", label - 1)]
        return task(row_id(sheet.row), [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"input", "output_1", "output_2", "label"} <= row.keys()
