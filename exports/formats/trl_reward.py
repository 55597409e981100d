"""Preference rows that always have a margin, for TRL's reward trainer: the only one of its trainers that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import PAIRS, TRL
from exports.formats.trl_preference import TrlPreference
from exports.options import ExportOptions
from exports.records import TaskRecord


class TrlReward(TrlPreference):
    """The loss takes the margin off the difference of two rewards: it is in units of reward and never below 0."""

    name = "trl_reward"
    label = gettext_noop("TRL reward with margin")
    description = gettext_noop(
        "Conversations with chosen and rejected answers and the margin on every row. For reward models."
    )
    group = TRL
    consumer = gettext_noop("I train a reward model with TRL, with margins")
    carries = gettext_noop("The conversation in roles, a chosen and a rejected answer, the annotator, and the margin.")
    leaves_out = gettext_noop("Votes without a margin, ties, ratings, reasons and media are left out.")
    can_read = False
    uses = PAIRS | {"margin_scale"}

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        yield from super().rows(record, msgspec.structs.replace(options, margin="absolute"), accounting)

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from super().problems_of(row)
        yield from proof.margin(row, is_needed=True)
