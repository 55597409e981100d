"""The responses of a Dataloop item: annotations that name the prompt they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from exports.formats.base import RowReader
from exports.formats.imported import is_whole, kind_of, letters, merged, objects_in, pseudonym, without_addresses
from exports.formats.pair_rows import MOST
from exports.problems import describe
from exports.records import Part, ResponseRecord

NAMESPACE, RLHF = "tiebreak", "rlhf"
"""Where our writer keeps what Dataloop has no place for, and where others do."""
_PEOPLE = ("creator", "updatedBy")
_KNOWN = ("type", "coordinates", "metadata", "itemId", "datasetId", "url", "item", "dataset", "hash", *_PEOPLE)


@dataclass
class Given:
    """A response, the id that the source gives it, and what is said about it."""

    response: ResponseRecord
    source: str
    ratings: dict[str, Any] = field(default_factory=dict)
    rank: float | None = None


def value_at(value: object, *keys: str) -> Any:
    """What lies under the keys, one inside the other; None where there is nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def responses_of(value: object, prompts: dict[str, Any], reader: RowReader) -> dict[str, list[Given]]:
    """The responses by prompt, in their order. Several annotations of one response of ours are its parts."""
    found: dict[str, list[Given]] = {}
    for index, each in enumerate(objects_in(value, "annotations", reader, needed=False)):
        path = f"annotations[{index}]"
        key = value_at(each, "metadata", "system", "promptId")
        if not isinstance(key, str) or key not in prompts:
            expected = f"the key of a prompt of the item: {', '.join(list(prompts)[:9])}"
            reader.unexpected(f"{path}.metadata.system.promptId", key, expected)
            continue
        part = _part(each, path, reader)
        if part is not None:
            _add(each, part, found.setdefault(key, []), path, reader)
    return found


def _part(each: dict[str, Any], path: str, reader: RowReader) -> Part | None:
    kind, place = each.get("type"), each.get("coordinates")
    if kind == "text" and isinstance(place, str):
        return Part.of_text(place)
    if kind == "binary" and isinstance(place, str) and place:
        return Part(type="file", path=place)
    if kind == "ref_image" and isinstance(value_at(place, "ref"), str) and value_at(place, "ref"):
        mime = value_at(place, "mimetype")
        return Part(type="image" if not mime else kind_of(mime), path=value_at(place, "ref"))
    if kind in ("text", "binary", "ref_image"):
        expected = {"text": "the text of the response", "binary": "the address of the response"}
        reader.unexpected(f"{path}.coordinates", place, expected.get(kind, "an object with ref, the picture's address"))
    else:
        reader.unexpected(f"{path}.type", kind, "text, ref_image or binary")
    return None


def _add(each: dict[str, Any], part: Part, given: list[Given], path: str, reader: RowReader) -> None:
    own = value_at(each, "metadata", "user", NAMESPACE, "response")
    before = next((one for one in given if isinstance(own, str) and one.response.id == own), None)
    if before is not None:
        before.response = replace(before.response, content=[*before.response.content, part])
        return
    if len(given) == MOST:
        reader.problem(path, f"more than {MOST} responses to a prompt", f"at most {MOST}")
        return
    model = value_at(each, "metadata", "user", "model")
    name = value_at(model, "name")
    if isinstance(own, str) and own:
        key, metadata = own, {}
    else:
        key, metadata = letters(MOST)[len(given)], _metadata(each)
    response = ResponseRecord(
        id=key,
        content=[part],
        model=name if isinstance(name, str) and name and name != own else None,
        metadata=metadata,
    )
    more = value_at(each, "metadata", "user", RLHF)
    if more is not None and not isinstance(more, dict):
        reader.unexpected(f"{path}.metadata.user.{RLHF}", more, "an object with ratings and rank")
    ratings, rank = value_at(more, "ratings"), value_at(more, "rank")
    if ratings is not None and not isinstance(ratings, dict):
        reader.unexpected(f"{path}.metadata.user.{RLHF}.ratings", ratings, "an object of whole numbers")
    if rank is not None and not is_whole(rank):
        reader.problem(f"{path}.metadata.user.{RLHF}.rank", describe(rank), "a whole number, the lowest for the best")
    source = each.get("id")
    given.append(
        Given(
            response,
            source if isinstance(source, str) else "",
            ratings if isinstance(ratings, dict) else {},
            rank if is_whole(rank) else None,
        )
    )


def _metadata(each: dict[str, Any]) -> dict[str, Any]:
    """What else the annotation says; people are pseudonyms, and what only repeats the place of the item is left out."""
    about = {key: value for key, value in each.items() if key not in _KNOWN and value not in (None, "")}
    people = {key: pseudonym(each[key]) for key in _PEOPLE if isinstance(each.get(key), str)}
    system, user = value_at(each, "metadata", "system"), value_at(each, "metadata", "user")
    rest = {key: value for key, value in system.items() if key != "promptId"} if isinstance(system, dict) else {}
    said = {key: value for key, value in user.items() if key not in (RLHF, "model")} if isinstance(user, dict) else {}
    model = value_at(user, "model")
    more = {key: value for key, value in model.items() if key != "name"} if isinstance(model, dict) else {}
    found: dict[str, Any] = without_addresses(merged(about, people, rest, said, more))
    return found
