"""Many rows at once into the database, without making model objects of them.

Making objects, and asking the database for the id of each, took most of the time of an import.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson
from django.db import connection, models
from django.db.models import Max


def reserve_ids(model: type[models.Model], count: int) -> range | list[int]:
    """Return ``count`` primary keys that nobody else will use. Call inside a transaction that writes.

    PostgreSQL draws them from the table's sequence. SQLite has one writer at a time: the next ones after the highest
    are free until the transaction ends.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
                [model._meta.db_table, count],
            )
            return [row[0] for row in cursor.fetchall()]
    first = _highest(model) + 1
    return range(first, first + count)


def _highest(model: type[models.Model]) -> int:
    """The highest key that was ever given out, so that none is used twice."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
        row = cursor.fetchone()
    stored = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
    return max(stored, row[0] if row else 0)


def insert(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of values as the database stores them: JSON as text (``as_json``), times by ``prepared_time``."""
    with connection.cursor() as cursor:
        cursor.executemany(_statement(model, tuple(columns)), rows)  # type: ignore[arg-type]  # any iterable will do


@lru_cache(maxsize=100)
def _statement(model: type[models.Model], columns: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    fields: list[models.Field[Any, Any]] = [model._meta.get_field(name) for name in columns]  # type: ignore[misc]
    places = [
        "%s::jsonb" if isinstance(field, models.JSONField) and connection.vendor == "postgresql" else "%s"
        for field in fields
    ]
    names = ", ".join(quote(str(field.column)) for field in fields)
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({', '.join(places)})"  # noqa: S608 (our own names)


def as_json(value: object) -> str:
    """Return a JSON value as it is inserted."""
    return orjson.dumps(value).decode()


def prepared_time(value: datetime) -> Any:
    """Return a moment as the database stores it."""
    return connection.ops.adapt_datetimefield_value(value)
