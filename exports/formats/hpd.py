"""Human Preference Dataset v2: pictures with a preferred one or ranks: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Sheet,
    prompt,
    ranked_vote,
    responses_of,
    task,
)
from exports.formats.imported import pseudonym
from exports.formats.pictures import pictures, ranks_in
from exports.formats.row_ids import row_id
from exports.records import TaskRecord


class Hpd(Format):
    """`file_path` or `image_path` with `human_preference` (1 = preferred) or `rank` and `raw_annotations` (HPDv2)."""

    name = "hpd"
    label = gettext_noop("Human Preference Dataset")
    description = gettext_noop("Pictures made for one prompt with the preferred one, or with ranks.")
    recognised_by = gettext_noop("prompt, file_path or image_path, and human_preference or rank")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt",))
        if sheet is None:
            return None
        question = sheet.text("prompt", is_needed=True)
        column = "file_path" if "file_path" in sheet.row else "image_path"
        answers = pictures(sheet.take(column), column, reader)
        if "human_preference" in sheet.row:
            flags = ranks_in(sheet.take("human_preference"), len(answers), "human_preference", reader, least=0, most=1)
            rankings = [("imported", [1 - flag for flag in flags])]
        else:
            rankings = _raw_rankings(sheet, len(answers), reader)
        if reader.failed:
            return None
        responses = responses_of(answers, column, reader)
        votes = [] if reader.failed else [ranked_vote(who, ranks, responses) for who, ranks in rankings]
        return task(row_id(sheet.row), [prompt(question, responses, votes)], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or "prompt" not in row:
            return False
        return (isinstance(row.get("file_path"), list) and "human_preference" in row) or (
            isinstance(row.get("image_path"), list) and "rank" in row
        )


def _raw_rankings(sheet: Sheet, count: int, reader: RowReader) -> list[tuple[str, list[int]]]:
    """The ranking of each annotator where they are there, else the one of all together."""
    together = ranks_in(sheet.take("rank"), count, "rank", reader, least=0)
    raw = sheet.take("raw_annotations")
    if not isinstance(raw, list) or not raw:
        return [("imported", together)]
    made = []
    for index, each in enumerate(raw):
        where = f"raw_annotations[{index}]"
        if not isinstance(each, dict):
            reader.unexpected(where, each, "an object with rank and user_hash")
            continue
        ranks = ranks_in(each.get("rank"), count, f"{where}.rank", reader, least=0)
        made.append((pseudonym(each.get("user_hash")), ranks))
    return made
