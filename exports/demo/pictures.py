"""The pictures of the demo as PNG: two charts that are asked about, and two posters for the same request."""

from __future__ import annotations

import math

from exports.demo.drawing import Canvas
from exports.demo.posters import clear_poster, crowded_poster

__all__ = ["clear_poster", "crowded_poster", "latency_chart", "visits_chart"]

INK, GREY, RULE = "#26241f", "#6f6b62", "#e7e4dc"
PAPER, BLUE, RUST, TEAL = "#fdfcfa", "#2952cc", "#a8490c", "#0f7265"

VISITS = (4200, 4000, 4600, 4400, 4900, 4700, 3100, 2900, 4800, 5200, 5000, 3800)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def latency_chart() -> bytes:
    """The p95 of three endpoints over one day; `/search` has a peak around 14:00. 1,000 × 480 pixels."""
    canvas = Canvas(1000, 480, PAPER)
    left, right, top, bottom = 72.0, 890.0, 98.0, 424.0
    canvas.text((32, 22), "Latency by endpoint", 22, INK, weight=0.5)
    canvas.text((32, 52), "95th percentile per 5 minutes, in milliseconds, yesterday", 15, GREY)
    for value in range(0, 801, 200):
        y = bottom - value / 800 * (bottom - top)
        canvas.line([(left, y), (right, y)], RULE if value else GREY)
        canvas.text((left - 10, y), str(value), 14, GREY, anchor="rm")
    for hour in range(0, 25, 4):
        x = left + hour / 24 * (right - left)
        canvas.line([(x, bottom), (x, bottom + 5)], GREY)
        canvas.text((x, bottom + 12), f"{hour:02}:00", 14, GREY, anchor="ma")
    for name, base, swing, peak, colour in (
        ("/search", 300.0, 95.0, 330.0, RUST),
        ("/cart", 170.0, 40.0, 0.0, BLUE),
        ("/health", 40.0, 6.0, 0.0, TEAL),
    ):
        values = [_latency(step / 12, base, swing, peak) for step in range(289)]
        points = [
            (left + step / 288 * (right - left), bottom - value / 800 * (bottom - top))
            for step, value in enumerate(values)
        ]
        canvas.line(points, colour, 2.0)
        canvas.text((right + 12, points[-1][1]), name, 16, colour, anchor="lm", weight=0.3)
    return canvas.png()


def _latency(hour: float, base: float, swing: float, peak: float) -> float:
    """A busy day with a bell-shaped peak at 14:00 and ripples that look like noise but are always the same."""
    day = swing * math.sin((hour - 8) / 24 * 2 * math.pi)
    ripple = sum(math.sin(hour * rate + base) * size for rate, size in ((7.3, 0.5), (17.9, 0.35), (41.7, 0.4)))
    return base + day + ripple * swing * 0.22 + peak * math.exp(-(((hour - 14.0) / 0.55) ** 2))


def visits_chart() -> bytes:
    """The visits to a library, month by month, as columns. 900 × 520 pixels."""
    canvas = Canvas(900, 520, PAPER)
    left, right, top, bottom = 78.0, 872.0, 100.0, 468.0
    canvas.text((32, 22), "Visits to the town library", 23, INK, weight=0.5)
    canvas.text((32, 54), "Per month, last year", 15, GREY)
    for value in range(0, 6001, 1000):
        y = bottom - value / 6000 * (bottom - top)
        canvas.line([(left, y), (right, y)], RULE)
        canvas.text((left - 10, y), f"{value:,}", 14, GREY, anchor="rm")
    step = (right - left) / 12
    for index, (month, value) in enumerate(zip(MONTHS, VISITS, strict=True)):
        x = left + step * (index + 0.5)
        y = bottom - value / 6000 * (bottom - top)
        canvas.box(x - step * 0.31, y, x + step * 0.31, bottom + 6, BLUE, radius=4)
        canvas.box(x - step * 0.4, bottom, x + step * 0.4, bottom + 8, PAPER)
        canvas.text((x, bottom + 12), month, 15, GREY, anchor="ma")
    canvas.line([(left, bottom), (right, bottom)], GREY)
    return canvas.png()
