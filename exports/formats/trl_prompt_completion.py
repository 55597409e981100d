"""Answers to learn from, for TRL's supervised trainer: the winners and what people wrote themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.completions import completions_of
from exports.formats import proof
from exports.formats.base import COMPLETIONS, TRL, Format, Row
from exports.formats.messages import messages_of, said
from exports.formats.pair_rows import answer_columns
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.single_answers import by_conversation
from exports.formats.trl_reading import single
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import TaskRecord


class TrlPromptCompletion(Format):
    """`source` says whether a model wrote the answer ("vote") or the annotator ("rewrite")."""

    name = "trl_prompt_completion"
    label = gettext_noop("TRL prompt and completion")
    description = gettext_noop(
        "Conversations with one good answer: the winner, or what a person wrote. For supervised fine-tuning."
    )
    group = TRL
    consumer = gettext_noop("I fine-tune with TRL on the best answers")
    carries = gettext_noop("The conversation and its winner, and what people wrote themselves if wanted.")
    leaves_out = gettext_noop("The losing answers, margins, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("prompt and completion without a label")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    needs = frozenset({"rewrites"})
    uses = COMPLETIONS

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        yield from by_conversation(
            rows,
            file,
            problems,
            setup,
            lambda row, reader: single(row, reader, "prompt", "completion"),
            lambda row: [row.get("prompt"), row.get("images")],
        )

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"prompt", "completion"} <= row.keys() and "label" not in row

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for completion in completions_of(record, options, accounting, self.carrier):
            yield {
                "prompt": messages_of(completion.messages),
                "completion": [said("assistant", completion.response.content)],
                **dict(answer_columns(completion, options)),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "prompt")
        yield from proof.one_answer(row, "completion")
