"""What the form says about single responses and passages: flags, rewrites, quotes and mentions.

Field names: ``flag-<letter>`` (kinds), ``flagnote-<kind>-<letter>``, ``rewrite-<letter>``, and ``references``: JSON,
a list of ``{"letter": "a", "at": [start, end], "quote": [start, end] or null, "text": …}`` for the quotes in the
justification, in UTF-16 units. Mentions are found in the text itself.
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from annotate.rules.content import clean_written_text
from annotate.rules.judgement import FlagValue, Judgement, JudgementSpec, is_rewritten
from annotate.rules.references import QUOTE, Reference, Span, code_points, mentions, problem, utf16_units

MAX_REFERENCES = 100
MAX_NOTE = 1000
Fields = Mapping[str, Any]


def flags_of(fields: Fields, by_letter: Mapping[str, str]) -> tuple[FlagValue, ...]:
    """Return the flags that are set, in the order of the page."""
    return tuple(
        FlagValue(response, kind, clean_written_text(str(fields.get(f"flagnote-{kind}-{letter}", "")))[:MAX_NOTE])
        for letter, response in by_letter.items()
        for kind in dict.fromkeys(_several(fields, f"flag-{letter}"))
    )


def _several(fields: Fields, name: str) -> list[str]:
    value = fields.get(name, "")
    return [str(item) for item in value] if isinstance(value, list) else [value] if value else []


def rewrites_of(
    fields: Fields, spec: JudgementSpec, by_letter: Mapping[str, str], winner: str | None
) -> dict[str, Any]:
    """Return response id to parts for every text that differs from its original.

    Where only the better response is rewritten, texts for others stay in the draft: they count when the winner changes.
    """
    rewrites = {}
    for letter, response in by_letter.items():
        text = fields.get(f"rewrite-{letter}", "")
        text = clean_written_text(text) if isinstance(text, str) else ""
        is_wanted = spec.rewrite != "off" and (spec.rewrite_target == "any" or response == winner)
        if is_wanted and is_rewritten(text, spec.sources.get(response, "")):
            rewrites[response] = [{"type": "text", "text": text}]
    return rewrites


# --------------------------------------------------------------------------------------------- quotes and mentions
def references_of(fields: Fields, spec: JudgementSpec, by_letter: Mapping[str, str]) -> tuple[Reference, ...]:
    """Return the quotes and mentions of the justification, in the order in which they stand there.

    A quote that does not fit the text any more is left out: the text itself says what the person meant.
    """
    typed = str(fields.get("justification", "")).replace("\r\n", "\n").replace("\r", "\n")
    justification = clean_written_text(typed)
    quotes: list[Reference] = []
    for item in _posted(fields):
        quote = _quote(item, typed, spec, by_letter)
        if quote and not problem(quote, justification, spec.sources) and not _overlaps(quote, quotes):
            quotes.append(quote)
    found = [*quotes, *mentions(justification, spec.responses, quotes)]
    return tuple(sorted(found, key=lambda reference: reference.at))


def _posted(fields: Fields) -> list[Any]:
    raw = fields.get("references", "")
    try:
        posted = json.loads(raw) if isinstance(raw, str) and raw else []
    except (ValueError, RecursionError):
        return []
    return posted[:MAX_REFERENCES] if isinstance(posted, list) else []


def _quote(item: Any, typed: str, spec: JudgementSpec, by_letter: Mapping[str, str]) -> Reference | None:
    if not isinstance(item, Mapping):
        return None
    at, text, response = _span(item.get("at")), item.get("text"), by_letter.get(str(item.get("letter")), "")
    if at is None or not isinstance(text, str) or response not in spec.sources:
        return None
    source, where = spec.sources[response], _span(item.get("quote"))
    quote = (code_points(source, where[0]), code_points(source, where[1])) if where else None
    return Reference(QUOTE, _as_stored(typed, at), response, clean_written_text(text), quote)


def _span(value: Any) -> Span | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    start, end = value
    is_span = all(type(number) is int for number in value) and 0 <= start < end < 2**31
    return (start, end) if is_span else None


def _as_stored(typed: str, at: Span) -> Span:
    """Offsets in the text as it is stored: NFC, without NUL and without the space around it."""
    whole = _normal(typed)
    lead = len(whole) - len(whole.lstrip())
    start, end = (len(_normal(typed[: code_points(typed, units)])) - lead for units in at)
    return max(start, 0), end


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\0", "").encode("utf-8", "replace").decode())


def _overlaps(quote: Reference, others: list[Reference]) -> bool:
    return any(quote.at[0] < other.at[1] and other.at[0] < quote.at[1] for other in others)


# -------------------------------------------------------------------------------------------------- back to the page
def remark_fields(judgement: Judgement, spec: JudgementSpec, letter_of: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of the fields that express the remarks of a stored judgement."""
    for response, letter in letter_of.items():
        if kinds := [flag.kind for flag in judgement.flags if flag.response == response]:
            yield f"flag-{letter}", kinds if len(kinds) > 1 else kinds[0]
    for flag in judgement.flags:
        if flag.note:
            yield f"flagnote-{flag.kind}-{letter_of[flag.response]}", flag.note
    for response, content in judgement.rewrites.items():
        yield f"rewrite-{letter_of[response]}", "\n\n".join(part.get("text", "") for part in content)
    if quotes := [reference for reference in judgement.references if reference.kind == QUOTE]:
        posted = [_page_quote(quote, judgement.justification, spec, letter_of) for quote in quotes]
        yield "references", json.dumps(posted, ensure_ascii=False)


def _page_quote(
    quote: Reference, justification: str, spec: JudgementSpec, letter_of: Mapping[str, str]
) -> dict[str, Any]:
    source = spec.sources.get(quote.response, "")
    return {
        "letter": letter_of[quote.response],
        "at": [utf16_units(justification, point) for point in quote.at],
        "quote": [utf16_units(source, point) for point in quote.quote] if quote.quote else None,
        "text": quote.text,
    }
