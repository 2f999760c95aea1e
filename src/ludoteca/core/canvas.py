"""A small canvas for pictures of a table: boxes, discs, signs and words, in the house's inks and letters.

Everything is a stamp: a mask made once, with smooth edges, and pasted in a colour. So a frame costs a few milliseconds.
Nothing may run over the edge: whoever draws outside the canvas is told at once. It needs Pillow (the extra `envs`).
"""

from __future__ import annotations

import functools
import pathlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .game import Json

Paint = Callable[..., None]

FONTS = pathlib.Path(__file__).parent / "fonts"
SMOOTH = 4  # a mask is drawn so many times larger, then reduced
UNITS = 24  # signs are drawn on a square of so many units
KEPT, PARTS = 4096, 1024  # masks and painted parts that are remembered: some ten megabytes

# The inks of `web/src/styles/tokens.css`, by day.
TABLE, TABLE_DEEP = "#efdcbd", "#c9a878"
PAPER, PAPER_2, PAPER_3, LINE = "#fffaf1", "#f6ebda", "#ecdcc3", "#e3d2b7"
INK, INK_2, INK_3 = "#261910", "#5a4636", "#6f5a47"
BRAND, BRASS, BRASS_FILL, WHITE = "#0d5b49", "#8f5600", "#f2b134", "#ffffff"
SEATS = ("#b92b42", "#1f62b3", "#8a5a00", "#2a6f3c", "#6d43ac", "#b4481a", "#0b6c7c", "#4c4a52")
SEAT_SIGNS = ("heart", "wave", "star", "leaf", "moon", "bolt", "flower", "key")

# Outlines, from the page's own sprites: M, L, C and Z as in SVG; a second outline inside the first is a hole.
SIGNS = {
    "heart": "M12 20.5C5 15.5 2.5 12 2.5 8.3C2 5.7 3.7 3.1 6.4 2.7C9 2.2 11.5 3.9 12 6.5C12.5 3.9 15 2.2 17.6 2.7"
    "C20.3 3.1 22 5.7 21.5 8.3C21.5 12 19 15.5 12 20.5Z",
    "wave": "M1 8.5C5 3 9 3 13 7.8C16.5 12 19 11 22 7L23.5 10.5C19.5 15 16 15.5 12 11C8.5 7 6 7.5 2.5 11.5Z"
    "M1 16C5 10.5 9 10.5 13 15.3C16.5 19.5 19 18.5 22 14.5L23.5 18C19.5 22.5 16 23 12 18.5C8.5 14.5 6 15 2.5 19Z",
    "star": "M12 2L15 8.7L22.2 9.5L16.8 14.3L18.3 21.5L12 17.9L5.7 21.5L7.2 14.3L1.8 9.5L9 8.7Z",
    "leaf": "M4 20C3 9 9 3.5 21 3C21.5 15 16 21 7 19.5L12 12L4 20Z",
    "moon": "M15.5 2.5C10.7 1.3 5.7 4 4.1 8.7C2.4 13.4 4.6 18.5 9.1 20.7C13.5 22.8 18.9 21.2 21.5 17"
    "C18.3 16.6 15.5 14.5 14.3 11.5C13 8.5 13.5 5.1 15.5 2.5Z",
    "bolt": "M14 1.5L4 14L10.5 14L9 22.5L20 9.5L13 9.5Z",
    "flower": "M12 10C7 7 8 1 12 1C16 1 17 7 14 10C17 5 23 8 23 12C23 16 17 17 14 14C17 17 16 23 12 23"
    "C8 23 7 17 10 14C7 17 1 16 1 12C1 8 7 7 10 10Z",
    "key": "M8 3C9.9 3 11.7 3.9 12.8 5.5C13.9 7 14.3 9 13.7 10.8L22 19L22 22L18 22L18 19.5L15.5 19.5L15.5 17L13 17"
    "L10.8 14.7C7.6 15.5 4.3 13.5 3.5 10.3C2.8 7 4.8 3.8 8 3ZM7 7C5.9 7 5 7.9 5 9C5 10.1 5.9 11 7 11C8.1 11 9 10.1 9 9"
    "C9 7.9 8.1 7 7 7Z",
    "flag": "M5 22L5 2L20 2L16 7.5L20 13L7.5 13L7.5 22Z",
    "crown": "M2.5 5.5L8 10.5L12 2.5L16 10.5L21.5 5.5L20 17L4 17ZM4.2 18.5L19.8 18.5L19.8 22L4.2 22Z",
    "cup": "M6 2L18 2L18 4L22 4C22 9 20 11 17 11.5C16 13.5 14.5 14.5 13.5 15L13.5 18L17 19L17 22L7 22L7 19L10.5 18L10.5 15"
    "C9.5 14.5 8 13.5 7 11.5C4 11 2 9 2 4L6 4Z",
    "tick": "M2 12.5L5.5 9L10 13.5L19 4L22.5 7.5L10 20.5Z",
    "clock": "M12 1C18 1 23 6 23 12C23 18 18 23 12 23C6 23 1 18 1 12C1 6 6 1 12 1ZM10.5 5.5L10.5 13L16 16.5L17.5 14"
    "L13.5 11.5L13.5 5.5Z",
    "pointer": "M5 2L21 12L5 22Z",
    "slash": "M2 19.5L19.5 2L22 4.5L4.5 22Z",
    "cross": "M2 4.5L4.5 2L12 9.5L19.5 2L22 4.5L14.5 12L22 19.5L19.5 22L12 14.5L4.5 22L2 19.5L9.5 12Z",
    "lock": "M5 10L6.5 10L6.5 7C6.5 0 17.5 0 17.5 7L17.5 10L19 10L19 22L5 22ZM9.5 10L14.5 10L14.5 7C14.5 4 9.5 4 9.5 7Z",
}


@dataclass(frozen=True)
class Scene:
    """What a picture is made of: the view of whoever looks, and what every viewer is told besides."""

    view: Json
    names: list[str]
    waiting: list[int]  # the seats that are asked
    ranks: list[int]  # of each seat, at the end; before, empty

    def name(self, seat: int) -> str:
        """What a seat is called, beginning with a capital."""
        return self.names[seat][:1].upper() + self.names[seat][1:]


class Canvas:
    """`canvas.box(…); canvas.text(…); canvas.pixels()`."""

    def __init__(self, width: int, height: int, ground: str = TABLE) -> None:
        from PIL import Image

        self.width, self.height = width, height
        self.image = Image.new("RGB", (width, height), ground)

    def pixels(self) -> npt.NDArray[np.uint8]:
        """Height × width × 3."""
        return np.array(self.image)

    def stamp(self, x: float, y: float, mask: Any, colour: str) -> None:
        """A mask with its upper left corner there."""
        left, top = round(x), round(y)
        self.inside(left, top, mask.width, mask.height)
        self.image.paste(colour, (left, top), mask)

    def inside(self, x: int, y: int, width: int, height: int) -> None:
        fits = x >= 0 and y >= 0 and x + width <= self.width and y + height <= self.height
        assert fits, f"{width} × {height} at {x}, {y} runs over the edge of {self.width} × {self.height}"

    def part(self, x: float, y: float, width: int, height: int, ground: str, paint: Paint, *facts: Any) -> None:
        """What `paint(canvas, *facts)` draws on a ground of that size: the same facts are painted once and kept."""
        left, top = round(x), round(y)
        self.inside(left, top, width, height)
        self.image.paste(painted(width, height, ground, paint, *facts), (left, top))

    # Shapes.

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, radius: int = 0, edge: str = "", line: int = 2
    ) -> None:
        """A rectangle with round corners, and with an edge if it has an ink."""
        left, top, w, h = round(x), round(y), round(width), round(height)
        if edge:
            self.box(left, top, w, h, edge, radius)
            left, top, w, h, radius = left + line, top + line, w - 2 * line, h - 2 * line, max(0, radius - line)
        if radius:
            self.stamp(left, top, rounded(w, h, radius), fill)
        else:
            self.inside(left, top, w, h)
            self.image.paste(fill, (left, top, left + w, top + h))

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = "", line: int = 2) -> None:
        """A disc around a point."""
        side = round(2 * radius)
        self.box(x - side / 2, y - side / 2, side, side, fill, side // 2, edge, line)

    def sign(self, sign: str, x: float, y: float, size: float, colour: str) -> None:
        """One of SIGNS by its name, or outlines of a game's own, around a point."""
        side = round(size)
        self.stamp(x - side / 2, y - side / 2, cut(SIGNS.get(sign, sign), side), colour)

    def sigil(self, seat: int, x: float, y: float, size: float = 22) -> None:
        """A seat's colour and symbol."""
        self.box(x - size / 2, y - size / 2, size, size, SEATS[seat], round(size * 0.3))
        self.sign(SEAT_SIGNS[seat], x, y, size * 0.68, WHITE)

    def panel(self, x: float, y: float, width: float, height: float, lit: bool = False) -> None:
        """A sheet of paper; lit, it is somebody's turn."""
        edge, line = (BRASS_FILL, 4) if lit else (TABLE_DEEP, 1)
        self.box(x, y, width, height, PAPER, 14, edge, line)

    def pill(
        self, x: float, y: float, words: object, fill: str, colour: str, at: str = "left", size: int = 13
    ) -> float:
        """Words on a patch of colour around the height y; returns its width."""
        bold = size > 12
        width = written(str(words), size, bold)[1] + 16
        left = x - {"left": 0, "middle": width / 2, "right": width}[at]
        self.box(left, y - size * 0.85, width, size * 1.7, fill, round(size * 0.85))
        self.text(left + 8, y, words, size, colour, bold=bold)
        return float(width)

    def head(self, title: str, *words: str, note: str = "") -> None:
        """The line above the table: the game, what is going on, and at the right what matters most."""
        x = 16 + self.text(16, 24, title, 21, INK, bold=True) + 14
        self.text(x, 24, " · ".join(filter(None, words)), 16, INK_2, room=self.width - x - 240)
        if note:
            self.pill(self.width - 16, 24, note, BRASS_FILL, INK, "right", 15)

    # Words.

    def text(
        self, x: float, y: float, words: object, size: int = 14, colour: str = INK, at: str = "left", bold: bool = False,
        room: float = 0,
    ) -> float:  # fmt: skip
        """Words whose capitals stand around the height y; too long for their room they are cut. Returns their width."""
        line = cut_to(str(words), size, room, bold) if room else str(words)
        mask, width, above = written(line, size, bold)
        start = x - {"left": 0.0, "middle": width / 2, "right": float(width)}[at]
        if mask is not None:
            self.stamp(start, y - above, mask, colour)
        return float(width)


def cut_to(line: str, size: int, room: float, bold: bool = True) -> str:
    """A line that fits into the room, with an ellipsis where something is left out."""
    while len(line) > 1 and written(line, size, bold)[1] > room:
        line = line.rstrip("…")[:-1].rstrip() + "…"
    return line


@functools.lru_cache(PARTS)
def painted(width: int, height: int, ground: str, paint: Paint, *facts: Any) -> Any:
    """A part of a picture."""
    canvas = Canvas(width, height, ground)
    paint(canvas, *facts)
    return canvas.image


@functools.lru_cache(KEPT)
def rounded(width: int, height: int, radius: int) -> Any:
    """The mask of a rectangle with round corners."""
    from PIL import Image, ImageDraw

    large = Image.new("L", (width * SMOOTH, height * SMOOTH))
    corners = (0, 0, width * SMOOTH - 1, height * SMOOTH - 1)
    ImageDraw.Draw(large).rounded_rectangle(corners, min(radius, width / 2, height / 2) * SMOOTH, 255)
    return large.reduce(SMOOTH)


@functools.lru_cache(KEPT)
def cut(outlines: str, side: int) -> Any:
    """The mask of a sign; where two outlines overlap is a hole."""
    from PIL import Image, ImageChops, ImageDraw

    whole = side * SMOOTH
    mask = Image.new("L", (whole, whole))
    for outline in flattened(outlines):
        part = Image.new("L", (whole, whole))
        ImageDraw.Draw(part).polygon([(x * whole / UNITS, y * whole / UNITS) for x, y in outline], 255)
        mask = ImageChops.difference(mask, part)
    return mask.reduce(SMOOTH)


def flattened(outlines: str) -> list[list[tuple[float, float]]]:
    """The corners of each outline; a curve becomes eight straight pieces."""
    found: list[list[tuple[float, float]]] = []
    for letter, numbers in re.findall(r"([MLC])([^MLCZ]*)", outlines):
        values = [float(n) for n in numbers.split()]
        points = list(zip(values[::2], values[1::2], strict=True))
        if letter == "M":
            found.append([])
        found[-1] += points if letter != "C" else curve(found[-1][-1], *points)
    return found


def curve(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> list[tuple[float, float]]:
    """A Bézier curve as points, without its first."""
    points = []
    for n in range(1, 9):
        t, s = n / 8, 1 - n / 8
        weights = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
        x, y = (sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True)) for axis in (0, 1))
        points.append((x, y))
    return points


@functools.lru_cache(KEPT)
def written(words: str, size: int, bold: bool) -> tuple[Any, int, float]:
    """The mask of a line of text (nothing where it is blank), its width, and how far its top is above its middle."""
    from PIL import Image, ImageDraw

    font = letters(size, bold)
    left, top, right, bottom = font.getbbox(words, anchor="ls")
    if right <= left or bottom <= top:
        return None, 0, 0.0
    mask = Image.new("L", (round(right - left), round(bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), words, 255, font, anchor="ls")
    capitals = -font.getbbox("H", anchor="ls")[1]
    return mask, mask.width, -top - capitals / 2


@functools.lru_cache(256)
def letters(size: int, bold: bool) -> Any:
    """The house's letters: Bricolage Grotesque for what is bold, Figtree for the rest; else Pillow's own."""
    from PIL import ImageFont

    name, weight = ("bricolage-grotesque-var.woff2", 800) if bold else ("figtree-var.woff2", 600)
    try:
        font = ImageFont.truetype(FONTS / name, size, layout_engine=ImageFont.Layout.BASIC)
        font.set_variation_by_axes([weight])
        return font
    except OSError:  # a FreeType that cannot read woff2
        return ImageFont.load_default(size)
