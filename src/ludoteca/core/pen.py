"""A pen for kernels: a game that writes its views as JSON in machine code writes them with this, on a `Page`.

    TEXTS = Texts()
    BANK, CARDS = TEXTS.add(',"bank":'), TEXTS.add_all(['"iron_man"', '"hulk"'])     # numbers of texts; cards count on
    TEXT, STARTS = TEXTS.bytes()

    @kernel
    def say(page: Page, text: int) -> None:                                          # a game has its own texts
        copy(page, TEXT, STARTS[text], STARTS[text + 1])

    @kernel
    def write_bank(state: State, page: Page) -> None:
        say(page, BANK)
        numbers(page, state.bank)

A page that is full stays full, and whoever reads it sees that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from .kernel import PAGE, ROOM, Page, kernel

DIGITS = 20  # of the longest number, with its sign
MINUS, ZERO, COMMA, OPEN, CLOSE = b"-0,[]"

__all__ = ["CLOSE", "COMMA", "OPEN", "PAGE", "ROOM", "Page", "Texts", "copy", "in_json", "number", "numbers", "sign"]


class Texts:
    """Texts by number, one after the other in one array of bytes."""

    def __init__(self) -> None:
        self._texts: list[bytes] = []

    def add(self, text: str | bytes) -> int:
        """One more; returns its number."""
        self._texts.append(text.encode() if isinstance(text, str) else text)
        return len(self._texts) - 1

    def add_all(self, texts: Iterable[str | bytes]) -> int:
        """Several; returns the number of the first."""
        first = len(self._texts)
        for text in texts:
            self.add(text)
        return first

    def bytes(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """All of them, and where each begins (and, in the last place, where the last ends)."""
        return np.frombuffer(b"".join(self._texts), np.uint8), np.cumsum([0, *map(len, self._texts)])


def in_json(value: Any) -> bytes:
    """A name as it is written."""
    return msgspec.json.encode(value)


@kernel
def copy(page: Page, text: Any, first: int, end: int) -> None:
    """Writes a part of a text."""
    used = page.used
    if used + end - first > ROOM:
        page.used = ROOM
        return
    for k in range(end - first):
        page.bytes[used + k] = text[first + k]
    page.used = used + end - first


@kernel
def sign(page: Page, which: int) -> None:
    """Writes one character."""
    used = page.used
    if used < ROOM:
        page.bytes[used] = which
        page.used = used + 1


@kernel
def number(page: Page, value: int) -> None:
    """Writes a whole number."""
    if 0 <= value < 10:  # as most are: a division takes as long as writing a word
        sign(page, ZERO + value)
        return
    if page.used + DIGITS > ROOM:
        page.used = ROOM
        return
    if value < 0:
        sign(page, MINUS)
        value = -value
    digits, rest = 1, value // 10
    while rest:
        digits += 1
        rest //= 10
    used = page.used
    for k in range(digits - 1, -1, -1):
        page.bytes[used + k] = ZERO + value % 10
        value //= 10
    page.used = used + digits


@kernel
def numbers(page: Page, row: Any) -> None:
    """Writes whole numbers as a list."""
    sign(page, OPEN)
    for k in range(len(row)):
        if k:
            sign(page, COMMA)
        number(page, int(row[k]))
    sign(page, CLOSE)
