"""ImageReward (THUDM): ranked pictures: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Sheet,
    name_of,
    prompt,
    ranked_vote,
    responses_of,
    task,
)
from exports.formats.pictures import pictures, ranks_in
from exports.records import TaskRecord


class ImageReward(Format):
    """`generations` are paths, `ranking` their ranks: 1 is best, ties and gaps are usual (THUDM/ImageReward)."""

    name = "image_reward"
    label = gettext_noop("ImageReward")
    description = gettext_noop("Pictures made for one prompt and their ranks.")
    recognised_by = gettext_noop("prompt, generations and ranking")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt", "generations", "ranking"))
        if sheet is None:
            return None
        question = sheet.text("prompt", is_needed=True)
        answers = pictures(sheet.take("generations"), "generations", reader)
        ranks = ranks_in(sheet.take("ranking"), len(answers), "ranking", reader)
        if reader.failed:
            return None
        responses = responses_of(answers, "generations", reader)
        votes = [] if reader.failed else [ranked_vote("imported", ranks, responses)]
        name = name_of(sheet.take("id"), sheet.row)
        return task(name, [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"prompt", "generations", "ranking"} <= row.keys()
