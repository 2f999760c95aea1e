"""What a game shows itself on in a terminal: a language, a width, and ink in colours where the terminal has them.

    def board(view, names, paper):
        coins = [paper.ink(f"{name} {coins}", "yellow") for name, coins in zip(names, view["coins"])]
        return paper.flow(coins)

Colours only repeat what letters and words say. On `plain` paper, for those who listen to a screen reader, there are none,
and what would stand side by side stands in lines of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

INKS = {  # neither too dark on black nor too light on white
    "bold": "1",
    "dim": "2",
    "red": "38;5;167",
    "orange": "38;5;172",
    "yellow": "38;5;178",
    "green": "38;5;71",
    "blue": "38;5;68",
    "purple": "38;5;134",
    "grey": "38;5;245",
}
_ESCAPES = re.compile("\x1b\\[[0-9;]*m")


@dataclass(frozen=True)
class Paper:
    """Where a board is written."""

    language: str
    width: int = 130  # letters in a line
    colours: bool = False
    plain: bool = False  # for a screen reader

    def ink(self, text: str, *inks: str) -> str:
        """The text in these inks: colours, `bold`, `dim`; one that there is not is black on white, as all the rest."""
        codes = [INKS[ink] for ink in inks if ink in INKS]
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.colours and codes and text else text

    def flow(self, pieces: Sequence[str], first: str = "", rest: str | None = None, gap: str = "  ") -> str:
        """The pieces one after the other, in as many lines as they need; `first` and `rest` stand before the lines."""
        rest = " " * length(first) if rest is None else rest
        lines, used, empty = [first], length(first), True
        for piece in pieces:
            if not empty and used + len(gap) + length(piece) > self.width:
                lines.append(rest)
                used, empty = length(rest), True
            lines[-1] += piece if empty else gap + piece
            used += length(piece) + (0 if empty else len(gap))
            empty = False
        return "\n".join(line.rstrip() for line in lines)

    def wrapped(self, text: str, first: str = "", rest: str | None = None) -> str:
        """A text in as many lines as it needs."""
        return self.flow(text.split(), first, rest, gap=" ")

    def beside(self, blocks: Sequence[Sequence[str]], gap: str = "   ") -> list[str]:
        """Blocks of lines side by side, as many as fit; the rest below them. On plain paper one below the other."""
        lines: list[str] = []
        row: list[Sequence[str]] = []
        for block in blocks:
            if row and (self.plain or sum(map(breadth, [*row, block])) + len(gap) * len(row) > self.width):
                lines += joined(row, gap)
                row = []
            row.append(block)
        return lines + (joined(row, gap) if row else [])


def length(text: str) -> int:
    """How many letters are seen."""
    return len(_ESCAPES.sub("", text))


def padded(text: str, width: int) -> str:
    """The text, and blanks up to that width."""
    return text + " " * (width - length(text))


def breadth(block: Sequence[str]) -> int:
    """Of a block of lines."""
    return max(map(length, block), default=0)


def joined(blocks: Sequence[Sequence[str]], gap: str) -> list[str]:
    """Blocks of lines side by side."""
    height = max(map(len, blocks))
    rows = [[padded(block[n] if n < len(block) else "", breadth(block)) for block in blocks] for n in range(height)]
    return [gap.join(row).rstrip() for row in rows]
