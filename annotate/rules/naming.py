"""Keys for what people name in words."""

import re
from collections.abc import Set


def key_of(label: str, taken: Set[str]) -> str:
    """Return a key of small letters, digits and _ that is not among ``taken``."""
    start = re.sub(r"[^a-z0-9]+", "_", label.casefold()).strip("_")[:50] or "point"
    start = start if start[0].isalpha() else f"point_{start}"
    key, number = start, 2
    while key in taken:
        key, number = f"{start}_{number}", number + 1
    return key
