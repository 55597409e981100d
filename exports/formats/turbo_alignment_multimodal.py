"""Conversations with pictures and sounds: the records of turbo-alignment's dataset type `multimodal`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import COMPLETIONS, TURBO, Format, Row, RowReader
from exports.formats.blocks import place_of
from exports.formats.imported import objects_in
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.single_answers import Answered, by_conversation
from exports.formats.turbo_alignment_answers import asked_in_messages
from exports.formats.turbo_alignment_pairs import ROLES
from exports.formats.turbo_alignment_reading import id_of, rest_of, split
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import Message, Part, PartType, Role, TaskRecord

KINDS: tuple[PartType, ...] = ("text", "image", "audio")
SPEAKERS: dict[Role, str] = {"system": "system", "user": "user", "assistant": "bot"}
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
    can_read = True
    can_write = True
    recognised_by = gettext_noop("messages with a role, a type and a content")
    media = True
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES, in_messages=frozenset({"image", "audio"}))
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        """Answers to the same conversation are the responses of one task."""
        yield from by_conversation(rows, file, problems, setup, _read, asked_in_messages)

    def sniff(self, row: object) -> bool:
        messages = row.get("messages") if isinstance(row, dict) else None
        if not isinstance(messages, list) or not messages:
            return False
        return all(isinstance(each, dict) and each.get("type") in KINDS and "role" in each for each in messages)

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


def _read(row: object, reader: RowReader) -> Answered | None:
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with id and messages")
        return None
    name, messages = id_of(row, reader), _messages(row.get("messages"), reader)
    if reader.failed:
        return None
    context, prompt, answer = split(messages, "messages", reader)
    return None if reader.failed else Answered(name, context, prompt, answer, None, rest_of(row, "messages"))


def _messages(value: object, reader: RowReader) -> list[Message]:
    """The messages: entries of the same speaker one after the other are the parts of one."""
    roles = {name: role for role, name in SPEAKERS.items()}
    made: list[Message] = []
    for index, entry in enumerate(objects_in(value, "messages", reader)):
        path = f"messages[{index}]"
        role, kind, content = entry.get("role"), entry.get("type"), entry.get("content")
        if not isinstance(role, str) or role not in roles:
            reader.unexpected(f"{path}.role", role, f"one of {', '.join(roles)} (this type does not know assistant)")
        elif kind not in KINDS:
            reader.unexpected(f"{path}.type", kind, f"one of {', '.join(KINDS)}")
        elif not isinstance(content, str) or (kind != "text" and not content):
            reader.unexpected(f"{path}.content", content, "text, or the path of the file")
        else:
            part = Part.of_text(content) if kind == "text" else Part(type=kind, path=content)
            if made and made[-1].role == roles[role]:
                made[-1].content.append(part)
            else:
                made.append(Message(role=roles[role], content=[part]))
    if not made:
        reader.unexpected("messages", value, "a list of messages")
    return made


def _entries(role: Role, content: Sequence[Part]) -> Iterator[dict[str, str]]:
    for part in content:
        said = part.text or "" if part.type == "text" else place_of(part)
        yield {"role": SPEAKERS[role], "type": part.type, "content": said}
