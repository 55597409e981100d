"""The process that copies one untrusted sound or video without its metadata, and takes a picture of a video.

Argument: the container's name for FFmpeg (mp3, ogg, flac, mp4, webm). The encoded sound and pictures are copied packet
by packet, not encoded again; tags, covers, chapters, subtitles and data streams stay behind, since they can name the
model. Blobs: the file, and for a video its poster (WebP). Header: `width`, `height` (pixels), `seconds`.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from typing import Any

from annotate.media.child import RefusedError, answer, limit_resources

limit_resources()

import av  # noqa: E402
from av.container import OutputContainer  # noqa: E402

POSTER_PX = 640
MAX_PIXELS = 40_000_000
POSTER_AT = 0.1  # a tenth into the video: the very first picture is often black
_OPTIONS = {
    # bitexact: no library versions, no random numbers, so that the same file gives the same bytes.
    "mp4": {"fflags": "+bitexact", "movflags": "+faststart"},
    "mp3": {"fflags": "+bitexact", "id3v2_version": "0", "write_id3v1": "0"},
}


def process(data: bytes, container: str) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The header and the blobs. Raises RefusedError, or whatever FFmpeg raises for a damaged file."""
    with av.open(io.BytesIO(data), metadata_errors="ignore") as source:
        kept = [stream for stream in source.streams if stream.type in ("audio", "video") and not _is_cover(stream)]
        if not kept:
            raise RefusedError("There is neither sound nor video in the file. Send another one.")
        is_video = any(stream.type == "video" for stream in kept)  # a stream may not be asked after its file is closed
        clean, seconds = _copy(source, kept, container)
    header: dict[str, Any] = {"seconds": seconds}
    blobs = [clean]
    if is_video:
        with av.open(io.BytesIO(clean)) as copy:
            poster, header["width"], header["height"] = _poster(copy)
        blobs.append(poster)
    return header, blobs


def _is_cover(stream: Any) -> bool:
    return bool(stream.disposition & av.stream.Disposition.attached_pic)


def _copy(source: Any, kept: list[Any], container: str) -> tuple[bytes, float | None]:
    options = _OPTIONS.get(container, {"fflags": "+bitexact"})
    last = 0.0
    with tempfile.NamedTemporaryFile() as out:  # a name, because the MP4 writer opens it again to move its index
        with av.open(out.name, "w", format=container, options=options) as target:
            copies = _streams(target, kept)
            for packet in source.demux(kept):
                if packet.dts is None:
                    continue
                if packet.pts is not None and packet.time_base:
                    last = max(last, float((packet.pts + (packet.duration or 0)) * packet.time_base))
                packet.stream = copies[packet.stream.index]
                target.mux(packet)
        clean = out.read()
    if last <= 0:
        raise RefusedError("The file holds no sound and no pictures. Send another one.")
    return clean, round(last, 3)


def _streams(target: OutputContainer, kept: list[Any]) -> dict[int, Any]:
    copies = {}
    for stream in kept:
        copy = target.add_stream_from_template(stream)
        copy.metadata.clear()
        copies[stream.index] = copy
    return copies


def _poster(copy: Any) -> tuple[bytes, int, int]:
    stream = copy.streams.video[0]
    if stream.width * stream.height > MAX_PIXELS:
        raise RefusedError(
            f"The pictures have too many pixels: at most {MAX_PIXELS:,} are accepted. Make them smaller."
        )
    if copy.duration:
        copy.seek(int(copy.duration * POSTER_AT))
    frame = next(copy.decode(stream))
    picture = frame.to_image()
    width, height = picture.size
    picture.thumbnail((POSTER_PX, POSTER_PX))
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=80, method=4)
    return out.getvalue(), width, height


if __name__ == "__main__":
    answer(process)
