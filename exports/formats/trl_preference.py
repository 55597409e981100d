"""Preference rows for TRL's reward and DPO trainers: conversational, with an explicit prompt.

TRL decides from the first row what kind of file it has, so all rows have the same columns and kinds; it reads
`margin` in the reward trainer only, and takes any other column (`id`, `task`, …) without looking at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from exports.formats.base import Format, RowReader
from exports.formats.pair_rows import COLUMNS, SIDES, has_columns, shared_columns, task_of
from exports.formats.pairwise import record_of_texts
from exports.pairs import Accounting, ExportOptions, pairs_of
from exports.records import Message, Part, Role, TaskRecord, text_of
from exports.strict_json import join

ROLES = ("system", "user", "assistant", "tool")


class TrlPreference(Format):
    """Writes lists of `{"role", "content"}` with text contents; reads those and rows of plain text.

    Rows without a prompt ("implicit" ones) are refused: finding the common start of two texts cuts words in two.
    """

    name = "trl_preference"
    label = "TRL preference"
    description = "Conversations with chosen and rejected answers, and a margin if wanted. For TRL, reward and DPO."
    can_read = True
    can_write = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return _record(row, reader)

    def write(
        self, records: Iterable[TaskRecord], options: ExportOptions, accounting: Accounting
    ) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(records, options, accounting, media=self.media):
            accounting.rows_out += 1
            yield {
                "prompt": [_message(message.role, message.content) for message in pair.messages],
                "chosen": [_message("assistant", pair.chosen.content)],
                "rejected": [_message("assistant", pair.rejected.content)],
                **dict(shared_columns(pair, options)),
            }
        accounting.check()

    def sniff(self, row: object) -> bool:
        """Conversational rows only: rows of plain text are also `pairwise`, which reads them the same."""
        return isinstance(row, dict) and all(isinstance(row.get(column), list) for column in COLUMNS)


def _message(role: str, content: list[Part]) -> dict[str, str]:
    return {"role": role, "content": text_of(content)}


def _record(row: object, reader: RowReader) -> TaskRecord | None:
    if not has_columns(row, reader) or not isinstance(row, dict):
        return None
    if all(isinstance(row[column], str) for column in COLUMNS):
        return record_of_texts(row, reader)
    for column in COLUMNS:
        _check_messages(row[column], column, reader)
    if reader.failed:
        return None
    *context, last = [_read_message(message) for message in row["prompt"]]
    if last.role == "tool":
        # The responses answer the tool's result: there is no user message to show as the prompt.
        context, content = [*context, last], []
    else:
        content = last.content
    chosen, rejected = row["chosen"][0]["content"], row["rejected"][0]["content"]
    return task_of(row, context, content, chosen, rejected, reader)


def _read_message(message: dict[str, str]) -> Message:
    return Message(role=cast(Role, message["role"]), content=[Part.of_text(message["content"])])


def _check_messages(value: object, column: str, reader: RowReader) -> None:
    if not isinstance(value, list) or not value:
        reader.unexpected(column, value, "a list of messages (all three columns in lists, or all three as text)")
        return
    for index, message in enumerate(value):
        _check_message(message, f"{column}[{index}]", reader)
    if reader.failed:
        return
    roles = [message["role"] for message in value]
    if column in SIDES and roles != ["assistant"]:
        reader.problem(column, f"messages of {', '.join(roles)}", "one message of the assistant")
    if column == "prompt" and roles[-1] not in ("user", "tool"):
        reader.problem(f"prompt[{len(roles) - 1}].role", f'"{roles[-1]}" as the last role', "user or tool at the end")


def _check_message(message: object, path: str, reader: RowReader) -> None:
    if not isinstance(message, dict):
        reader.unexpected(path, message, "an object with role and content")
        return
    for key in message:
        if key not in ("role", "content"):
            reader.problem(join(path, key), "an unknown key", "only the keys role and content")
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        reader.unexpected(f"{path}.role", role, "one of " + ", ".join(ROLES))
    if not isinstance(content, str):
        hint = " (blocks of images and text cannot be read in this format)" if isinstance(content, list) else ""
        reader.unexpected(f"{path}.content", content, f"text{hint}")
