"""A drawing of lines, boxes and words, written as SVG or, with Pillow, as PNG: enough for the charts of the lab."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

from ludoteca.core.errors import BadData

PAPER, INK, FAINT, ACCENT = "#faf4e8", "#221710", "#d8cbb4", "#b4472f"
LETTER = 13  # height of the words
ENDINGS = (".svg", ".png")
PIXELS = 2  # of a PNG, for each unit


@dataclass
class Chart:
    """What is drawn, in units of a pixel from the upper left corner."""

    width: float
    height: float
    shapes: list[tuple[str, tuple[float, ...], str, str, str]] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float, colour: str = ACCENT) -> None:
        """A filled box."""
        self.shapes.append(("box", (x, y, width, height), colour, "", ""))

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str = INK, thick: float = 1) -> None:
        """A straight line."""
        self.shapes.append(("line", (x, y, to_x, to_y, thick), colour, "", ""))

    def words(self, x: float, y: float, text: str, anchor: str = "start", colour: str = INK) -> None:
        """A line of words that starts, ends or has its middle here; y is the middle of the letters."""
        self.shapes.append(("words", (x, y), colour, text, anchor))

    def save(self, path: pathlib.Path) -> None:
        """Writes the file; its ending says what it is."""
        if path.suffix.lower() == ".svg":
            path.write_text(self.svg(), "utf-8")
        elif path.suffix.lower() == ".png":
            self.picture().save(path)
        else:
            raise BadData(f"A plot is a file .svg or .png, not {path.name}.", "no_such_value")

    def svg(self) -> str:
        """As SVG."""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'font-family="system-ui, sans-serif" font-size="{LETTER}">',
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        ]
        for kind, at, colour, text, anchor in self.shapes:
            n = [f"{number:.6g}" for number in at]
            if kind == "box":
                lines.append(f'<rect x="{n[0]}" y="{n[1]}" width="{n[2]}" height="{n[3]}" fill="{colour}"/>')
            elif kind == "line":
                lines.append(
                    f'<path d="M{n[0]} {n[1]}L{n[2]} {n[3]}" stroke="{colour}" stroke-width="{n[4]}" fill="none"/>'
                )
            else:
                place = f'x="{n[0]}" y="{n[1]}" text-anchor="{anchor}" dominant-baseline="central" fill="{colour}"'
                lines.append(f"<text {place}>{escape(text)}</text>")
        return "\n".join([*lines, "</svg>", ""])

    def picture(self) -> Any:
        """As a picture of Pillow's."""
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError:
            raise BadData("A .png needs Pillow (pip install pillow); a .svg needs nothing.", "no_such_value") from None
        image = Image.new("RGB", (round(self.width * PIXELS), round(self.height * PIXELS)), PAPER)
        pen, font = ImageDraw.Draw(image), ImageFont.load_default(LETTER * PIXELS)
        for kind, at, colour, text, anchor in self.shapes:
            n = [number * PIXELS for number in at]
            if kind == "box":
                pen.rectangle((n[0], n[1], n[0] + n[2], n[1] + n[3]), colour)
            elif kind == "line":
                pen.line(n[:4], colour, max(1, round(n[4])))
            else:
                pen.text((n[0], n[1]), text, colour, font, {"start": "lm", "middle": "mm", "end": "rm"}[anchor])
        return image


def intervals(title: str, rows: Sequence[tuple[str, float, float, float]], note: str = "") -> Chart:
    """A line for each row (name, value, low, high), on a common scale."""
    left = 24 + 7.5 * max(len(name) for name, *_ in rows)
    right, top, step = 600, 56, 28
    chart = Chart(left + right + 90, top + step * len(rows) + 56)
    low, high = min(row[2] for row in rows), max(row[3] for row in rows)
    ticks = scale(low, high)
    first, last = ticks[0], ticks[-1]

    def place(value: float) -> float:
        return left + right * (value - first) / (last - first)

    chart.words(16, 24, title)
    bottom = top + step * len(rows)
    for tick in ticks:
        chart.line(place(tick), top - 8, place(tick), bottom, FAINT)
        chart.words(place(tick), bottom + 12, f"{tick:g}", "middle")
    for number, (name, value, least, most) in enumerate(rows):
        y = top + step * number + step / 2 - 4
        chart.words(left - 10, y, name, "end")
        chart.line(place(least), y, place(most), y, INK, 1.5)
        for end in (least, most):
            chart.line(place(end), y - 5, place(end), y + 5, INK, 1.5)
        chart.box(place(value) - 4.5, y - 4.5, 9, 9)
        chart.words(place(most) + 10, y, f"{value:.0f}")
    if note:
        chart.words(16, bottom + 38, note)
    return chart


def rates(
    title: str, points: Sequence[tuple[float, float, float, float]], note: str, fair: float = 0.5, most: float = 1e-3
) -> Chart:
    """Rates with intervals (count, rate, low, high) by something counted, to `most` at least; a dark line at `fair`."""
    left, right, top, bottom = 64, 680, 48, 328
    chart = Chart(720, 384)
    ticks = scale(0.0, max([most, *(count for count, *_ in points)]))

    def across(count: float) -> float:
        return left + (right - left) * count / ticks[-1]

    def height(rate: float) -> float:
        return bottom - (bottom - top) * rate

    chart.words(16, 24, title)
    for percent in range(0, 101, 25):
        chart.line(left, height(percent / 100), right, height(percent / 100), FAINT)
        chart.words(left - 8, height(percent / 100), f"{percent} %", "end")
    chart.line(left, height(fair), right, height(fair))
    for tick in ticks:
        chart.words(across(tick), bottom + 16, f"{tick:g}", "middle")
    chart.words(right, bottom + 38, note, "end")
    last: tuple[float, float] | None = None
    for count, rate, low, high in points:
        x, y = across(count), height(rate)
        chart.line(x, height(low), x, height(high), ACCENT)
        if last:
            chart.line(*last, x, y, ACCENT, 2)
        chart.box(x - 3, y - 3, 6, 6)
        last = x, y
    return chart


def scale(low: float, high: float) -> list[float]:
    """Round numbers from below `low` to above `high`."""
    wide = max(high - low, 1e-9)
    step = 10.0 ** len(str(int(wide))) / 100 if wide >= 1 else 0.1
    for factor in (1, 2, 5, 10, 20, 50, 100):
        if wide / (step * factor) <= 8:
            step *= factor
            break
    first, last = low // step, -(-high // step)
    return [step * k for k in range(int(first), int(last) + 1)]
