"""What must hold in what an annotation says beside its judgement: flags, mentions and quotes."""

from __future__ import annotations

from collections.abc import Mapping

from annotate.rules.references import Reference, problem
from exports.formats.base import RowReader
from exports.problems import describe
from exports.records import AnnotationRecord, ReferenceRecord

NOTE_LIMIT = 1000
"""Longest note on a flag, in characters."""


def check_remarks(path: str, annotation: AnnotationRecord, sources: Mapping[str, str], reader: RowReader) -> None:
    """Report what is wrong with flags and references. `sources`: the text of each response of the prompt by its id."""
    _check_flags(path, annotation, sources, reader)
    if annotation.reason_kind and annotation.outcome != "cannot_judge":
        reader.unexpected(f"{path}.reason_kind", annotation.reason_kind, "none, since it could be judged")
    for index, reference in enumerate(annotation.references):
        _check_reference(f"{path}.references[{index}]", reference, annotation.justification, sources, reader)


def _check_flags(path: str, annotation: AnnotationRecord, sources: Mapping[str, str], reader: RowReader) -> None:
    seen: set[tuple[str, str]] = set()
    for index, flag in enumerate(annotation.flags):
        where = f"{path}.flags[{index}]"
        if flag.response not in sources:
            reader.unexpected(f"{where}.response", flag.response, "the id of a response of this prompt")
        if (flag.response, flag.kind) in seen:
            reader.problem(where, f"a second flag {describe(flag.kind)}", "one of a kind per response")
        if flag.kind == "other" and not flag.note:
            reader.problem(f"{where}.note", "nothing", "what is wrong with the response")
        if len(flag.note) > NOTE_LIMIT:
            reader.problem(f"{where}.note", f"{len(flag.note)} characters", f"{NOTE_LIMIT} at most")
        seen.add((flag.response, flag.kind))


def _check_reference(
    path: str, reference: ReferenceRecord, justification: str, sources: Mapping[str, str], reader: RowReader
) -> None:
    for name, span in (("at", reference.at), ("quote", reference.quote)):
        if span is not None and len(span) != 2:
            reader.problem(f"{path}.{name}", f"{len(span)} numbers", "two: where it starts and where it ends")
            return
    quote = (reference.quote[0], reference.quote[1]) if reference.quote else None
    at = (reference.at[0], reference.at[1])
    asked = Reference(reference.kind, at, reference.response, reference.text, quote)
    if wrong := problem(asked, justification, sources):
        reader.problem(
            path, wrong.split(". ")[0].rstrip("."), "a place in the justification and the words of a response"
        )
