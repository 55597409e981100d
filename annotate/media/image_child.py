"""The process that decodes one untrusted image, kept apart because decoders crash and swell on hostile input.

Argument: the format by its magic bytes (PNG, JPEG, GIF or WEBP). Blobs: the image encoded anew, its thumbnail. Header:
`width`, `height` (pixels).
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from typing import Any

from annotate.media.child import RefusedError, answer, limit_resources

limit_resources()

from PIL import GifImagePlugin, Image, ImageCms, ImageOps  # noqa: E402

MAX_PIXELS = 40_000_000
MAX_FRAMES = 500
MAX_ANIMATION_PIXELS = 100_000_000  # of all frames together
THUMBNAIL_PX = 640

_SAVE: dict[str, dict[str, Any]] = {
    "PNG": {"optimize": False},
    "JPEG": {"quality": 92, "subsampling": 0},
    "GIF": {},
    "WEBP": {"quality": 92, "method": 4},
}

Image.MAX_IMAGE_PIXELS = MAX_PIXELS
warnings.simplefilter("error", Image.DecompressionBombWarning)
GifImagePlugin.LOADING_STRATEGY = GifImagePlugin.LoadingStrategy.RGB_ALWAYS


def to_srgb(image: Image.Image) -> Image.Image:
    """`image` with its colour profile applied and dropped; a profile that makes no sense is ignored."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "CMYK"):
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(source).lower():
            return image
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image
    return converted or image


def normalise(image: Image.Image, kind: str) -> Image.Image:
    """A copy in 8-bit grey or sRGB (with alpha where the format has it), upright and without any metadata."""
    turned = ImageOps.exif_transpose(image) if kind != "GIF" else image
    picture = to_srgb(turned)
    if picture.mode.startswith("I"):
        picture = picture.point(lambda value: value * (1 / 256)).convert("L")  # 16 bits to 8
    transparent = picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info
    grey = picture.mode in ("1", "L", "LA", "La") and "transparency" not in picture.info
    if kind == "JPEG":
        picture = picture.convert("L" if grey else "RGB")
    elif transparent:
        picture = picture.convert("RGBA")
        if picture.getchannel("A").getextrema() == (255, 255):
            picture = picture.convert("RGB")
    else:
        picture = picture.convert("L" if grey and kind != "WEBP" else "RGB")
    clean = picture.copy()
    clean.info = {}
    return clean


def read_frames(image: Image.Image, kind: str) -> tuple[list[Image.Image], list[int]]:
    """All frames (one for a still image) and the time each is shown, in milliseconds."""
    frames: list[Image.Image] = []
    times: list[int] = []
    pixels = 0
    while True:
        pixels += image.width * image.height
        if image.width * image.height > MAX_PIXELS or (frames and pixels > MAX_ANIMATION_PIXELS):
            raise RefusedError(f"The image has too many pixels: at most {MAX_PIXELS:,} are accepted. Make it smaller.")
        image.load()
        frames.append(normalise(image, kind))
        times.append(max(0, min(int(image.info.get("duration") or 0), 60_000)))
        if kind == "JPEG":
            return frames, times
        try:
            image.seek(len(frames))
        except EOFError:
            return frames, times
        if len(frames) >= MAX_FRAMES:
            raise RefusedError(
                f"The animation has more than {MAX_FRAMES} frames. Make it shorter, or send it as a video."
            )


def encode(frames: list[Image.Image], times: list[int], loop: int | None, kind: str, lossless: bool) -> bytes:
    """The frames in the format `kind`."""
    options = dict(_SAVE[kind])
    if lossless:
        options["lossless"] = True
    if len(frames) > 1:
        options |= {"save_all": True, "append_images": frames[1:], "duration": times}
        if loop is not None:
            options["loop"] = loop
    if kind == "GIF" and len(frames) > 1:
        options["disposal"] = 2 if any(frame.mode == "RGBA" for frame in frames) else 0
    out = io.BytesIO()
    frames[0].save(out, kind, **options)
    return out.getvalue()


def thumbnail(frame: Image.Image) -> bytes:
    """A WebP of `frame`, at most THUMBNAIL_PX in either direction."""
    small = frame.copy()
    small.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX))
    out = io.BytesIO()
    small.convert("RGBA" if small.mode == "RGBA" else "RGB").save(out, "WEBP", quality=80, method=4)
    return out.getvalue()


def process(data: bytes, kind: str) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The header and the blobs, see the top of this file. Raises RefusedError, or whatever the decoder raises."""
    try:
        with Image.open(io.BytesIO(data), formats=(kind,)) as image:
            loop = image.info.get("loop")
            frames, times = read_frames(image, kind)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        found = re.search(r"\d+", str(error))
        size = f"{int(found.group()):,}" if found else "too many"
        raise RefusedError(
            f"The image is too large: it has {size} pixels (px), at most {MAX_PIXELS:,} are accepted. Make it smaller."
        ) from error
    # The marks of WebP's two kinds of bit stream; chance hits inside pixel data only cost the lossless mode.
    lossless = kind == "WEBP" and b"VP8L" in data and b"VP8 " not in data
    encoded, small = encode(frames, times, loop, kind, lossless), thumbnail(frames[0])
    width, height = frames[0].size
    return {"width": width, "height": height}, [encoded, small]


if __name__ == "__main__":
    answer(process)
