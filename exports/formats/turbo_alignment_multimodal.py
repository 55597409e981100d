"""Conversations with pictures and sounds: the records of turbo-alignment's dataset type `multimodal`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import COMPLETIONS, TURBO, Format
from exports.formats.blocks import place_of
from exports.formats.turbo_alignment_pairs import ROLES
from exports.options import ExportOptions
from exports.records import Part, TaskRecord

KINDS = ("text", "image", "audio")
SPEAKERS = {"system": "system", "user": "user", "assistant": "bot"}
"""This type, unlike the others, does not know the word assistant."""


class TurboAlignmentMultimodal(Format):
    """Each part is a message of its own. Releases after 0.0.4 no longer have this type."""

    name = "turbo_alignment_multimodal"
    label = gettext_noop("turbo-alignment multimodal")
    description = gettext_noop(
        "Conversations with pictures and sounds that end in a good answer (releases up to 0.0.4)."
    )
    group = TURBO
    consumer = gettext_noop("I fine-tune a multimodal model with turbo-alignment 0.0.4")
    carries = gettext_noop(
        "The conversation part by part with its pictures and sounds, and the winner or what a person wrote."
    )
    leaves_out = gettext_noop(
        "Tool messages, films, answers with media, the losing answers, margins and reasons are left out."
    )
    can_write = True
    media = True
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES, in_messages=frozenset({"image", "audio"}))
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for each in completions_of(record, options, accounting, self.carrier):
            before = [entry for message in each.messages for entry in _entries(message.role, message.content)]
            yield {"id": each.id, "messages": [*before, *_entries("assistant", each.response.content)]}

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from (entry["content"] for entry in row["messages"] if entry["type"] != "text")

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id")
        yield from proof.messages(row, "messages", roles=tuple(SPEAKERS.values()), last=("bot",))
        for index, entry in enumerate(row["messages"] if isinstance(row.get("messages"), list) else ()):
            if not isinstance(entry, dict) or entry.get("type") not in KINDS:
                yield f"messages[{index}].type must be one of {', '.join(KINDS)}."


def _entries(role: str, content: Sequence[Part]) -> Iterator[dict[str, str]]:
    for part in content:
        said = part.text or "" if part.type == "text" else place_of(part)
        yield {"role": SPEAKERS[role], "type": part.type, "content": said}
