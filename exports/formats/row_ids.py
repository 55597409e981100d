"""Ids for rows that have none."""

from __future__ import annotations

import hashlib
import json
import re

_ROW_ID = re.compile("row-[0-9a-f]{16}")


def row_digest(value: object) -> str:
    """16 hex digits that are the same for the same JSON value, so that the same file twice adds nothing."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:16]


def row_id(value: object) -> str:
    """The id of a row that has none. A second row like it gets one of its own when it is imported."""
    return f"row-{row_digest(value)}"


def is_row_id(name: str) -> bool:
    """Whether `row_id` made the id."""
    return _ROW_ID.fullmatch(name) is not None
