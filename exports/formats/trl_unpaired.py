"""Single answers that are good or bad, for TRL's KTO trainer: conversational, `label` is true for good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import LABELS, TRL, Format
from exports.formats.messages import messages_of, said
from exports.formats.pair_rows import answer_columns
from exports.labels import labels_of
from exports.options import ExportOptions
from exports.records import TaskRecord


class TrlUnpaired(Format):
    """One row per answer and annotator. A winner is only better than its rival: ratings make better labels."""

    name = "trl_unpaired"
    label = gettext_noop("TRL unpaired preference")
    description = gettext_noop("Single answers with a label, good or bad. For TRL's KTO trainer.")
    group = TRL
    consumer = gettext_noop("I train KTO with TRL or Unsloth")
    carries = gettext_noop(
        "The conversation, one answer, and whether it is good: by the winner or by the ratings on one dimension."
    )
    leaves_out = gettext_noop(
        "Which answers were compared, margins, reasons and media are left out; so are ties, unless asked for."
    )
    can_write = True
    containers = ("jsonl", "json", "parquet")
    needs = frozenset({"ratings"})
    uses = LABELS

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for label in labels_of(record, options, accounting, self.carrier):
            yield {
                "prompt": messages_of(label.messages),
                "completion": [said("assistant", label.response.content)],
                "label": label.is_good,
                **dict(answer_columns(label, options)),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "prompt")
        yield from proof.one_answer(row, "completion")
        yield from proof.flag(row, "label")
