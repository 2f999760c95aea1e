"""Loot without pictures: values as words, and the sheets as text."""

from __future__ import annotations

import pathlib
from typing import Any

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, catalogue, fill

from .components import SIDE

HERE = pathlib.Path(__file__).parent


def word(language: str, key: str, **facts: Any) -> str:
    """A sentence of the game's own words."""
    return fill(catalogue(HERE, language)[key], facts)


def place(language: str, square: int) -> str:
    """A square by row and column."""
    return word(language, "square", row=square // SIDE + 1, column=square % SIDE + 1)


def say_hall(telling: Telling, colour: str, said: Json) -> str:
    return telling.word("the_hall", colour=colour, size=said["size"])


SPOKEN: dict[str, Speaker] = {
    "square": lambda telling, square, said: place(telling.language, square),
    "ability": lambda telling, ability, said: f"«{telling.word(f'ability.{ability}')}»" if ability else "none",
    "line": lambda telling, line, said: telling.word("the_combo", line=line),
    "hall": say_hall,
}


def picture(view: Json, names: list[str], language: str) -> str:
    """The dice, then the sheets side by side: letters are clean squares, the pawn stands in brackets."""
    sheets = [sheet_lines(view, player, name) for player, name in zip(view["players"], names, strict=False)]
    dice = " ← ".join(map(str, view["dice"]))
    rows = ["   ".join(f"{line:23}" for line in lines).rstrip() for lines in zip(*sheets, strict=True)]
    return "\n".join([f"{word(language, 'dice')}: {dice}", *rows])


def sheet_lines(view: Json, player: Json, name: str) -> list[str]:
    """One player's sheet, nine lines."""
    lines = [f"{name[:12]:12} {player['total']:3} ({len(player['track'])}/{view['sheet']['spaces'] - 1})"]
    for row in range(SIDE):
        cells = []
        for square in range(row * SIDE, row * SIDE + SIDE):
            mark = player["marks"][square]
            shown = view["sheet"]["grid"][square] if mark == "." else mark
            cells.append(f"[{shown}]" if square == player["pawn"] else f" {shown} ")
        lines.append("".join(cells))
    held = player["abilities"]
    lines.append(f"Meeps {player['meeps']}  ↔ {held['wrap']}  ±1 {held['plus_minus']}")
    return lines
