"""The table drawn for a program: as text, as an array of pixels, or in the browser. All from what one viewer sees."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.canvas import Canvas

from .table import Table

MODES = ("ansi", "rgb_array", "human")
WIDTH, HEIGHT = 960, 640  # of every picture, in pixels


class Pictures:
    """What `render` returns, in one of the modes; `close` ends the page of the mode «human»."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise ValueError(f"A render mode is one of {', '.join(MODES)}; not {mode!r}.")
        self.mode = mode
        self._window: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {"mode": self.mode, "_window": None}  # a copy opens a page of its own

    def draw(self, table: Table, seat: int | None = None) -> str | np.ndarray[Any, Any] | None:
        """The table as this seat sees it, or a spectator."""
        if self.mode == "ansi":
            return table.picture(seat)
        if self.mode == "rgb_array":
            return pixels(table, seat)
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


def pixels(table: Table, seat: int | None = None) -> npt.NDArray[np.uint8]:
    """The table as a picture: the game's own drawing of the view, or the view as text where it has none."""
    canvas = Canvas(WIDTH, HEIGHT)
    if table.game.draw is not None:
        table.game.draw(canvas, table.scene(seat))
    else:
        write(canvas, table.picture(seat).splitlines())
    return canvas.pixels()


def write(canvas: Canvas, lines: list[str]) -> None:
    """Lines of text, as far as there is room."""
    for number, line in enumerate(lines[: (canvas.height - 32) // 20]):
        canvas.text(16, 26 + number * 20, line, 14, room=canvas.width - 32)
