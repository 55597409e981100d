"""An untrusted media file -> what it is, and bytes that are safe to show to annotators."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from .containers import DamagedError, check_mp4, clean_wav
from .sniffing import ACCEPTED, M4A, MP4, PDF, WAV, Format, describe, recognise

MAX_BYTES = {"image": 50_000_000, "audio": 200_000_000, "video": 200_000_000, "file": 50_000_000}
CHILD_SECONDS = 40  # by the clock; the child itself has a limit in processor time
_ROOT = str(Path(__file__).parents[2])
_ENVIRONMENT = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG")  # no secrets for the child


class MediaError(Exception):
    """The file is refused. The message is a sentence for the person who sent it."""


@dataclass(frozen=True)
class Page:
    """One page of a document as a WebP; `width` and `height` are its pixels."""

    data: bytes
    width: int
    height: int


@dataclass(frozen=True)
class Probed:
    """A file that may be stored and shown.

    `data` are the bytes to store, `sha256` their hex digest; `extension` has no dot; `width` and `height` are pixels as
    displayed; `seconds` is how long it plays; `thumbnail` is a WebP of at most 640 px of an image or a video; `pages`
    are those of a PDF.
    """

    kind: str  # "image", "audio", "video" or "file"
    media_type: str
    extension: str
    data: bytes
    sha256: str
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    thumbnail: bytes | None = None
    pages: tuple[Page, ...] = ()


def probe(source: Path | bytes) -> Probed:
    """Recognise `source` by its content alone and make it safe. Same input, same bytes.

    What needs a decoder is done in a child process. Images are encoded anew: upright, sRGB, without metadata or foreign
    bytes. Sound and video are copied without their tags, covers, chapters and subtitles, PDF without its properties,
    scripts and attachments. Raises MediaError for anything else.
    """
    data = _read(source)
    found = recognise(data)
    if found is None:
        raise MediaError(f"This is {describe(data)}, which is not supported. Accepted are: {ACCEPTED}.")
    if len(data) > MAX_BYTES[found.kind]:
        raise MediaError(_too_big(found.name, len(data), MAX_BYTES[found.kind]))
    try:
        if found == WAV:
            data, seconds = clean_wav(data)
            return _probed(found, {"seconds": seconds}, [data])
        if found in (MP4, M4A):
            check_mp4(data)
    except DamagedError as error:
        raise MediaError(_damaged(found)) from error
    child, argument = _decoder(found)
    return _probed(found, *_ask(child, argument, data, found))


def _decoder(found: Format) -> tuple[str, str]:
    """The module that decodes the format, and its argument."""
    if found.kind == "image":
        return "image_child", str(found.pillow)
    return ("pdf_child", "") if found == PDF else ("stream_child", found.container or "")


def _probed(found: Format, header: dict[str, Any], blobs: list[bytes]) -> Probed:
    data, pictures = blobs[0], blobs[1:]
    pages = tuple(Page(blob, *size) for blob, size in zip(pictures, header.get("pages", ()), strict=False))
    return Probed(
        found.kind,
        found.media_type,
        found.extension,
        data,
        _sha256(data),
        width=header.get("width"),
        height=header.get("height"),
        seconds=header.get("seconds"),
        thumbnail=pictures[0] if pictures and not pages else None,
        pages=pages,
    )


def _read(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        return source
    size, limit = source.stat().st_size, max(MAX_BYTES.values())
    if size > limit:
        raise MediaError(_too_big("file", size, limit))
    return source.read_bytes()


def _ask(child: str, argument: str, data: bytes, found: Format) -> tuple[dict[str, Any], list[bytes]]:
    """The header and the blobs that the child answers with. Raises MediaError when it refuses, dies or hangs."""
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", f"annotate.media.{child}", argument],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=CHILD_SECONDS,
            env={**environment, "PYTHONPATH": _ROOT},
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MediaError(_damaged(found)) from error
    line, _, body = done.stdout.partition(b"\n")
    header: dict[str, Any] = json.loads(line)
    if "error" in header:
        raise MediaError(header["error"])
    ends = list(accumulate(header["sizes"]))
    return header, [body[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _damaged(found: Format) -> str:
    return f"The {found.name} file is damaged: it cannot be read to its end. Save it anew and send it again."


def _too_big(name: str, size: int, limit: int) -> str:
    return f"The {name} has {size / 1e6:,.0f} MB; at most {limit / 1e6:,.0f} MB are accepted. Make it smaller."


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
