"""What a file is, by its content alone: names and declared types are never asked."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """One accepted format. `extension` has no dot; `pillow` and `container` are the decoders' names for it."""

    kind: str  # "image", "audio", "video" or "file"
    name: str
    media_type: str
    extension: str
    pillow: str | None = None
    container: str | None = None


PNG = Format("image", "PNG", "image/png", "png", "PNG")
JPEG = Format("image", "JPEG", "image/jpeg", "jpg", "JPEG")
GIF = Format("image", "GIF", "image/gif", "gif", "GIF")
WEBP = Format("image", "WebP", "image/webp", "webp", "WEBP")
WAV = Format("audio", "WAV", "audio/wav", "wav")
MP3 = Format("audio", "MP3", "audio/mpeg", "mp3", container="mp3")
OGG = Format("audio", "Ogg", "audio/ogg", "ogg", container="ogg")
OGG_VIDEO = Format("video", "Ogg", "video/ogg", "ogv", container="ogg")
FLAC = Format("audio", "FLAC", "audio/flac", "flac", container="flac")
M4A = Format("audio", "M4A", "audio/mp4", "m4a", container="mp4")
MP4 = Format("video", "MP4", "video/mp4", "mp4", container="mp4")
WEBM = Format("video", "WebM", "video/webm", "webm", container="webm")
WEBM_AUDIO = Format("audio", "WebM", "audio/webm", "weba", container="webm")
PDF = Format("file", "PDF", "application/pdf", "pdf")

ACCEPTED = "PNG, JPEG, GIF and WebP images; WAV, MP3, Ogg, FLAC and M4A audio; MP4 and WebM video; PDF"

_PREFIXES = ((b"\x89PNG\r\n\x1a\n", PNG), (b"\xff\xd8\xff", JPEG), (b"GIF87a", GIF), (b"GIF89a", GIF))
_MP4_BRANDS = {b"isom", b"mp41", b"mp42", b"avc1", b"dash", b"M4V ", b"MSNV", b"iso2", b"iso4", b"iso5", b"iso6"}
_M4A_BRANDS = {b"M4A ", b"M4B "}
_VIDEO_CODEC = re.compile(rb"V_(?:VP8|VP9|AV1)")
# What people send by mistake, so that the refusal can name it.
_FOREIGN = (
    (re.compile(rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype svg|<svg)", re.I | re.S), "an SVG drawing"),
    (re.compile(rb"(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|script|div|p|a)\b", re.I | re.S), "an HTML page"),
    (re.compile(rb"<\?xml", re.I), "an XML document"),
    (re.compile(rb"PK\x03\x04"), "a ZIP archive"),
    (re.compile(rb"\x1f\x8b"), "a gzip archive"),
    (re.compile(rb"II\*\x00|MM\x00\*"), "a TIFF image"),
    (re.compile(rb"BM.{4}\x00{4}", re.S), "a BMP image"),
    (re.compile(rb"8BPS"), "a Photoshop image"),
    (re.compile(rb"MZ|\x7fELF|#!"), "a program"),
    (re.compile(rb"#EXTM3U"), "a playlist"),
    (re.compile(rb".{4}ftyp(?:avif|avis|heic|heix|mif1)", re.S), "an HEIC or AVIF image"),
    (re.compile(rb".{4}ftypqt", re.S), "a QuickTime video"),
    (re.compile(rb"\x1aE\xdf\xa3"), "a Matroska video"),
)


def recognise(data: bytes) -> Format | None:
    """The format of `data`, or None if it is none of those accepted."""
    for prefix, found in _PREFIXES:
        if data.startswith(prefix):
            return found
    if data[:4] == b"RIFF":
        return {b"WEBP": WEBP, b"WAVE": WAV}.get(data[8:12])
    if data.startswith(b"OggS"):
        return OGG_VIDEO if b"\x80theora" in data[:512] else OGG
    if data.startswith(b"fLaC"):
        return FLAC
    if data.startswith(b"%PDF-"):
        return PDF
    if data[4:8] == b"ftyp":
        return _mp4(data)
    if data.startswith(b"\x1aE\xdf\xa3") and b"webm" in data[:64]:
        return WEBM if _VIDEO_CODEC.search(data, 0, 1 << 16) else WEBM_AUDIO
    return MP3 if _is_mp3(data) else None


def describe(data: bytes) -> str:
    """What an unaccepted file seems to be, with its article."""
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    for pattern, name in _FOREIGN:
        if pattern.match(head):
            return name
    if not head or len(data) < 12:
        return "an empty file" if not data else f"a file of {len(data)} byte{'s' if len(data) > 1 else ''}"
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return "an unknown kind of file" if error.start < len(head) - 4 else "a text file"
    return "a text file" if b"\0" not in head else "an unknown kind of file"


def _mp4(data: bytes) -> Format | None:
    brand = data[8:12]
    if brand in _M4A_BRANDS:
        return M4A
    if brand not in _MP4_BRANDS:
        return None
    handlers = {match.group(1) for match in re.finditer(rb"hdlr.{8}(vide|soun)", data, re.S)}
    return M4A if handlers == {b"soun"} else MP4


def _is_mp3(data: bytes) -> bool:
    """An ID3v2 tag, or the header of an MPEG layer III frame (ISO/IEC 11172-3, 2.4.1.3) with sane fields."""
    if data.startswith(b"ID3") and len(data) > 10:
        return data[3] in (2, 3, 4)
    if len(data) < 4:
        return False
    (header,) = struct.unpack(">I", data[:4])
    version, layer = (header >> 19) & 3, (header >> 17) & 3
    bitrate, rate = (header >> 12) & 15, (header >> 10) & 3
    return header >> 21 == 0x7FF and version != 1 and layer == 1 and bitrate not in (0, 15) and rate != 3
