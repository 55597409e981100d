"""Waiting for those who were still writing when a cut was made.

PostgreSQL hands out ids before the commit: a row under the watermark may appear only after it. Whoever had begun to
write by then is waited for; whoever began later gets higher ids. SQLite lets one write at a time, so nobody is.
"""

import time
from collections.abc import Callable

from django.db import connection

from exports.models import Export

PAUSE_SECONDS = 0.1


def transaction_now() -> int | None:
    """Return the number that the next transaction gets, or None where nobody need be waited for."""
    if connection.vendor != "postgresql":
        return None
    return _one("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")


def wait_until_settled(export: Export, beat: Callable[[], None]) -> None:
    """Return when every transaction that was running at the export's cut has ended. ``beat``: called meanwhile."""
    # Inside a transaction of one's own nobody else's end could be seen.
    if export.settles_after is None or connection.in_atomic_block:
        return
    while _one("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint") < export.settles_after:
        beat()
        time.sleep(PAUSE_SECONDS)


def _one(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])
