"""Preference rows about pictures, for TRL's DPO trainer: blocks in the messages, the pictures in `images`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import PAIRS, TRL, Format, RowReader
from exports.formats.blocks import block_messages, blocks_of, listed, paths_of
from exports.formats.pair_rows import SIDES, shared_columns
from exports.formats.trl_reading import has_blocks, vision_task
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord


class TrlVision(Format):
    """TRL tells from the first row whether there are pictures, and cannot set two pictures against each other.

    So conversations without a picture and responses with one are left out. The trainer reads no margin.
    """

    name = "trl_vision"
    label = gettext_noop("TRL preference with pictures")
    description = gettext_noop(
        "Conversations about pictures with chosen and rejected answers. For vision models with TRL's DPO."
    )
    group = TRL
    consumer = gettext_noop("I train a vision model with TRL DPO")
    carries = gettext_noop(
        "The conversation in blocks, its pictures, a chosen and a rejected answer, and the annotator."
    )
    leaves_out = gettext_noop(
        "Conversations without a picture, answers with one, sounds, films and margins are left out."
    )
    recognised_by = gettext_noop("prompt, chosen and rejected with images or blocks")
    can_read = True
    can_write = True
    media = True
    image_columns = ("images",)
    carrier = Carrier(in_messages=frozenset({"image"}), only_media=True)
    containers = ("parquet", "jsonl", "json")
    needs = frozenset({"rewrites"})
    uses = PAIRS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return vision_task(row, reader)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and row.keys() >= {"prompt", *SIDES} and has_blocks(row)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        options = options.without_margin()
        for pair in pairs_of(record, options, accounting, self.carrier):
            yield {
                "prompt": block_messages(pair.messages),
                "chosen": [{"role": "assistant", "content": blocks_of(pair.chosen.content)}],
                "rejected": [{"role": "assistant", "content": blocks_of(pair.rejected.content)}],
                "images": paths_of(pair.messages),
                **dict(shared_columns(pair, options)),
            }

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        return listed(row, "images")

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        columns = ("prompt", *SIDES)
        kinds = {column: list(_kinds(row.get(column))) for column in columns}
        for column in columns:
            if not kinds[column] or "" in kinds[column]:
                yield f"{column} must be messages whose contents are blocks of text or image."
        images = row.get("images")
        if not isinstance(images, list) or not images:
            yield "images must be a list with at least one picture."
        elif kinds["prompt"].count("image") != len(images):
            yield f"prompt has {kinds['prompt'].count('image')} image blocks for {len(images)} pictures."
        for side in SIDES:
            if "image" in kinds[side]:
                yield f"{side} must not hold pictures."
        yield from proof.differ(row, *SIDES)


def _kinds(value: object) -> Iterator[str]:
    """The kind of each block in messages; an empty text for what is none."""
    for message in value if isinstance(value, list) else ():
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) and content else ({},):
            kind = block.get("type") if isinstance(block, dict) else None
            is_good = kind == "image" or (kind == "text" and isinstance(block.get("text"), str))
            yield str(kind) if is_good and message.get("role") in proof.ROLES else ""
