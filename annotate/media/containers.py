"""Sound and video containers: enough of their structure to tell a damaged file from a whole one."""

from __future__ import annotations

import struct


class DamagedError(Exception):
    """The file does not hold what its header announces."""


def clean_wav(data: bytes) -> tuple[bytes, float]:
    """A WAV with its `fmt `, `fact` and `data` chunks only, and its length in seconds.

    Everything else (LIST/INFO, `id3 `, bext …) is metadata and could name the model. Layout: RIFF, "Multimedia
    Programming Interface and Data Specifications 1.0" (1991). The sound itself is copied byte for byte, in any
    encoding. Raises DamagedError for no sound, or sizes that go beyond the file.
    """
    (riff_size,) = struct.unpack_from("<I", data, 4)
    if riff_size + 8 > len(data):
        raise DamagedError
    chunks: dict[bytes, bytes] = {}
    position = 12
    while position + 8 <= riff_size + 8:
        name, size = struct.unpack_from("<4sI", data, position)
        if position + 8 + size > len(data):
            raise DamagedError
        if name in (b"fmt ", b"fact", b"data"):
            chunks.setdefault(name, data[position + 8 : position + 8 + size])
        position += 8 + size + size % 2
    seconds = _wav_seconds(chunks)
    body = b"".join(_chunk(name, chunks[name]) for name in (b"fmt ", b"fact", b"data") if name in chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body, seconds


def _wav_seconds(chunks: dict[bytes, bytes]) -> float:
    form, sound = chunks.get(b"fmt ", b""), chunks.get(b"data", b"")
    if len(form) < 16 or not sound:
        raise DamagedError
    _, channels, rate, bytes_per_second, block, _ = struct.unpack_from("<HHIIHH", form)
    if not (channels and rate and bytes_per_second and block) or len(sound) < block:
        raise DamagedError
    seconds: float = len(sound) / bytes_per_second
    return seconds


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def check_mp4(data: bytes) -> None:
    """Raise DamagedError unless the boxes (ISO/IEC 14496-12, 4.2) fill the file and one of them is `moov`."""
    position, names = 0, set()
    while position + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, position)
        header = 8
        if size == 1:  # 64-bit size follows
            if position + 16 > len(data):
                raise DamagedError
            (size,) = struct.unpack_from(">Q", data, position + 8)
            header = 16
        elif size == 0:  # up to the end of the file
            size = len(data) - position
        if size < header or position + size > len(data):
            raise DamagedError
        names.add(name)
        position += size
    if b"moov" not in names:
        raise DamagedError
