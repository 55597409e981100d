"""Sound, video and documents: what annotators get has no metadata, and the content is untouched."""

from __future__ import annotations

import io
from contextlib import suppress

import av
import pikepdf
import pytest
from PIL import Image

from annotate.media.probing import MediaError, probe
from tests.media_samples import SECRET, document, sound, video

SOUNDS = {
    "mp3": ("mp3", "libmp3lame", "audio/mpeg"),
    "opus": ("ogg", "libopus", "audio/ogg"),
    "flac": ("flac", "flac", "audio/flac"),
    "m4a": ("ipod", "aac", "audio/mp4"),
    "webm": ("webm", "libopus", "audio/webm"),
}
VIDEOS = {"mp4": ("mp4", "h264", "video/mp4"), "webm": ("webm", "libvpx-vp9", "video/webm")}


def packets(data: bytes) -> list[bytes]:
    with av.open(io.BytesIO(data)) as source:
        return [bytes(packet) for packet in source.demux() if packet.size]


@pytest.mark.parametrize("name", SOUNDS)
def test_sound_loses_its_tags_and_keeps_every_packet(name: str) -> None:
    container, codec, media_type = SOUNDS[name]
    data = sound(container, codec)
    assert SECRET.encode() in data

    found = probe(data)

    assert (found.kind, found.media_type) == ("audio", media_type)
    assert SECRET.encode() not in found.data
    assert packets(found.data) == packets(data)
    assert found.seconds == pytest.approx(0.5, abs=0.1)
    assert found == probe(data)


@pytest.mark.parametrize("name", VIDEOS)
def test_video_loses_its_tags_and_gets_a_poster(name: str) -> None:
    container, codec, media_type = VIDEOS[name]
    data = video(container, codec)
    assert SECRET.encode() in data

    found = probe(data)

    assert (found.kind, found.media_type, found.width, found.height) == ("video", media_type, 64, 48)
    assert SECRET.encode() not in found.data
    assert len(packets(found.data)) == len(packets(data))
    assert found.seconds == pytest.approx(2, abs=0.2)
    assert found.thumbnail is not None
    assert Image.open(io.BytesIO(found.thumbnail)).size == (64, 48)
    assert found == probe(data)


def test_document_becomes_pictures_of_its_pages_and_loses_what_is_hidden_in_it() -> None:
    data = document(pages=3)

    found = probe(data)

    assert (found.kind, found.media_type, len(found.pages)) == ("file", "application/pdf", 3)
    assert SECRET.encode() not in found.data
    with pikepdf.open(io.BytesIO(found.data)) as clean:
        assert (dict(clean.docinfo), list(clean.attachments)) == ({}, [])
        assert not {"/Metadata", "/OpenAction"} & set(clean.Root.keys())
        assert "/PieceInfo" not in clean.pages[0].obj
    blue = [_width_of_blue(page.data) for page in found.pages]
    assert blue == pytest.approx([blue[0], 2 * blue[0], 3 * blue[0]], rel=0.03)
    assert {max(page.width, page.height) for page in found.pages} == {1400}
    assert found == probe(data)


def _width_of_blue(page: bytes) -> int:
    box = Image.open(io.BytesIO(page)).convert("RGB").getchannel("R").point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    return box[2] - box[0]


def test_document_with_a_password_is_refused_with_what_to_do() -> None:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(document())) as opened:
        opened.save(out, encryption=pikepdf.Encryption(owner="x", user="y"))
    with pytest.raises(MediaError, match=r"locked with a password\. Save it without one"):
        probe(out.getvalue())


def test_document_of_too_many_pages_is_refused() -> None:
    with pytest.raises(MediaError, match="61 pages; at most 60"):
        probe(document(pages=61))


@pytest.mark.parametrize(
    "data", [sound("mp3", "libmp3lame"), video("mp4", "h264"), document()], ids=["mp3", "mp4", "pdf"]
)
def test_mutated_files_are_stored_or_refused_and_never_crash(data: bytes) -> None:
    for place in range(0, len(data), max(1, len(data) // 8)):
        spoiled = data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]
        with suppress(MediaError):
            assert probe(spoiled).data
