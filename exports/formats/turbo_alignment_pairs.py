"""Pairs for turbo-alignment: the records of its dataset types `pair_preferences` and `ddpo`, which are the same.

The trainer keeps one row of several with the same `id`, without a word, so every pair has an id of its own. Of
`precomputed_margin` it wants a number on all rows or on none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, TURBO, Format, RowReader
from exports.formats.messages import (
    check_ends_with_question,
    check_message,
    check_messages,
    conversation_of,
    messages_of,
    said,
)
from exports.formats.pair_rows import has_columns, task_of
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import Role, TaskRecord

CONTEXT, ANSWERS, MARGIN = "context", ("answer_w", "answer_l"), "precomputed_margin"
COLUMNS = (CONTEXT, *ANSWERS)
NAMES: Mapping[str, Role] = {"system": "system", "user": "user", "bot": "assistant", "assistant": "assistant"}
ROLES = frozenset(NAMES.values())
BOT = ("bot", "assistant")
IGNORED = ("disable_loss",)
"""A switch of the trainer for single messages; not kept."""


class TurboAlignmentPairs(Format):
    """Writes the assistant as `bot`; reads `assistant` as well, and ids that are whole numbers."""

    name = "turbo_alignment_pairs"
    label = gettext_noop("turbo-alignment pairs")
    description = gettext_noop(
        "Conversations with a better and a worse answer, and a margin if wanted. For turbo-alignment."
    )
    group = TURBO
    consumer = gettext_noop("I train DPO or a reward model with turbo-alignment")
    carries = gettext_noop("The conversation, a better and a worse answer, and a margin if wanted.")
    leaves_out = gettext_noop("Tool messages, annotators, ties, ratings, reasons and media are left out.")
    can_read = True
    can_write = True
    recognised_by = gettext_noop("context, answer_w and answer_l in each row")
    containers = ("jsonl",)
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS
    carrier = Carrier(roles=ROLES)

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        if not has_columns(row, reader, COLUMNS):
            return None
        check_messages(row[CONTEXT], CONTEXT, reader, names=NAMES, ignored=IGNORED)
        for column in ANSWERS:
            check_message(row[column], column, reader, names=NAMES, ignored=IGNORED)
        if reader.failed:
            return None
        check_ends_with_question(row[CONTEXT], CONTEXT, reader, names=NAMES)
        for column in (column for column in ANSWERS if NAMES[row[column]["role"]] != "assistant"):
            reader.unexpected(f"{column}.role", row[column]["role"], "bot or assistant")
        if reader.failed:
            return None
        if isinstance(row.get("id"), int) and not isinstance(row["id"], bool):
            row = row | {"id": str(row["id"])}
        context, content = conversation_of(row[CONTEXT], NAMES)
        better, worse = (row[column]["content"] for column in ANSWERS)
        return task_of(row, context, content, better, worse, reader, columns=COLUMNS, margin_column=MARGIN)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            row: dict[str, Any] = {
                "id": pair.id,
                CONTEXT: messages_of(pair.messages, NAMES),
                "answer_w": said("assistant", pair.chosen.content, NAMES),
                "answer_l": said("assistant", pair.rejected.content, NAMES),
            }
            yield row if options.margin == "none" else row | {MARGIN: pair.margin}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id")
        yield from proof.messages(row, CONTEXT, roles=tuple(NAMES), last=("user",))
        for column in ANSWERS:
            yield from proof.messages({column: [row.get(column)]}, column, roles=BOT, last=BOT)
        yield from proof.differ(row, *ANSWERS)
        yield from proof.margin(row, MARGIN)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not isinstance(row.get(CONTEXT), list):
            return False
        return all(isinstance(row.get(answer), dict) for answer in ANSWERS)
