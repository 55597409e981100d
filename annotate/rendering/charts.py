"""Charts as SVG made on the server: classes and presentation attributes only, so that no inline style is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 520, 220
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 12, 40


def curve_svg(points: Sequence[tuple[float, float]], limit: float, texts: Mapping[str, str]) -> str:
    """Return a line through (share, probability), both 0…1, with a mark at ``limit``.

    :param texts: title, desc, x (name of the axis) and limit (name of the mark).
    """
    widest = max(x for x, _ in points)

    def x_of(value: float) -> float:
        return LEFT + value / widest * (WIDTH - LEFT - RIGHT)

    def y_of(value: float) -> float:
        return TOP + (1 - value) * (HEIGHT - TOP - BOTTOM)

    drawn = []
    for step in range(0, 101, 25):
        y = y_of(step / 100)
        drawn.append(f'<line class="gr" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(_text(LEFT - 8, y + 4, f"{step} %", "end"))
    steps = range(0, round(100 * widest) + 1, 5)
    drawn += [_text(x_of(step / 100), HEIGHT - 22, f"{step} %", "middle") for step in steps]
    drawn.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 5, texts["x"], "middle"))
    mark = x_of(limit)
    drawn.append(f'<line class="tg" x1="{mark:.1f}" x2="{mark:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    drawn.append(_text(mark + 6, TOP + 10, texts["limit"], "start"))
    line = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in points)
    floor = HEIGHT - BOTTOM
    drawn.append(f'<polygon class="ar" points="{LEFT},{floor} {line} {WIDTH - RIGHT},{floor}"/>')
    drawn.append(f'<polyline class="ln" points="{line}"/>')
    head = (
        f'<title id="chart-title">{escape(texts["title"])}</title><desc id="chart-desc">{escape(texts["desc"])}</desc>'
    )
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="chart-title chart-desc">'
        f"{head}{''.join(drawn)}</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="tk" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
