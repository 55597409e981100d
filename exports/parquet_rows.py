"""The rows of a Parquet file as plain JSON values."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import math
import shutil
import tempfile
from collections.abc import Iterator
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from exports.archives import Limits
from exports.problems import Problem, ProblemError

MAGIC = b"PAR1"
BATCH_ROWS = 100


def parquet_rows(stream: IO[bytes], limits: Limits) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number from 1, row). Bytes become base64 text, times ISO 8601 text, and NaN (how tables of numbers write
    a missing one) null.

    Raises `ProblemError` for a damaged file and for one that unpacks to more than `limits.data` bytes, or to more than
    `limits.array` in one group of rows: a group is decoded in memory.
    """
    with tempfile.TemporaryFile() as file:  # the format is read from its end
        shutil.copyfileobj(stream, file)
        file.seek(0)
        try:
            table = pq.ParquetFile(file)
            _check_sizes(table, limits)
            number = 0
            for batch in table.iter_batches(batch_size=BATCH_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield number, plain(row)
        except (pa.ArrowException, OSError) as error:
            problem = Problem("", None, "", "a damaged Parquet file", "a file that opens with a Parquet reader")
            raise ProblemError(problem) from error


def _check_sizes(table: pq.ParquetFile, limits: Limits) -> None:
    groups = [table.metadata.row_group(index).total_byte_size for index in range(table.num_row_groups)]
    if sum(groups) > limits.data or max(groups, default=0) > limits.group:
        found = f"{sum(groups):,} bytes when unpacked, {max(groups):,} in one group of rows"
        expected = f"at most {limits.data:,} bytes, and {limits.group:,} in one group of rows"
        raise ProblemError(Problem("", None, "", found, expected))


def plain(value: Any) -> Any:
    """The value as JSON knows it."""
    match value:
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case float():
            return None if math.isnan(value) else value
        case bytes():
            return base64.b64encode(value).decode()
        case dt.date() | dt.time():
            return value.isoformat()
        case decimal.Decimal() | dt.timedelta():
            return str(value)
    return value
