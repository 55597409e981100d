"""Preference rows without a prompt column, as TRL calls them implicit: two whole conversations that end differently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, TRL, Format, RowReader
from exports.formats.messages import messages_of, said
from exports.formats.pair_rows import SIDES, shared_columns
from exports.formats.trl_reading import implicit_task
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord


class TrlImplicit(Format):
    """Always lists of messages: of two texts TRL takes the common letters for the prompt, and cuts words in two."""

    name = "trl_implicit"
    label = gettext_noop("TRL preference, implicit prompt")
    description = gettext_noop(
        "Two whole conversations per row, chosen and rejected. For trainers without a prompt column."
    )
    group = TRL
    consumer = gettext_noop("My trainer wants whole conversations as chosen and rejected")
    carries = gettext_noop(
        "Two conversations in roles that differ in the last message, the annotator, and a margin if wanted."
    )
    leaves_out = gettext_noop("Ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("chosen and rejected as whole lists of messages")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return implicit_task(row, reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not {"prompt", "messages", "conversations", "input"}.isdisjoint(row):
            return False
        return all(isinstance(row.get(side), list) for side in SIDES)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            before = messages_of(pair.messages)
            yield {
                "chosen": [*before, said("assistant", pair.chosen.content)],
                "rejected": [*before, said("assistant", pair.rejected.content)],
                **dict(shared_columns(pair, options)),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        for side in SIDES:
            found = list(proof.messages(row, side, last=("assistant",)))
            yield from found
            if not found and len(row[side]) < 2:
                yield f"{side} has nothing that is answered."
        yield from proof.differ(row, *SIDES)
        yield from proof.margin(row)
        if all(isinstance(row.get(side), list) for side in SIDES) and row["chosen"][:-1] != row["rejected"][:-1]:
            yield "chosen and rejected answer different conversations."
