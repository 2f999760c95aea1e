"""Lets the bots' levels play against each other in every game of the house, as docs/performance.md has it: `make arena`.

Each level meets the next at two seats (or the fewest the game has); where more may play, all of them meet at a full table.
"""

from __future__ import annotations

import itertools
import subprocess
import sys

from ludoteca import catalogue
from ludoteca.bots.levels import LEVELS

GAMES = 400  # of each pair
GAMES_OF_ALL = 102  # at a full table


def commands() -> list[list[str]]:
    """What follows `ludoteca` for each contest."""
    found = []
    for key in catalogue.keys(catalogue.HOUSE):
        seats, levels = catalogue.listed(key).seats, list(LEVELS)
        for pair in itertools.pairwise(levels):
            found.append(["arena", key, *pair, "--games", str(GAMES)])
        if max(seats) >= len(levels):
            found.append(["arena", key, *levels, "--seats", str(max(seats)), "--games", str(GAMES_OF_ALL)])
    return found


def main() -> int:
    """Runs one contest after the other."""
    for command in commands():
        print("$ ludoteca", *command, flush=True)
        subprocess.run([sys.executable, "-m", "ludoteca", *command], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
