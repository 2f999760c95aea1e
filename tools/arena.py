"""Measures the bots' levels in every game of the house and writes the table of docs/performance.md: `make arena`.

    python tools/arena.py                          # what has not been measured yet: hours
    python tools/arena.py GAME --games 400         # one game, anew
    python tools/arena.py --up-to club             # only the quick levels: minutes

Each level meets the next at two seats (or the fewest the game has, from two on), seats balanced. Where more may play, all
levels meet at a table for as many as fit, and their mean ranks are kept. What was measured stands in docs/levels.json with
rules, games and seed; every contest is written down when it ends, so the tool can be stopped and goes on where it was.
"""

from __future__ import annotations

import argparse
import itertools
import json
import pathlib
from typing import Any

from ludoteca import catalogue
from ludoteca.bots.levels import LEVELS
from ludoteca.core.game import Game
from ludoteca.lab import arena

DOCS = pathlib.Path(__file__).parents[1] / "docs"
KEPT = DOCS / "levels.json"
PAGE = DOCS / "performance.md"
BEGIN, END = "<!-- levels: written by make arena -->", "<!-- /levels -->"
SEED = 0
FULL = "full table"
Measured = dict[str, dict[str, Any]]  # by game, then by contest


def contests(game: Game) -> dict[str, tuple[list[str], int]]:
    """Who meets, and at how many seats, by the name of the contest."""
    several = [seats for seats in game.seats if seats > 1]
    found = {f"{lower} – {upper}": ([lower, upper], several[0]) for lower, upper in itertools.pairwise(LEVELS)}
    if several[-1] > 2:
        found[FULL] = list(LEVELS), several[-1]
    return found


def measure(game: Game, bots: list[str], seats: int, games: int, processes: int | None) -> dict[str, Any]:
    """One contest."""
    found = arena.run(game, bots, games, seats, seed=SEED, workers=processes)
    bots_by_name = {
        standing.bot: {
            "rate": round(standing.rate, 4), "low": round(standing.interval[0], 4), "high": round(standing.interval[1], 4),
            "rank": round(standing.mean_rank, 3), "rating": round(standing.rating.points, 1),
            "ms": round(standing.milliseconds, 2),
        }
        for standing in found.standings
    }  # fmt: skip
    return {"rules": game.version, "games": found.games, "seats": seats, "seed": SEED, "bots": bots_by_name}


def table(measured: Measured) -> str:
    """What docs/performance.md shows."""
    lines = [
        "| game | contest | games | the upper wins | 95 % interval | apart on Elo's scale | ms a decision |",
        "|---|---|---|---|---|---|---|",
    ]
    ranks = [
        "",
        "Mean ranks where all levels meet (1 is always first):",
        "",
        f"| game | seats | {' | '.join(LEVELS)} |",
    ]
    ranks.append("|---|---|" + "---|" * len(LEVELS))
    for key, found in measured.items():
        title = catalogue.listed(key).title
        for contest, result in found.items():
            bots = result["bots"]
            if contest == FULL:
                means = " | ".join(f"{bots[level]['rank']:.2f}" if level in bots else "" for level in LEVELS)
                ranks.append(f"| {title} | {result['seats']} | {means} |")
                continue
            lower, upper = (bots[name] for name in contest.split(" – "))
            apart = upper["rating"] - lower["rating"]
            lines.append(
                f"| {title} | {contest} | {result['games']} | {upper['rate']:.1%} "
                f"| {upper['low']:.1%} – {upper['high']:.1%} "
                f"| {apart:.0f} | {lower['ms']:.1f}, {upper['ms']:.1f} |"
            )
    return "\n".join([*lines, *(ranks if len(ranks) > 5 else [])])


def write(measured: Measured) -> None:
    """Keeps the figures and writes the table into the page."""
    KEPT.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", "utf-8")
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{table(measured)}\n{END}{after}", "utf-8")


def main() -> int:
    """Measures what was asked for, or what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", metavar="GAME", help="measure these games anew (default: what is missing)")
    parser.add_argument("--games", type=int, default=400, help="of each pair (default 400)")
    parser.add_argument("--full", type=int, default=100, help="games at a full table (default 100; 0: none)")
    parser.add_argument(
        "--up-to", choices=LEVELS, default=LEVELS[-1], help="leave out the contests of stronger levels, which take long"
    )
    parser.add_argument("--processes", type=int, help="processes (default: one for each core)")
    asked = parser.parse_args()
    measured: Measured = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    for key in asked.only or catalogue.keys(catalogue.HOUSE):
        game = catalogue.listed(key)
        kept = measured.setdefault(key, {})
        strongest = LEVELS.index(asked.up_to)
        for contest, (bots, seats) in contests(game).items():
            if LEVELS.index(bots[-1]) > strongest:
                continue
            games = asked.full if contest == FULL else asked.games
            if games and (asked.only or contest not in kept):
                kept[contest] = measure(game, bots, seats, games, asked.processes)
                print(key, contest, kept[contest]["bots"], flush=True)
                write(measured)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
