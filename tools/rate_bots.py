"""Measures how strong the bots' levels are, for each game and number of seats, and keeps it with the game.

    python tools/rate_bots.py                     # every game of the house: hours
    python tools/rate_bots.py GAME --games 60     # one of them, with fewer games

The levels meet in the arena, with the game's first options; `bot_ratings.json` in the game's folder then has a rating
with its standard deviation for each, on the scale of people's ratings (`server/rating.py`), and how it was measured:
rules, games, seed. Measured again with the same numbers it is the same file. A number of seats that was not asked for
keeps what it had.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from ludoteca import catalogue
from ludoteca.bots.levels import LEVELS
from ludoteca.core.game import Game
from ludoteca.lab import arena
from ludoteca.lab.rating import CONFIDENCE
from ludoteca.server.rating import MEASURED

SEED = 1


def measured(game: Game, seats: int, games: int, workers: int | None) -> dict[str, Any]:
    """What the arena says of the levels at so many seats."""
    found = arena.run(game, LEVELS, games, seats, seed=SEED, workers=workers)
    levels = {
        standing.bot: [
            round(standing.rating.points, 1),
            round((standing.rating.high - standing.rating.low) / 2 / CONFIDENCE, 1),
        ]
        for standing in found.standings
    }
    return {"rules": game.version, "games": found.games, "seed": SEED, "levels": levels}


def keep(game: Game, seats: int, found: dict[str, Any]) -> None:
    """Writes it to the game's folder, beside what was measured at other numbers of seats."""
    path = game.folder / MEASURED
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    before[str(seats)] = found
    lines = [f' "{key}": {json.dumps(before[key])}' for key in sorted(before, key=int)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main() -> int:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", metavar="GAME", help="which games (default: all of the house)")
    parser.add_argument("--games", type=int, default=120, help="games for each number of seats (default 120)")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--processes", type=int, help="processes (default: one for each core)")
    asked = parser.parse_args()
    for key in asked.only or catalogue.keys(catalogue.HOUSE):
        game = catalogue.listed(key)
        for seats in game.seats:
            if seats > 1 and asked.seats in (None, seats):
                found = measured(game, seats, asked.games, asked.processes)
                keep(game, seats, found)
                print(key, seats, found["levels"], flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
