"""Two posters for a plant swap: one that works across the street, and one that does not."""

from __future__ import annotations

from exports.demo.drawing import Canvas, Colour, Point, polar

CREAM, FOREST, LEAF, SAGE = "#f7efdd", "#1f4d3a", "#3f8f5f", "#8dbb8a"
CLAY, DARK_CLAY, SUN, INK = "#c8643a", "#a54c27", "#f2b84b", "#20302a"


def clear_poster() -> bytes:
    """Large title, three plants on a shelf, one block with day, time and place. 720 × 1,000 pixels."""
    canvas = Canvas(720, 1000, CREAM)
    canvas.circle((360, 470), 232, SUN)
    canvas.text((360, 60), "PLANT SWAP", 97, FOREST, anchor="ma", weight=2.4)
    canvas.text((360, 178), "Bring a plant, take a plant", 37, INK, anchor="ma", weight=0.5)
    _snake_plant(canvas, (156, 602))
    _monstera(canvas, (362, 590))
    _pilea(canvas, (556, 622))
    canvas.box(56, 702, 664, 716, FOREST, radius=7)
    canvas.box(0, 752, 720, 1000, FOREST)
    canvas.text((360, 780), "Saturday 14 June", 60, CREAM, anchor="ma", weight=1.4)
    canvas.text((360, 854), "10 to 13 h", 60, SUN, anchor="ma", weight=1.4)
    canvas.text((360, 934), "Library Garden  ·  Mill Lane 4", 35, CREAM, anchor="ma", weight=0.5)
    return canvas.png()


def _pot(canvas: Canvas, top: Point, half: float, height: float, colour: Colour, rim: Colour) -> None:
    """A pot whose rim has its middle at `top`."""
    x, y = top
    canvas.polygon([(x - half, y), (x + half, y), (x + half * 0.72, y + height), (x - half * 0.72, y + height)], colour)
    canvas.box(x - half - 7, y - 10, x + half + 7, y + 14, rim, radius=6)


def _snake_plant(canvas: Canvas, top: Point) -> None:
    blades = ((104, 190, 16), (78, 200, 16), (97, 262, 19), (87, 232, 18), (114, 128, 13), (68, 140, 13))
    for place, (angle, length, breadth) in enumerate(blades):
        base = (top[0] + (90 - angle) * 0.9, top[1] + 2)
        canvas.leaf(base, angle, length, breadth, FOREST if place % 3 else LEAF, SAGE)
    _pot(canvas, top, 56, 100, CLAY, DARK_CLAY)


def _monstera(canvas: Canvas, top: Point) -> None:
    for angle, length in ((90, 210), (126, 176), (54, 176), (152, 118), (28, 118)):
        stem = polar(top, angle, length * 0.55)
        canvas.line([top, stem], FOREST, 5)
        canvas.leaf(stem, angle, length * 0.78, length * 0.25, FOREST, SAGE)
    _pot(canvas, top, 70, 112, "#e9dcc3", "#d7c4a0")


def _pilea(canvas: Canvas, top: Point) -> None:
    """Round leaves on thin stems, the back ones darker."""
    stems = (
        (150, 74, 21),
        (30, 76, 21),
        (118, 96, 23),
        (62, 98, 23),
        (90, 128, 24),
        (136, 40, 17),
        (44, 42, 17),
        (90, 58, 22),
    )
    for place, (angle, length, radius) in enumerate(stems):
        tip = polar(top, angle, length)
        canvas.line([top, tip], FOREST, 3)
        canvas.circle(tip, radius, LEAF if place < 5 else SAGE)
        canvas.circle((tip[0], tip[1] + radius * 0.15), 2.6, CREAM)
    _pot(canvas, top, 50, 80, CLAY, DARK_CLAY)


def crowded_poster() -> bytes:
    """Pale letters on a busy ground, the wrong day, and a place that runs off the edge. 720 × 1,000 pixels."""
    canvas = Canvas(720, 1000, "#b9d98a")
    for row in range(100):
        shade = row / 99
        canvas.box(
            0, row * 10, 720, row * 10 + 11, (round(150 + 90 * shade), round(215 - 20 * shade), round(120 + 90 * shade))
        )
    for index in range(46):
        place = ((index * 157) % 720, (index * 263) % 1000)
        for petal in range(5):
            hue: Colour = ("#e58fc0", "#f4e04d", "#8fc7e5", "#f29a6b")[index % 4]
            canvas.circle(polar(place, 72 * petal + index * 9, 17), 13, hue)
        canvas.circle(place, 10, "#fff8d8")
    canvas.text((360, 96), "~ Plant Swapp Event ~", 58, "#fdf6a8", anchor="ma")
    canvas.text((360, 178), "a very special green community happening for everybody", 22, "#e9f7d0", anchor="ma")
    for x, angle in ((250, 100), (360, 90), (470, 80)):
        canvas.line([(360, 660), (x, 430)], "#5c8a3a", 9)
        for turn in (-50, 0, 50):
            canvas.leaf((x, 430), angle + turn, 120, 34, "#77b255", "#9ccc65")
    canvas.box(270, 640, 450, 760, "#7b5cc4", radius=30)
    canvas.text((360, 690), "Sunday 14 June  10-13 h", 29, "#f7e97c", anchor="ma")
    canvas.text((420, 826), "Library Garden, Mill Lane 4, behind the", 27, "#fff3b0", anchor="la")
    canvas.text(
        (40, 916), "bring a plant!! take a plant!! bring a plant!! take a plant!! bring", 19, "#d8f0b8", anchor="la"
    )
    return canvas.png()
