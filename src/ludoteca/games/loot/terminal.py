"""Loot without pictures: the table as text, and what halls, combos and abilities bring."""

from __future__ import annotations

from ludoteca.core.game import Json
from ludoteca.core.paper import Paper

from .components import SIDE
from .words import word

INKS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "M": "purple"}  # letters of clean squares


def picture(view: Json, names: list[str], language: str) -> str:
    """The table as text."""
    return board(view, names, Paper(language))


def board(view: Json, names: list[str], paper: Paper) -> str:
    """The dice, then the sheets side by side: letters are clean squares, the pawn stands in brackets."""
    sheets = [sheet_lines(view, player, name, paper) for player, name in zip(view["players"], names, strict=False)]
    dice = " ← ".join(map(str, view["dice"]))
    return "\n".join([f"{word(paper.language, 'dice')}: {paper.ink(dice, 'bold')}", *paper.beside(sheets)])


def sheet_lines(view: Json, player: Json, name: str, paper: Paper) -> list[str]:
    """One player's sheet, nine lines."""
    lines = [f"{name[:12]:12} {player['total']:3} ({len(player['track'])}/{view['sheet']['spaces'] - 1})"]
    for row in range(SIDE):
        cells = []
        for square in range(row * SIDE, row * SIDE + SIDE):
            mark = player["marks"][square]
            shown = view["sheet"]["grid"][square] if mark == "." else mark
            inked = paper.ink(shown, INKS.get(shown, "dim"))
            cells.append(
                paper.ink("[", "bold") + inked + paper.ink("]", "bold") if square == player["pawn"] else f" {inked} "
            )
        lines.append("".join(cells))
    held = player["abilities"]
    lines.append(f"Meeps {player['meeps']}  ↔ {held['wrap']}  ±1 {held['plus_minus']}")
    return lines


def lookup(view: Json, language: str) -> list[tuple[str, str]]:
    """The two abilities and every combo line of the sheet."""
    found = []
    for ability in ("wrap", "plus_minus"):
        name = word(language, f"ability.{ability}")
        found.append((name, f"{name}: {word(language, f'ability.{ability}.why')}"))
    mine = view["players"][view["you"]["seat"]]["combos"] if view["you"] else None
    for n, combo in enumerate(view["sheet"]["combos"]):
        name = word(language, "combo", line=combo["line"])
        points = word(language, "points", n=combo["points"])
        reward = word(language, f"ability.{combo['ability']}") if combo["ability"] else points
        have, done = (mine[n]["circles"], mine[n]["done"]) if mine else (0, False)
        said = word(language, "combo.label", need=combo["need"], reward=reward, have=have, done="yes" if done else "no")
        found.append((name, f"{name}: {said}"))
    return found
