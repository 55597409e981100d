"""In which order responses and dimensions are shown."""

import hashlib
from collections.abc import Sequence


def display_order(response_ids: Sequence[int], seed: str, turn: int) -> list[int]:
    """Return the ids in the order for the ``turn``-th showing (0, 1, …) of the prompt that ``seed`` names.

    The first order is drawn from the seed; each following showing moves every response one place on, and after a
    whole round the order is mirrored. Over n showings each response stands in each place once; two responses swap
    sides from one annotator to the next.
    """
    ids = sorted(response_ids, key=lambda pk: hashlib.sha256(f"{seed}:{pk}".encode()).digest())
    shift = turn % len(ids)
    rotated = ids[shift:] + ids[:shift]
    return rotated[::-1] if (turn // len(ids)) % 2 and len(ids) > 2 else rotated


def dimension_order(keys: Sequence[str], seed: str) -> list[str]:
    """Return the keys rotated by a number that ``seed`` decides: the same for the same seed, each first equally often.

    A rotation keeps what belongs together side by side, and no dimension gains from always being rated first.
    """
    shift = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8]) % len(keys) if keys else 0
    return [*keys[shift:], *keys[:shift]]
