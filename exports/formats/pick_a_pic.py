"""Pick-a-Pic: pairs of pictures: read only."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Answer,
    Sheet,
    name_of,
    prompt,
    responses_of,
    task,
)
from exports.formats.imported import pseudonym
from exports.formats.verdicts import verdict
from exports.records import Part, TaskRecord


class PickAPic(Format):
    """Two pictures, each a file, bytes or an address, with labels of 1, 0 or 0.5 (yuvalkirstain/pickapic)."""

    name = "pick_a_pic"
    label = gettext_noop("Pick-a-Pic")
    description = gettext_noop("Two pictures made for a caption and which of them somebody picked.")
    recognised_by = gettext_noop("caption, label_0 and label_1")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("caption", "label_0", "label_1"))
        if sheet is None:
            return None
        question = sheet.text("caption", is_needed=True)
        answers = [_picture_of(sheet, n, reader) for n in (0, 1)]
        votes = []
        labels = (sheet.take("label_0"), sheet.take("label_1"))
        has_label = sheet.take("has_label")
        if has_label is not False:
            if labels not in ((1, 0), (0, 1), (0.5, 0.5)):
                reader.problem("label_0", f"the labels {labels[0]} and {labels[1]}", "1 and 0, 0 and 1, or 0.5 twice")
            else:
                votes = [verdict(pseudonym(sheet.take("user_id")), None if labels[0] == 0.5 else int(labels[0] == 0))]
        if reader.failed:
            return None
        responses = responses_of(answers, "jpg_0", reader)
        name = name_of(sheet.take("ranking_id"), sheet.row)
        return task(name, [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"caption", "label_0", "label_1"} <= row.keys()


def _picture_of(sheet: Sheet, number: int, reader: RowReader) -> Answer:
    """The picture from its bytes, which are there, or from its address."""
    data, address = sheet.take(f"jpg_{number}"), sheet.take(f"image_{number}_url")
    known: dict[str, Any] = {"uid": sheet.take(f"image_{number}_uid")}
    model = sheet.text(f"model_{number}")
    if isinstance(data, dict):  # an image object of Hugging Face: its bytes are base64 however few they are
        held = data.get("bytes")
        path = f"data:image/jpeg;base64,{held}" if isinstance(held, str) and held else data.get("path") or address
    else:
        path = _path_of(data) or address
    if not isinstance(path, str) or not path:
        reader.problem(f"jpg_{number}", "nothing", f"a picture, or its address in image_{number}_url")
        return [], None, {}
    return [Part(type="image", path=path)], model, {key: value for key, value in known.items() if value}


def _path_of(data: object) -> str | None:
    """Bytes in base64 as an address that holds them; any other text is a path."""
    if not isinstance(data, str) or not data:
        return None
    try:
        base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return data
    return f"data:image/jpeg;base64,{data}" if len(data) > 200 or data.endswith("=") else data
