"""How long somebody worked, as far as the server can believe the page."""

LONGEST = 2**31 - 1


def honest_seconds(active: int | None, idle: int | None, wall: int) -> tuple[int | None, int | None]:
    """Return (active, idle) cut so that both together fit into ``wall``, the seconds that really passed.

    ``None`` when the page said nothing or something impossible: no number is better than an invented one.
    """
    if active is None or active < 0:
        return None, None
    limit = min(max(wall, 0), LONGEST)
    kept = min(active, limit)
    return kept, min(max(idle or 0, 0), limit - kept)
