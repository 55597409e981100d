"""The process that draws the pages of one untrusted PDF and rids it of metadata, scripts and attachments.

Argument: nothing of use. Blobs: the cleaned PDF, then a WebP of each page. Header: `width` and `height` of the first
page's picture (pixels), `pages` [[width, height], …].
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from annotate.media.child import RefusedError, answer, limit_resources

limit_resources()

import pikepdf  # noqa: E402
import pypdfium2  # noqa: E402

MAX_PAGES = 60
PAGE_PX = 1400  # of the longer side: letters stay sharp at the width of a pane on a dense screen
_HIDDEN = ("/Metadata", "/OpenAction", "/AA", "/PieceInfo", "/AF", "/Collection")


def process(data: bytes, _argument: str) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The header and the blobs. Raises RefusedError, or whatever the readers raise for a damaged file."""
    clean = _clean(data)
    pages, sizes = [], []
    with pypdfium2.PdfDocument(clean) as document:
        if len(document) > MAX_PAGES:
            raise RefusedError(f"The PDF has {len(document)} pages; at most {MAX_PAGES} are accepted. Split it.")
        for page in document:
            width, height = page.get_size()
            picture = page.render(scale=PAGE_PX / max(width, height, 1)).to_pil()
            out = io.BytesIO()
            picture.convert("RGB").save(out, "WEBP", quality=85, method=4)
            pages.append(out.getvalue())
            sizes.append(picture.size)
    return {"width": sizes[0][0], "height": sizes[0][1], "pages": sizes}, [clean, *pages]


def _clean(data: bytes) -> bytes:
    """The document with what people see, and without what could name its author or its model."""
    try:
        document = pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError as error:
        raise RefusedError("The PDF is locked with a password. Save it without one.") from error
    with document:
        if "/Info" in document.trailer:
            del document.trailer.Info
        for owner in [document.Root, *(page.obj for page in document.pages)]:
            for name in _HIDDEN:
                if name in owner:
                    del owner[name]
        if "/Names" in document.Root:
            for name in ("/EmbeddedFiles", "/JavaScript"):
                if name in document.Root.Names:
                    del document.Root.Names[name]
        if not len(document.pages):
            raise RefusedError("The PDF has no pages. Send another one.")
        document.remove_unreferenced_resources()
        out = io.BytesIO()
        document.save(out, deterministic_id=True)
        return out.getvalue()


if __name__ == "__main__":
    answer(process)
