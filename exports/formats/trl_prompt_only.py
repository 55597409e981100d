"""TRL's prompt-only type: questions without answers: read only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotate.texts import gettext_noop
from exports.formats.base import TRL, Format, Row
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.single_answers import by_conversation
from exports.formats.training_reading import MEDIA_COLUMNS
from exports.formats.trl_reading import single
from exports.problems import ProblemList
from exports.records import TaskRecord

ALLOWED = frozenset({"prompt", "id", "tools", "chat_template_kwargs", "metadata", *MEDIA_COLUMNS})


class TrlPromptOnly(Format):
    """Each row is a question. Its task has no responses, so that a project that compares some refuses it."""

    name = "trl_prompt_only"
    label = gettext_noop("TRL prompts")
    description = gettext_noop("Questions without answers.")
    recognised_by = gettext_noop("a prompt and nothing to compare")
    group = TRL
    can_read = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        yield from by_conversation(
            rows, file, problems, setup, lambda row, reader: single(row, reader, "prompt"), lambda row: row
        )

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and "prompt" in row and row.keys() <= ALLOWED
