"""Markdown as models write it -> HTML (not yet sanitised), with mathematics typeset in one go per document."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from .brackets import brackets_plugin
from .cjk import CjkInline
from .code import Highlighter, language_of
from .guard import TooCostlyError, check_inline
from .math import CLIENT

_BR = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINK = re.compile(r"https?://[^/\s]|mailto:[^\s]|#fn", re.IGNORECASE)
_ALIGN = {"text-align:left": "a-l", "text-align:center": "a-c", "text-align:right": "a-r"}
_WITH_DIRECTION = frozenset(
    f"{name}_open"
    for name in ["paragraph", "heading", "list_item", "blockquote", "th", "td", "bullet_list", "ordered_list"]
)
# token type -> display style, opening and closing tag
_MATH = {
    "math_inline": (False, '<span class="math inline">', "</span>"),
    # a <div> would split the paragraph it stands in
    "math_inline_double": (True, '<span class="math display">', "</span>"),
    "math_block": (True, '<div class="math block">', "</div>\n"),
    "amsmath": (True, '<div class="math block amsmath">', "</div>\n"),
}

HEADING_SHIFT = 2  # the page has an h1 and an h2 above every text
MAX_NESTING = 50  # the block parser drops what lies deeper

_local = threading.local()


def to_html(text: str, doc_id: str) -> str:
    """HTML of `text`; `doc_id` (ASCII letters, digits, `-`, `_`) tells footnotes of different documents apart.

    Raises TooCostlyError for text that would take too long, or is nested so deeply that a part of it would be lost.
    """
    parser: MarkdownIt | None = getattr(_local, "parser", None)
    if parser is None:  # one per thread: the link finder keeps its last match in itself
        parser = _local.parser = _make()
    env: dict[str, Any] = {"docId": doc_id, "code": Highlighter()}
    tokens = parser.parse(text, env)
    wanted = list(dict.fromkeys(_formulas(tokens)))
    env["mathml"] = dict(zip(wanted, CLIENT.typeset(wanted), strict=True))
    result: str = parser.renderer.render(tokens, parser.options, env)
    return result


def _is_math_fence(token: Token) -> bool:
    return token.type == "fence" and language_of(token.info) == "math"


def _formulas(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
    for token in tokens:
        if token.type in _MATH:
            yield token.content.strip(), _MATH[token.type][0]
        elif _is_math_fence(token):
            yield token.content.strip(), True
        elif token.children:
            yield from _formulas(token.children)


def _formula_html(source: str, display: bool, env: EnvType) -> str:
    mathml: str | None = env["mathml"].get((source, display))
    if mathml is None:
        return f'<code class="tex-src" title="LaTeX that could not be typeset" dir="ltr">{html.escape(source)}</code>'
    return mathml


class _Renderer(RendererHTML):
    """Render rules. Each takes the token list and an index, as markdown-it does."""

    def _math(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        display, before, after = _MATH[tokens[idx].type]
        return before + _formula_html(tokens[idx].content.strip(), display, env) + after

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        if _is_math_fence(token):
            return f'<div class="math block">{_formula_html(token.content.strip(), True, env)}</div>\n'
        highlighter: Highlighter = env["code"]
        return highlighter.figure(token.content, language_of(token.info))

    code_block = fence

    def code_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<code dir="ltr">{html.escape(tokens[idx].content)}</code>'

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        # Loading it would tell its host who is reading: say that it is there, and where it would have come from.
        source = html.escape(str(tokens[idx].attrGet("src") or "")[:120])
        alt = html.escape(self.renderInlineAsText(tokens[idx].children or [], options, env))
        box = f'remote image not loaded <em>{alt}</em> <code dir="ltr">{source}</code>'
        return f'<span class="img-blocked">{box}</span>'

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return '<div class="table-wrap" tabindex="0" role="group" aria-label="Table"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        if not str(tokens[idx].attrGet("href") or "").startswith("#"):
            tokens[idx].attrSet("target", "_blank")
        return self.renderToken(tokens, idx, options, env)


def _check_blocks(state: StateCore) -> None:
    """Look at the blocks before their text is parsed."""
    if any(token.level >= MAX_NESTING - 1 for token in state.tokens):
        raise TooCostlyError
    check_inline(token.content for token in state.tokens if token.type == "inline")


def _attributes(state: StateCore) -> None:
    """Give every block its own direction, headings their level on the page, table cells a class for a style."""
    for token in state.tokens:
        if token.type in _WITH_DIRECTION:
            token.attrSet("dir", "auto")
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + HEADING_SHIFT, 6)}"
        style = str(token.attrs.pop("style", ""))
        if style in _ALIGN:
            token.attrJoin("class", _ALIGN[style])


def _checkbox_labels(state: StateCore) -> None:
    """Name the boxes of task lists for screen readers."""
    for token in state.tokens:
        first = token.children[0] if token.type == "inline" and token.children else None
        if first is not None and first.type == "html_inline" and first.content.startswith("<input "):
            label = "done" if " checked=" in first.content else "not done"
            first.content = first.content.replace("<input ", f'<input aria-label="{label}" ', 1)


def _br(state: StateInline, silent: bool) -> bool:
    """`<br>`, the only HTML that is honoured: table cells have no other line break."""
    match = _BR.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = match.end()
    return True


def _make() -> MarkdownIt:
    options = {"html": False, "linkify": True, "typographer": False, "maxNesting": MAX_NESTING}
    md = MarkdownIt("commonmark", renderer_cls=_Renderer)
    md.inline = CjkInline()
    md.configure("commonmark", options)
    md.enable(["table", "strikethrough", "linkify"])
    assert md.linkify is not None
    md.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    md.use(brackets_plugin)
    md.use(
        dollarmath_plugin,
        allow_labels=False,
        allow_space=False,
        allow_digits=False,
        allow_blank_lines=False,
        double_inline=True,
    )
    md.use(amsmath_plugin)
    md.use(footnote_plugin)
    md.use(tasklists_plugin)
    md.disable("footnote_inline")  # `^[a-z]+` in a sentence is no footnote
    for name in _MATH:
        md.add_render_rule(name, _Renderer._math)
    md.inline.ruler.before("autolink", "br_tag", _br)
    md.core.ruler.before("inline", "check_blocks", _check_blocks)
    md.core.ruler.push("attributes", _attributes)
    md.core.ruler.push("checkbox_labels", _checkbox_labels)
    # An address is shown as it was written: decoding it would hide an escape, a look-alike host, or all of a long one.
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    md.validateLink = lambda url: bool(_LINK.match(url.strip()))  # type: ignore[method-assign]
    return md
