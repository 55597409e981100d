"""Transcripts in the manner of the Helpful and Harmless data (Anthropic HH-RLHF): `chosen` and `rejected`, each whole.

A transcript is turns of `\\n\\nHuman: …` and `\\n\\nAssistant: …`; the two of a row differ in the last turn only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, PUBLIC, Format, RowReader
from exports.formats.pair_rows import SIDES, has_columns, task_of
from exports.formats.pairwise import LABELS, labelled
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import Message, Part, ResponseRecord, Role, TaskRecord, text_of

_ROLES: dict[str, Role] = {LABELS["user"]: "user", LABELS["assistant"]: "assistant"}
_STARTS = tuple(f"\n\n{label}:" for label in _ROLES)
_HUMAN, _ASSISTANT = _STARTS
_TURN = re.compile(rf"\n\n({'|'.join(_ROLES)}):")


class HhRlhf(Format):
    """Each row is the same conversation twice, with two last turns. There is no place for system and tool messages.

    What makes a turn is a blank line before the label: several turns of the same role in a row are several messages.
    A line of a message that begins like a label is written with one space before it, as in `pairwise`.
    """

    name = "hh_rlhf"
    label = gettext_noop("HH-RLHF transcripts")
    description = gettext_noop("Two whole transcripts per row, chosen and rejected, in turns of Human and Assistant.")
    group = PUBLIC
    consumer = gettext_noop("My tools read the shape of Anthropic's HH-RLHF")
    carries = gettext_noop("Two whole transcripts in turns of Human and Assistant, and a margin if wanted.")
    leaves_out = gettext_noop("System and tool messages, annotators, ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("chosen and rejected as transcripts")
    can_read = True
    can_write = True
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS
    carrier = Carrier(roles=frozenset(_ROLES.values()))

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        if not has_columns(row, reader, SIDES):
            return None
        if "prompt" in row:
            reader.problem("prompt", "a column of its own", "whole transcripts only (with a prompt, choose pairwise)")
        for side in (side for side in SIDES if not isinstance(row[side], str)):
            reader.unexpected(side, row[side], "text")
        if reader.failed:
            return None
        before, chosen = _split(row, "chosen", reader)
        other, rejected = _split(row, "rejected", reader)
        if not reader.failed and before != other:
            reader.problem(
                "rejected", "another conversation than in chosen", f"the same turns up to the last {_shown()}"
            )
        messages = [] if reader.failed else _messages(before, reader)
        if reader.failed:
            return None
        return task_of(row, messages[:-1], messages[-1].content, chosen, rejected, reader, columns=SIDES)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            before = "".join(_turn(message.role, message.content) for message in pair.messages)
            row: dict[str, Any] = {"chosen": _whole(before, pair.chosen), "rejected": _whole(before, pair.rejected)}
            yield row if options.margin == "none" else row | {"margin": pair.margin}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.texts(row, *SIDES)
        yield from proof.differ(row, *SIDES)
        yield from proof.margin(row)
        parts = [row[side].rpartition(_ASSISTANT) for side in SIDES if isinstance(row.get(side), str)]
        for side, (before, mark, answer) in zip(SIDES, parts, strict=False):
            if not mark or not before.startswith(_STARTS):
                yield f"{side} must be turns of Human and Assistant that end in one of the Assistant."
            elif not answer.strip():
                yield f"{side} ends in an empty turn."
        if len({before for before, _, _ in parts}) > 1:
            yield "chosen and rejected answer different conversations."

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or "prompt" in row:
            return False
        sides = [row.get(side) for side in SIDES]
        return all(isinstance(side, str) and side.startswith(_STARTS) and _ASSISTANT in side for side in sides)


def _turn(role: str, content: list[Part]) -> str:
    return f"\n\n{labelled(role, text_of(content))}"


def _whole(before: str, response: ResponseRecord) -> str:
    return before + _turn("assistant", response.content)


def _split(row: dict[str, Any], side: str, reader: RowReader) -> tuple[str, str]:
    """The conversation and the last turn of the assistant, which may be empty."""
    before, mark, response = row[side].rpartition(_ASSISTANT)
    if not mark:
        reader.problem(side, "no turn of the Assistant", f"a transcript that ends in a turn {_shown()}")
    return before, response.removeprefix(" ")


def _messages(before: str, reader: RowReader) -> list[Message]:
    """The turns before the last one; the text of each without the one space after its label."""
    lead, *pieces = _TURN.split(before)
    if lead or not pieces:
        reader.unexpected("chosen", before, f"turns, the first one after {_shown(_HUMAN)}")
        return []
    messages = [
        Message(role=_ROLES[label], content=[Part.of_text(text.removeprefix(" "))])
        for label, text in zip(pieces[::2], pieces[1::2], strict=True)
    ]
    if messages[-1].role != "user" or not text_of(messages[-1].content).strip():
        found = "no words of the Human" if messages[-1].role == "user" else "a turn of the Assistant"
        reader.problem("chosen", f"{found} before the last turn", f"something to answer after {_shown(_HUMAN)}")
    return messages


def _shown(mark: str = _ASSISTANT) -> str:
    """The beginning of a turn as people would type it in JSON."""
    return mark.replace("\n", "\\n")
