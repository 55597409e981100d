"""Every kind of file gives back the rows that went in, in equal bytes each time; a spreadsheet runs none of them."""

from __future__ import annotations

import csv
import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports.cells import cell, guarded, unguarded, value_of
from exports.columns import Columns, described, is_mixed, merged
from exports.containers import Container
from exports.parquet import Schema
from exports.row_json import decode, encode
from exports.writers import AtomicFile

KINDS = [(name, compression) for name in ("jsonl", "json", "csv") for compression in ("none", "gzip", "zstd")]
KINDS += [("parquet", "none")]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "text": TEXT,
            "number": st.integers(-(2**53), 2**53),
            "share": st.floats(allow_nan=False, allow_infinity=False, width=32),
            "flag": st.booleans(),
            "messages": st.lists(st.fixed_dictionaries({"role": TEXT, "content": TEXT}), min_size=1, max_size=3),
            "metadata": st.dictionaries(TEXT, st.one_of(TEXT, st.integers(0, 9), st.none()), max_size=3),
        }
    ),
    max_size=8,
)


def container(name: str, compression: str, rows: list[dict[str, Any]], images: tuple[str, ...] = ()) -> Container:
    columns = Columns.of(rows)
    return Container(name, compression, columns, Schema(columns, images) if name == "parquet" else None)


def written(folder: Path, kind: Container, rows: list[dict[str, Any]], load: Any = None) -> Path:
    with AtomicFile(folder, f"a{kind.ending}") as file:
        sink = kind.opened(file, load)
        for row in rows:
            sink.write_line(encode(row))
        sink.close()
    assert file.written.rows == len(rows)
    return folder / file.written.name


@pytest.mark.parametrize(("name", "compression"), KINDS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_rows_come_back_as_they_were_and_in_equal_bytes(
    tmp_path: Path, name: str, compression: str, rows: list[dict[str, Any]]
) -> None:
    kind = container(name, compression, rows)

    path = written(tmp_path, kind, rows)
    first = path.read_bytes()

    assert list(kind.rows_of(path)) == rows
    assert written(tmp_path, kind, rows).read_bytes() == first


@pytest.mark.parametrize(("name", "compression"), KINDS)
def test_a_file_that_was_cut_short_cannot_be_read(tmp_path: Path, name: str, compression: str) -> None:
    rows: list[dict[str, Any]] = [{"text": f"row {number}"} for number in range(50)]
    kind = container(name, compression, rows)
    path = written(tmp_path, kind, rows)
    path.write_bytes(path.read_bytes()[:-9])

    found: list[dict[str, Any]] = []
    with suppress(ValueError, OSError):  # nothing else may come of it
        found = list(kind.rows_of(path))

    assert found != rows


def test_no_rows_are_a_file_too(tmp_path: Path) -> None:
    for name, compression in KINDS:
        kind = container(name, compression, [])
        assert list(kind.rows_of(written(tmp_path, kind, []))) == []


def test_gzip_holds_neither_name_nor_time(tmp_path: Path) -> None:
    path = written(tmp_path, container("jsonl", "gzip", []), [{"a": 1}])

    assert path.read_bytes()[3:8] == b"\0" * 5
    assert gzip.decompress(path.read_bytes()) == b'{"a":1}\n'


def test_a_json_list_can_be_read_by_anybody(tmp_path: Path) -> None:
    rows = [{"a": "é"}, {"a": "b"}]

    assert json.loads(written(tmp_path, container("json", "none", rows), rows).read_text("utf-8")) == rows


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "\n=x", "＝x", "＋x", "'=x", "''-x"])
def test_no_cell_begins_as_a_formula_and_the_text_comes_back(text: str) -> None:
    assert guarded(text) == "'" + text
    assert unguarded(guarded(text)) == text


@given(TEXT)
def test_other_text_is_left_alone(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text)[0] not in "=+-@\t\r\n＝＋－＠"


def test_csv_is_what_rfc_4180_says(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"text": 'a "b",\nc', "n": -3, "x": 0.5, "ok": True, "list": ["a"], "none": None},
        {"text": "=cmd", "n": 4, "x": 1, "ok": False, "list": [], "none": None},
    ]
    path = written(tmp_path, container("csv", "none", rows), rows)

    data = path.read_bytes()
    assert data.startswith(b'"text","n","x","ok","list","none"\r\n')
    assert b'"a ""b"",\nc",-3,0.5,"true","[""a""]",' in data
    assert list(csv.reader(data.decode().splitlines(keepends=True)))[2][0] == "'=cmd"


def test_an_empty_cell_is_null_where_there_are_gaps() -> None:
    assert value_of("", "text", has_gaps=True) is None
    assert value_of("", "text", has_gaps=False) == ""
    assert value_of("", "int", has_gaps=False) is None
    assert value_of(str(cell([1], ("list", "int"))), ("list", "int"), has_gaps=False) == [1]


def test_objects_of_free_keys_and_mixed_columns_are_json_text_in_parquet(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"metadata": {"a": 1}, "mixed": 1, "empty": {}, "big": 1 << 70, "m": [{"role": "u"}]},
        {"metadata": {}, "mixed": "x", "empty": {}, "big": 2, "m": []},
    ]
    kind = container("parquet", "none", rows)
    assert kind.schema is not None

    assert kind.schema.as_json == {"metadata", "mixed", "empty", "big"}
    assert list(kind.rows_of(written(tmp_path, kind, rows[1:]))) == rows[1:]


def test_pictures_are_embedded_and_named(tmp_path: Path) -> None:
    rows = [{"images": ["media/aa.png"], "image": "media/bb.png"}, {"images": [], "image": None}]
    kind = container("parquet", "none", rows, ("images", "image"))

    path = written(tmp_path, kind, rows, lambda path: path.encode())

    assert list(kind.rows_of(path)) == rows
    assert b"media/aa.png" in path.read_bytes()
    empty = written(tmp_path, kind, rows, lambda path: b"")
    with pytest.raises(ValueError, match=r"aa\.png is empty"):
        list(kind.rows_of(empty))


@given(ROWS, ROWS)
def test_columns_of_two_halves_are_those_of_the_whole(
    first: list[dict[str, Any]], second: list[dict[str, Any]]
) -> None:
    whole, halves = Columns.of([*first, *second]), [Columns.of(first), Columns.of(second)]

    for name, kind in whole.kinds.items():
        assert merged(halves[0].kinds.get(name), halves[1].kinds.get(name)) == kind


def test_kinds_are_told_apart_and_described() -> None:
    rows: list[dict[str, Any]] = [
        {"a": 1, "b": [{"x": "t"}], "c": True, "d": None, "e": [], "f": {}},
        {"a": 1.5, "b": [{"x": 1}], "c": False},
    ]
    columns = Columns.of(rows)

    assert columns.kinds["a"] == "float"
    assert {name for name, kind in columns.kinds.items() if is_mixed(kind)} == {"b"}
    assert columns.gaps == {"d", "e", "f"}
    assert [described(kind) for kind in columns.kinds.values()] == [
        "number",
        "list of object with x",
        "true or false",
        "null",
        "empty list",
        "empty object",
    ]


def test_whole_numbers_beyond_64_bits_are_written_as_they_are() -> None:
    row = {"n": 1 << 80, "t": "é"}

    assert encode(row) == f'{{"n":{1 << 80},"t":"é"}}'.encode()
    assert decode(encode(row)) == row


def test_a_line_that_is_no_object_is_refused() -> None:
    with pytest.raises(ValueError, match="found list"):
        decode(b"[1]")
