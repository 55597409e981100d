"""What must hold inside one task record beyond its shape: ids that differ, references that exist, sane verdicts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

from exports.formats.base import RowReader
from exports.formats.remarks import check_remarks
from exports.problems import describe
from exports.records import ID_LIMIT, AnnotationRecord, Part, PromptRecord, TaskRecord, text_of
from exports.safe_names import has_invisible, unsafe_because

ELSEWHERE = ("data:", "http://", "https://")
"""Paths that name no file of the upload: content in the row itself, and addresses on the web."""
_SHA256 = re.compile(r"^[0-9a-f]{64}$")


def check_task(task: TaskRecord, reader: RowReader) -> None:
    """Report every incoherence of `task` with its field path."""
    check_id("id", task.id, reader)
    if task.overlap is not None and task.overlap < 1:
        reader.unexpected("overlap", task.overlap, "1 or more annotators")
    for index, message in enumerate(task.context):
        _check_parts(f"context[{index}].content", message.content, reader, needed=True)
    if not task.prompts:
        reader.unexpected("prompts", task.prompts, "at least one prompt")
    _check_unique("prompts", [prompt.id for prompt in task.prompts], "the task", reader)
    for index, prompt in enumerate(task.prompts):
        before = task.context[-1].role if task.context and index == 0 else None
        _check_prompt(f"prompts[{index}]", prompt, reader, answers_context=before in ("user", "tool"))


def _check_prompt(path: str, prompt: PromptRecord, reader: RowReader, *, answers_context: bool) -> None:
    check_id(f"{path}.id", prompt.id, reader)
    _check_parts(f"{path}.content", prompt.content, reader, needed=not answers_context)
    _check_unique(f"{path}.responses", [response.id for response in prompt.responses], "the prompt", reader)
    if sum(response.continues for response in prompt.responses) > 1:
        reader.problem(f"{path}.responses", "several that continue the conversation", "`continues` on one at most")
    for index, response in enumerate(prompt.responses):
        check_id(f"{path}.responses[{index}].id", response.id, reader)
        _check_parts(f"{path}.responses[{index}].content", response.content, reader, needed=True)
    if not prompt.annotations:
        return
    ids = [response.id for response in prompt.responses]
    sources = {response.id: text_of(response.content) for response in prompt.responses}
    for index, annotation in enumerate(prompt.annotations):
        _check_annotation(f"{path}.annotations[{index}]", annotation, ids, reader)
        check_remarks(f"{path}.annotations[{index}]", annotation, sources, reader)


def check_id(path: str, value: str, reader: RowReader) -> None:
    """An id is data that people read in lists: not empty, not endless, nothing invisible in or around it."""
    if value.isalnum() and value.isascii() and len(value) <= ID_LIMIT:  # by far most
        return
    if not value or len(value) > ID_LIMIT:
        reader.problem(path, f"an id of {len(value)} characters", f"1 to {ID_LIMIT} characters")
    elif has_invisible(value) or value != value.strip():
        reader.unexpected(path, value, "an id without invisible characters or spaces around it")


def _check_unique(path: str, ids: Sequence[str], within: str, reader: RowReader) -> None:
    if len(set(ids)) == len(ids) and all(map(str.isascii, ids)):  # by far most
        return
    seen: set[str] = set()
    for index, value in enumerate(ids):
        key = unicodedata.normalize("NFC", value)
        if key in seen:
            reader.problem(f"{path}[{index}].id", f"{describe(value)} twice", f"ids that differ within {within}")
        seen.add(key)


def _check_parts(path: str, parts: Sequence[Part], reader: RowReader, *, needed: bool) -> None:
    if needed and not parts:
        reader.problem(path, "an empty list", 'at least one part (for an empty text: a text part with "")')
    for index, part in enumerate(parts):
        _check_part(f"{path}[{index}]", part, reader)


def _check_part(path: str, part: Part, reader: RowReader) -> None:
    if part.type == "text":
        if part.text is None:
            reader.problem(f"{path}.text", "nothing", "the text of a text part")
        if part.asset is not None or part.path is not None:
            reader.problem(path, "a text part with a file", "either a text part or a media part")
        return
    if part.text is not None:
        reader.problem(f"{path}.text", "text in a media part", "`asset` or `path` only")
    if (part.asset is None) == (part.path is None):
        reader.problem(path, "both or neither of `asset` and `path`", "one of the two")
    if part.asset is not None and not _SHA256.match(part.asset):
        reader.unexpected(f"{path}.asset", part.asset, "a SHA-256 of 64 hex digits in lower case")
    if part.path is not None and not part.path.startswith(ELSEWHERE) and (reason := unsafe_because(part.path)):
        reader.problem(f"{path}.path", reason, "the relative name of a file in the uploaded bundle")


def _check_annotation(path: str, annotation: AnnotationRecord, ids: Sequence[str], reader: RowReader) -> None:
    check_id(f"{path}.annotator", annotation.annotator, reader)
    _check_verdict(path, annotation, ids, reader)
    ranked = [
        (f"{path}.ranking[{place}][{index}]", response)
        for place, group in enumerate(annotation.ranking)
        for index, response in enumerate(group)
    ]
    _check_references(ranked, ids, reader)
    shown = [(f"{path}.display_order[{index}]", response) for index, response in enumerate(annotation.display_order)]
    _check_references(shown, ids, reader)
    rewritten = [
        (f"{path}.rewrites[{index}].response", item.response) for index, item in enumerate(annotation.rewrites)
    ]
    _check_references(rewritten, ids, reader)
    for index, rewrite in enumerate(annotation.rewrites):
        _check_parts(f"{path}.rewrites[{index}].content", rewrite.content, reader, needed=True)
    _check_ratings(path, annotation, ids, reader)
    if annotation.seconds is not None and annotation.seconds < 0:
        reader.unexpected(f"{path}.seconds", annotation.seconds, "0 or more")
    if annotation.rubric_version < 1:
        reader.unexpected(f"{path}.rubric_version", annotation.rubric_version, "1 or more")
    _check_time(f"{path}.submitted_at", annotation.submitted_at, reader)
    for index, review in enumerate(annotation.reviews):
        check_id(f"{path}.reviews[{index}].reviewer", review.reviewer, reader)
        _check_time(f"{path}.reviews[{index}].at", review.at, reader)


def _check_verdict(path: str, annotation: AnnotationRecord, ids: Sequence[str], reader: RowReader) -> None:
    winner, margin = annotation.winner, annotation.margin
    if annotation.outcome == "winner":
        if winner not in ids:
            reader.unexpected(f"{path}.winner", winner, "the id of a response of this prompt")
        if margin is not None and margin < 1:
            reader.unexpected(f"{path}.margin", margin, "1 or more when there is a winner, or no margin")
        return
    if winner is not None:
        reader.unexpected(f"{path}.winner", winner, f"no winner when the outcome is {annotation.outcome}")
    if margin not in (None, 0):
        reader.unexpected(f"{path}.margin", margin, f"0 or no margin when the outcome is {annotation.outcome}")


def _check_references(places: Sequence[tuple[str, str]], ids: Sequence[str], reader: RowReader) -> None:
    seen: set[str] = set()
    for path, response in places:
        if response not in ids:
            reader.unexpected(path, response, "the id of a response of this prompt")
        elif response in seen:
            reader.problem(path, f"{describe(response)} twice", "each response once")
        seen.add(response)


def _check_ratings(path: str, annotation: AnnotationRecord, ids: Sequence[str], reader: RowReader) -> None:
    seen: set[tuple[str, str | None]] = set()
    for index, rating in enumerate(annotation.ratings):
        where = f"{path}.ratings[{index}]"
        check_id(f"{where}.dimension", rating.dimension, reader)
        if rating.response is not None and rating.response not in ids:
            reader.unexpected(f"{where}.response", rating.response, "the id of a response of this prompt, or null")
        if (rating.dimension, rating.response) in seen:
            reader.problem(where, f"a second rating on {describe(rating.dimension)}", "one per dimension and response")
        seen.add((rating.dimension, rating.response))


def _check_time(path: str, value: str | None, reader: RowReader) -> None:
    if value is None:
        return
    try:
        known = datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        known = False
    if not known:
        reader.unexpected(path, value, "a time such as 2025-01-31T12:00:00Z")
