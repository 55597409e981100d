"""Single answers for turbo-alignment: its dataset types `chat`, `kto` and `classification`.

The trainer keeps one row of several with the same `id`, without a word, so every answer has an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import COMPLETIONS, LABELS, TURBO, Format
from exports.formats.messages import messages_of, said
from exports.formats.turbo_alignment_pairs import BOT, CONTEXT, NAMES, ROLES
from exports.labels import labels_of
from exports.options import ExportOptions
from exports.records import TaskRecord


class TurboAlignmentChat(Format):
    """The winner, or what a person wrote, is the last message. Where the answer comes from is in `meta`."""

    name = "turbo_alignment_chat"
    label = gettext_noop("turbo-alignment chat")
    description = gettext_noop(
        "Conversations that end in a good answer: the winner, or what a person wrote. For fine-tuning."
    )
    group = TURBO
    consumer = gettext_noop("I fine-tune with turbo-alignment on the best answers")
    carries = gettext_noop("The conversation with its winner, and what people wrote themselves if wanted.")
    leaves_out = gettext_noop("Tool messages, the losing answers, margins, ratings, reasons and media are left out.")
    can_write = True
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES)
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for each in completions_of(record, options, accounting, self.carrier):
            answer = said("assistant", each.response.content, NAMES)
            yield {
                "id": each.id,
                "messages": [*messages_of(each.messages, NAMES), answer],
                "meta": {"task": each.task, "annotator": each.annotator, "source": each.source},
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id")
        yield from proof.messages(row, "messages", roles=tuple(NAMES), last=BOT)
        if isinstance(row.get("messages"), list) and len(row["messages"]) == 1:
            yield "messages must hold a question as well: the trainer drops an answer alone."


class _Labelled(Format):
    """One answer a row, which is good or bad."""

    group = TURBO
    leaves_out = gettext_noop(
        "Tool messages, annotators, margins, reasons and media are left out; so are ties, unless asked for."
    )
    can_write = True
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES)
    needs = frozenset({"ratings"})
    uses = LABELS


class TurboAlignmentKto(_Labelled):
    """Releases after 0.0.4 no longer have this type."""

    name = "turbo_alignment_kto"
    label = gettext_noop("turbo-alignment KTO")
    description = gettext_noop(
        "Single answers that are desirable or not, for turbo-alignment's type kto (releases up to 0.0.4)."
    )
    consumer = gettext_noop("I train KTO with turbo-alignment 0.0.4")
    carries = gettext_noop("The conversation, one answer, and whether it is desirable: by the winner or by ratings.")

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for label in labels_of(record, options, accounting, self.carrier):
            yield {
                "id": label.id,
                CONTEXT: messages_of(label.messages, NAMES),
                "answer": said("assistant", label.response.content, NAMES),
                "is_desirable": label.is_good,
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id")
        yield from proof.messages(row, CONTEXT, roles=tuple(NAMES), last=("user",))
        yield from proof.messages({"answer": [row.get("answer")]}, "answer", roles=BOT, last=BOT)
        yield from proof.flag(row, "is_desirable")


class TurboAlignmentClassification(_Labelled):
    """`label` is 1 for a good answer and 0 for a bad one."""

    name = "turbo_alignment_classification"
    label = gettext_noop("turbo-alignment classification")
    description = gettext_noop(
        "Conversations that end in an answer, labelled 1 for good or 0 for bad. For classifiers."
    )
    consumer = gettext_noop("I train a classifier of answers with turbo-alignment")
    carries = gettext_noop(
        "The conversation with one answer, and 1 or 0: by the winner or by the ratings on one dimension."
    )

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for label in labels_of(record, options, accounting, self.carrier):
            answer = said("assistant", label.response.content, NAMES)
            messages = [*messages_of(label.messages, NAMES), answer]
            yield {"id": label.id, "messages": messages, "label": int(label.is_good)}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id")
        yield from proof.messages(row, "messages", roles=tuple(NAMES), last=BOT)
        if isinstance(row.get("label"), bool) or row.get("label") not in (0, 1):
            yield "label must be 0 or 1."
