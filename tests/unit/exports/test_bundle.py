from __future__ import annotations

import base64
import gzip
import tracemalloc
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exports.archives import Limits
from exports.bundle import open_bundle
from exports.problems import Problem, ProblemError


def upload(folder: Path, data: bytes, name: str = "tasks.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def rows_of(path: Path, **limits: int) -> list[object]:
    with open_bundle(path, limits=Limits(**limits)) as bundle:
        return list(bundle.rows())


def refused(path: Path, **limits: int) -> str:
    with pytest.raises(ProblemError) as caught:
        rows_of(path, **limits)
    return str(caught.value)


ROWS = [(1, {"a": 1}), (2, {"b": "é\u2028x"})]
LINES = '{"a":1}\n{"b":"é\u2028x"}\n'.encode()


@pytest.mark.parametrize(
    "data", [LINES, LINES[:-1], b"\xef\xbb\xbf" + LINES, LINES.replace(b"\n", b"\r\n"), LINES + b"\n \n"]
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.txt", "a"])
def test_json_lines_are_read_under_any_name(tmp_path: Path, data: bytes, name: str) -> None:
    assert rows_of(upload(tmp_path, data, name)) == ROWS


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.gz", "a.jsonl"])
def test_gzip_is_told_by_its_content(tmp_path: Path, name: str) -> None:
    assert rows_of(upload(tmp_path, gzip.compress(LINES, mtime=0), name)) == ROWS


def test_rows_can_be_read_twice(tmp_path: Path) -> None:
    with open_bundle(upload(tmp_path, gzip.compress(LINES, mtime=0))) as bundle:
        assert list(bundle.rows()) == list(bundle.rows()) == ROWS


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_array_is_told_by_its_content_and_numbered_by_index(tmp_path: Path, name: str) -> None:
    path = upload(tmp_path, b'\xef\xbb\xbf\n[\n {"a": 1},\n {"b": NaN},\n {"c": 1}\n]\n', name)
    with open_bundle(path) as bundle:
        problems = bundle.problem_list()
        assert list(bundle.good_rows(problems)) == [(0, {"a": 1}), (2, {"c": 1})]
        problems.add(Problem(bundle.file, 2, "c", "x", "y"))
    assert [str(each).split(":")[0] for each in problems] == [f"{name}, [1].b", f"{name}, [2].c"]


def test_bad_lines_are_reported_with_file_and_line_and_the_others_read(tmp_path: Path) -> None:
    data = b'{"a":1}\n{"a":\xe9}\n{"a":NaN}\n\n{"a":2}'
    first, latin, constant, last = rows_of(upload(tmp_path, data))
    assert (first, last) == ((1, {"a": 1}), (5, {"a": 2}))
    assert str(latin) == (
        "tasks.jsonl, line 2: found the byte 0xe9 at offset 5, which is not UTF-8; "
        "expected text in UTF-8 (save the file with that encoding)."
    )
    assert str(constant) == "tasks.jsonl, line 3, a: found NaN; expected a number that JSON knows, or null."


def test_error_late_in_the_file_leaves_the_other_rows_alone(tmp_path: Path) -> None:
    lines = [b'{"n":%d}' % number for number in range(1, 10_001)]
    lines[9_998] = b'{"n":"\xff"}'
    rows = rows_of(upload(tmp_path, b"\n".join(lines)))
    assert [row.line for row in rows if isinstance(row, Problem)] == [9_999]
    assert len(rows) == 10_000


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (b"\xef\xbb\xbf", "an empty file"),
        (b"\n \n", "an empty file"),
        (b"x", "starts neither like JSON nor like a table"),
        (b"\x80\x04\x95\x10", "starts neither like JSON nor like a table"),
        (b"\x93NUMPY\x01", "starts neither like JSON nor like a table"),
        (b"<?xml version='1.0'?>", "starts neither like JSON nor like a table"),
        (b"!!python/object:os.system", "starts neither like JSON nor like a table"),
        ('{"a":1}'.encode("utf-16"), "UTF-16 or UTF-32"),
        ('{"a":1}'.encode("utf-16-le"), "UTF-16 or UTF-32"),
        ('{"a":1}'.encode("utf-32-be"), "UTF-16 or UTF-32"),
        (gzip.compress(gzip.compress(LINES, mtime=0), mtime=0), "an archive inside the archive"),
        (gzip.compress(b"PK\x03\x04", mtime=0), "an archive inside the archive"),
        (b"\x1f\x8bgarbage", "damaged"),
        (gzip.compress(LINES, mtime=0)[:12], "damaged"),
    ],
)
@pytest.mark.parametrize("name", ["tasks.jsonl", "tasks.json", "tasks.gz"])
def test_other_content_is_refused_with_a_reason(tmp_path: Path, data: bytes, words: str, name: str) -> None:
    message = refused(upload(tmp_path, data, name))
    assert words in message
    assert message.startswith(name)


def test_one_object_over_several_lines_is_one_row(tmp_path: Path) -> None:
    assert rows_of(upload(tmp_path, b'{\n "a": {"b": 1},\n "c": 2\n}\n', "item.json")) == [(0, {"a": {"b": 1}, "c": 2})]


@pytest.mark.parametrize("key", ["tasks", "data", "items"])
def test_an_object_that_holds_its_rows_in_a_list_gives_those(tmp_path: Path, key: str) -> None:
    data = b'{\n "%s": [{"a": 1}, {"a": 2}],\n "next": null\n}' % key.encode()
    assert rows_of(upload(tmp_path, data, "answer.json")) == [(0, {"a": 1}), (1, {"a": 2})]


def test_a_broken_first_line_does_not_make_lines_one_object(tmp_path: Path) -> None:
    first, second = rows_of(upload(tmp_path, b'{"a": 1,\n{"a": 2}\n'))
    assert isinstance(first, Problem)
    assert (first.line, second) == (1, (2, {"a": 2}))


CSV_ROWS = [(2, {"a": "1", "b": 'x "y"\nz'}), (4, {"a": "=2+3", "b": ""})]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_tables_are_read_with_any_usual_delimiter(tmp_path: Path, delimiter: str, ends: str) -> None:
    data = f'a{delimiter}b{ends}1{delimiter}"x ""y""\nz"{ends}=2+3{delimiter}{ends}'.encode()
    assert rows_of(upload(tmp_path, b"\xef\xbb\xbf" + data, "a.csv")) == CSV_ROWS


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"a,b\n1\n2,3\n", 2, "1 cells"),
        (b"a,b\n1,2,3\n", 2, "3 cells"),
        (b'a,b\n1,"x\n2,3\n', 3, "a broken table"),
        (b"a,a\n1,2\n", None, "the column 'a' twice"),
        (b"a,,c\n1,2,3\n", None, "a column without a name"),
        (b"a,b\n1,\xe9\n", 2, "the byte 0xe9"),
        (b"a,b\n1,x\x00y\n", None, "neither like JSON nor like a table"),
        (",".join(f"c{n}" for n in range(1001)).encode() + b"\n", None, "1,001 columns"),
        (b"a,b\n1," + b"x" * 5_000_001 + b"\n", 2, "more than 5,000,000 bytes in one line"),
    ],
)
def test_tables_that_are_not_sound_are_refused_with_their_place(
    tmp_path: Path, data: bytes, place: int | None, words: str
) -> None:
    path = upload(tmp_path, data, "a.csv")
    try:
        problem = next(row for row in rows_of(path) if isinstance(row, Problem))
    except ProblemError as error:
        problem = error.problem
    assert words in problem.found
    assert problem.line == place


def test_parquet_rows_are_plain_json_values(tmp_path: Path) -> None:
    when = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
    row = {"a": 1, "b": float("nan"), "c": [{"bytes": b"\x89PNG", "path": "1.png"}], "d": when, "e": Decimal("1.50")}
    pq.write_table(pa.Table.from_pylist([row, {**row, "a": 2}]), tmp_path / "a.parquet")
    picture = {"bytes": base64.b64encode(b"\x89PNG").decode(), "path": "1.png"}
    plain = {"a": 1, "b": None, "c": [picture], "d": "2024-02-29T12:30:00+00:00", "e": "1.50"}
    assert rows_of(tmp_path / "a.parquet") == [(1, plain), (2, {**plain, "a": 2})]


@pytest.mark.parametrize("data", [b"PAR1\x15\x04", b"PAR1" + b"\x00" * 100 + b"PAR1"])
def test_damaged_parquet_is_a_problem(tmp_path: Path, data: bytes) -> None:
    (problem,) = rows_of(upload(tmp_path, data, "a.parquet"))
    assert isinstance(problem, Problem)
    assert problem.found == "a damaged Parquet file"


def test_parquet_that_unpacks_to_too_much_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": ["x" * 1000] * 10_000}), tmp_path / "a.parquet", use_dictionary=False)
    (problem,) = rows_of(tmp_path / "a.parquet", group=1_000_000)
    assert isinstance(problem, Problem)
    assert "in one group of rows" in problem.found


def test_media_inside_a_row_are_decoded(tmp_path: Path) -> None:
    with open_bundle(upload(tmp_path, LINES)) as bundle:
        assert bundle.media("data:image/png;base64,iVBORw==") == b"\x89PNG"
        for bad in ["data:image/png,plain", "data:image/png;base64,%%%", "https://example.org/a.png"]:
            with pytest.raises(ProblemError):
                bundle.media(bad)


def test_media_inside_a_row_have_a_limit(tmp_path: Path) -> None:
    with open_bundle(upload(tmp_path, LINES), limits=Limits(embedded=3)) as bundle:
        assert bundle.media("data:;base64,AAAA") == b"\0\0\0"
        with pytest.raises(ProblemError):
            bundle.media("data:;base64," + "A" * 12)


def test_array_of_text_in_another_encoding_is_a_problem(tmp_path: Path) -> None:
    (problem,) = rows_of(upload(tmp_path, '["é"]'.encode("latin-1"), "a.json"))
    assert isinstance(problem, Problem)
    assert "not UTF-8" in problem.found


def test_array_beyond_its_limit_is_a_problem(tmp_path: Path) -> None:
    path = upload(tmp_path, b"[" + b" " * 100 + b"]", "a.json")
    assert rows_of(path, array=102) == []
    (problem,) = rows_of(path, array=101)
    assert "one document of more than 101 bytes" in str(problem)


def test_gzip_bomb_stops_at_the_limit_in_bounded_memory(tmp_path: Path) -> None:
    row = b'{"a":"' + b"x" * 1_000_000 + b'"}\n'
    path = upload(tmp_path, gzip.compress(row * 100, mtime=0), "bomb.gz")
    assert path.stat().st_size < 200_000
    tracemalloc.start()
    try:
        with open_bundle(path, limits=Limits(data=5_500_000)) as bundle:
            kinds = [type(row) for row in bundle.rows()]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert kinds == [tuple] * 5 + [Problem]
    assert peak < 20_000_000


def test_gzip_that_breaks_off_reports_what_came_before(tmp_path: Path) -> None:
    row = b'{"a":"%d"}\n'
    data = gzip.compress(b"".join(row % (number * 7919) for number in range(50_000)))
    *rows, last = rows_of(upload(tmp_path, data[: len(data) // 2], "a.gz"))
    assert len(rows) > 100
    assert all(isinstance(row, tuple) for row in rows)
    assert isinstance(last, Problem)
    assert "damaged or incomplete" in last.found


def test_plain_file_has_no_media(tmp_path: Path) -> None:
    with open_bundle(upload(tmp_path, LINES)) as bundle:
        assert (bundle.names, bundle.media("a.png")) == ([], None)


def test_name_of_the_owner_is_shown_without_its_tricks(tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as caught:
        open_bundle(upload(tmp_path, b"x"), name="gpj.\u202eexe" + "x" * 1000)
    assert str(caught.value).startswith(r"gpj.\u202eexexxx")
    assert len(str(caught.value)) < 400
