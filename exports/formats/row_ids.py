"""Ids for rows that have none."""

from __future__ import annotations

import hashlib
import json


def row_digest(value: object) -> str:
    """16 hex digits that are the same for the same JSON value, so that the same file twice adds nothing."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:16]
