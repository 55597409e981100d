"""The lossless format: one task per line, with everything that was said about it, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import EVERYTHING
from exports.formats.base import KEEP, Format, RowReader
from exports.formats.coherence import check_task
from exports.formats.shape import check_shape
from exports.options import ExportOptions
from exports.problems import ProblemList
from exports.records import TaskRecord, without_models


class Tiebreak(Format):
    """Each row is a `TaskRecord`, keys in the order of its fields, defaults left out.

    A file that was written comes back byte for byte. Reading is strict: unknown keys, wrong kinds and references to
    nothing are all reported with their field path.
    """

    name = "tiebreak"
    label = gettext_noop("Tiebreak")
    description = gettext_noop(
        "Everything, without loss: tasks, prompts, responses, every annotation and review. JSON Lines."
    )
    group = KEEP
    consumer = gettext_noop("I want everything, or move to another Tiebreak")
    carries = gettext_noop(
        "Everything: tasks, responses, every annotation with its ratings, reasons, rewrites and reviews."
    )
    leaves_out = gettext_noop("Nothing is left out; only the names of the models, if you like.")
    recognised_by = gettext_noop("prompts with responses")
    can_read = True
    can_write = True
    containers = ("jsonl", "json")
    uses = frozenset({"include_models"})
    needs = frozenset({"ratings", "rewrites", "reviews", "details"})
    media = True
    carrier = EVERYTHING

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        try:
            record = msgspec.convert(row, TaskRecord)
        except msgspec.ValidationError:
            check_shape(row, TaskRecord, reader)  # finds every difference, where the conversion stops at the first
            return None
        check_task(record, reader)
        return None if reader.failed else record

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        """The record whole; the options for pairs change nothing here."""
        for annotation in (annotation for prompt in record.prompts for annotation in prompt.annotations):
            if annotation.kind == "adjudication":
                accounting.adjudications += 1
            else:
                accounting.votes_in += 1
                accounting.votes_exported += 1
        yield msgspec.to_builtins(record if options.include_models else without_models(record))

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        record = msgspec.convert(row, TaskRecord)
        contents = [message.content for message in record.context]
        for prompt in record.prompts:
            rewrites = (rewrite.content for each in prompt.annotations for rewrite in each.rewrites)
            contents += [prompt.content, *(response.content for response in prompt.responses), *rewrites]
        yield from (part.path for content in contents for part in content if part.path)

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        problems = ProblemList()
        self.read_row(row, RowReader("", 0, problems))
        yield from (f"{each.field}: found {each.found}, expected {each.expected}." for each in problems)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and isinstance(row.get("prompts"), list)
