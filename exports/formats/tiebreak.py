"""The lossless format: one task per line, with everything that was said about it, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from exports.formats.base import Format, RowReader
from exports.formats.coherence import check_task
from exports.formats.shape import check_shape
from exports.pairs import Accounting, ExportOptions
from exports.records import TaskRecord


class Tiebreak(Format):
    """Each row is a `TaskRecord`, keys in the order of its fields, defaults left out.

    A file that was written comes back byte for byte. Reading is strict: unknown keys, wrong kinds and references to
    nothing are all reported with their field path.
    """

    name = "tiebreak"
    label = "Tiebreak"
    description = "Everything, without loss: tasks, prompts, responses, every annotation and review. JSON Lines."
    can_read = True
    can_write = True
    media = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        check_shape(row, TaskRecord, reader)
        if reader.failed:
            return None
        record = msgspec.convert(row, TaskRecord)
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
        yield msgspec.to_builtins(record)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and isinstance(row.get("prompts"), list)
