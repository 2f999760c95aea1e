"""The table drawn for a program: as text, as an array of pixels made from that text, or in the browser."""

from __future__ import annotations

from typing import Any

import numpy as np

from .table import Table

WIDTH, HEIGHT = 6, 11  # of a letter, in pixels
MODES = ("ansi", "rgb_array", "human")
PAPER, INK = (250, 244, 232), (34, 23, 16)


class Pictures:
    """What `render` returns, in one of the modes; `close` ends the page of the mode «human»."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise ValueError(f"A render mode is one of {', '.join(MODES)}; not {mode!r}.")
        self.mode = mode
        self._window: Any = None

    def draw(self, table: Table, seat: int | None = None) -> Any:
        """The table as this seat sees it, or a spectator."""
        if self.mode == "ansi":
            return table.picture(seat)
        if self.mode == "rgb_array":
            return pixels(table.picture(seat))
        if self.mode == "human":
            if self._window is None:
                from .window import Window

                self._window = Window()
            self._window.show(table)
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None


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
