"""Single answers for turbo-alignment: its dataset types `chat`, `kto` and `classification`.

The trainer keeps one row of several with the same `id`, without a word, so every answer has an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeGuard

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import COMPLETIONS, LABELS, TURBO, Format, Row, RowReader
from exports.formats.imported import is_whole
from exports.formats.messages import messages_of, said
from exports.formats.setup import NO_SETUP, Mappable, Setup
from exports.formats.single_answers import DESIRABLE, Answered, by_conversation
from exports.formats.turbo_alignment_pairs import BOT, CONTEXT, NAMES, ROLES
from exports.formats.turbo_alignment_reading import (
    id_of,
    message_in,
    messages_in,
    rest_of,
    split,
)
from exports.labels import labels_of
from exports.options import ExportOptions
from exports.problems import ProblemList, describe
from exports.records import TaskRecord

METADATA = "metadata"
LABEL_CHOICES = (
    (DESIRABLE, gettext_noop("1 is a good answer, 0 is a bad one")),
    (METADATA, gettext_noop("Keep it with the metadata only")),
)
_FLAGS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_FLAGS |= {"t": True, "f": False, "y": True, "n": False, "1": True, "0": False}
"""The spellings of a truth value that the trainer takes, without regard to case."""


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
    can_read = True
    can_write = True
    recognised_by = gettext_noop("id and messages without types, with a label of text or none")
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES)
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        """Answers to the same conversation are the responses of one task; one that asks only has none."""
        yield from by_conversation(rows, file, problems, setup, read_chat, asked_in_messages)

    def sniff(self, row: object) -> bool:
        return is_chat(row) and ("label" not in row or isinstance(row["label"], str))

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
    can_read = True
    recognised_by = gettext_noop("context, answer and is_desirable in each row")
    scales = {DESIRABLE: (0, 1)}
    carries = gettext_noop("The conversation, one answer, and whether it is desirable: by the winner or by ratings.")

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        """Answers to the same conversation are the responses of one task."""
        yield from by_conversation(rows, file, problems, setup, read_labelled, lambda row: row.get(CONTEXT))

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {CONTEXT, "answer", "is_desirable"} <= row.keys()

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
    can_read = True
    recognised_by = gettext_noop("id, messages and a label that is a whole number or null")
    scales = {DESIRABLE: (0, 1)}
    carries = gettext_noop(
        "The conversation with one answer, and 1 or 0: by the winner or by the ratings on one dimension."
    )

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        """The labels are numbers of classes: only a person can say that they mean good and bad."""
        yield from by_conversation(rows, file, problems, setup, read_classified, asked_in_messages)

    def sniff(self, row: object) -> bool:
        return is_chat(row) and "label" in row and (row["label"] is None or is_whole(row["label"]))

    def mappable(self, rows: Iterable[object], setup: Setup = NO_SETUP) -> Sequence[Mappable]:
        seen = [row.get("label") for row in islice(rows, 20) if isinstance(row, dict)]
        labels = [each for each in seen if each is not None]
        proposed = DESIRABLE if labels and all(is_whole(each) and each in (0, 1) for each in labels) else METADATA
        examples = [describe(each) for each in labels[:3]]
        return [Mappable(key="label", choices=LABEL_CHOICES, proposed=proposed, examples=examples)] if labels else []

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


def is_chat(row: object) -> TypeGuard[dict[str, Any]]:
    """Whether the row has an id and messages as turbo-alignment has them, and is no other type."""
    if not isinstance(row, dict) or "id" not in row or not isinstance(row.get("messages"), list):
        return False
    if {"answers", "dataset_name", "answer"} & row.keys():
        return False
    messages = [each for each in row["messages"] if isinstance(each, dict)]
    roles = {each["role"] for each in messages if isinstance(each.get("role"), str)}
    is_ours = "bot" in roles or "assistant" not in roles
    return bool(messages) and is_ours and not any("type" in each for each in messages)


def asked_in_messages(row: Any) -> object:
    """The messages of a raw row before the answer: what rows of one task have in common."""
    messages = row.get("messages")
    if not isinstance(messages, list):
        return row
    end = len(messages)
    while end and isinstance(messages[end - 1], dict) and messages[end - 1].get("role") in BOT:
        end -= 1
    return [
        [NAMES.get(str(each.get("role"))), each.get("type"), each.get("content")] if isinstance(each, dict) else each
        for each in messages[:end]
    ]


def read_chat(row: object, reader: RowReader) -> Answered | None:
    """A row of the type chat; a label is metadata."""
    return _with_messages(row, reader, "messages")


def read_classified(row: object, reader: RowReader) -> Answered | None:
    """A row of the type classification; its label says what is good if a person said so."""
    if isinstance(row, dict) and "label" not in row:
        reader.problem("label", "nothing", "a whole number or null")
    label = row.get("label") if isinstance(row, dict) else None
    if label is not None and not is_whole(label):
        reader.unexpected("label", label, "a whole number or null")
    if reader.setup.mapping.get("label") != DESIRABLE or label is None:
        return _with_messages(row, reader, "messages")
    if label not in (0, 1):
        reader.unexpected("label", label, "0 or 1, since the labels say what is good")
    return _with_messages(row, reader, "messages", label=bool(label))


def _with_messages(row: object, reader: RowReader, *known: str, label: bool | None = None) -> Answered | None:
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with id and messages")
        return None
    name, messages = id_of(row, reader), messages_in(row.get("messages"), "messages", reader)
    if reader.failed:
        return None
    context, prompt, answer = split(messages, "messages", reader)
    if label is not None and answer:
        known = (*known, "label")
    return None if reader.failed else Answered(name, context, prompt, answer, label, rest_of(row, *known))


def read_labelled(row: object, reader: RowReader) -> Answered | None:
    """A row of the type kto."""
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with context, answer and is_desirable")
        return None
    name, before = id_of(row, reader), messages_in(row.get(CONTEXT), CONTEXT, reader)
    answers, label = message_in(row.get("answer"), "answer", reader), flag(row.get("is_desirable"))
    if label is None:
        reader.unexpected("is_desirable", row.get("is_desirable"), "true or false")
    if answers and answers[0].role != "assistant":
        reader.unexpected("answer.role", row["answer"]["role"], "bot or assistant")
    if reader.failed:
        return None
    context, prompt, answer = split([*before, *answers], CONTEXT, reader)
    rest = rest_of(row, CONTEXT, "answer", "is_desirable")
    return None if reader.failed else Answered(name, context, prompt, answer, label, rest)


def flag(value: object) -> bool | None:
    """A truth value in a spelling that the trainer takes, or None."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and value in (0, 1):
        return bool(value)
    return _FLAGS.get(value.lower()) if isinstance(value, str) else None
