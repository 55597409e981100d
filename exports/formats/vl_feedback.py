"""VLFeedback: rated answers about pictures: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Answer,
    Sheet,
    answer,
    name_of,
    prompt,
    responses_of,
    task,
)
from exports.formats.imported import ONLY_RATINGS
from exports.records import AnnotationRecord, Part, RatingRecord, TaskRecord


class VlFeedback(Format):
    """A picture, a question and answers with ratings as text, in a struct of lists (MMInstruction/VLFeedback)."""

    name = "vl_feedback"
    label = gettext_noop("VLFeedback")
    description = gettext_noop("Answers of several models about a picture, with ratings of three aspects.")
    recognised_by = gettext_noop("img_path, and completions as lists of model, response and annotations")
    group = PUBLIC
    can_read = True
    scales = dict.fromkeys(("helpfulness", "ethical_considerations", "visual_faithfulness"), (1, 5))

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt", "img_path", "completions"))
        if sheet is None:
            return None
        question, picture = sheet.text("prompt", is_needed=True), sheet.text("img_path", is_needed=True)
        held = sheet.take("completions")
        columns = [held.get(key) if isinstance(held, dict) else None for key in ("model", "response", "annotations")]
        lengths = {len(column) for column in columns if isinstance(column, list)}
        if not all(isinstance(column, list) for column in columns) or len(lengths) != 1:
            reader.unexpected("completions", held, "lists of model, response and annotations of one length")
        if reader.failed:
            return None
        sheet.take("models")
        answers: list[Answer] = []
        ratings: list[RatingRecord] = []
        for place, (model, text, rated) in enumerate(zip(*columns, strict=True)):
            if not isinstance(text, str):
                reader.unexpected(f"completions.response[{place}]", text, "text")
                continue
            answers.append(answer(text, model if isinstance(model, str) else None, annotations=rated))
            ratings += _aspects(rated, "abcdefghijklmnopqrstuvwxyz"[place % 26])
        responses = responses_of(answers, "completions", reader)
        votes = [AnnotationRecord(annotator="imported", outcome="cannot_judge", reason=ONLY_RATINGS, ratings=ratings)]
        content = [Part(type="image", path=picture), Part.of_text(question)]
        record = prompt(content, responses, votes if ratings else [])
        return task(name_of(sheet.take("id"), sheet.row), [record], reader, metadata=sheet.rest())

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and "img_path" in row and isinstance(row.get("completions"), dict)


def _aspects(rated: object, response: str) -> list[RatingRecord]:
    """The ratings that are whole numbers; those that are not stay in the response's metadata."""
    made = []
    for aspect, each in rated.items() if isinstance(rated, dict) else ():
        rating = each.get("Rating") if isinstance(each, dict) else None
        if isinstance(rating, str) and rating.strip().isdecimal() and len(rating) < 4:
            reason = each.get("Rationale")
            words = reason if isinstance(reason, str) else ""
            key = str(aspect).lower().replace(" ", "_")
            made.append(RatingRecord(dimension=key, response=response, value=int(rating), justification=words))
    return made
