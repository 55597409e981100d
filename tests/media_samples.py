"""Sound, video and documents made by us, with metadata that names a model: tests look whether it gets through."""

from __future__ import annotations

import io

import av
import numpy as np
import pikepdf

SECRET = "gpt-secret-7b"
TAGS = {"title": SECRET, "artist": SECRET, "comment": SECRET, "encoder": SECRET}


def sound(container: str, codec: str, seconds: float = 0.5) -> bytes:
    """A tone of 440 Hz at 48 kHz."""
    rate, out = 48_000, io.BytesIO()
    wave = np.sin(np.arange(int(rate * seconds)) / rate * 440 * 2 * np.pi) * 8000
    with av.open(out, "w", format=container) as target:
        target.metadata.update(TAGS)
        stream = target.add_stream(codec, rate=rate)
        stream.metadata["title"] = SECRET
        frame = av.AudioFrame.from_ndarray(wave.astype(np.int16)[None, :], format="s16", layout="mono")
        frame.rate, frame.pts = rate, 0
        resampler = av.AudioResampler(stream.format, stream.layout, rate, frame_size=stream.frame_size or 0)
        for piece in [*resampler.resample(frame), None]:
            target.mux(stream.encode(piece))
    return out.getvalue()


def video(container: str, codec: str, frames: int = 20) -> bytes:
    """Grey pictures of 64 by 48 pixels that get lighter, ten a second."""
    out = io.BytesIO()
    with av.open(out, "w", format=container) as target:
        target.metadata.update(TAGS)
        stream = target.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.metadata["handler_name"] = SECRET
        for number in range(frames):
            shade = np.full((48, 64, 3), 40 + number * 10 % 200, np.uint8)
            target.mux(stream.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        target.mux(stream.encode(None))
    return out.getvalue()


def document(pages: int = 2) -> bytes:
    """A PDF of A5 pages, each with a bar of its own length, that names a model in every hidden place."""
    out = io.BytesIO()
    with pikepdf.new() as made:
        for number in range(1, pages + 1):
            page = made.add_blank_page(page_size=(420, 595))
            page.Contents = made.make_stream(f"0 0 1 rg 20 500 {number * 60} 40 re f".encode())
            page.obj.PieceInfo = pikepdf.Dictionary(Model=SECRET)
        made.docinfo["/Author"] = SECRET
        with made.open_metadata() as metadata:
            metadata["dc:creator"] = [SECRET]
        made.attachments["notes.txt"] = SECRET.encode()
        made.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=f"app.alert('{SECRET}')")
        made.save(out)
    return out.getvalue()
