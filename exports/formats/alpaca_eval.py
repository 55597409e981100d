"""AlpacaEval (tatsu-lab): pairs with a preference from 1 to 2: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import Sheet, answer, prompt, responses_of, task
from exports.formats.imported import pseudonym
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class AlpacaEval(Format):
    """`output_1`, `output_2`, and `preference` from 1 to 2, where 1.5 is a tie (tatsu-lab/alpaca_eval)."""

    name = "alpaca_eval"
    label = gettext_noop("AlpacaEval annotations")
    description = gettext_noop("Two outputs with the generators and a preference between 1 and 2.")
    recognised_by = gettext_noop("instruction, output_1, output_2 and a preference")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("instruction", "output_1", "output_2"))
        if sheet is None:
            return None
        question = sheet.text("instruction", is_needed=True)
        answers = [answer(sheet.text(f"output_{n}"), sheet.text(f"generator_{n}")) for n in (1, 2)]
        value = sheet.row.get("preference")
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if value is not None and not (is_number and 1 <= value <= 2):
            reader.unexpected("preference", value, "a number from 1 to 2, or null")
        if reader.failed:
            return None
        judge = pseudonym(sheet.take("annotator"))
        votes = [verdict(judge, None if value == 1.5 else int(value > 1.5))] if is_number and value is not None else []
        responses = responses_of(answers, "output_1", reader)
        return task(row_id(sheet.row), [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"instruction", "output_1", "output_2", "preference"} <= row.keys()
