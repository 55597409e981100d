"""For formats that keep what people said as it is: which annotations are used, without making anything of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exports.accounting import Accounting
from exports.ballots import why_no_vote, why_set_aside
from exports.options import ExportOptions
from exports.records import AnnotationRecord, PromptRecord

WhyNot = Callable[[AnnotationRecord], str | None]


def used_annotations(
    prompt: PromptRecord, options: ExportOptions, accounting: Accounting, why_not: WhyNot | None = None
) -> list[AnnotationRecord]:
    """The annotations to write, adjudications included. All are counted: who takes them writes every one.

    `why_not`: tells the reason why one that is not set aside cannot be written, or None.
    """
    used = []
    for annotation in prompt.annotations:
        reason = why_set_aside(annotation, options) or (why_not(annotation) if why_not else None)
        if annotation.kind == "adjudication":
            accounting.adjudications += 1
            accounting.adjudications_exported += reason is None
        else:
            accounting.votes_in += 1
            if reason:
                accounting.drop(reason)
            else:
                accounting.votes_exported += 1
        if reason is None:
            used.append(annotation)
    return used


def why_incoherent(annotation: AnnotationRecord, ids: Sequence[str], options: ExportOptions) -> str | None:
    """The reason why an annotation is set aside or contradicts itself, or None. One that judges nothing is coherent."""
    reason = why_no_vote(annotation, ids, options, least=1)
    return None if reason == "cannot_judge" else reason
