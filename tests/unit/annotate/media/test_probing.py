"""Images, rows U1 to U11 and U16 of the security page."""

from __future__ import annotations

import hashlib
import io
import random
import resource
import struct
import time
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from annotate.media import probing
from annotate.media.probing import MediaError, Probed, probe

FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
PAYLOAD = b"<html><script>alert(document.domain)</script></html>"


def picture(width: int = 24, height: int = 16) -> Image.Image:
    image = Image.new("RGB", (width, height), (200, 30, 30))
    image.paste((20, 20, 220), (0, 0, width // 2, height // 2))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def opened(probed: Probed) -> Image.Image:
    image = Image.open(io.BytesIO(probed.data))
    image.load()
    return image


def refusal(data: bytes | Path) -> str:
    with pytest.raises(MediaError) as caught:
        probe(data)
    return str(caught.value)


@pytest.mark.parametrize("kind", FORMATS)
def test_image_is_encoded_anew_in_its_own_format(kind: str) -> None:
    data = encoded(picture(), kind)
    found = probe(data)
    assert (found.kind, found.media_type, found.width, found.height) == ("image", FORMATS[kind], 24, 16)
    assert opened(found).format == kind
    assert found.sha256 == hashlib.sha256(found.data).hexdigest()
    assert found == probe(data)
    assert found.thumbnail is not None
    assert Image.open(io.BytesIO(found.thumbnail)).format == "WEBP"


def test_thumbnail_is_at_most_640_pixels() -> None:
    found = probe(encoded(picture(2000, 1000), "PNG"))
    assert Image.open(io.BytesIO(found.thumbnail or b"")).size == (640, 320)


@pytest.mark.parametrize("kind", FORMATS)
def test_polyglot_loses_its_foreign_bytes(kind: str) -> None:
    options = {"GIF": {"comment": PAYLOAD}, "JPEG": {"comment": PAYLOAD}}.get(kind, {})
    data = encoded(picture(), kind, **options) + (PAYLOAD if kind != "WEBP" else b"")
    found = probe(data)
    assert b"script" not in found.data
    assert b"script" not in (found.thumbnail or b"")


def test_type_comes_from_content_not_from_the_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg.html"
    path.write_bytes(encoded(picture(), "PNG"))
    assert (probe(path).media_type, probe(path).extension) == ("image/png", "png")


def bare_png(width: int, height: int) -> bytes:
    """A PNG of one-bit black pixels, made without ever holding them."""
    squeeze, row, body = zlib.compressobj(9), b"\0" * (1 + (width + 7) // 8), b""
    for _ in range(height):
        body += squeeze.compress(row)
    body += squeeze.flush()

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(13_000, 13_056), (30_000, 30_016)])
def test_bomb_is_refused_before_it_is_decoded(size: tuple[int, int]) -> None:
    data = bare_png(*size)
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    assert "too large" in refusal(data)
    assert "px" in refusal(data)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - own < 20_000  # KiB
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - children < 100_000


def frames(count: int) -> list[Image.Image]:
    return [Image.new("RGB", (8, 8), (number * 50 % 256, number // 256 * 40, 9)) for number in range(count)]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_animation_keeps_frames_and_times(kind: str) -> None:
    images = frames(5)
    found = probe(encoded(images[0], kind, save_all=True, append_images=images[1:], duration=70, loop=0, lossless=True))
    with Image.open(io.BytesIO(found.data)) as image:
        assert getattr(image, "n_frames", 1) == 5
        image.seek(3)
        image.load()
        assert image.info["duration"] == 70
        assert image.convert("RGB").getpixel((4, 4)) == (150, 0, 9)


def test_animation_of_too_many_frames_is_refused_quickly() -> None:
    images = frames(1_200)
    data = encoded(images[0], "GIF", save_all=True, append_images=images[1:])
    began = time.monotonic()
    assert "more than 500 frames" in refusal(data)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("kind", FORMATS)
def test_truncated_image_is_refused(kind: str) -> None:
    data = encoded(Image.effect_noise((64, 64), 60).convert("RGB"), kind)
    assert "damaged" in refusal(data[: len(data) // 2])


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "PNG"])
def test_exif_and_place_are_stripped(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SECRETCAMERA"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    found = probe(encoded(picture(), kind, exif=exif, xmp=b"<x:xmpmeta>SECRETXMP</x:xmpmeta>"))
    assert len(opened(found).getexif()) == 0
    for word in (b"Exif", b"SECRET", b"xmp", b"eXIf"):
        assert word not in found.data


def test_png_text_that_names_the_model_is_removed() -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("model", "gpt-x")
    info.add_itxt("Software", "DALL-E", zip=True)
    found = probe(encoded(picture(), "PNG", pnginfo=info, dpi=(72, 72)))
    assert b"gpt-x" not in found.data
    assert b"model" not in found.data
    assert opened(found).info == {}


TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@pytest.mark.parametrize("orientation", TURNS)
def test_orientation_is_applied_once(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    found = probe(encoded(picture(), "PNG", exif=exif))
    assert opened(found).tobytes() == picture().transpose(TURNS[orientation]).tobytes()
    assert (found.width, found.height) == ((16, 24) if orientation > 4 else (24, 16))
    assert probe(found.data).data == found.data


def test_odd_modes_become_eight_bit_grey_or_srgb() -> None:
    assert opened(probe(encoded(picture().convert("CMYK"), "JPEG"))).mode == "RGB"
    assert opened(probe(encoded(Image.new("I;16", (4, 4), 0x8000), "PNG"))).getpixel((0, 0)) == 0x80
    palette = Image.new("P", (4, 4), 1)
    palette.putpalette([0, 0, 0, 10, 20, 30])
    see_through = opened(probe(encoded(palette, "PNG", transparency=1)))
    assert (see_through.mode, see_through.getpixel((0, 0))) == ("RGBA", (10, 20, 30, 0))
    assert opened(probe(encoded(picture().convert("1"), "PNG"))).mode == "L"


def test_odd_sizes_are_accepted() -> None:
    assert probe(encoded(Image.new("L", (1, 1)), "PNG")).width == 1
    assert probe(encoded(Image.new("L", (1, 65_535)), "PNG")).height == 65_535


def test_colour_profile_is_applied_and_dropped() -> None:
    plain = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    found = probe(encoded(picture(), "PNG", icc_profile=plain))
    assert opened(found).tobytes() == picture().tobytes()
    assert b"iCCP" not in found.data
    nonsense = probe(encoded(picture(), "PNG", icc_profile=b"nonsense" * 100))
    assert opened(nonsense).tobytes() == picture().tobytes()
    assert "damaged" in refusal(encoded(picture(), "PNG", icc_profile=b"x" * 5_000_000))


def test_mutated_images_are_stored_or_refused_and_never_crash() -> None:
    chance = random.Random(7)
    outcomes = set()
    for number in range(50):
        data = bytearray(encoded(picture(), ("JPEG", "WEBP", "PNG", "GIF")[number % 4]))
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(12, len(data))] = chance.randrange(256)
        try:
            outcomes.add(probe(bytes(data)).kind)
        except MediaError:
            outcomes.add("refused")
    assert outcomes == {"image", "refused"}


@pytest.mark.parametrize("script", ["import os; os.kill(os.getpid(), 11)", "import time; time.sleep(60)"])
def test_dead_or_hanging_child_means_a_damaged_file(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "annotate" / "media"
    package.mkdir(parents=True)
    (package / "image_child.py").write_text(script)
    monkeypatch.setattr(probing, "_ROOT", str(tmp_path))
    monkeypatch.setattr(probing, "CHILD_SECONDS", 0.5)
    assert "damaged" in refusal(encoded(picture(), "PNG"))
