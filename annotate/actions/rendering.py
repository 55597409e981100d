"""The cache of rendered text: each text becomes safe HTML once per render version."""

import hashlib
from collections.abc import Iterable

from annotate.models import RenderedText
from annotate.rendering import RENDER_VERSION, render


def text_hash(text: str) -> str:
    """Return the key of a text in the cache."""
    return hashlib.sha256(text.encode()).hexdigest()


def rendered(texts: Iterable[str]) -> dict[str, str]:
    """Return text to safe HTML for all texts; one query, and what the cache lacks is rendered and kept."""
    wanted = {text_hash(text): text for text in texts}
    rows = RenderedText.objects.filter(sha256__in=wanted, version=RENDER_VERSION)
    html = dict(rows.values_list("sha256", "html"))
    fresh = {key: render(text, doc_id=key[:10]) for key, text in wanted.items() if key not in html}
    if fresh:
        RenderedText.objects.bulk_create(
            (RenderedText(sha256=key, version=RENDER_VERSION, html=value) for key, value in fresh.items()),
            ignore_conflicts=True,
        )
    return {text: html.get(key) or fresh.get(key, "") for key, text in wanted.items()}
