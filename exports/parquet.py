"""Rows as Parquet: one schema for all files of an export, found from its columns before the first row is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from exports.columns import Columns, Kind, is_mixed
from exports.row_json import decode
from exports.writers import AtomicFile, Sink

GROUP_ROWS = 1000
GROUP_BYTES = 32_000_000  # of pictures
LoadMedia = Callable[[str], bytes]
_SIMPLE = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), "text": pa.string(), None: pa.string()}
_IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


class Schema:
    """The Arrow schema of the columns. Objects of free keys, objects without keys, and what is of several kinds have
    no type: those columns hold JSON text. `images`: the columns whose paths become pictures."""

    def __init__(self, columns: Columns, images: Sequence[str] = ()) -> None:
        self.kinds = columns.kinds
        self.images = {name: is_list(columns.kinds[name]) for name in images if name in columns.kinds}
        self.as_json = frozenset(
            name for name, kind in self.kinds.items() if name not in self.images and _has_no_type(kind)
        )
        self.arrow = pa.schema([(name, self._type(name)) for name in self.kinds], metadata=self._features())

    def _type(self, name: str) -> pa.DataType:
        if name in self.images:
            return pa.list_(_IMAGE) if self.images[name] else _IMAGE
        return pa.string() if name in self.as_json else arrow_type(self.kinds[name])

    def _features(self) -> dict[bytes, bytes] | None:
        """What tells `datasets` that these columns are pictures."""
        if not self.images:
            return None
        image: dict[str, Any] = {"_type": "Image"}
        features = {name: {"feature": image, "_type": "List"} if many else image for name, many in self.images.items()}
        return {b"huggingface": json.dumps({"info": {"features": features}}, sort_keys=True).encode()}

    def row(self, row: Mapping[str, Any], load: LoadMedia) -> dict[str, Any]:
        """The row as the schema wants it."""
        made = dict(row)
        for name in self.as_json:
            if made.get(name) is not None:
                made[name] = orjson.dumps(made[name]).decode()
        for name, many in self.images.items():
            paths = (made.get(name) or []) if many else [made.get(name)]
            pictures = [{"bytes": load(path), "path": path.rsplit("/", 1)[-1]} for path in paths if path]
            made[name] = pictures if many else next(iter(pictures), None)
        return made


def is_list(kind: Kind) -> bool:
    return isinstance(kind, tuple) and kind[0] == "list"


def arrow_type(kind: Kind) -> pa.DataType:
    """The Arrow type of a kind that has one."""
    if not isinstance(kind, tuple):
        return _SIMPLE[kind]
    if kind[0] == "list":
        return pa.list_(arrow_type(kind[1]))
    return pa.struct([(key, arrow_type(inner)) for key, inner in kind[1].items()])


def _has_no_type(kind: Kind) -> bool:
    if isinstance(kind, tuple):
        inner = list(kind[1].values()) if kind[0] == "object" else [kind[1]]
        return not inner or any(_has_no_type(each) for each in inner)
    return is_mixed(kind) or kind == "json"


class ParquetRows:
    """Writes one file, compressed with zstd, in row groups of at most 1,000 rows."""

    def __init__(self, file: AtomicFile, schema: Schema, load: LoadMedia) -> None:
        self.file, self.schema, self.load = file, schema, load
        self.waiting: list[dict[str, Any]] = []
        self.bytes = 0
        self.writer = pq.ParquetWriter(pa.PythonFile(Sink(file), mode="w"), schema.arrow, compression="zstd")

    def write_line(self, line: bytes) -> None:
        self.waiting.append(self.schema.row(decode(line), self._loaded))
        self.file.rows += 1
        if len(self.waiting) >= GROUP_ROWS or self.bytes >= GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self.writer.close()

    def _loaded(self, path: str) -> bytes:
        data = self.load(path)
        self.bytes += len(data)
        return data

    def _flush(self) -> None:
        if self.waiting:
            self.writer.write_table(pa.Table.from_pylist(self.waiting, schema=self.schema.arrow))
        self.waiting, self.bytes = [], 0


def read_rows(path: Path, schema: Schema) -> Iterator[dict[str, Any]]:
    """Yield the rows as they were before `Schema.row`, with null where a row had no such key.

    Raises `ValueError` when the file has other columns, or holds no picture where there should be one.
    """
    with pq.ParquetFile(path) as file:
        if not file.schema_arrow.equals(schema.arrow):
            raise ValueError("the file has other columns than it should")
        for batch in file.iter_batches(batch_size=100):
            for row in batch.to_pylist():
                for name in schema.as_json:
                    row[name] = None if row[name] is None else orjson.loads(row[name])
                for name, many in schema.images.items():
                    row[name] = [_path(each) for each in row[name]] if many else row[name] and _path(row[name])
                yield row


def _path(picture: Mapping[str, Any]) -> str:
    if not picture["bytes"]:
        raise ValueError(f"the picture {picture['path']} is empty")
    return f"media/{picture['path']}"
