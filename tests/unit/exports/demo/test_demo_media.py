from __future__ import annotations

import io
import wave
from array import array

import pytest
from PIL import Image

from exports.demo import media


@pytest.mark.parametrize("name", [name for name in media.FILES if name.endswith(".png")])
def test_picture_is_a_png_that_is_always_the_same(name: str) -> None:
    data = media.FILES[name]()
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        assert (image.format, image.mode) == ("PNG", "RGB")
        assert min(image.size) >= 480
    assert data == media.FILES[name]()


@pytest.mark.parametrize("name", [name for name in media.FILES if name.endswith(".wav")])
def test_sound_starts_and_ends_in_silence_and_never_clips(name: str) -> None:
    data = media.FILES[name]()
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
        samples = array("h", file.readframes(file.getnframes()))
    assert len(samples) == 3 * 22_050
    assert 10_000 < max(map(abs, samples)) < 20_000
    assert samples[0] == 0
    assert max(map(abs, samples[-100:])) < 20
    assert data == media.FILES[name]()


def test_warm_chime_has_no_clicks() -> None:
    """Without a click, the second difference stays near what the partials give: a click is a spike of it."""
    with wave.open(io.BytesIO(media.FILES["chime-1.wav"]())) as file:
        samples = array("h", file.readframes(file.getnframes()))
    bends = [abs(a - 2 * b + c) for a, b, c in zip(samples, samples[1:], samples[2:], strict=False)]
    loud = sorted(bends)[int(len(bends) * 0.98)]
    assert max(bends) < 6 * loud


def test_media_part_of_an_unknown_file_is_refused() -> None:
    with pytest.raises(KeyError):
        media.part("poster-9.png")
