"""The media files of the demo, by name: each is drawn or computed when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from exports.demo import pictures, sounds
from exports.records import Part, PartType

FOLDER = "media"

FILES: dict[str, Callable[[], bytes]] = {
    "latency.png": pictures.latency_chart,
    "visits.png": pictures.visits_chart,
    "poster-1.png": pictures.crowded_poster,
    "poster-2.png": pictures.clear_poster,
    "chime-1.wav": sounds.warm_chime,
    "chime-2.wav": sounds.harsh_chime,
}


def part(name: str) -> Part:
    """The part that shows the file `name` of `FILES`."""
    if name not in FILES:
        raise KeyError(name)
    kind: PartType = "audio" if name.endswith(".wav") else "image"
    return Part(type=kind, path=f"{FOLDER}/{name}", name=name)
