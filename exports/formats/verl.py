"""Rows of plain text for veRL's reward-model data: Parquet, and nothing is put between prompt and answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import PLACEHOLDERS, Carrier
from exports.formats import proof
from exports.formats.base import PAIRS, TRAINERS, Format
from exports.formats.pair_rows import SIDES
from exports.formats.pairwise import LABELS, transcript
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord, text_of


class Verl(Format):
    """The reader glues prompt and answer together, so the prompt ends in a line feed or in the label of the answer."""

    name = "verl"
    label = gettext_noop("veRL reward model")
    description = gettext_noop("The texts prompt, chosen and rejected in Parquet, for the reward-model data of veRL.")
    group = TRAINERS
    consumer = gettext_noop("I train a reward model with veRL")
    carries = gettext_noop("Prompt, chosen and rejected as texts.")
    leaves_out = gettext_noop(
        "Roles are only labels; margins, annotators, ties, ratings, reasons and media are left out."
    )
    can_write = True
    containers = ("parquet",)
    carrier = Carrier(not_in_text=PLACEHOLDERS)
    needs = frozenset({"rewrites"})
    uses = PAIRS

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options.without_margin(), accounting, self.carrier):
            is_single = len(pair.messages) == 1 and pair.messages[0].role == "user"
            end = "\n" if is_single else f"\n\n{LABELS['assistant']}: "
            yield {
                "prompt": transcript(pair.messages) + end,
                "chosen": text_of(pair.chosen.content),
                "rejected": text_of(pair.rejected.content),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.texts(row, "prompt")
        yield from proof.answers(row, *SIDES)
        yield from proof.differ(row, *SIDES)
        if isinstance(row.get("prompt"), str) and row["prompt"] == row["prompt"].rstrip():
            yield "prompt must end in white space: the answer follows it without any."
