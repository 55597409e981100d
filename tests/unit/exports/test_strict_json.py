from __future__ import annotations

import io

import pytest

from exports.problems import Problem, ProblemError
from exports.strict_json import LINE_LIMIT, iter_array, iter_lines, loads


def refused(line: bytes, **options: int) -> tuple[str, str]:
    """(field, what was found) of the problem that `line` gives."""
    with pytest.raises(ProblemError) as caught:
        loads(line, **options)
    return caught.value.problem.field, caught.value.problem.found


def test_loads_keeps_order_and_values() -> None:
    value = loads('{"b":[1,2.5,-0.0,null,true],"a":"é\u2028"}'.encode())
    assert list(value.items()) == [("b", [1, 2.5, -0.0, None, True]), ("a", "é\u2028")]  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_json_does_not_know_are_refused_with_their_field(number: str) -> None:
    assert refused(f'{{"a":[{{"margin":{number}}}]}}'.encode()) == ("a[0].margin", number)


@pytest.mark.parametrize("number", ["1e400", "-1e999999"])
def test_numbers_that_overflow_are_refused(number: str) -> None:
    assert refused(f'{{"x":{number}}}'.encode()) == ("x", "a number that is too large")


@pytest.mark.parametrize("number", [2**53, -(2**53), 2**31, 0])
def test_whole_numbers_up_to_two_to_53_are_kept(number: int) -> None:
    assert loads(b"[%d]" % number) == [number]


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 2**64])
def test_larger_whole_numbers_are_refused(number: int) -> None:
    assert refused(b'{"id":%d}' % number) == ("id", f"the whole number {number}")


def test_number_of_5000_digits_is_refused_and_cut_in_the_message() -> None:
    assert refused(b'{"id":' + b"7" * 5000 + b"}") == ("id", f"the whole number {'7' * 20}… (5000 digits)")


def test_leading_zeros_are_kept_in_text_and_refused_in_numbers() -> None:
    assert loads(b'{"id":"00012"}') == {"id": "00012"}
    assert refused(b'{"id":00012}')[1].startswith("broken JSON")


def test_nesting_of_64_levels_is_read_and_65_refused() -> None:
    assert loads(b"[" * 64 + b"]" * 64) is not None
    assert refused(b"[" * 65 + b"]" * 65) == ("[0]" * 26 + "[…", "more than 64 levels of nesting")


@pytest.mark.parametrize("depth", [1_000, 100_000, 1_000_000])
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_nesting_is_refused_not_a_crash(depth: int, opening: bytes) -> None:
    closing = {b"[": b"]"}.get(opening, b"}")
    line = opening * depth + b"1" + closing * depth
    assert "nesting" in refused(line, limit=10_000_000)[1]


def test_keys_given_twice_are_refused_with_the_path_of_their_object() -> None:
    assert refused(b'{"a":{"b":1,"c":2,"b":3}}') == ("a", 'the key "b" twice')


def test_keys_that_mean_something_to_a_browser_are_plain_data() -> None:
    row = {"__proto__": {"a": 1}, "constructor": "x", "toString": "y"}
    assert loads(b'{"__proto__":{"a":1},"constructor":"x","toString":"y"}') == row


@pytest.mark.parametrize("escape", [r"\ud800", r"\udfff", r"\ud800x", r"\udc00\ud800", r"\uffff", r"\ufdd0"])
def test_lone_surrogates_and_noncharacters_are_refused(escape: str) -> None:
    field, found = refused(f'{{"t":"a{escape}"}}'.encode())
    assert (field, found.split(" in ")[0][:23]) == ("t", "the invalid character U")


def test_noncharacter_beyond_the_basic_plane_is_refused() -> None:
    assert refused('["\U0001ffff"]'.encode())[1].startswith("the invalid character U+1FFFF")


def test_paired_surrogates_are_one_character() -> None:
    assert loads(rb'["\ud83d\ude00"]') == ["😀"]


def test_nul_is_refused_in_values_and_keys() -> None:
    assert refused(rb'{"a":{"b":"x\u0000y"}}') == ("a.b", r'a NUL character in "x\u0000y"')
    assert refused(rb'{"a":{"k\u0000":1}}') == ("a", r'a NUL character in "k\u0000"')


def test_raw_nul_and_control_characters_are_refused() -> None:
    assert "control character" in refused(b'{"a":"x\x00y"}')[1]
    assert "control character" in refused(b'{"a":"x\x01y"}')[1]


def test_odd_keys_are_shown_in_brackets_in_paths() -> None:
    assert refused(b'{"a b":{"":NaN}}')[0] == '["a b"][""]'


@pytest.mark.parametrize(
    ("line", "offset"), [("café".encode("latin-1"), 3), ("日本".encode("shift-jis"), 0), (b"\xed\xa0\x80", 0)]
)
def test_other_encodings_are_refused_with_the_byte_offset(line: bytes, offset: int) -> None:
    found = refused(b'{"a":"' + line + b'"}')[1]
    assert found == f"the byte 0x{line[offset]:02x} at offset {offset + 6}, which is not UTF-8"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_utf16_and_utf32_are_refused_by_name(encoding: str) -> None:
    assert refused('{"a":1}'.encode(encoding)) == ("", "text in UTF-16 or UTF-32")


@pytest.mark.parametrize("line", [b'{"a":1', b'{"a":1}{"b":2}', b'{"a":1}\r{"b":2}', b"{'a':1}", b'{"a":1,}', b"hello"])
def test_broken_json_is_refused_with_the_position(line: bytes) -> None:
    assert refused(line)[1].startswith("broken JSON (")


def test_line_beyond_the_limit_is_refused() -> None:
    assert loads(b'"' + b"x" * 8 + b'"', limit=10) == "xxxxxxxx"
    assert refused(b'"' + b"x" * 9 + b'"', limit=10) == ("", "more than 10 bytes in one line")


def test_lines_end_at_line_feeds_only() -> None:
    data = '{"a":"x\u2028y\u2029z\u0085\x0b"}\r\n\n \t\r\n{"b":1}\n{"c":2}'.encode()
    assert list(iter_lines(io.BytesIO(data))) == [
        (1, '{"a":"x\u2028y\u2029z\u0085\x0b"}'.encode()),
        (4, b'{"b":1}'),
        (5, b'{"c":2}'),
    ]


def test_byte_order_mark_is_dropped_at_the_start_only() -> None:
    assert list(iter_lines(io.BytesIO(b"\xef\xbb\xbf{}\n\xef\xbb\xbf{}"))) == [(1, b"{}"), (2, b"\xef\xbb\xbf{}")]


def test_empty_stream_has_no_lines() -> None:
    assert list(iter_lines(io.BytesIO(b""))) == []


class CountingStream(io.BytesIO):
    longest = 0

    def readline(self, size: int | None = -1) -> bytes:
        piece = super().readline(size)
        self.longest = max(self.longest, len(piece))
        return piece


def test_overlong_line_is_cut_in_bounded_memory_and_the_next_one_is_read() -> None:
    stream = CountingStream(b"x" * 20_000_000 + b'\n{"a":1}\n')
    lines = list(iter_lines(stream))
    assert [(number, len(line)) for number, line in lines] == [(1, LINE_LIMIT + 1), (2, 7)]
    assert stream.longest <= LINE_LIMIT + 2
    assert refused(lines[0][1])[1] == "more than 5,000,000 bytes in one line"


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_line_of_exactly_the_limit_is_kept_whole(ending: bytes) -> None:
    data = b"x" * 10 + ending + (b"{}\n" if ending else b"")
    assert next(iter_lines(io.BytesIO(data), limit=10)) == (1, b"x" * 10)


def test_array_elements_come_with_their_index() -> None:
    assert list(iter_array(' [ {"a":1} , 2 ] \n')) == [(0, {"a": 1}), (1, 2)]
    assert list(iter_array("[]")) == list(iter_array(" [ ] ")) == []


def test_bad_array_element_is_reported_and_the_next_ones_follow() -> None:
    first, bad, last = iter_array('[{"a":1},{"b":[NaN]},{"c":1}]')
    assert (first, last) == ((0, {"a": 1}), (2, {"c": 1}))
    assert isinstance(bad, Problem)
    assert (bad.field, bad.found) == ("[1].b[0]", "NaN")


@pytest.mark.parametrize(
    ("text", "field"),
    [("[1", "[1]"), ("[1,", "[1]"), ("[1 2]", "[1]"), ("[1,]", "[1]"), ("[", "[0]"), ("[1]x", ""), ("[1][2]", "")],
)
def test_broken_array_ends_in_a_problem(text: str, field: str) -> None:
    *_, last = iter_array(text)
    assert isinstance(last, Problem)
    assert last.field == field


def test_array_nested_too_deep_ends_in_a_problem() -> None:
    (problem,) = iter_array("[" * 100_000)
    assert isinstance(problem, Problem)
    assert "nesting" in problem.found
