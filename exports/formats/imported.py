"""What readers of judgements share: pseudonyms, mentions, strengths on a line, rankings from numbers, safe looks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any, NamedTuple

from exports.formats.base import RowReader
from exports.formats.pair_rows import IMPORTED
from exports.records import Outcome, Part, PartType, ReferenceRecord

ONLY_RATINGS = "The source has no comparison of the responses."
"""Why an imported annotation that holds ratings alone judges nothing."""
MOST_MENTIONED = 9
_MENTION = re.compile(r"(?<![\w@])@?[Rr]esponse ([1-9])(?!\w)")
_E_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PLAIN = re.compile(r"[A-Za-z0-9_:#%-]{1,100}")


class Verdict(NamedTuple):
    """What an imported judgement says of the responses as a whole."""

    outcome: Outcome
    winner: str | None = None
    margin: int | None = None
    ranking: Sequence[Sequence[str]] = ()


def pseudonym(name: object) -> str:
    """A name for whoever is called `name`: one word stays; an e-mail address and a full name do not."""
    if name is None or name == "":
        return IMPORTED
    if isinstance(name, int) and not isinstance(name, bool):
        return str(name)
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        return name
    return f"person-{hashlib.sha256(str(name).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def without_addresses(value: Any) -> Any:
    """The value with a pseudonym in place of every e-mail address."""
    if isinstance(value, str):
        return _E_MAIL.sub(lambda found: pseudonym(found[0]), value) if "@" in value else value
    if isinstance(value, dict):
        return {without_addresses(key): without_addresses(each) for key, each in value.items()}
    return [without_addresses(each) for each in value] if isinstance(value, list) else value


def letters(count: int) -> list[str]:
    """Ids that tell nothing, for up to 26 responses."""
    return list(ascii_lowercase[:count])


def numbered_mentions(text: str, ids: Sequence[str]) -> list[ReferenceRecord]:
    """Every "@Response 1" of the text, which stays as it is. `ids`: those of the responses in the file's order."""
    return [
        ReferenceRecord(kind="mention", at=list(found.span()), response=ids[int(found[1]) - 1], text=found[0])
        for found in _MENTION.finditer(text)
        if int(found[1]) <= min(len(ids), MOST_MENTIONED)
    ]


def on_line(value: int, lowest: int, highest: int, ids: Sequence[str]) -> Verdict:
    """The verdict on two responses of a point on the line from "the first is much better" to "the second is".

    The margin counts steps from the middle; a line without a middle begins with 1 on both sides.
    """
    twice = 2 * value - lowest - highest
    if twice == 0:
        return Verdict("tie")
    return Verdict("winner", ids[0] if twice < 0 else ids[1], (abs(twice) + 1) // 2)


def by_number(numbers: Mapping[str, float], *, is_best_low: bool = False) -> Verdict:
    """The verdict of a number for each response: groups of equal numbers, best first."""
    ranking = [
        [key for key, each in numbers.items() if each == number]
        for number in sorted(set(numbers.values()), reverse=not is_best_low)
    ]
    best = ranking[0]
    if len(best) == 1:
        return Verdict("winner", best[0], None, ranking)
    return Verdict("tie", None, None, ranking)


def is_whole(value: object) -> bool:
    """Whether the value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def text_in(row: Mapping[str, Any], key: str, path: str, reader: RowReader) -> str:
    """The text under `key`; what is no text is reported and is empty."""
    value = row.get(key)
    if isinstance(value, str):
        return value
    reader.unexpected(path, value, "text")
    return ""


def objects_in(value: object, path: str, reader: RowReader, *, needed: bool = True) -> list[dict[str, Any]]:
    """The objects in a list; anything else is reported. Unless `needed`, null is an empty list."""
    if value is None and not needed:
        return []
    if not isinstance(value, list):
        reader.unexpected(path, value, "a list of objects")
        return []
    for index, each in enumerate(value):
        if not isinstance(each, dict):
            reader.unexpected(f"{path}[{index}]", each, "an object")
    return [each for each in value if isinstance(each, dict)]


def kind_of(mime: object) -> PartType:
    """The kind of part that a media type stands for."""
    main = mime.partition("/")[0] if isinstance(mime, str) else ""
    kinds: dict[str, PartType] = {"image": "image", "audio": "audio", "video": "video"}
    return kinds.get(main, "file")


def text_part(text: str) -> list[Part]:
    """A content of one text."""
    return [Part.of_text(text)]


def merged(*sources: Mapping[str, Any]) -> dict[str, Any]:
    """All keys of the sources; one that is there already gets a number behind it, so that nothing is lost."""
    result: dict[str, Any] = {}
    for source in sources:
        for key, value in source.items():
            name, number = key, 2
            while name in result:
                name, number = f"{key}#{number}", number + 1
            result[name] = value
    return result
