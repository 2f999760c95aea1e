"""Builds scenes: sheets drawn with their marks, pawns and dice where a rule talks about them."""

from __future__ import annotations

from typing import Any

from games.scene import Scene
from ludoteca.games.loot import GAME
from ludoteca.games.loot.components import ABILITIES, SHEETS
from ludoteca.games.loot.state import MOVING, State

CLEAN = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
FULL = CLEAN.replace(".", "x")
# The sheet of these scenes:
#     B M Y Y G G R
#     Y Y B R M G M
#     Y M B R R R G
#     R B B M Y Y G
#     R G G G Y M B
#     M R M G Y B B
#     G R R B B M Y


def square(row: int, column: int) -> int:
    return (row - 1) * 7 + column - 1


class Table(Scene[State]):
    """A game that can be arranged before it is played: by default in a round, pawns in the middle of clean sheets."""

    def __init__(self, seats: int = 1, dice: tuple[int, int, int] = (1, 2, 3), seed: int = 1, **options: str) -> None:
        super().__init__(GAME, State, seats, options, seed)
        state = self.state
        state.phase, state.round_number = MOVING, 1
        state.dice[:] = dice
        state.pawn[:seats] = square(4, 4)
        state.close()

    # Arranging.

    def sheet(self, seat: int, drawing: str = CLEAN, at: tuple[int, int] = (4, 4)) -> None:
        """Marks a sheet as drawn (`.` clean, `/` slash, `x` cross): what is visited counts as circled."""
        marks = drawing.split()
        assert len(marks) == 49
        assert set(marks) <= set("./x")
        state, printed = self.state, SHEETS[int(self.states["sheet"][0])]
        state.visited[seat] = sum(1 << n for n, mark in enumerate(marks) if mark != ".")
        state.crossed[seat] = sum(1 << n for n, mark in enumerate(marks) if mark == "x")
        state.closed[seat] = sum(1 << n for n, h in enumerate(printed.halls) if all(marks[k] != "." for k in h.squares))
        state.meeps[seat] = sum(mark != "." and letter == "M" for mark, letter in zip(marks, printed.grid))
        state.pawn[seat] = square(*at)

    def abilities(self, seat: int, wrap: int = 0, plus_minus: int = 0) -> None:
        self.state.abilities[seat] = (wrap, plus_minus)

    def entries(self, seat: int, *totals: int) -> None:
        """Fills the score track with these running totals."""
        state = self.state
        state.track[seat, : len(totals)] = totals
        state.filled[seat] = len(totals)
        state.total[seat] = totals[-1] if totals else 0
        state.earned[seat] = 0
        state.earned[seat, 0] = state.total[seat]

    def idle(self, rounds: int) -> None:
        self.set(idle_rounds=rounds)

    # Playing.

    def walks(self, seat: int = 0) -> dict[str, tuple[int, int]]:
        """Where each walk ends: row and column."""
        found = {}
        for choice in self.choices(seat):
            if choice["kind"].startswith("walk"):
                found[GAME.actions.write(choice["action"])] = (choice["to"] // 7 + 1, choice["to"] % 7 + 1)
        return found

    def choice(self, action: str, seat: int = 0) -> dict[str, Any]:
        return next(c for c in self.choices(seat) if GAME.actions.write(c["action"]) == action)

    def turn(self, action: str) -> list[str]:
        """Does it, alone at the table; returns what happened on the sheet, without the dice that follow."""
        return [kind for kind in self.do(0, action) if kind not in ("rolled", "new_round")]

    # Looking.

    def last(self, kind: str) -> dict[str, Any]:
        """What the last move told of this kind."""
        return next(event for event in self.latest if event["kind"] == kind)

    def player(self, seat: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = self.view()["players"][seat]
        return found

    def mark(self, seat: int, row: int, column: int) -> str:
        return str(self.player(seat)["marks"][square(row, column)])

    def score(self, seat: int = 0) -> int:
        return int(self.state.total[seat])

    def held(self, seat: int = 0) -> dict[str, int]:
        return dict(zip(ABILITIES, self.state.abilities[seat].tolist()))
