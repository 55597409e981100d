"""Pairs of plain text: `prompt`, `chosen`, `rejected`, the usual triplet of reward-model training."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, TRAINERS, Format, RowReader
from exports.formats.pair_rows import COLUMNS, SIDES, has_columns, shared_columns, task_of
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import Message, Part, TaskRecord, text_of

LABELS = {"system": "System", "user": "Human", "assistant": "Assistant", "tool": "Tool"}
_FAKE_LABEL = re.compile(rf"^(?=(?:{'|'.join(LABELS.values())}):)", re.MULTILINE)


class Pairwise(Format):
    """Each row is one preference between two texts.

    Reading makes each row a task of its own with one imported vote, also where prompts are equal. Writing a
    conversation of several messages gives a transcript, see `transcript`; reading does not take that apart again.
    """

    name = "pairwise"
    label = gettext_noop("Pairwise text")
    description = gettext_noop(
        "One row per preference with the texts prompt, chosen and rejected. For most reward-model scripts."
    )
    group = TRAINERS
    consumer = gettext_noop("I train a reward model with my own script")
    carries = gettext_noop("Prompt, chosen and rejected as texts, the annotator, and a margin if wanted.")
    leaves_out = gettext_noop("Roles are only labels in the text; ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("prompt, chosen and rejected as texts")
    can_read = True
    can_write = True
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        if not has_columns(row, reader):
            return None
        for column in (column for column in COLUMNS if not isinstance(row[column], str)):
            hint = " (for lists of messages choose the format trl_preference)" if isinstance(row[column], list) else ""
            reader.unexpected(column, row[column], f"text{hint}")
        if reader.failed:
            return None
        return record_of_texts(row, reader)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            yield {
                "prompt": transcript(pair.messages),
                "chosen": text_of(pair.chosen.content),
                "rejected": text_of(pair.rejected.content),
                **dict(shared_columns(pair, options, is_signed=True)),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.texts(row, "prompt")
        yield from proof.answers(row, *SIDES)
        yield from proof.differ(row, *SIDES)
        yield from proof.margin(row, is_signed=True)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and all(isinstance(row.get(column), str) for column in COLUMNS)


def record_of_texts(row: dict[str, Any], reader: RowReader) -> TaskRecord | None:
    """The task of a row whose prompt, chosen and rejected are known to be text. Responses may be empty."""
    if not row["prompt"].strip():
        reader.unexpected("prompt", row["prompt"], "text that is not blank")
    return task_of(row, [], [Part.of_text(row["prompt"])], row["chosen"], row["rejected"], reader)


def transcript(messages: Sequence[Message]) -> str:
    """A conversation as one text: a single user message is its text, several are labelled paragraphs.

    Labels are `System:`, `Human:`, `Assistant:` and `Tool:` with a blank line between messages. A line inside a
    message that begins like a label gets one space before it, so that nobody can type a turn of someone else.
    """
    if len(messages) == 1 and messages[0].role == "user":
        return text_of(messages[0].content)
    return "\n\n".join(labelled(message.role, text_of(message.content)) for message in messages)


def labelled(role: str, text: str) -> str:
    """One turn of a transcript: `<label>: <text>`, with every line that begins like a label moved by a space."""
    return f"{LABELS[role]}: {_FAKE_LABEL.sub(' ', text)}"
