"""Verdicts on two responses in the order of the source."""

from __future__ import annotations

from typing import Any

from exports.records import AnnotationRecord


def verdict(annotator: str, winner: int | None, **more: Any) -> AnnotationRecord:
    """The vote for the first (0) or the second (1) of two responses, or for neither."""
    if winner is None:
        return AnnotationRecord(annotator=annotator, outcome="tie", **more)
    return AnnotationRecord(annotator=annotator, outcome="winner", winner="ab"[winner], **more)
