"""Loot without pictures: the table as text."""

from __future__ import annotations

from ludoteca.core.game import Json

from .components import SIDE
from .words import word


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
