"""PKU-SafeRLHF: pairs with a better and a safer response: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import Sheet, answer, prompt, responses_of, task
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class SafeRlhf(Format):
    """Two responses with two independent winners, the better and the safer one (PKU-SafeRLHF, align-anything)."""

    name = "safe_rlhf"
    label = gettext_noop("PKU-SafeRLHF")
    description = gettext_noop("Two responses, the more helpful one and the safer one.")
    recognised_by = gettext_noop("response_0, response_1 and better_response_id")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt", "response_0", "response_1", "better_response_id"))
        if sheet is None:
            return None
        question = sheet.text("prompt", is_needed=True)
        texts = [sheet.text("response_0"), sheet.text("response_1")]
        better = sheet.one_of("better_response_id", (0, 1))
        if reader.failed:
            return None
        safe = [sheet.take(f"is_response_{n}_safe") for n in (0, 1)]
        answers = [answer(text, is_safe=flag) for text, flag in zip(texts, safe, strict=True)]
        # The safer one is a second opinion on another question, which stays in the metadata.
        votes = [verdict("imported", better)]
        responses = responses_of(answers, "response_0", reader)
        return task(row_id(sheet.row), [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"prompt", "response_0", "response_1", "better_response_id"} <= row.keys()
