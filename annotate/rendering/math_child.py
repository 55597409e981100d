"""The process that turns LaTeX into MathML, kept apart because math-core can hang or crash on hostile input.

Protocol, one line each way, UTF-8: in `[tex, display]` as JSON, out the MathML as a JSON string, or `null` when the
formula is refused. The first line out is `"ready"`. Ends when stdin ends. Imports nothing but math-core and the
standard library, so that a replacement starts in a few hundredths of a second.
"""

from __future__ import annotations

import json
import re
import resource
import signal
import sys

import math_core

MEMORY_BYTES = 512 * 1024 * 1024
SUICIDE_SECONDS = 2  # the parent kills a hanging child long before; this is for a child whose parent is gone
MAX_OUTPUT = 100_000  # characters of MathML for one formula

_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"

# Always applied: math-core would accept these but show something that the author did not write.
_NORMALISE = [
    (re.compile(r"(\\\\)\s*\[\s*-?[\d.]+\s*(?:em|ex|pt|mm|cm|in|mu|px|pc)\s*\]"), r"\1"),  # row gap shown as text
    (re.compile(r"\\label\{[^{}]*\}"), ""),
]
_NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|gather|multline)\}")  # would number every formula (1)

# Tried after a refusal: idioms that models write and math-core does not know.
_REWRITE = [
    (re.compile(r"\\(begin|end)\{split\}"), r"\\\1{aligned}"),
    (re.compile(r"\\(begin|end)\{flalign\*?\}"), r"\\\1{align*}"),
    (re.compile(r"\\begin\{eqnarray\*?\}"), r"\\begin{array}{rcl}"),
    (re.compile(r"\\end\{eqnarray\*?\}"), r"\\end{array}"),
    (re.compile(r"\\tag\*?\{([^{}]*)\}"), r"\\qquad\\text{(\1)}"),
    (re.compile(r"\\(?:large|Large|LARGE|small|footnotesize|normalsize|huge)\b"), ""),
    (re.compile(r"\\[mh]box\b"), r"\\text"),
    (re.compile(rf"\\mathop{_GROUP}\s*\\limits\s*_{_GROUP}"), r"\\underset{\2}{\1}"),
    (re.compile(r"\\newcommand\b"), r"\\renewcommand"),
    (re.compile(r"\\DeclareMathOperator(\*?)\{(\\[A-Za-z]+)\}\{([^{}]*)\}"), r"\\def\2{\\operatorname\1{\3}}"),
    (re.compile(rf"\\substack{_GROUP}"), r"\\begin{subarray}{c}\1\\end{subarray}"),
]


def candidates(tex: str) -> list[str]:
    """`tex` in the forms to try, best first."""
    for pattern, replacement in _NORMALISE:
        tex = pattern.sub(replacement, tex)
    if r"\tag" not in tex:
        tex = _NUMBERED.sub(r"\\\1{\2*}", tex)
    rewritten = tex
    for pattern, replacement in _REWRITE:
        rewritten = pattern.sub(replacement, rewritten)
    return [tex] if rewritten == tex else [tex, rewritten]


def convert(converter: math_core.LatexToMathML, tex: str, display: bool) -> str | None:
    """MathML of `tex`, or None if math-core refuses every form of it."""
    for candidate in candidates(tex):
        try:
            mathml = converter.convert_with_local_state(candidate, displaystyle=display)
        except math_core.LatexError:
            continue
        return mathml if len(mathml) <= MAX_OUTPUT else None
    return None


def limit_resources() -> None:
    """Bound memory, leave no core file behind, and let the alarm kill even native code."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def main() -> None:
    """Answer formulas until stdin ends."""
    limit_resources()
    converter = math_core.LatexToMathML(
        fancy_error=False, macros={"widetilde": r"\tilde{#1}", "bm": r"\boldsymbol{#1}"}, max_expansions=200
    )
    out = sys.stdout.buffer
    out.write(b'"ready"\n')
    out.flush()
    for line in sys.stdin.buffer:
        tex, display = json.loads(line)
        signal.alarm(SUICIDE_SECONDS)
        answer = convert(converter, tex, display)
        signal.alarm(0)
        out.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
