"""Rows for preference fine-tuning as OpenAI, Azure OpenAI and Together take them: text only, no place for a margin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import PAIRS, TRAINERS, Format, RowReader
from exports.formats.messages import (
    check_ends_with_question,
    check_is_answer,
    check_messages,
    conversation_of,
    messages_of,
    said,
)
from exports.formats.pair_rows import has_columns, task_of
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.records import TaskRecord
from exports.strict_json import join

OUTPUTS = ("preferred_output", "non_preferred_output")
COLUMNS = ("input", *OUTPUTS)
SETTINGS = ("tools", "parallel_tool_calls")
"""What `input` may hold beside the messages. It is kept in the metadata of the task and written from there."""
IGNORED = ("weight",)
"""A switch of the trainer for single messages; not kept."""


class OpenAiPreference(Format):
    """Tool calls (`tool_calls`) cannot be read: a message is a role and a text. The margin option changes nothing."""

    name = "openai_preference"
    label = gettext_noop("OpenAI preference")
    description = gettext_noop(
        "Conversations with a preferred and a non-preferred output, for fine-tuning at OpenAI, Azure, Together."
    )
    group = TRAINERS
    consumer = gettext_noop("I fine-tune preferences at OpenAI, Azure or Together")
    carries = gettext_noop(
        "The conversation, a preferred and a non-preferred answer, and the tools named in the metadata."
    )
    leaves_out = gettext_noop("Margins, annotators, ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("input, preferred_output and non_preferred_output")
    can_read = True
    can_write = True
    containers = ("jsonl",)
    needs = frozenset({"rewrites"})
    uses = PAIRS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        if not has_columns(row, reader, COLUMNS):
            return None
        given = _check_input(row["input"], reader)
        for output in OUTPUTS:
            check_messages(row[output], output, reader, ignored=IGNORED)
        if reader.failed:
            return None
        messages = given["messages"]
        check_ends_with_question(messages, "input.messages", reader)
        for output in OUTPUTS:
            check_is_answer(row[output], output, reader)
        settings = {key: given[key] for key in SETTINGS if given.get(key) is not None}
        for key in (key for key in settings if key in row):
            reader.problem(key, f"the same key as input.{key}", f"`{key}` once")
        if reader.failed:
            return None
        context, content = conversation_of(messages)
        better, worse = (row[output][0]["content"] for output in OUTPUTS)
        return task_of(row | settings, context, content, better, worse, reader, columns=COLUMNS)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options.without_margin(), accounting, self.carrier):
            yield {
                "input": {"messages": messages_of(pair.messages), **_settings(pair.metadata)},
                "preferred_output": [said("assistant", pair.chosen.content)],
                "non_preferred_output": [said("assistant", pair.rejected.content)],
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        given = row.get("input")
        yield from proof.messages(given if isinstance(given, dict) else {}, "messages")
        yield from proof.one_answer(row, *OUTPUTS)
        yield from proof.differ(row, *OUTPUTS)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not isinstance(row.get("input"), dict):
            return False
        outputs = [row.get(output) for output in OUTPUTS]
        return isinstance(row["input"].get("messages"), list) and all(isinstance(each, list) for each in outputs)


def _settings(metadata: dict[str, Any]) -> dict[str, Any]:
    """Those of `SETTINGS` that the metadata hold in the right kind. Metadata are free: anything else may be there."""
    return {key: metadata[key] for key in SETTINGS if key in metadata and _setting_fits(key, metadata[key])}


def _setting_fits(key: str, value: object) -> bool:
    if key == "tools":
        return isinstance(value, list) and all(isinstance(tool, dict) and "type" in tool for tool in value)
    return isinstance(value, bool)


def _check_input(given: object, reader: RowReader) -> dict[str, Any]:
    if not isinstance(given, dict):
        hint = " (not the list itself)" if isinstance(given, list) else ""
        reader.unexpected("input", given, f"an object with a list of messages{hint}")
        return {}
    for key in given:
        if key not in ("messages", *SETTINGS):
            reader.problem(join("input", key), "an unknown key", f"only the keys messages, {', '.join(SETTINGS)}")
    check_messages(given.get("messages"), "input.messages", reader, ignored=IGNORED)
    for key, kind in zip(SETTINGS, ("a list of objects with a type", "true or false"), strict=True):
        if given.get(key) is not None and not _setting_fits(key, given[key]):
            reader.unexpected(f"input.{key}", given[key], kind)
    return given
