"""Preference rows for OpenRLHF: `--data.prompt_key prompt --data.apply_chat_template`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import PLACEHOLDERS, Carrier
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, TRAINERS, Format
from exports.formats.messages import messages_of, said
from exports.formats.pair_rows import SIDES
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord


class OpenRlhf(Format):
    """A margin counts for reward models with `--model.margin_loss_enable`. `<image>` in a text would be a picture."""

    name = "openrlhf"
    label = gettext_noop("OpenRLHF preference")
    description = gettext_noop("Conversations with chosen and rejected answers, and a margin if wanted. For OpenRLHF.")
    group = TRAINERS
    consumer = gettext_noop("I train DPO or a reward model with OpenRLHF")
    carries = gettext_noop("The conversation in roles, a chosen and a rejected answer, and a margin if wanted.")
    leaves_out = gettext_noop("Annotators, ties, ratings, reasons and media are left out.")
    can_write = True
    containers = ("jsonl", "json", "parquet")
    carrier = Carrier(not_in_text=PLACEHOLDERS)
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            row: dict[str, Any] = {
                "prompt": messages_of(pair.messages),
                "chosen": [said("assistant", pair.chosen.content)],
                "rejected": [said("assistant", pair.rejected.content)],
            }
            yield row if options.margin == "none" else row | {"margin": pair.margin}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "prompt")
        yield from proof.one_answer(row, *SIDES)
        yield from proof.differ(row, *SIDES)
        yield from proof.margin(row)
