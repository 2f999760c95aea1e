"""The table drawn for a program: as text, as an array of pixels made from that text, or in the browser."""

from __future__ import annotations

from typing import Any

import numpy as np

from .table import Table

WIDTH, HEIGHT = 6, 11  # of a letter, in pixels
PAPER, INK = (250, 244, 232), (34, 23, 16)


def draw(table: Table, mode: str | None, seat: int | None = None) -> Any:
    """What `render` returns."""
    if mode is None:
        return None
    text = table.picture(seat)
    if mode == "ansi":
        return text
    if mode == "rgb_array":
        return pixels(text)
    print(text)
    return None


def pixels(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Text as a picture, with Pillow's own small font."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default()
    lines = text.splitlines() or [""]
    image = Image.new("RGB", (WIDTH * max(map(len, lines)) + 16, (HEIGHT + 4) * len(lines) + 16), PAPER)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((8, 8 + number * (HEIGHT + 4)), line, INK, font)
    return np.asarray(image)
