"""Flat rows for analysts, one per annotation or one per rating: every cell is a text, a number or empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import ANALYSE, Format
from exports.mentions import numbered
from exports.options import ExportOptions
from exports.records import AnnotationRecord, PromptRecord, TaskRecord
from exports.whole import used_annotations

TABLES = ("csv", "jsonl", "json", "parquet")
KEPT = frozenset({"include_returned", "include_suspended", "include_models"})
OUTCOMES = ("winner", "tie", "all_bad", "cannot_judge")


class Annotations(Format):
    """What says nothing is an empty cell. Orders read `a > b = c`: best first, `=` between equals."""

    name = "annotations"
    label = gettext_noop("Annotations table")
    description = gettext_noop(
        "One flat row per annotation, ties and refusals included. For spreadsheets and statistics."
    )
    group = ANALYSE
    consumer = gettext_noop("I analyse the judgements in a spreadsheet")
    carries = gettext_noop(
        "Outcome, winner, margin, ranking, reasons, flags, times and reviews of every annotation, one row each."
    )
    leaves_out = gettext_noop("The texts of prompts and responses, ratings and rewrites are left out.")
    can_write = True
    containers = TABLES
    needs = frozenset({"reviews", "rewrites", "details"})
    uses = KEPT

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for turn, prompt in enumerate(record.prompts, 1):
            for annotation in used_annotations(prompt, options, accounting):
                yield {**_place(record, turn, prompt, annotation), **_judgement(prompt, annotation, options)}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from _place_problems(row)
        if row.get("outcome") not in OUTCOMES:
            yield f"outcome must be one of {', '.join(OUTCOMES)}."
        if (row.get("outcome") == "winner") != bool(row.get("winner")):
            yield "winner must be there for the outcome winner, and for no other."


class Ratings(Format):
    """A rating of the comparison has an empty cell for the response."""

    name = "ratings"
    label = gettext_noop("Ratings table")
    description = gettext_noop("One flat row per rating: who gave which number to which response on which dimension.")
    group = ANALYSE
    consumer = gettext_noop("I analyse ratings and agreement in a spreadsheet")
    carries = gettext_noop("Every rating with its dimension, response, number or text, tags and reason, one row each.")
    leaves_out = gettext_noop("The texts of prompts and responses, winners, margins and rewrites are left out.")
    can_write = True
    containers = TABLES
    needs = frozenset({"ratings"})
    uses = KEPT

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for turn, prompt in enumerate(record.prompts, 1):
            models = {response.id: response.model for response in prompt.responses}
            for annotation in used_annotations(prompt, options, accounting, _why_no_rating):
                for rating in annotation.ratings:
                    yield {
                        **_place(record, turn, prompt, annotation),
                        "dimension": rating.dimension,
                        "response": rating.response or "",
                        **({"model": models.get(rating.response or "") or ""} if options.include_models else {}),
                        "value": rating.value,
                        "text": rating.text or "",
                        "tags": " | ".join(rating.tags),
                        "justification": rating.justification,
                    }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from _place_problems(row)
        yield from proof.named(row, "dimension")
        if isinstance(row.get("value"), bool) or not isinstance(row.get("value"), (int, type(None))):
            yield "value must be a whole number or empty."


def _why_no_rating(annotation: AnnotationRecord) -> str | None:
    return None if annotation.ratings else "no_rating"


def _place(record: TaskRecord, turn: int, prompt: PromptRecord, annotation: AnnotationRecord) -> dict[str, Any]:
    return {
        "task": record.id,
        "prompt": prompt.id,
        "turn": turn,
        "annotator": annotation.annotator,
        "kind": annotation.kind,
    }


def _judgement(prompt: PromptRecord, annotation: AnnotationRecord, options: ExportOptions) -> dict[str, Any]:
    order = [response.id for response in prompt.responses]
    model = next((response.model for response in prompt.responses if response.id == annotation.winner), None)
    return {
        "state": annotation.state,
        "outcome": annotation.outcome,
        "winner": annotation.winner or "",
        **({"winner_model": model or ""} if options.include_models else {}),
        "margin": annotation.margin,
        "ranking": _order(annotation.ranking),
        "responses": len(order),
        "shown": _order([[each] for each in annotation.display_order]),
        "justification": numbered(annotation, order),
        "reason": annotation.reason,
        "reason_kind": annotation.reason_kind,
        "flags": " | ".join(f"{flag.response}: {flag.kind}" for flag in annotation.flags),
        "warnings": " | ".join(f"{warning.code}: {warning.decision}" for warning in annotation.warnings),
        "rewrites": len(annotation.rewrites),
        "reviews": len(annotation.reviews),
        "last_verdict": annotation.reviews[-1].verdict if annotation.reviews else "",
        "rubric_version": annotation.rubric_version,
        "seconds": annotation.seconds,
        "active_seconds": annotation.active_seconds,
        "idle_seconds": annotation.idle_seconds,
        "submitted_at": annotation.submitted_at or "",
    }


def _order(groups: Sequence[Sequence[str]]) -> str:
    return " > ".join(" = ".join(group) for group in groups if group)


def _place_problems(row: dict[str, Any]) -> Iterator[str]:
    yield from proof.named(row, "task", "prompt", "annotator", "kind")
    if isinstance(row.get("turn"), bool) or not isinstance(row.get("turn"), int) or row["turn"] < 1:
        yield "turn must be a whole number from 1."
