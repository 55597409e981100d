"""What is recognised by content, and what a refusal says."""

from __future__ import annotations

import pytest

from annotate.media import probing
from annotate.media.probing import MediaError, probe
from annotate.media.sniffing import recognise

WEBM = b"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm" + b"\0" * 20


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xff\xfb\x90\x64" + b"\0" * 413, ("audio", "audio/mpeg", "mp3")),
        (b"ID3\x04\0\0\0\0\0\0" + b"\0" * 20, ("audio", "audio/mpeg", "mp3")),
        (b"OggS\0\x02" + b"\0" * 22 + b"\x01vorbis", ("audio", "audio/ogg", "ogg")),
        (b"OggS\0\x02" + b"\0" * 22 + b"\x80theora", ("video", "video/ogg", "ogv")),
        (b"fLaC\0\0\0\x22" + b"\0" * 34, ("audio", "audio/flac", "flac")),
        (b"\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\x08moov", ("audio", "audio/mp4", "m4a")),
        (b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08moov", ("video", "video/mp4", "mp4")),
        (
            b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x1cmoov\0\0\0\x14hdlr" + b"\0" * 8 + b"soun",
            ("audio", "audio/mp4", "m4a"),
        ),
        (WEBM + b"V_VP9", ("video", "video/webm", "webm")),
        (WEBM + b"A_OPUS", ("audio", "audio/webm", "weba")),
        (b"%PDF-1.7\n%%EOF", ("file", "application/pdf", "pdf")),
    ],
)
def test_accepted_format_is_recognised_by_its_first_bytes(data: bytes, expected: tuple[str, str, str]) -> None:
    found = recognise(data)
    assert found is not None
    assert (found.kind, found.media_type, found.extension) == expected
    with pytest.raises(MediaError, match=r"damaged|neither sound nor video|no sound and no pictures"):
        probe(data)  # there is nothing behind them


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", "an empty file"),
        (b"a", "a file of 1 byte"),
        (b"\xef\xbb\xbf", "a file of 3 bytes"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', "an SVG drawing"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x -->\n<svg onload="1"/>', "an SVG drawing"),
        (b"<!DOCTYPE html><script>1</script>", "an HTML page"),
        (b"PK\x03\x04" + b"\0" * 30, "a ZIP archive"),
        (b"II*\0" + b"\0" * 30, "a TIFF image"),
        (b"#EXTM3U\nhttp://evil/x.ts", "a playlist"),
        (b"\0\0\0\x18ftypavif\0\0\0\0", "an HEIC or AVIF image"),
        (b"\x1aE\xdf\xa3\x9fB\x82\x88matroska", "a Matroska video"),
        (b"only some words in a file", "a text file"),
        (b"\xff\xfe" + b"\x81\0" * 30, "an unknown kind of file"),
        (b"RIFF\x20\0\0\0AVI LIST\xff\0\0\0hdrl", "an unknown kind of file"),
    ],
)
def test_refusal_names_what_was_found_and_what_is_accepted(data: bytes, named: str) -> None:
    with pytest.raises(MediaError) as caught:
        probe(data)
    assert str(caught.value) == f"This is {named}, which is not supported. Accepted are: {probing.ACCEPTED}."


@pytest.mark.parametrize(
    "data",
    [
        b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x28moov",  # cut
        b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08mdat",  # no index
        b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x01moov\0\0\x04\0\0\0\0\0",  # 4 TB declared
        b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x04moov",  # a box smaller than its header
    ],
)
def test_damaged_mp4_is_refused(data: bytes) -> None:
    with pytest.raises(MediaError, match="damaged"):
        probe(data)


def test_file_over_the_cap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(probing.MAX_BYTES, "file", 2_000_000)
    with pytest.raises(MediaError, match=r"3 MB; at most 2 MB are accepted"):
        probe(b"%PDF-1.7" + b"\0" * 3_000_000)
