"""MathML of math-core rebuilt from an allow-list: known elements and attributes only, inline styles as classes."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree as ET

ELEMENTS = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "msup",
        "msub",
        "msubsup",
        "mfrac",
        "msqrt",
        "mroot",
        "munder",
        "mover",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
        "mstyle",
        "mpadded",
        "mphantom",
        "menclose",
        "mmultiscripts",
        "mprescripts",
        "none",
    ]
)
TEXT_ELEMENTS = frozenset(["b", "i", "em", "s", "u", "code", "span"])  # HTML that math-core writes inside <mtext>

_BOOLEAN = re.compile(r"true|false")
_LENGTH = re.compile(r"-?\d*\.?\d+(?:em|ex|%)?|0")
_TOKEN = re.compile(r"[a-z]+(?: [a-z]+)*")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}")
MAX_LENGTH = 20.0  # em; a longer space or rule would push the page away

ATTRIBUTES: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(
        (
            [
                "displaystyle",
                "stretchy",
                "symmetric",
                "accent",
                "accentunder",
                "fence",
                "separator",
                "largeop",
                "movablelimits",
            ]
        ),
        _BOOLEAN,
    ),
    **dict.fromkeys(
        (
            [
                "lspace",
                "rspace",
                "minsize",
                "maxsize",
                "width",
                "height",
                "depth",
                "voffset",
                "linethickness",
                "mathsize",
            ]
        ),
        _LENGTH,
    ),
    **dict.fromkeys((["mathvariant", "form", "notation", "display"]), _TOKEN),
    **dict.fromkeys((["mathcolor", "mathbackground"]), _COLOUR),
    "scriptlevel": re.compile(r"[+-]?\d{1,2}"),
}

# A strict Content-Security-Policy refuses style attributes: each declaration that math-core writes has a class.
STYLE_CLASSES = {
    "text-align:left": "m-l",
    "text-align:right": "m-r",
    "text-align:center": "m-c",
    "width:100%": "m-w100",
    "width:50%": "m-w50",
    "width:7.5%": "m-w8",
    "math-shift:compact": "m-cramped",
    "font-variant-caps:small-caps": "m-sc",
    **{
        f"border-{side}:0.05em {line} currentcolor": f"m-b{side[0]}{suffix}"
        for side in ("top", "bottom", "left", "right")
        for line, suffix in (("solid", ""), ("dashed", "d"))
    },
    **{
        f"padding-{side}:{length}": f"m-p{side[0]}{suffix}"
        for side in ("top", "bottom", "left", "right")
        for length, suffix in (
            ("0", "0"),
            ("0.1em", "01"),
            ("0.1667em", "3"),
            ("0.2222em", "4"),
            ("0.2778em", "5"),
            ("1em", "1"),
        )
    },
}
CLASSES = {
    "menclose-updiagonalstrike": "m-strike-up",
    "menclose-downdiagonalstrike": "m-strike-down",
    "menclose-phasorangle": "m-phasor",
    "math-core-sans-serif-font": "m-sans",
    "math-core-serif-font": "m-serif",
}
NOTATIONS = {"box": "m-box", "actuarial": "m-actuarial"}  # <menclose> is not in MathML Core: drawn by CSS
NEGATIVE_SPACES = (3, 4, 5, 18, 36)  # in 1/18 em; MathML has no negative <mspace>, so m-n3 … m-n36 are margins
ALL_CLASSES = frozenset(
    [*STYLE_CLASSES.values(), *CLASSES.values(), *NOTATIONS.values(), *(f"m-n{mu}" for mu in NEGATIVE_SPACES)]
)

_ENTITY = re.compile(r"&([A-Za-z]+);")
_XML_ENTITIES = {"amp", "lt", "gt", "quot", "apos"}


def to_safe_mathml(mathml: str) -> str | None:
    """Rebuild `mathml` from what this module knows; None if it is no well-formed `<math>`.

    An unknown element is replaced by an `<mrow>` with its content; an unknown attribute or style is dropped. There are
    no ids, links, comments, annotations or foreign content in the result.
    """
    if "<!" in mathml:
        return None  # no document types (whose entities could swell), no comments, no CDATA
    try:
        root = ET.fromstring(_ENTITY.sub(_resolve, mathml))  # noqa: S314  (no document type gets here)
    except ET.ParseError:
        return None
    if root.tag != "math":
        return None
    return _serialise(root, in_text=False)


def _resolve(match: re.Match[str]) -> str:
    return match.group() if match.group(1) in _XML_ENTITIES else html.escape(html.unescape(match.group()))


def _serialise(node: ET.Element, *, in_text: bool) -> str:
    known = TEXT_ELEMENTS if in_text else ELEMENTS
    tag = node.tag if node.tag in known else ("span" if in_text else "mrow")
    inside_text = in_text or tag == "mtext"
    body = html.escape(node.text or "", quote=False)
    for child in node:
        body += _serialise(child, in_text=inside_text) + html.escape(child.tail or "", quote=False)
    return f"<{tag}{_attributes(node)}>{body}</{tag}>"


def _attributes(node: ET.Element) -> str:
    classes = [CLASSES[name] for name in node.get("class", "").split() if name in CLASSES]
    values = {
        name: value
        for name, value in node.attrib.items()
        if name in ATTRIBUTES and ATTRIBUTES[name].fullmatch(value) and not _too_long(value)
    }
    if node.tag == "menclose":
        classes += [NOTATIONS[name] for name in node.get("notation", "").split() if name in NOTATIONS]
    _apply_style(node.get("style", ""), classes, values)
    if classes:
        values["class"] = " ".join(dict.fromkeys(classes))
    return "".join(f' {name}="{html.escape(value)}"' for name, value in values.items())


def _too_long(value: str) -> bool:
    number = re.fullmatch(r"(-?[\d.]+)(?:em|ex)", value)
    return number is not None and abs(float(number.group(1))) > MAX_LENGTH


def _apply_style(style: str, classes: list[str], values: dict[str, str]) -> None:
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if f"{name}:{value}" in STYLE_CLASSES:
            classes.append(STYLE_CLASSES[f"{name}:{value}"])
        elif name == "color" and _COLOUR.fullmatch(value):
            values["mathcolor"] = value
        elif name == "background-color" and _COLOUR.fullmatch(value):
            values["mathbackground"] = value
        elif name == "font-size" and re.fullmatch(r"\d{2,3}%", value):
            values["mathsize"] = value
        elif name == "margin-left" and (negative := re.fullmatch(r"-([\d.]+)em", value)):
            units = float(negative.group(1)) * 18
            classes.append(f"m-n{min(NEGATIVE_SPACES, key=lambda mu: abs(mu - units))}")
