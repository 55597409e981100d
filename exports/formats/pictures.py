"""Pictures as responses, and ranks for them."""

from __future__ import annotations

from exports.formats.base import RowReader
from exports.formats.foreign import (
    Answer,
    whole_number,
)
from exports.records import Part

MOST_RANK = 1000


def pictures(value: object, field: str, reader: RowReader) -> list[Answer]:
    """A response for each path in a list."""
    if not isinstance(value, list) or not value:
        reader.unexpected(field, value, "a list of paths")
        return []
    made: list[Answer] = []
    for index, path in enumerate(value):
        if not isinstance(path, str) or not path:
            reader.unexpected(f"{field}[{index}]", path, "the path of a picture")
        else:
            made.append(([Part(type="image", path=path)], None, {}))
    return made


def ranks_in(
    value: object, count: int, field: str, reader: RowReader, *, least: int = 1, most: int = MOST_RANK
) -> list[int]:
    if not isinstance(value, list) or len(value) != count:
        reader.unexpected(field, value, f"a list of {count} numbers, one for each picture")
        return []
    found = [whole_number(each, f"{field}[{index}]", reader, least, most) for index, each in enumerate(value)]
    return [each for each in found if each is not None]
