"""Code blocks: Pygments with classes, never inline styles."""

from __future__ import annotations

import html
import re
import time
from functools import cache

import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_all_lexers, get_lexer_by_name

MAX_HIGHLIGHT = 20_000  # characters of one block
MAX_LINE = 1_000  # characters; on longer lines a single expression of some lexers takes seconds
DOCUMENT_SECONDS = 0.5  # of processor time for all blocks of one document: many lexers are quadratic on odd input
_BLANK = re.compile(r"\s{500}")  # the like, for expressions that look across lines
_FORMATTER = HtmlFormatter(nowrap=True, classprefix="t-")


class Highlighter:
    """Highlights the code blocks of one document until its time is used up; later blocks stay plain."""

    def __init__(self, seconds: float = DOCUMENT_SECONDS) -> None:
        self._left = seconds

    def figure(self, code: str, language: str) -> str:
        """A `<figure class="code">` with a caption; highlighted if possible."""
        body = self._highlight(code, language) or html.escape(code)
        return (
            f'<figure class="code" dir="ltr"><figcaption>{html.escape(language) or "text"}</figcaption>'
            f'<pre tabindex="0"><code>{body}</code></pre></figure>\n'
        )

    def _highlight(self, code: str, language: str) -> str | None:
        if language not in _aliases() or len(code) > MAX_HIGHLIGHT or self._left <= 0:
            return None
        if max(map(len, code.split("\n"))) > MAX_LINE or _BLANK.search(code):
            return None
        # The processor time of this thread, not the clock: what comes out must not depend on how busy the machine is.
        began = time.thread_time()
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
        tokens = []
        for token in lexer.get_tokens(code):
            tokens.append(token)
            if time.thread_time() - began > self._left:
                self._left = 0.0
                return None
        self._left -= time.thread_time() - began
        return pygments.format(tokens, _FORMATTER)


@cache
def _aliases() -> frozenset[str]:
    # Pygments looks for plug-ins whenever a name is unknown, which is slow: ask only for names it has.
    return frozenset(alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


def language_of(info: str) -> str:
    """The language named by the info string of a fence, in lower case, or the empty string."""
    words = info.split(maxsplit=1)
    return words[0][:32].lower() if words else ""
