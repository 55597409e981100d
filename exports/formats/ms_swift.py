"""Preference rows for ms-swift: `messages` end in the chosen answer, the rejected one stands beside them.

It deletes a row whose two answers are the same, and counts `<image>`, `<video>` and `<audio>` in any text as files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import PLACEHOLDERS, Carrier
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, TRAINERS, Format, RowReader
from exports.formats.blocks import listed, paths_in, paths_of, tagged
from exports.formats.messages import messages_of, said
from exports.formats.ms_swift_reading import swift_pair
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import ResponseRecord, TaskRecord, text_of


class MsSwift(Format):
    """A tool's result is a message of the role tool."""

    name = "ms_swift"
    label = gettext_noop("ms-swift preference")
    description = gettext_noop(
        "Conversations that end in the chosen answer, with the rejected one beside them. For ms-swift."
    )
    group = TRAINERS
    consumer = gettext_noop("I train DPO or a reward model with ms-swift")
    carries = gettext_noop("The conversation in roles, a chosen and a rejected answer, and a margin if wanted.")
    leaves_out = gettext_noop("Annotators, ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("messages that end in the chosen answer, and a rejected one beside them")
    can_read = True
    can_write = True
    containers = ("jsonl", "json")
    carrier = Carrier(not_in_text=PLACEHOLDERS)
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return swift_pair(row, reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not isinstance(row.get("messages"), list):
            return False
        return not {"rejected_response", "rejected_messages", "rejected_images"}.isdisjoint(row)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            row: dict[str, Any] = {
                "messages": [*messages_of(pair.messages), said("assistant", pair.chosen.content)],
                "rejected_response": text_of(pair.rejected.content),
            }
            yield row if options.margin == "none" else row | {"margin": pair.margin}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        found = list(proof.messages(row, "messages", last=("assistant",)))
        yield from found
        yield from proof.answers(row, "rejected_response")
        yield from proof.margin(row)
        if not found and row["messages"][-1]["content"] == row.get("rejected_response"):
            yield "The chosen and the rejected answer are the same: ms-swift deletes the row."


class MsSwiftVision(Format):
    """Both conversations are written whole, each with its own pictures, so that answers may be pictures too."""

    name = "ms_swift_vision"
    label = gettext_noop("ms-swift preference with pictures")
    description = gettext_noop("Two conversations with pictures, which may be in the answers as well. For ms-swift.")
    group = TRAINERS
    consumer = gettext_noop("I train a vision model with ms-swift")
    carries = gettext_noop("The conversation and two answers with pictures in any of them, and a margin if wanted.")
    leaves_out = gettext_noop(
        "Prompts without a picture, sounds, films, annotators, ties, ratings and reasons are left out."
    )
    can_write = True
    media = True
    containers = ("jsonl", "json")
    carrier = Carrier(not_in_text=PLACEHOLDERS, in_messages=frozenset({"image"}), in_responses=frozenset({"image"}))
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options, accounting, self.carrier):
            before = [{"role": each.role, "content": tagged(each.content)} for each in pair.messages]
            shown = paths_of(pair.messages)
            row: dict[str, Any] = {
                "messages": [*before, _answer(pair.chosen)],
                "images": [*shown, *paths_in(pair.chosen.content)],
                "rejected_messages": [*before, _answer(pair.rejected)],
                "rejected_images": [*shown, *paths_in(pair.rejected.content)],
            }
            yield row if options.margin == "none" else row | {"margin": pair.margin}

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        return listed(row, "images", "rejected_images")

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        for side, images in (("messages", "images"), ("rejected_messages", "rejected_images")):
            found = list(proof.messages(row, side, last=("assistant",)))
            yield from found
            if not found:
                yield from proof.placeholders([each["content"] for each in row[side]], len(row.get(images) or ()))
        yield from proof.margin(row)
        answers = [(row.get(f"{side}messages"), row.get(f"{side}images")) for side in ("", "rejected_")]
        if answers[0] == answers[1]:
            yield "The chosen and the rejected answer are the same: ms-swift deletes the row."


def _answer(response: ResponseRecord) -> dict[str, str]:
    return {"role": "assistant", "content": tagged(response.content)}
