"""WAV: metadata out, sound untouched, lies refused."""

from __future__ import annotations

import io
import struct
import wave

import pytest

from annotate.media.probing import MediaError, probe


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def riff(*chunks: bytes) -> bytes:
    body = b"".join(chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def form(encoding: int = 1, bits: int = 16) -> bytes:
    return chunk(b"fmt ", struct.pack("<HHIIHH", encoding, 1, 8_000, 8_000 * bits // 8, bits // 8, bits))


SOUND = chunk(b"data", b"\x01\x02" * 4_000)


def test_wav_metadata_is_removed_and_the_sound_is_kept() -> None:
    info = chunk(b"LIST", b"INFOISFT\x06\0\0\0gpt-x\0")
    found = probe(riff(info, form(), chunk(b"id3 ", b"ID3gpt-x1"), SOUND, info))
    assert found.data == riff(form(), SOUND)
    assert (found.kind, found.media_type, found.extension, found.seconds) == ("audio", "audio/wav", "wav", 0.5)
    with wave.open(io.BytesIO(found.data)) as sound:
        assert sound.readframes(4_000) == b"\x01\x02" * 4_000


def test_float_wav_is_accepted() -> None:
    assert probe(riff(form(3, 32), SOUND)).seconds == 0.25


@pytest.mark.parametrize(
    "data",
    [
        riff(form(), SOUND)[:-10],  # cut
        riff(form(), chunk(b"data", b"")),  # 0 s
        riff(form(), b"data" + struct.pack("<I", 0xFFFFFFFF) + b"\1\2"),  # 4 GB declared
        b"RIFF\xff\xff\xff\xffWAVE" + form() + SOUND,
        riff(SOUND),
        riff(chunk(b"fmt ", b"\0" * 16), SOUND),
        b"RIFF\x04\0\0\0WAVE",
    ],
)
def test_damaged_wav_is_refused(data: bytes) -> None:
    with pytest.raises(MediaError, match="damaged"):
        probe(data)
