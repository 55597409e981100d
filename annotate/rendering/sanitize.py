"""The second wall: whatever the renderer wrote, only what is listed here leaves."""

from __future__ import annotations

import re

import nh3

from .mathml import ALL_CLASSES, ATTRIBUTES, ELEMENTS, TEXT_ELEMENTS

_BLOCKS = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "blockquote", "th", "td"]
_TAGS = frozenset(
    [
        "p",
        "br",
        "hr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "strong",
        "em",
        "s",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "span",
        "div",
        "figure",
        "figcaption",
        "sup",
        "section",
        "input",
    ]
)
_ATTRIBUTES: dict[str, set[str]] = {
    **{tag: {"class", *ATTRIBUTES} for tag in ELEMENTS},
    **{tag: {"dir", "class"} for tag in _BLOCKS},
    "ol": {"dir", "class", "start"},
    "li": {"dir", "class", "id"},
    "a": {"href", "title", "class", "id", "target", "aria-label"},
    "span": {"class"},
    "code": {"class", "title", "dir"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "figure": {"class", "dir"},
    "pre": {"tabindex"},
    "sup": {"class"},
    "section": {"class"},
    "hr": {"class"},
    "input": {"type", "checked", "disabled", "class", "aria-label"},
}
_CLASSES = ALL_CLASSES | frozenset(
    [
        "math",
        "inline",
        "block",
        "display",
        "amsmath",
        "code",
        "tex-src",
        "img-blocked",
        "table-wrap",
        "a-l",
        "a-c",
        "a-r",
        "footnote-ref",
        "footnotes-sep",
        "footnotes",
        "footnotes-list",
        "footnote-item",
        "footnote-backref",
        "contains-task-list",
        "task-list-item",
        "task-list-item-checkbox",
    ]
)
_TOKEN_CLASS = re.compile(r"t-[A-Za-z0-9-]{1,24}")  # Pygments, see code.py
_VALUES = {
    "id": re.compile(r"fn(?:ref)?-[A-Za-z0-9_-]*-\d+(?::\d+)?"),  # footnotes only, see markdown.py
    "href": re.compile(r"(?:https?://|mailto:|#fn).*", re.IGNORECASE | re.DOTALL),
    "target": re.compile(r"_blank"),
    "type": re.compile(r"checkbox"),
    "dir": re.compile(r"auto|ltr"),
    "tabindex": re.compile(r"0"),
    "role": re.compile(r"group"),
    "start": re.compile(r"\d{1,9}"),
}


def _keep(tag: str, name: str, value: str) -> str | None:
    """nh3's attribute filter: the value to keep, or None to drop the attribute."""
    if name == "class":
        kept = [item for item in value.split() if item in _CLASSES or _TOKEN_CLASS.fullmatch(item)]
        return " ".join(kept) or None
    pattern = (ATTRIBUTES if tag in ELEMENTS else _VALUES).get(name)
    return value if pattern is None or pattern.fullmatch(value) else None


_CLEANER = nh3.Cleaner(
    tags=set(_TAGS | ELEMENTS | TEXT_ELEMENTS),
    attributes=_ATTRIBUTES,
    attribute_filter=_keep,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
    clean_content_tags={"script", "style"},
    strip_comments=True,
)


def clean(markup: str) -> str:
    """`markup` with only the elements, attributes and values that the renderer writes."""
    return _CLEANER.clean(markup)
