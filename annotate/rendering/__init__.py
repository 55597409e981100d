"""Untrusted markdown, mathematics and code -> safe HTML.

Nothing heavy is imported until the first text is rendered: a process that only wants `word_count` stays light.
"""

from __future__ import annotations

import re

# Part of the cache key of rendered text: raise it whenever a rule of this package changes what comes out.
RENDER_VERSION = 2

# Han, Hiragana, Katakana and their extensions are written without spaces: each character counts as a word.
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+")


def render(text: str, *, doc_id: str) -> str:
    """Markdown `text` of a stranger as HTML that is safe to put into a page as it is.

    `doc_id` tells the answers of one page apart: it goes into the ids of footnotes, nothing else. Characters of it
    other than ASCII letters, digits, `-` and `_` are replaced. Never raises for any `text`: what cannot be parsed in
    reasonable time is shown as plain text.
    """
    from .pipeline import render_document

    return render_document(text, doc_id)


def word_count(text: str) -> int:
    """Number of words in `text`, in words: runs between white space that hold a letter or digit.

    Chinese characters and kana count one each, since they are written without spaces. Markup counts as written.
    """
    return sum(1 for run in _WORD.findall(text) if any(char.isalnum() for char in run))
