"""A canvas that draws three times as large and is scaled down when it is saved, so that every edge is smooth."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

SCALE = 3
Point = tuple[float, float]
Colour = str | tuple[int, int, int]


class Canvas:
    """Sizes and places are pixels of the finished picture. The font is the one that Pillow brings along."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self.width, self.height = width, height
        self.image = Image.new("RGB", (width * SCALE, height * SCALE), background)
        self.draw = ImageDraw.Draw(self.image)

    def line(self, points: Sequence[Point], colour: Colour, width: float = 1.0) -> None:
        """A line with round joints and ends."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.draw.line(scaled, fill=colour, width=round(width * SCALE), joint="curve")
        if width > 1:
            for x, y in (points[0], points[-1]):
                self.circle((x, y), width / 2, colour)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        self.draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=colour)

    def circle(self, centre: Point, radius: float, colour: Colour) -> None:
        self.ellipse(centre, radius, radius, colour)

    def ellipse(self, centre: Point, across: float, down: float, colour: Colour) -> None:
        x, y = centre
        self.draw.ellipse(_scaled(x - across, y - down, x + across, y + down), fill=colour)

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour, radius: float = 0) -> None:
        self.draw.rounded_rectangle(_scaled(left, top, right, bottom), radius * SCALE, fill=colour)

    def text(
        self, place: Point, text: str, size: float, colour: Colour, *, anchor: str = "la", weight: float = 0
    ) -> None:
        """Write `text`; `anchor` as in Pillow, `weight` thickens the strokes by that many pixels."""
        x, y = place
        self.draw.text(
            (x * SCALE, y * SCALE),
            text,
            font=ImageFont.load_default(size * SCALE),
            fill=colour,
            anchor=anchor,
            stroke_width=weight * SCALE,
        )

    def leaf(self, base: Point, angle: float, length: float, breadth: float, colour: Colour, vein: Colour) -> None:
        """A pointed leaf from `base` in the direction `angle` (degrees, 0 = right, 90 = up)."""
        tip = polar(base, angle, length)
        sides = []
        for side in (90, -90):
            steps = [(t / 40, math.sin(math.pi * (t / 40) ** 0.8)) for t in range(41)]
            sides.append([polar(polar(base, angle, length * t), angle + side, breadth * bulge) for t, bulge in steps])
        self.polygon([*sides[0], *reversed(sides[1])], colour)
        self.line([base, polar(base, angle, length * 0.86)], vein, max(1.0, breadth * 0.07))
        self.circle(tip, 0.4, colour)

    def png(self) -> bytes:
        """The finished picture as PNG."""
        small = self.image.resize((self.width, self.height), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        small.save(buffer, "PNG", optimize=True)
        return buffer.getvalue()


def polar(centre: Point, angle: float, distance: float) -> Point:
    """The point at `distance` from `centre`; `angle` in degrees, 0 = right, 90 = up."""
    turn = math.radians(angle)
    return centre[0] + distance * math.cos(turn), centre[1] - distance * math.sin(turn)


def _scaled(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    return left * SCALE, top * SCALE, right * SCALE, bottom * SCALE
