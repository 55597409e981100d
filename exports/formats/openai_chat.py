"""Conversations for supervised fine-tuning as OpenAI, Azure OpenAI and Together take them: text only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.formats import proof
from exports.formats.base import COMPLETIONS, TRAINERS, Format, Row
from exports.formats.messages import messages_of, said
from exports.formats.ms_swift_reading import chat, chat_key
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.single_answers import by_conversation
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import TaskRecord

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


class OpenAiChat(Format):
    """Only the last answer is to be learnt: earlier ones of the assistant get the weight 0."""

    name = "openai_chat"
    label = gettext_noop("OpenAI chat")
    description = gettext_noop("Conversations that end in a good answer, for fine-tuning at OpenAI, Azure, Together.")
    group = TRAINERS
    consumer = gettext_noop("I fine-tune a chat model at OpenAI, Azure or Together")
    carries = gettext_noop("The conversation with its winner, and what people wrote themselves if wanted.")
    leaves_out = gettext_noop("The losing answers, margins, annotators, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("messages of system, user, assistant and tool")
    can_read = True
    can_write = True
    containers = ("jsonl",)
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        yield from by_conversation(rows, file, problems, setup, chat, chat_key)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not row.keys() <= {"messages", "tools", "parallel_tool_calls", "functions"}:
            return False
        messages = row.get("messages")
        return isinstance(messages, list) and all(
            isinstance(each, dict) and isinstance(each.get("role"), str) and each["role"] in ROLES for each in messages
        )

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for each in completions_of(record, options, accounting, self.carrier):
            before = [
                message | ({"weight": 0} if message["role"] == "assistant" else {})
                for message in messages_of(each.messages)
            ]
            yield {"messages": [*before, said("assistant", each.response.content)]}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        found = list(proof.messages(row, "messages", last=("assistant",)))
        yield from found
        if not found and len(row["messages"]) < 2:
            yield "messages must hold a question as well."
