"""An untrusted media file -> what it is, and bytes that are safe to show to annotators."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .containers import DamagedError, check_mp4, clean_wav
from .sniffing import ACCEPTED, M4A, MP4, WAV, Format, describe, recognise

MAX_BYTES = {"image": 50_000_000, "audio": 200_000_000, "video": 200_000_000, "file": 50_000_000}
CHILD_SECONDS = 40  # by the clock; the child itself has a limit in processor time
_CHILD = str(Path(__file__).with_name("probe_child.py"))
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG")  # no secrets for the child


class MediaError(Exception):
    """The file is refused. The message is a sentence for the person who sent it."""


@dataclass(frozen=True)
class Probed:
    """A file that may be stored and shown.

    `data` are the bytes to store, `sha256` their hex digest; `extension` has no dot; `width` and `height` are pixels as
    displayed; `seconds` is known for WAV only; `thumbnail` is a WebP of at most 640 px, for images only.
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


def probe(source: Path | bytes) -> Probed:
    """Recognise `source` by its content alone and make it safe. Same input, same bytes.

    Images are decoded in a child process and encoded anew: upright, sRGB, without metadata or foreign bytes. WAV loses
    its metadata chunks. Other audio, video and PDF pass unchanged. Raises MediaError for anything else.
    """
    data = _read(source)
    found = recognise(data)
    if found is None:
        raise MediaError(f"This is {describe(data)}, which is not supported. Accepted are: {ACCEPTED}.")
    if len(data) > MAX_BYTES[found.kind]:
        raise MediaError(_too_big(found.name, len(data), MAX_BYTES[found.kind]))
    if found.kind == "image":
        return _probe_image(data, found)
    seconds = None
    try:
        if found == WAV:
            data, seconds = clean_wav(data)
        elif found in (MP4, M4A):
            check_mp4(data)
    except DamagedError as error:
        raise MediaError(_damaged(found)) from error
    return Probed(found.kind, found.media_type, found.extension, data, _sha256(data), seconds=seconds)


def _read(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        return source
    size, limit = source.stat().st_size, max(MAX_BYTES.values())
    if size > limit:
        raise MediaError(_too_big("file", size, limit))
    return source.read_bytes()


def _probe_image(data: bytes, found: Format) -> Probed:
    header, body = _decode(data, found)
    if "error" in header:
        raise MediaError(header["error"])
    split = header["data"]
    encoded, small = body[:split], body[split : split + header["thumbnail"]]
    return Probed(
        found.kind,
        found.media_type,
        found.extension,
        encoded,
        _sha256(encoded),
        width=header["width"],
        height=header["height"],
        thumbnail=small,
    )


def _decode(data: bytes, found: Format) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes that the child answers with. Raises MediaError when it dies or takes too long."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", _CHILD, str(found.pillow)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=CHILD_SECONDS,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MediaError(_damaged(found)) from error
    line, _, body = done.stdout.partition(b"\n")
    header: dict[str, Any] = json.loads(line)
    return header, body


def _damaged(found: Format) -> str:
    return f"The {found.name} file is damaged: it cannot be read to its end. Save it anew and send it again."


def _too_big(name: str, size: int, limit: int) -> str:
    return f"The {name} has {size / 1e6:,.0f} MB; at most {limit / 1e6:,.0f} MB are accepted. Make it smaller."


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
