"""Preference rows for TRL's reward and DPO trainers: conversational, with an explicit prompt.

TRL decides from the first row what kind of file it has, so all rows have the same columns and kinds; it reads
`margin` in the reward trainer only, and takes any other column (`id`, `task`, …) without looking at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, TRL, Format, RowReader
from exports.formats.messages import (
    check_ends_with_question,
    check_is_answer,
    check_messages,
    conversation_of,
    messages_of,
    said,
)
from exports.formats.pair_rows import COLUMNS, SIDES, has_columns, shared_columns, task_of
from exports.formats.pairwise import record_of_texts
from exports.formats.trl_reading import has_blocks
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord

EXPECTED = "a list of messages (all three columns in lists, or all three as text)"


class TrlPreference(Format):
    """Writes lists of `{"role", "content"}` with text contents; reads those and rows of plain text.

    Rows without a prompt ("implicit" ones) are refused: finding the common start of two texts cuts words in two.
    """

    name = "trl_preference"
    label = gettext_noop("TRL preference")
    description = gettext_noop(
        "Conversations with chosen and rejected answers, and a margin if wanted. For TRL, reward and DPO."
    )
    group = TRL
    consumer = gettext_noop("I train DPO with TRL or Unsloth")
    carries = gettext_noop(
        "The conversation in roles, a chosen and a rejected answer, the annotator, and a margin if wanted."
    )
    leaves_out = gettext_noop("Ties, ratings, reasons and media are left out; the DPO trainer does not read margins.")
    recognised_by = gettext_noop("prompt, chosen and rejected as lists of messages")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        if not has_columns(row, reader):
            return None
        if all(isinstance(row[column], str) for column in COLUMNS):
            return record_of_texts(row, reader)
        for column in COLUMNS:
            check_messages(row[column], column, reader, expected=EXPECTED)
        if reader.failed:
            return None
        check_ends_with_question(row["prompt"], "prompt", reader)
        for side in SIDES:
            check_is_answer(row[side], side, reader)
        if reader.failed:
            return None
        context, content = conversation_of(row["prompt"])
        return task_of(row, context, content, row["chosen"][0]["content"], row["rejected"][0]["content"], reader)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            yield {
                "prompt": messages_of(pair.messages),
                "chosen": [said("assistant", pair.chosen.content)],
                "rejected": [said("assistant", pair.rejected.content)],
                **dict(shared_columns(pair, options)),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "prompt")
        yield from proof.one_answer(row, *SIDES)
        yield from proof.differ(row, *SIDES)
        yield from proof.margin(row)

    def sniff(self, row: object) -> bool:
        """Conversational rows only: rows of plain text are also `pairwise`, which reads them the same."""
        is_listed = isinstance(row, dict) and all(isinstance(row.get(column), list) for column in COLUMNS)
        return is_listed and isinstance(row, dict) and not has_blocks(row)
