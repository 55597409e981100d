"""Two short chimes for the same request, computed note by note: WAV, mono, 16 bit, 22,050 Hz."""

from __future__ import annotations

import io
import math
import wave
from array import array
from collections.abc import Callable, Sequence
from sys import byteorder

RATE = 22_050
SECONDS = 3.0
ATTACK, RELEASE = 0.004, 0.12
"""Seconds: a note never starts with a step, and the sound never ends with one."""

BUZZ = 0.16
"""Seconds that one note of the buzzer lasts."""

Voice = Callable[[float, float], float]
"""(frequency in Hz, seconds since the note began) -> amplitude."""

_NOTES = {"C5": 72, "E5": 76, "G5": 79, "B5": 83, "C6": 84, "A4": 69, "E-5": 75, "F#5": 78}


def warm_chime() -> bytes:
    """Up the chord of C major and home again, like a glass bell. Peak −4.4 dB."""
    notes = [(0.0, "C5", 0.9), (0.24, "E5", 0.8), (0.48, "G5", 0.8), (0.84, "B5", 0.55), (1.14, "C6", 1.0)]
    return _wav(_mix(notes, _bell, SECONDS), peak=0.6)


def harsh_chime() -> bytes:
    """The same request met badly: a buzzer that jumps by tritones, hurries, and stops in the middle. Peak −6 dB."""
    pattern = ("A4", "E-5", "A4", "F#5")
    notes = [(0.19 * step, pattern[step % 4], 1.0) for step in range(15)]
    return _wav(_mix(notes, _buzzer, BUZZ), peak=0.5)


def _bell(frequency: float, time: float) -> float:
    """A few partials, the higher the shorter; the third is slightly sharp, as in a real bell."""
    partials = ((1.0, 1.0, 2.6), (2.0, 0.35, 3.8), (3.01, 0.16, 6.0), (5.02, 0.05, 11.0))
    return sum(
        level * math.exp(-decay * time) * math.sin(2 * math.pi * frequency * ratio * time)
        for ratio, level, decay in partials
    )


def _buzzer(frequency: float, time: float) -> float:
    """A square wave as the sum of its odd harmonics below 9 kHz; it ends after `BUZZ` seconds."""
    edge = min(1.0, (BUZZ - time) / 0.01)
    harmonics = range(1, int(9_000 / frequency) + 1, 2)
    return edge * sum(math.sin(2 * math.pi * frequency * n * time) / n for n in harmonics)


def _frequency(note: str) -> float:
    """Equal temperament, A4 = 440 Hz."""
    return float(440.0 * 2 ** ((_NOTES[note] - 69) / 12))


def _mix(notes: Sequence[tuple[float, str, float]], voice: Voice, length: float) -> list[float]:
    """The sum of (start in seconds, name, level), each `length` seconds; `SECONDS` long, faded at both ends."""
    count = round(RATE * SECONDS)
    samples = [0.0] * count
    for start, name, level in notes:
        first, frequency = round(start * RATE), _frequency(name)
        for index in range(first, min(count, first + round(length * RATE))):
            time = (index - first) / RATE
            samples[index] += level * min(1.0, time / ATTACK) * voice(frequency, time)
    fade = round(RELEASE * RATE)
    for step in range(fade):
        samples[count - 1 - step] *= step / fade
    return samples


def _wav(samples: Sequence[float], *, peak: float) -> bytes:
    """Samples scaled so that the loudest one is `peak` of full scale."""
    scale = peak * 32_767 / max(map(abs, samples))
    frames = array("h", (round(sample * scale) for sample in samples))
    if byteorder == "big":
        frames.byteswap()
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames.tobytes())
    return buffer.getvalue()
