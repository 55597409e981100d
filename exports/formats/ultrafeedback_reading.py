"""Reading UltraFeedback (OpenBMB): several completions with ratings of a model, written as text."""

from __future__ import annotations

from typing import Any

from exports.formats.base import RowReader
from exports.formats.foreign import Answer, Sheet, answer, name_of, prompt, responses_of, task
from exports.formats.imported import ONLY_RATINGS, pseudonym
from exports.formats.transcripts import turns_of
from exports.records import AnnotationRecord, RatingRecord, TaskRecord

SCALES = dict.fromkeys(("instruction_following", "honesty", "truthfulness", "helpfulness"), (1, 5))


def ultrafeedback_task(row: object, reader: RowReader) -> TaskRecord | None:
    """The task of a row. Its ratings are an annotation that compares nothing: no winner is made up of them."""
    sheet = Sheet.of(row, reader, ("instruction", "completions"))
    if sheet is None:
        return None
    context, question = turns_of(sheet.text("instruction", is_needed=True), "instruction", reader)
    answers: list[Answer] = []
    ratings: list[RatingRecord] = []
    completions = sheet.take("completions")
    if not isinstance(completions, list):
        reader.unexpected("completions", completions, "a list of objects")
        return None
    for place, each in enumerate(completions):
        read = _completion(each, f"completions[{place}]", chr(ord("a") + place % 26), reader)
        if read is not None:
            answers.append(read[0])
            ratings += read[1]
    sheet.take("models")
    judge, name = pseudonym(sheet.take("annotator")), name_of(sheet.take("id"), sheet.row)
    responses = responses_of(answers, "completions", reader)
    votes = [AnnotationRecord(annotator=judge, outcome="cannot_judge", reason=ONLY_RATINGS, ratings=ratings)]
    record = prompt(question, responses, votes if ratings else [])
    return task(name, [record], reader, context=context, metadata=sheet.rest())


def _completion(value: object, where: str, letter: str, reader: RowReader) -> tuple[Answer, list[RatingRecord]] | None:
    if not isinstance(value, dict) or not isinstance(value.get("response"), str):
        reader.unexpected(where, value, "an object with response and annotations")
        return None
    model = value.get("model")
    if model is not None and not isinstance(model, str):
        reader.unexpected(f"{where}.model", model, "text")
    ratings, unrated = _ratings(value.get("annotations"), f"{where}.annotations", letter, reader)
    rest = {key: held for key, held in value.items() if key not in ("response", "model", "annotations")}
    kept = {key: held for key, held in rest.items() if held not in (None, "")}
    return answer(value["response"], model if isinstance(model, str) else None, **kept, **unrated), ratings


def _ratings(value: object, where: str, letter: str, reader: RowReader) -> tuple[list[RatingRecord], dict[str, Any]]:
    """The ratings that are whole numbers; the others ("N/A") are kept as they are in the response's metadata."""
    if value is None:
        return [], {}
    if not isinstance(value, dict):
        reader.unexpected(where, value, "an object of ratings")
        return [], {}
    ratings, unrated = [], {}
    for key, each in value.items():
        rating = each.get("Rating") if isinstance(each, dict) else None
        reason = each.get("Rationale") if isinstance(each, dict) else None
        number = int(rating) if isinstance(rating, (str, int)) and str(rating).strip().isdecimal() else None
        if number is None or isinstance(rating, bool) or number > 1000:
            unrated[f"annotation {key}"] = each
            continue
        words = " ".join(text for text in (reason, each.get("Rationale For Rating")) if isinstance(text, str) and text)
        dimension = key.lower().replace("-", "_").replace(" ", "_")
        ratings.append(RatingRecord(dimension=dimension, response=letter, value=number, justification=words))
    return ratings, unrated
