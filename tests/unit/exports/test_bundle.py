from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

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
        (b"x", "does not start like JSON"),
        (b"PAR1\x15\x04", "does not start like JSON"),
        (b"\x80\x04\x95\x10", "does not start like JSON"),
        (b"\x93NUMPY\x01", "does not start like JSON"),
        (b"<?xml version='1.0'?>", "does not start like JSON"),
        (b"!!python/object:os.system", "does not start like JSON"),
        (b"prompt,chosen,rejected\n", "does not start like JSON"),
        ('{"a":1}'.encode("utf-16"), "UTF-16 or UTF-32"),
        ('{"a":1}'.encode("utf-16-le"), "UTF-16 or UTF-32"),
        ('{"a":1}'.encode("utf-32-be"), "UTF-16 or UTF-32"),
        (b'{\n "a": 1\n}\n', "over several lines"),
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


def test_array_of_text_in_another_encoding_is_a_problem(tmp_path: Path) -> None:
    (problem,) = rows_of(upload(tmp_path, '["é"]'.encode("latin-1"), "a.json"))
    assert isinstance(problem, Problem)
    assert "not UTF-8" in problem.found


def test_array_beyond_its_limit_is_a_problem(tmp_path: Path) -> None:
    path = upload(tmp_path, b"[" + b" " * 100 + b"]", "a.json")
    assert rows_of(path, array=102) == []
    (problem,) = rows_of(path, array=101)
    assert "a list of more than 101 bytes" in str(problem)


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
