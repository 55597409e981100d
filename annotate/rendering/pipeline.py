"""The steps from text to safe HTML, in order: guard, visible controls, markdown with math, sanitiser."""

from __future__ import annotations

import logging
import re

from .guard import TooCostlyError, check_text, make_visible, plain
from .markdown import to_html
from .sanitize import clean

logger = logging.getLogger(__name__)

_NOT_ID = re.compile(r"[^A-Za-z0-9_-]")


def render_document(text: str, doc_id: str) -> str:
    """See `annotate.rendering.render`."""
    visible = make_visible(text)
    try:
        check_text(visible)
        return clean(to_html(visible, _NOT_ID.sub("-", doc_id)))
    except TooCostlyError:
        return plain(visible)
    except Exception:
        # A fault of a parser must not take the page down with it: the reader still gets every character.
        logger.exception("markdown of %d characters could not be rendered; shown as plain text", len(text))
        return plain(visible)
