"""Measures how strong the bots' levels are, for each game and number of seats, and keeps it with the game.

    python tools/rate_bots.py                               # every game of the house: hours
    python tools/rate_bots.py GAME --games 60               # one of them, with fewer games
    python tools/rate_bots.py --minutes 3 --processes 1     # what can be told after three minutes each

The levels meet in the arena, with the game's first options; `bot_ratings.json` in the game's folder then has a rating
with its standard deviation for each, on the scale of people's ratings (`server/rating.py`), and how it was measured:
rules, games, seed. With as many games it is the same file again: a level that thinks for so many seconds at a table thinks
to the end of its iterations here, however busy the machine is. After `--minutes` the round that is being played is the
last, so every level has sat everywhere equally often; fewer games give wider margins. A number of seats that was not asked
for keeps what it had, unless that is of other rules or other levels.
"""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

from ludoteca import catalogue
from ludoteca.bots.levels import LEVELS, read_bot
from ludoteca.core.game import Game
from ludoteca.lab import arena
from ludoteca.lab.rating import CONFIDENCE
from ludoteca.server.rating import MEASURED

SEED = 1


def without_a_clock(game: Game, level: str) -> str:
    """The level as it is where nobody waits."""
    settings = read_bot(game, level).settings
    return f"{level}:seconds=0" if settings is not None and settings.seconds else level


def measured(game: Game, seats: int, games: int, minutes: float, workers: int | None) -> dict[str, Any]:
    """What the arena says of the levels at so many seats."""
    bots = [without_a_clock(game, level) for level in LEVELS]
    found = arena.run(game, bots, games, seats, seed=SEED, workers=workers, seconds=60 * minutes)
    levels = {
        level: [
            round(standing.rating.points, 1),
            round((standing.rating.high - standing.rating.low) / 2 / CONFIDENCE, 1),
        ]
        for level, standing in zip(LEVELS, found.standings, strict=True)
    }
    return {"rules": game.version, "games": found.games, "seed": SEED, "levels": levels}


def is_of_today(game: Game, was: dict[str, Any]) -> bool:
    """Whether it was measured with today's rules, and of all of today's levels."""
    return bool(was["rules"] == game.version and set(was["levels"]) == set(LEVELS))


def keep(game: Game, seats: int, found: dict[str, Any]) -> None:
    """Writes it to the game's folder, beside what was measured at other numbers of seats."""
    path = game.folder / MEASURED
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    before = {key: was for key, was in before.items() if is_of_today(game, was)} | {str(seats): found}
    lines = [f' "{key}": {json.dumps(before[key])}' for key in sorted(before, key=int)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main() -> int:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", metavar="GAME", help="which games (default: all of the house)")
    parser.add_argument("--games", type=int, default=120, help="games for each number of seats (default 120)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="for each number of seats, then no new round")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--processes", type=int, help="processes (default: one for each core)")
    asked = parser.parse_args()
    for key in asked.only or catalogue.keys(catalogue.HOUSE):
        game = catalogue.listed(key)
        for seats in game.seats:
            if seats > 1 and asked.seats in (None, seats):
                found = measured(game, seats, asked.games, asked.minutes, asked.processes)
                keep(game, seats, found)
                print(key, seats, found["games"], found["levels"], flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
