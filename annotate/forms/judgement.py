"""The comparison page's form: letters of the page become response ids, fields become a judgement.

Field names: ``rating-<dimension>-<letter>`` (or ``rating-<dimension>`` for the comparison), ``why-…`` for a rating's
justification, ``preference`` (``a3`` … ``tie`` … ``b3``, ``a``/``b`` without margins, ``all_bad``, ``cannot_judge``),
``rank-<letter>`` and ``margin`` for three or more responses, ``justification``, ``cannot_reason``; flags, rewrites and
references as in ``forms/remarks.py``; ``warned`` (codes of the warnings shown so far) and ``accepted_warnings``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from annotate.enums import CannotJudgeReason
from annotate.forms.remarks import flags_of, references_of, rewrites_of
from annotate.rules.coherence import CODES
from annotate.rules.content import MAX_TEXT, clean_written_text
from annotate.rules.judgement import (
    ALL_BAD,
    CANNOT_JUDGE,
    TIE,
    WINNER,
    DimensionSpec,
    Finding,
    Judgement,
    JudgementSpec,
    RatingValue,
    outcome_of_ranking,
    ranking_from_ranks,
)

LETTERS = "abcdefghi"
_FIELD = re.compile(
    r"(rating|why|rank|flag|flagnote|rewrite)-[A-Za-z0-9_-]{1,70}"
    r"|preference|margin|justification|cannot_reason|references|warned|accepted_warnings|pasted"
)
_LINE = re.compile(r"([a-i])([1-9])?")

Fields = Mapping[str, Any]


def fields_of(data: QueryDict) -> dict[str, Any]:
    """Return the judgement fields of a posted form as text, or lists of text for tags; other fields are left out."""
    fields: dict[str, Any] = {}
    for name in data:
        if _FIELD.fullmatch(name):
            values = [value[:MAX_TEXT].replace("\0", "") for value in data.getlist(name)]
            fields[name] = values if len(values) > 1 else values[0]
    return fields


def rating_name(dimension: str, letter: str, prefix: str = "rating") -> str:
    """Return the name of the field for a dimension and a letter (empty for the comparison)."""
    return f"{prefix}-{dimension}-{letter}" if letter else f"{prefix}-{dimension}"


def parse(fields: Fields, spec: JudgementSpec) -> Judgement:
    """Return the judgement that the fields express. ``spec.responses`` is in display order: the first one is A.

    Nothing is refused here: what is missing or impossible is left out or kept as it is, and the rules find it.
    """
    by_letter = dict(zip(LETTERS, spec.responses, strict=False))
    preference = _text(fields, "preference")
    why = clean_written_text(_text(fields, "justification"))
    flags = flags_of(fields, by_letter)
    if preference == CANNOT_JUDGE:
        kind = _text(fields, "cannot_reason")
        known = kind if kind in CannotJudgeReason.values else ""
        return Judgement(outcome=CANNOT_JUDGE, reason=why, reason_kind=known, flags=flags)
    outcome, winner, margin, ranking = _preference(fields, preference, spec, by_letter)
    return Judgement(
        outcome,
        winner,
        margin,
        ranking,
        ratings=tuple(_ratings(fields, spec, by_letter)),
        justification=why,
        rewrites=rewrites_of(fields, spec, by_letter, winner),
        flags=flags,
        references=references_of(fields, spec, by_letter),
    )


Preference = tuple[str, str | None, int | None, tuple[tuple[str, ...], ...]]


def _preference(fields: Fields, preference: str, spec: JudgementSpec, by_letter: Mapping[str, str]) -> Preference:
    """Outcome, winner, margin and ranking."""
    if preference == ALL_BAD:
        return ALL_BAD, None, None, ()
    if not spec.is_ranked:
        return *_line(preference, spec, by_letter), ()
    ranking = _ranking(fields, by_letter)
    outcome, winner = outcome_of_ranking(ranking)
    asks_margin = outcome == WINNER and spec.margin_levels
    margin = _number(_text(fields, "margin")) if asks_margin else _tie_margin(outcome, spec)
    return outcome, winner, margin, ranking


def _line(preference: str, spec: JudgementSpec, by_letter: Mapping[str, str]) -> tuple[str, str | None, int | None]:
    if preference == TIE:
        return TIE, None, _tie_margin(TIE, spec)
    match = _LINE.fullmatch(preference)
    if not match or match[1] not in by_letter:
        return "", None, None
    return WINNER, by_letter[match[1]], int(match[2]) if match[2] else None


def _tie_margin(outcome: str, spec: JudgementSpec) -> int | None:
    return 0 if outcome == TIE and spec.margin_levels else None


def _ranking(fields: Fields, by_letter: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    ranks = {response: _number(_text(fields, f"rank-{letter}")) for letter, response in by_letter.items()}
    return ranking_from_ranks({response: rank for response, rank in ranks.items() if rank})


def _ratings(fields: Fields, spec: JudgementSpec, by_letter: Mapping[str, str]) -> Iterator[RatingValue]:
    for dimension in spec.dimensions:
        targets: Sequence[tuple[str, str | None]] = (
            list(by_letter.items()) if dimension.target == "response" else [("", None)]
        )
        for letter, response in targets:
            rating = _rating(fields, dimension, letter, response)
            if rating.is_given:
                yield rating


def _rating(fields: Fields, dimension: DimensionSpec, letter: str, response: str | None) -> RatingValue:
    raw = fields.get(rating_name(dimension.key, letter), "")
    why = clean_written_text(_text(fields, rating_name(dimension.key, letter, "why")))
    if dimension.kind == "tags":
        chosen = raw if isinstance(raw, list) else [raw] if raw else []
        tags = (clean_written_text(str(tag)) for tag in chosen)
        return RatingValue(
            dimension.key, response, tags=tuple(dict.fromkeys(tag for tag in tags if tag)), justification=why
        )
    text = raw if isinstance(raw, str) else ""
    if dimension.kind == "text":
        return RatingValue(dimension.key, response, text=clean_written_text(text), justification=why)
    return RatingValue(dimension.key, response, value=_number(text), justification=why)


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name, "")
    return value if isinstance(value, str) else ""


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d{1,4}", text) else None


def codes(fields: Fields, name: str) -> set[str]:
    """Return the codes of warnings that the field ``warned`` or ``accepted_warnings`` names, commas between them."""
    value = fields.get(name, "")
    joined = ",".join(str(item) for item in value) if isinstance(value, list) else str(value)
    return {code for code in joined.split(",") if code in CODES}


def pasted_of(fields: Fields) -> int | None:
    """Return how many characters of the reason were pasted, as the page counted; ``None`` where it did not."""
    text = _text(fields, "pasted")
    return int(text) if re.fullmatch(r"\d{1,7}", text, re.ASCII) else None


def errors_by_field(found: Sequence[Finding], spec: JudgementSpec) -> dict[str, str]:
    """Return the findings as form errors: field name to sentence."""
    letter_of = {response: letter for letter, response in zip(LETTERS, spec.responses, strict=False)}
    errors: dict[str, str] = {}
    for finding in found:
        name = finding.where
        if name.startswith(("rating:", "flag:")):
            prefix, key, response = name.split(":", 2)
            letter = letter_of.get(response, "")
            name = f"flag-{letter}" if prefix == "flag" else rating_name(key, letter)
        elif name.startswith("rewrite:"):
            name = f"rewrite-{letter_of.get(name.removeprefix('rewrite:'), '')}"
        errors.setdefault(name, finding.message)
    return errors
