"""Conversations for supervised fine-tuning as OpenAI, Azure OpenAI and Together take them: text only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.formats import proof
from exports.formats.base import COMPLETIONS, TRAINERS, Format
from exports.formats.messages import messages_of, said
from exports.options import ExportOptions
from exports.records import TaskRecord


class OpenAiChat(Format):
    """Only the last answer is to be learnt: earlier ones of the assistant get the weight 0."""

    name = "openai_chat"
    label = gettext_noop("OpenAI chat")
    description = gettext_noop("Conversations that end in a good answer, for fine-tuning at OpenAI, Azure, Together.")
    group = TRAINERS
    consumer = gettext_noop("I fine-tune a chat model at OpenAI, Azure or Together")
    carries = gettext_noop("The conversation with its winner, and what people wrote themselves if wanted.")
    leaves_out = gettext_noop("The losing answers, margins, annotators, ratings, reasons and media are left out.")
    can_write = True
    containers = ("jsonl",)
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

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
