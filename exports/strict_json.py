"""JSON without surprises: what Python's own decoder lets through and a database or a trainer does not survive."""

from __future__ import annotations

import json
import math
import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO, NoReturn

from exports.problems import Problem, ProblemError, describe

LINE_LIMIT = 5_000_000
MAX_DEPTH = 64
MAX_INT = 2**53
UTF8_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_FORBIDDEN = re.compile(
    "[\x00\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(f"{chr(p | 0xFFFE)}{chr(p | 0xFFFF)}" for p in range(0x10000, 0x110000, 0x10000))
    + "]"
)
_BAD_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F]|[fF][dD][dDeE]|[fF]{3}[eEfF])")
_TOO_DEEP, _DEPTH_ALLOWED = f"more than {MAX_DEPTH} levels of nesting", f"at most {MAX_DEPTH} levels"
_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN_KEY = re.compile(r"^[A-Za-z_][A-Za-z0-9_-]*$")


class _Bad:
    """Stands for a value that the decoder must not accept, until the walk finds it and knows where it is."""

    def __init__(self, found: str, expected: str) -> None:
        self.found, self.expected = found, expected


def loads(line: bytes, *, limit: int = LINE_LIMIT) -> object:
    """Decode one JSON document of UTF-8 bytes, at most `limit` of them.

    Raises `ProblemError`, with the field path where there is one, for: a longer document, another encoding, a syntax
    error, NaN, Infinity and numbers that overflow, whole numbers beyond 2**53, an object with a key twice, more than
    64 levels, NUL characters, lone surrogates and noncharacters.
    """
    if len(line) > limit:
        _refuse("", f"more than {limit:,} bytes in one line", f"at most {limit:,} bytes per row")
    decoder = _decoders.of_thread()
    value = decode(text_of_bytes(line), decoder)
    if decoder.notes or _needs_a_look(line):
        check(value)
    return value


def _needs_a_look(line: bytes) -> bool:
    """Whether a document that decoded without notes may still hold what `check` refuses: deep nesting, or a character
    that is not allowed. Most rows do not, and walking through them takes longer than decoding them."""
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH or b"\x00" in line:
        return True
    if b"\\u" in line and _BAD_ESCAPE.search(line):
        return True
    # The bytes with which noncharacters end, or begin; other characters have them as well.
    return not line.isascii() and any(piece in line for piece in (b"\xbf\xbe", b"\xbf\xbf", b"\xef\xb7"))


def text_of_bytes(data: bytes) -> str:
    """Decode strictly as UTF-8, never guessing. Raises `ProblemError`."""
    refuse_wide_encoding(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse(
            "",
            f"the byte 0x{data[error.start]:02x} at offset {error.start}, which is not UTF-8",
            "text in UTF-8 (save the file with that encoding)",
        )


def refuse_wide_encoding(data: bytes) -> None:
    """Raise `ProblemError` for UTF-16 and UTF-32, by byte order mark or by zero bytes around the first character."""
    if data.startswith(_WIDE_BOMS) or b"\x00" in data[:2]:
        _refuse("", "text in UTF-16 or UTF-32", "text in UTF-8 (save the file with that encoding)")


def decode(text: str, decoder: json.JSONDecoder) -> Any:
    """Decode one document without `check`. Raises `ProblemError` for a syntax error or hopeless nesting."""
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise syntax_problem(error) from error
    except RecursionError:
        _refuse_depth("")


def decode_cell(value: Any) -> Any:
    """A cell of a table that holds a JSON list or object, decoded; any other value, and broken JSON, as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return loads(value.encode())
    except ProblemError:
        return value


def syntax_problem(error: json.JSONDecodeError) -> ProblemError:
    """The decoder's message as a problem; the column counts characters from 1."""
    reason = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}"
    return ProblemError(Problem("", None, "", f"broken JSON ({reason})", "one complete JSON object"))


def check(value: object, path: str = "") -> None:
    """Walk a decoded value and raise `ProblemError` for the first thing in it that is not allowed."""
    stack: list[tuple[object, str, int]] = [(value, path, 1)]
    while stack:
        item, where, depth = stack.pop()
        if isinstance(item, str):
            _check_text(item, where)
        elif isinstance(item, float):
            if not math.isfinite(item):
                _refuse(where, "a number that is too large", "a finite number")
        elif isinstance(item, _Bad):
            _refuse(where, item.found, item.expected)
        elif isinstance(item, (dict, list)):
            if depth > MAX_DEPTH:
                _refuse_depth(where)
            stack.extend(reversed([(child, where_child, depth + 1) for child, where_child in _children(item, where)]))


def _children(item: dict[str, object] | list[object], where: str) -> Iterator[tuple[object, str]]:
    if isinstance(item, list):
        yield from ((child, f"{where}[{index}]") for index, child in enumerate(item))
        return
    for key, child in item.items():
        _check_text(key, where)
        yield child, join(where, key)


def join(path: str, key: str) -> str:
    """The path of `key` in the object at `path`: dotted where the key is plain, in brackets where it is not."""
    if not _PLAIN_KEY.match(key):
        return f"{path}[{describe(key)}]"
    return f"{path}.{key}" if path else key


def _check_text(text: str, where: str) -> None:
    if text.isascii() and "\x00" not in text:  # by far most texts, and the pattern is slow
        return
    match = _FORBIDDEN.search(text)
    if match is None:
        return
    code = ord(match.group())
    name = "a NUL character" if code == 0 else f"the invalid character U+{code:04X}"
    _refuse(where, f"{name} in {describe(text)}", "text without it (remove that character)")


def _whole(digits: str) -> int | _Bad:
    if len(digits) <= 17 and -MAX_INT <= (number := int(digits)) <= MAX_INT:
        return number
    shown = digits if len(digits) <= 24 else f"{digits[:20]}… ({len(digits)} digits)"
    return _Bad(f"the whole number {shown}", "a whole number up to 2**53 (write long ids as text)")


def _constant(name: str) -> _Bad:
    return _Bad(name, "a number that JSON knows, or null")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | _Bad:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    counts = Counter(key for key, _ in pairs)
    twice = next(key for key, count in counts.items() if count > 1)
    return _Bad(f"the key {describe(twice)} twice", "each key once in an object")


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_constant=_constant, strict=True)


class _NotingDecoder(json.JSONDecoder):
    """Notes whenever it makes a value that `check` would refuse, so that it is only asked where needed."""

    def __init__(self) -> None:
        super().__init__(
            object_pairs_hook=self._object,
            parse_int=self._whole,
            parse_constant=self._constant,
            parse_float=self._number,
            strict=True,
        )
        self.notes = 0

    def _object(self, pairs: list[tuple[str, object]]) -> object:
        result = dict(pairs)
        if len(result) == len(pairs):
            return result
        self.notes += 1
        return _object(pairs)

    def _whole(self, digits: str) -> object:
        value = _whole(digits)
        self.notes += isinstance(value, _Bad)
        return value

    def _constant(self, name: str) -> object:
        self.notes += 1
        return _constant(name)

    def _number(self, digits: str) -> float:
        value = float(digits)
        self.notes += not math.isfinite(value)
        return value


class _Decoders(threading.local):
    """One decoder for each thread. It holds itself by its hooks: one for each row would be a leak where Python's search
    for such circles is off, as it is during an import."""

    def __init__(self) -> None:
        self._decoder = _NotingDecoder()

    def of_thread(self) -> _NotingDecoder:
        """The decoder of this thread, without notes."""
        self._decoder.notes = 0
        return self._decoder


_decoders = _Decoders()


def _refuse(path: str, found: str, expected: str) -> NoReturn:
    raise ProblemError(Problem("", None, path, found, expected))


def _refuse_depth(path: str) -> NoReturn:
    shown = path if len(path) <= 80 else path[:79] + "…"
    _refuse(shown, _TOO_DEEP, _DEPTH_ALLOWED)


def iter_lines(stream: BinaryIO, *, limit: int = LINE_LIMIT) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, bytes) for each line that is not blank, in memory bounded by `limit`.

    Lines end with a line feed only: U+2028 and its like are text. One carriage return at the end is dropped, and so
    is a UTF-8 byte order mark at the start. A longer line is cut to `limit` + 1 bytes, which `loads` then refuses.
    """
    number = 0
    while piece := stream.readline(limit + 2):
        number += 1
        if not piece.endswith(b"\n") and len(piece) == limit + 2:
            _skip_to_line_feed(stream, limit)
        line = piece.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            line = line.removeprefix(UTF8_BOM)
        if line.strip():
            yield number, line[: limit + 1]


def _skip_to_line_feed(stream: BinaryIO, limit: int) -> None:
    while rest := stream.readline(limit):
        if rest.endswith(b"\n"):
            return


def iter_array(text: str) -> Iterator[tuple[int, object] | Problem]:
    """Yield (index from 0, element) for each element of the JSON array `text`, one decoded at a time.

    A bad element gives a `Problem` with the field `[index]…` and the next ones follow; after a syntax error nobody
    knows where the next one starts, so that problem is the last.
    """
    position, index = _after_space(text, _after_space(text, 0) + 1), 0
    while index or text[position : position + 1] != "]":
        try:
            value, position = DECODER.raw_decode(text, position)
            check(value, f"[{index}]")
            yield index, value
        except json.JSONDecodeError as error:
            yield replace(syntax_problem(error).problem, field=f"[{index}]")
            return
        except RecursionError:
            yield Problem("", None, f"[{index}]", _TOO_DEEP, _DEPTH_ALLOWED)
            return
        except ProblemError as error:
            yield error.problem
        position, index = _after_space(text, position), index + 1
        if text[position : position + 1] == "]":
            break
        if text[position : position + 1] != ",":
            yield Problem("", None, f"[{index}]", "no comma after the element before", "a comma or the end of the list")
            return
        position = _after_space(text, position + 1)
    if text[position + 1 :].strip(" \t\r\n"):
        yield Problem("", None, "", "more text after the list", "one list of objects and nothing else")


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
