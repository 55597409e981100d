"""align-anything: pairs about a picture, sound or video: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Sheet,
    answer,
    prompt,
    responses_of,
    task,
)
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import Part, PartType, TaskRecord

MEDIA: dict[str, PartType] = {"image": "image", "audio_path": "audio", "video_path": "video"}


class AlignAnything(Format):
    """A question about a picture, a sound or a video and two answers; 1 or 2 is better (align-anything)."""

    name = "align_anything"
    label = gettext_noop("align-anything pairs")
    description = gettext_noop("Two responses about a picture, sound or video, and which is better.")
    recognised_by = gettext_noop("response_1, response_2 and overall_response")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("response_1", "response_2", "overall_response"))
        if sheet is None:
            return None
        column = "question" if "question" in sheet.row else "prompt"
        question = sheet.text(column, is_needed=True)
        content: list[Part] = []
        for key, kind in MEDIA.items():
            if isinstance(sheet.row.get(key), str):
                content.append(Part(type=kind, path=sheet.take(key)))
        answers = [answer(sheet.text("response_1")), answer(sheet.text("response_2"))]
        better = sheet.one_of("overall_response", (1, 2))
        if reader.failed:
            return None
        responses = responses_of(answers, "response_1", reader)
        record = prompt([*content, Part.of_text(question)], responses, [verdict("imported", better - 1)])
        return task(row_id(sheet.row), [record], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"response_1", "response_2", "overall_response"} <= row.keys()
