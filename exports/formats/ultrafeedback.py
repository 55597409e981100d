"""Rows in the shape of OpenBMB's UltraFeedback: all responses to a prompt, each with ratings and their reasons.

As there, ratings are texts, and "N/A" stands for one that is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import PUBLIC, VOTES, Format, RowReader
from exports.formats.pairwise import transcript
from exports.formats.sources import source_names
from exports.formats.ultrafeedback_reading import SCALES, ultrafeedback_task
from exports.options import ExportOptions
from exports.records import AnnotationRecord, TaskRecord, text_of
from exports.turns import Group, Turn, row_id

MISSING = "N/A"


class UltraFeedback(Format):
    """Each row is what one person rated. A system message at the beginning stands as `custom_system_prompt`."""

    name = "ultrafeedback"
    label = gettext_noop("UltraFeedback ratings")
    description = gettext_noop(
        "All responses to a prompt with the ratings of one person on every dimension, and their reasons."
    )
    group = PUBLIC
    consumer = gettext_noop("My tools read the shape of UltraFeedback")
    carries = gettext_noop(
        "All responses with their models, and per dimension the rating and its reason, one row per annotator."
    )
    leaves_out = gettext_noop("Winners, margins, rankings, ratings of the comparison, rewrites and media are left out.")
    recognised_by = gettext_noop("instruction, models and completions with annotations")
    can_read = True
    can_write = True
    scales = SCALES
    containers = ("jsonl", "json")
    needs = frozenset({"ratings"})
    uses = VOTES | {"include_models"}

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return ultrafeedback_task(row, reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or "instruction" not in row:
            return False
        held = row.get("completions")
        return isinstance(held, list) and all(isinstance(each, dict) and "response" in each for each in held)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for turn in range(len(record.prompts)):
            yield from _Ratings(record, turn, options, accounting, self.carrier).rows()

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id", "source", "annotator")
        yield from proof.texts(row, "instruction")
        completions = [each for each in row.get("completions") or () if isinstance(each, dict)]
        if not completions or [each.get("model") for each in completions] != row.get("models"):
            yield "completions must be objects, one for each of models."
        for index, each in enumerate(completions):
            place = f"completions[{index}]"
            if not isinstance(each.get("response"), str):
                yield f"{place}.response must be text."
            ratings = each["annotations"].values() if isinstance(each.get("annotations"), dict) else [{}]
            if not all(rating is None or isinstance(rating.get("Rating"), str) for rating in ratings):
                yield f"{place}: every Rating must be text, a number or N/A."


class _Ratings(Turn):
    least = 1

    def rows(self) -> Iterator[dict[str, Any]]:
        seen: Counter[str] = Counter()
        why_not = next((reason for each in self.responses.values() if (reason := self.why_no_response(each))), None)
        for group in self.groups():
            for ballot in group.ballots:
                rated = [each for each in ballot.annotation.ratings if each.response and each.value is not None]
                reason = why_not or (None if rated else "no_rating")
                self.settle(ballot, [reason])
                if reason is None:
                    seen[ballot.annotation.annotator] += 1
                    yield self._row(group, ballot.annotation, seen[ballot.annotation.annotator])

    def _row(self, group: Group, annotation: AnnotationRecord, occurrence: int) -> dict[str, Any]:
        names = source_names(self.prompt, self.options)
        has_system = group.messages[0].role == "system"
        system = text_of(group.messages[0].content) if has_system else ""
        source = self.task.metadata.get("source")
        return {
            "id": row_id((self.task.id, self.prompt.id, annotation.annotator), occurrence),
            "source": source if isinstance(source, str) and source else "tiebreak",
            "instruction": transcript(group.messages[has_system:]),
            "models": list(names.values()),
            "correct_answers": ["None"],
            "incorrect_answers": ["None"],
            "completions": [
                {
                    "model": names[key],
                    "principle": "None",
                    "custom_system_prompt": system,
                    "response": text_of(response.content),
                    "annotations": self._ratings(annotation, key),
                }
                for key, response in self.responses.items()
            ],
            "annotator": annotation.annotator,
        }

    def _ratings(self, annotation: AnnotationRecord, response: str) -> dict[str, dict[str, str]]:
        keys = [scale.key for scale in self.options.rubric.dimensions if scale.per_response]
        keys += [each.dimension for each in annotation.ratings if each.response is not None and each.value is not None]
        given = {each.dimension: each for each in annotation.ratings if each.response == response}
        return {
            key: {
                "Rating": str(given[key].value) if key in given and given[key].value is not None else MISSING,
                "Rationale": given[key].justification if key in given else "",
            }
            for key in dict.fromkeys(keys)
        }
