"""Preference rows for NeMo-RL's `PreferenceDataset`: exactly two completions, the better one with the lower rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import PAIRS, TRAINERS, Format, RowReader
from exports.formats.messages import messages_of, said
from exports.formats.ms_swift_reading import nemo_task
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord


class NemoRl(Format):
    """The trainer stops at equal ranks, so ties are never written."""

    name = "nemo_rl"
    label = gettext_noop("NeMo-RL preference")
    description = gettext_noop("Conversations with two ranked completions, for DPO and reward models with NeMo-RL.")
    group = TRAINERS
    consumer = gettext_noop("I train DPO or a reward model with NeMo-RL")
    carries = gettext_noop("The conversation in roles and two completions, the better one with rank 0.")
    leaves_out = gettext_noop("Margins, annotators, ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("context and completions with ranks")
    can_read = True
    can_write = True
    containers = ("jsonl", "json")
    needs = frozenset({"rewrites"})
    uses = PAIRS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return nemo_task(row, reader)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and "context" in row and isinstance(row.get("completions"), list)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options.without_margin(), accounting, self.carrier):
            sides = (pair.chosen, pair.rejected)
            completions = [
                {"rank": rank, "completion": [said("assistant", side.content)]} for rank, side in enumerate(sides)
            ]
            yield {"context": messages_of(pair.messages), "completions": completions}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "context")
        completions = row.get("completions")
        if (
            not isinstance(completions, list)
            or len(completions) != 2
            or not all(isinstance(each, dict) for each in completions)
        ):
            yield "completions must be exactly two."
            return
        ranks = [each.get("rank") for each in completions]
        if not all(isinstance(rank, int) and not isinstance(rank, bool) for rank in ranks) or ranks[0] == ranks[1]:
            yield "The ranks of the completions must be two different whole numbers."
        for index, each in enumerate(completions):
            yield from (f"completions[{index}].{problem}" for problem in proof.one_answer(each, "completion"))
        if completions[0].get("completion") == completions[1].get("completion"):
            yield "Both completions are the same."
