"""Emphasis next to Chinese, Japanese and Korean text, where there are no spaces to tell its ends.

CommonMark leaves `**重点：**这是` unbolded, since the closing mark stands between punctuation and a letter. The
remedy is to let a CJK neighbour count as white space does there: a mark between punctuation and CJK text may open or
close.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

# Hangul Jamo; CJK radicals to Yi, kana and CJK punctuation included; Hangul; compatibility and full-width forms
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003134f]"
)


def _is_punctuation(char: str) -> bool:
    return isMdAsciiPunct(ord(char)) or isPunctChar(char)


class CjkState(StateInline):
    """Inline state whose `*` and `~~` runs open and close next to CJK text."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803  (names of the base class)
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        if not canSplitWord or start == 0 or end >= self.posMax:
            return scanned
        before, after = self.src[start - 1], self.src[end]
        if before.isspace() or after.isspace() or not (_CJK.match(before) or _CJK.match(after)):
            return scanned
        can_open = scanned.can_open or (_is_punctuation(after) and bool(_CJK.match(before)))
        can_close = scanned.can_close or (_is_punctuation(before) and bool(_CJK.match(after)))
        return Scanned(can_open, can_close, scanned.length)


class CjkInline(ParserInline):
    """The inline parser with `CjkState` in place of the plain state."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = CjkState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens
