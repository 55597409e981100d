"""Single answers that are good or bad, for TRL's KTO trainer: conversational, `label` is true for good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import LABELS, TRL, Format, Row
from exports.formats.messages import messages_of, said
from exports.formats.pair_rows import answer_columns
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.single_answers import by_conversation
from exports.formats.trl_reading import single
from exports.labels import labels_of
from exports.options import ExportOptions
from exports.problems import ProblemList
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
    recognised_by = gettext_noop("prompt, completion and a label of true or false")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    needs = frozenset({"ratings"})
    uses = LABELS

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        yield from by_conversation(
            rows,
            file,
            problems,
            setup,
            lambda row, reader: single(row, reader, "prompt", "completion", "label"),
            lambda row: [row.get("prompt"), row.get("images")],
        )

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"prompt", "completion", "label"} <= row.keys()

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
