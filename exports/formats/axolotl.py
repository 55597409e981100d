"""Rows for Axolotl's DPO with `type: chat_template.default`: text only.

It renders each answer after a dummy question, strips the result up to the first place where the answer is found, and
so cuts an answer short that is also a piece of the template. Such answers are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import PAIRS, TRAINERS, Format, RowReader
from exports.formats.messages import messages_of, said
from exports.formats.pair_rows import SIDES
from exports.formats.trl_reading import axolotl_pair
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord

TEMPLATE = """<|begin_of_text|><|im_start|>system
You are a helpful assistant.<|im_end|>
<|im_start|>user
[[dummy_message]]<|im_end|>
<|im_start|>assistant
<|start_header_id|>system user assistant<|end_header_id|><|eot_id|>"""
"""The words of the usual chat templates around an answer, and Axolotl's own question."""


class Axolotl(Format):
    """The keys are those that Axolotl looks for when nothing else is configured."""

    name = "axolotl"
    label = gettext_noop("Axolotl DPO")
    description = gettext_noop("Conversations with chosen and rejected answers, for Axolotl's chat_template.default.")
    group = TRAINERS
    consumer = gettext_noop("I train DPO with Axolotl")
    carries = gettext_noop("The conversation in roles, a chosen and a rejected answer.")
    leaves_out = gettext_noop(
        'Margins, ties, ratings, reasons and media are left out; also answers such as "assistant".'
    )
    recognised_by = gettext_noop("messages or input, with chosen and rejected")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    carrier = Carrier(template=TEMPLATE)
    needs = frozenset({"rewrites"})
    uses = PAIRS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return axolotl_pair(row, reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not row.keys() >= set(SIDES) or "prompt" in row or "instruction" in row:
            return False
        return isinstance(row.get("messages"), (list, str)) or (isinstance(row.get("input"), str) and "system" in row)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options.without_margin(), accounting, self.carrier):
            yield {
                "messages": messages_of(pair.messages),
                "chosen": said("assistant", pair.chosen.content),
                "rejected": said("assistant", pair.rejected.content),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "messages")
        yield from proof.differ(row, *SIDES)
        for side in SIDES:
            found = list(proof.messages({side: [row.get(side)]}, side, roles=("assistant",), last=("assistant",)))
            yield from found or (f"{side}: {each}" for each in proof.answers(row[side], "content"))
            if not found and row[side]["content"] in TEMPLATE:
                yield f"{side} is a piece of the chat template, where Axolotl would cut it."
