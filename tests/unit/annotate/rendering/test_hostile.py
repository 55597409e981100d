"""Hostile text, rows T1 to T10 of the security page: nothing live is left of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.rendering import render
from annotate.rendering.sanitize import clean

FORBIDDEN = {
    "script",
    "style",
    "iframe",
    "object",
    "embed",
    "base",
    "meta",
    "link",
    "form",
    "button",
    "select",
    "textarea",
    "svg",
    "img",
    "video",
    "audio",
    "source",
    "details",
    "template",
    "noscript",
    "annotation-xml",
    "annotation",
    "semantics",
    "mglyph",
    "malignmark",
    "maction",
    "html",
    "body",
    "head",
    "title",
}
ALLOWED_ATTRIBUTES = re.compile(
    "class|dir|href|title|target|rel|id|start|tabindex|role|aria-label|type|checked|disabled|display(?:style)?|"
    "[lr]space|stretchy|symmetric|m(?:in|ax)size|width|height|depth|voffset|linethickness|math(?:size|color|background|"
    "variant)|scriptlevel|accent(?:under)?|form|fence|separator|largeop|movablelimits|notation"
)
FOOTNOTE_ID = re.compile(r"fn(?:ref)?-[A-Za-z0-9_-]+-\d+(?::\d+)?")
LINK = re.compile(r"https?://[^/]|mailto:.|#fn", re.I)


class Oracle(HTMLParser):
    """Collects everything that is dangerous in a piece of HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in FORBIDDEN:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if not ALLOWED_ATTRIBUTES.fullmatch(name):
                self.found.append(f"{tag}@{name}")
            if name == "id" and not FOOTNOTE_ID.fullmatch(value or ""):
                self.found.append(f"id={value}")
            if name == "href" and not LINK.match(value or ""):
                self.found.append(f"href={value}")
        if tag == "input" and ("disabled", "disabled") not in attrs:
            self.found.append("enabled input")

    def handle_comment(self, data: str) -> None:
        self.found.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.found.append("declaration")

    unknown_decl = handle_pi = handle_decl


def dangers(text: str) -> list[str]:
    """Dangerous things in `text` once rendered."""
    oracle = Oracle()
    oracle.feed(render(text, doc_id="a"))
    oracle.close()
    return oracle.found


ROWS = {
    "T1": "<script>alert(1)</script> <img src=x onerror=alert(1)> <svg onload=alert(1)> <details open "
    'ontoggle=alert(1)> <iframe srcdoc="<script>1</script>"> <object data=x> <base href=//evil> '
    "<meta http-equiv=refresh content=0> <link rel=stylesheet href=//evil> <style>@import '//evil'</style>",
    "T1 block": "<script>\nalert(1)\n</script>\n\n<div>\n\n<img src=x onerror=alert(1)>\n\n</div>",
    "T2": "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>1</script>) [d](vbscript:x) "
    "[e](&#106;avascript:alert(1)) <javascript:alert(1)> [f](//evil.example) [g](/admin/logout) [h](\\\\evil) "
    "[i](#main) [j](java&#10;script:alert(1)) [k](<java\nscript:1>) [l](javascript&colon;alert(1)) [m](file:///etc/passwd)",
    "T2 reference": "[a][x] [b]\n\n[x]: javascript:alert(1)\n[b]: data:text/html;base64,PHNjcmlwdD4= 'onload=1'",
    "T2 title": '[a](https://e.org "x\\" onmouseover=\\"alert(1)") [b](https://e.org/"onclick="alert(1))',
    "T2 fence": '```"><script>alert(1)</script>\nx\n```\n\n~~~ js" onload="alert(1)\nx\n~~~\n\n```<img/src=x>\n```',
    "T3": '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math> '
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"> <table><a href="javascript:1"> '
    "<select><style></select><img src=x onerror=1></style> <!-- <!-- --> <img src=x> --> <![CDATA[<script>]]> <?php ?>",
    "T3 math": r"$\text{<annotation-xml><img src=x onerror=alert(1)>}$ $\text{</mtext></math><script>1</script>}$ "
    r"$\text{<!--}$ $x$ $\text{--><img src=x onerror=1>}$ $\mathrm{<style><img>}$ $\operatorname{<script>}$",
    "T4": '<div hx-get="/x" hx-trigger=load hx-on::load="alert(1)" data-hx-post="/y" hx-swap-oob=true id=panel> '
    '<form hx-post="/delete"><button hx-delete=/all>go</button></form>',
    "T5": "<form id=csrf><input name=submit></form> <a id=__config name=x> ![x](id=main) # Heading {#main}\n\n## main",
    "T6": '<p style="position:fixed;inset:0" class="btn-submit hidden">x</p></style><style>*{display:none}</style>',
    "T7": r"$\href{javascript:alert(1)}{x}$ $\url{javascript:1}$ $\htmlData{a=b}{x}$ $\htmlId{main}{x}$ $\class{a}{x}$ "
    r"$\includegraphics{http://evil/x.png}$ $\def\a{\a\a}\a$ $\rule{1e9em}{1em}$ $\kern9999em x$ "
    r"$\htmlStyle{color:red}x$ $$\begin{align}a\label{main}\end{align}\eqref{main}$$ $\style{x}{y}$ "
    r"$\cssId{main}{y}$ $\require{x}$",
    "T8": "```html\n</script></code></pre><script>alert(1)</script>\n```\n\n`</code><script>1</script>`\n\n\x1b[31mred",
    "T10": "![p](https://evil.example/p.png?u=1) <img srcset=//evil> <video poster=//evil> ![x](//evil) ![x][r] "
    "<p style='background:url(//evil)'>\n\n[r]: http://evil.example/q.png",
    "footnote label": '[^"><script>alert(1)</script>] [^x" onload="1]\n\n[^"><script>alert(1)</script>]: a\n'
    '[^x" onload="1]: <script>alert(1)</script>',
    "heading and table": "# <img src=x onerror=1>\n\n| <script>1</script> | [a](javascript:1) |\n|---|:-:|\n"
    "| <svg/onload=1> | $x$ |",
}


@pytest.mark.parametrize("row", ROWS)
def test_hostile_text_leaves_nothing_live(row: str) -> None:
    assert dangers(ROWS[row]) == []


@pytest.mark.parametrize("row", ["T1", "T4", "T5", "T6"])
def test_hostile_html_is_still_readable(row: str) -> None:
    assert "&lt;" in render(ROWS[row], doc_id="a")


def test_sanitiser_alone_stops_what_a_faulty_renderer_would_let_through() -> None:
    raw = (
        '<p onclick="x" style="color:red" class="btn-submit t-k" id="main" hx-get="/x" name="y">a</p>'
        '<a href="/admin" target="top">b</a><a href="//evil">c</a><img src="http://evil/"><input name="csrf">'
        '<math><mi href="javascript:x" id="main">x</mi><annotation-xml><svg></svg></annotation-xml><mglyph></math>'
        "<svg><script>1</script></svg><!-- c --><form><button>go</button></form>"
    )
    out = clean(raw)
    assert out.startswith('<p class="t-k">a</p>')
    for word in (
        "onclick",
        "style",
        "btn",
        "id=",
        "hx-",
        "name",
        "admin",
        "evil",
        "top",
        "svg",
        "annot",
        "glyph",
        "<!--",
    ):
        assert word not in out, word
    assert "<form" not in out
    assert "<button" not in out
    assert "javascript" not in out


MARKS = st.sampled_from(
    [
        "*",
        "**",
        "_",
        "`",
        "```",
        "~~~",
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "<script>",
        "</script>",
        "<br>",
        "<a",
        "href=",
        ">",
        "<",
        "javascript:",
        "https://",
        "|",
        "-",
        "1.",
        "#",
        "&",
        "&lt;",
        "\\",
        "[^1]",
        "[^1]:",
        "^[",
        "{}",
        "\\frac{",
        "\\text{",
        "\\begin{align}",
        "\\end{align}",
        "中",
        "「",
        "」",
        "é",
        "👍",
        "$x$",
        "```python",
        "```math",
        "\n",
        "\n\n",
        "- [ ] ",
        "\t",
        "\x00",
        "\u202e",
        "\ud800",
    ]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.one_of(MARKS, st.text(max_size=6)), max_size=40).map("".join))
def test_render_never_raises_and_never_leaves_anything_live(text: str) -> None:
    assert "<script" not in render(text, doc_id="a")
    assert dangers(text) == []
