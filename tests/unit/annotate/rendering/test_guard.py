"""Bombs of 100,000 characters: answered in less than two seconds, and still readable."""

from __future__ import annotations

import time
from html import escape

import pytest

from annotate.rendering import render
from annotate.rendering.guard import MAX_CHARS, MAX_LINES

SIZE = 100_000
LIMIT = 2  # seconds of the processor
UNITS = [
    "[",
    "![",
    "*a",
    "**a",
    "**",
    "_a",
    "*_",
    "`",
    "$",
    "\\[",
    "\\(",
    "~~",
    ">",
    "|",
    "<![CDATA[",
    "&#x",
    "[a](",
    "[a][",
    "![a](",
    "[[a]",
    "[*a",
    "http://[",
    "http://(",
    "http://a/",
    "^[",
    "[^1]",
    "<a@b.c>",
    "\\begin{align}",
    "*a ",
    "[^1] ",
    "\\begin{align}\n",
    "\\[\n",
    "- [ ] a\n",
    "- a\n - b\n",
    "**a ",
    "1) a\n",
    "\n|-",
    "[a]: x\n",
    "$a ",
]
DOCUMENTS = {
    "deep quotes": ">" * 10_000 + "a",
    "nested lists": "\n".join("  " * depth + "- x" for depth in range(300)),
    "wide table": "|a" * 33_000 + "|\n" + "|-" * 33_000 + "|\n",
    "one long word": "a" * SIZE,
    "one line of diff": "```diff\n" + "a" * 19_000 + "\n```\n",
    "slow lexers": "".join(f"```{name}\n" + "//" * 400 + "\n" * 1_500 + "\n```\n" for name in ("java", "c", "csharp")),
    "unknown languages": "".join(f"```lang{number}\nx\n```\n" for number in range(3_000)),
    "hanging formulas": ("$" + r"\bigl\{ " * 60 + "$ ") * 20,
    "crashing formulas": ("$" + r"\frac" * 700 + "$ ") * 20,
    "many formulas": " ".join(f"$x_{{{number}}}^2 + \\frac{{1}}{{2}}$" for number in range(3_000)),
}


def seconds(text: str) -> float:
    began = time.process_time()
    assert render(text, doc_id="a")
    return time.process_time() - began


@pytest.mark.parametrize("unit", UNITS)
def test_repeated_pattern_is_answered_in_time(unit: str) -> None:
    assert seconds((unit * (SIZE // len(unit) + 1))[:SIZE]) < LIMIT


@pytest.mark.parametrize("name", DOCUMENTS)
def test_heavy_document_is_answered_in_time(name: str) -> None:
    assert seconds(DOCUMENTS[name]) < LIMIT


@pytest.mark.parametrize("text", ["<b>" * (MAX_CHARS // 3 + 1), "<b>\n" * (MAX_LINES + 1), "[" * 300 + "<b>"])
def test_what_is_too_much_is_shown_in_full_as_plain_text(text: str) -> None:
    assert render(text, doc_id="a") == f'<pre class="plain" dir="auto">{escape(text)}</pre>'


def test_a_long_honest_answer_is_formatted() -> None:
    text = ("A paragraph with **bold**, `code`, a [link](https://e.org) and $x_{i}^2$ math[^1]. " * 8 + "\n\n") * 60
    out = render(text.replace("[^1]", "") + "```python\n" + "a = [[1, 2], [3]]\n" * 1_000 + "```\n", doc_id="a")
    assert not out.startswith("<pre")
    assert out.count("<strong>") == out.count("<math") == 480
    assert 'class="t-' in out
