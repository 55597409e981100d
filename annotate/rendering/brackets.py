r"""Markdown rules for `\( … \)` and `\[ … \]`, linear in the length of the text."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

# `StateInline.cache` maps positions (>= 0) to ends; negative keys are free to remember a search that found nothing.
_NO_CLOSER = {"\\)": -1, "\\]": -2}
_FAILED = "math_brackets_failed"


def _inline(state: StateInline, silent: bool) -> bool:
    source, start = state.src, state.pos
    if not source.startswith(("\\(", "\\["), start):
        return False
    close = "\\)" if source[start + 1] == "(" else "\\]"
    if _NO_CLOSER[close] in state.cache:
        return False  # a later opener cannot find what an earlier one did not
    end = source.find(close, start + 2)
    if end < 0:
        state.cache[_NO_CLOSER[close]] = start
        return False
    if end + 2 > state.posMax or not source[start + 2 : end].strip():
        return False
    if not silent:
        token = state.push("math_inline" if close == "\\)" else "math_inline_double", "math", 0)
        token.content = source[start + 2 : end]
        token.markup = source[start : start + 2]
    state.pos = end + 2
    return True


def _closing_line(state: StateBlock, start: int, end_line: int) -> tuple[int, bool]:
    r"""The line that ends in `\]` and True, or the line where the search stopped and False."""
    for line in range(start, end_line):
        text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()
        if line > start and not text:
            return line, False  # a blank line ends the paragraph, and with it any formula
        if text.endswith("\\]"):
            return line, True
    return end_line, False


def _block(state: StateBlock, start: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(start) or not state.src.startswith("\\[", state.bMarks[start] + state.tShift[start]):
        return False
    first, last = state.env.get(_FAILED, (-1, -1))
    if first <= start < last:
        return False
    found, closed = _closing_line(state, start, end_line)
    if not closed:
        state.env[_FAILED] = (start, found)
        return False
    if silent:
        return True
    body = state.getLines(start, found + 1, state.tShift[start], False).strip()
    token = state.push("math_block", "math", 0)
    token.block = True
    token.content = body[2:-2]
    token.markup = "\\["
    token.map = [start, found + 1]
    state.line = found + 1
    return True


def brackets_plugin(md: MarkdownIt) -> None:
    r"""Make `\( \)` inline and `\[ \]` display mathematics, as tokens of the dollar plugin."""
    md.inline.ruler.before("escape", "math_brackets", _inline)
    md.block.ruler.before(
        "fence", "math_brackets_block", _block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
