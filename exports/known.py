"""Judgements that came with a task, in the words of the neutral record."""

from __future__ import annotations

from typing import Any

import msgspec

from exports.records import AnnotationRecord

_LEFT_OUT = ("annotator", "kind", "state", "reviews", "display_order", "warnings", "flags")


def known_content(annotation: AnnotationRecord) -> dict[str, Any]:
    """What a gold answer or a suggestion says: the annotation without whose work it was and how it came about."""
    content: dict[str, Any] = msgspec.to_builtins(annotation)
    return {name: value for name, value in content.items() if name not in _LEFT_OUT}
