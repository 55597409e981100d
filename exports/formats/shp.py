"""Stanford Human Preferences: pairs of comments: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import Sheet, answer, prompt, responses_of, task
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class Shp(Format):
    """Two comments on a post; `labels` is 1 where A, 0 where B was preferred (stanfordnlp/SHP)."""

    name = "shp"
    label = gettext_noop("Stanford Human Preferences")
    description = gettext_noop("Two answers to a post and which of them had more votes.")
    recognised_by = gettext_noop("history, human_ref_A, human_ref_B and labels")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("history", "human_ref_A", "human_ref_B", "labels"))
        if sheet is None:
            return None
        question = sheet.text("history", is_needed=True)
        answers = [
            answer(
                sheet.text(f"human_ref_{side}"), score=sheet.take(f"score_{side}"), id=sheet.take(f"c_root_id_{side}")
            )
            for side in "AB"
        ]
        label = sheet.one_of("labels", (0, 1))
        if reader.failed:
            return None
        responses = responses_of(answers, "human_ref_A", reader)
        votes = [verdict("imported", 1 - label)]
        return task(row_id(sheet.row), [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"history", "human_ref_A", "human_ref_B", "labels"} <= row.keys()
