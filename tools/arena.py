"""Measures the bots' levels in every game of the house and writes the table of docs/performance.md: `make arena`.

    python tools/arena.py                          # what has not been measured yet: hours
    python tools/arena.py GAME --games 400         # one game, anew
    python tools/arena.py --up-to club             # only the quick levels: minutes

Each level meets the next at two seats (or the fewest the game has, from two on), seats balanced. Where more may play, they
meet at a full table too, taking every second chair by turns, and their mean ranks are kept. What was measured stands in
docs/levels.json with rules, games and seed; every contest is written down when it ends, so the tool can be stopped and goes
on where it was. A level may play with a part of its thinking, which is written down as well:

    python tools/arena.py GAME --contest "expert – master" --with master:iterations=2000,seconds=0
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
Measured = dict[str, dict[str, Any]]  # by game, then by contest


def contests(game: Game) -> dict[str, tuple[list[str], int]]:
    """Who meets, and at how many seats, by the name of the contest: «club – expert», «club – expert, 4 seats»."""
    several = [seats for seats in game.seats if seats > 1]
    pairs = list(itertools.pairwise(LEVELS))
    found = {f"{lower} – {upper}": ([lower, upper], several[0]) for lower, upper in pairs}
    if several[-1] > 2:
        full = several[-1]
        found |= {f"{lower} – {upper}, {full} seats": ([lower, upper], full) for lower, upper in pairs}
    return found


def measure(game: Game, bots: list[str], seats: int, games: int, processes: int | None) -> dict[str, Any]:
    """One contest."""
    found = arena.run(game, bots, games, seats, seed=SEED, workers=processes)
    by_level = {
        level_of(standing.bot): {
            "rate": round(standing.rate, 4), "low": round(standing.interval[0], 4), "high": round(standing.interval[1], 4),
            "rank": round(standing.mean_rank, 3), "rating": round(standing.rating.points, 1),
            "ms": round(standing.milliseconds, 2),
        }
        for standing in found.standings
    }  # fmt: skip
    kept = {"rules": game.version, "games": found.games, "seats": seats, "seed": SEED, "bots": by_level}
    part = [bot for bot in bots if bot not in LEVELS]
    return {**kept, "played as": part} if part else kept


def level_of(bot: str) -> str:
    """Which level plays: `master` for `master:iterations=2000`."""
    return bot.partition(":")[0]


def table(measured: Measured) -> str:
    """What docs/performance.md shows."""
    lines = [
        "| game | contest | games | the upper wins | 95 % interval | apart on Elo's scale | ms a decision |",
        "|---|---|---|---|---|---|---|",
    ]
    full = [
        "",
        "At full tables, every second chair for the upper level; a share of wins is that of a chair:",
        "",
        "| game | seats | contest | games | mean ranks | wins of a chair | ms a decision |",
        "|---|---|---|---|---|---|---|",
    ]
    for key, found in measured.items():
        title = catalogue.listed(key).title
        for contest in found:
            result = found[contest]
            pair = contest.partition(",")[0]
            lower, upper = (result["bots"][name] for name in pair.split(" – "))
            named = " ".join([pair, *(f"(`{bot}`)" for bot in result.get("played as", []))])
            times = f"{lower['ms']:.1f}, {upper['ms']:.1f}"
            ranks = f"{lower['rank']:.2f}, {upper['rank']:.2f}"
            if pair != contest:
                full.append(
                    f"| {title} | {result['seats']} | {named} | {result['games']} | {ranks} "
                    f"| {lower['rate']:.1%}, {upper['rate']:.1%} | {times} |"
                )
                continue
            lines.append(
                f"| {title} | {named} | {result['games']} | {upper['rate']:.1%} | {upper['low']:.1%} – {upper['high']:.1%} "
                f"| {upper['rating'] - lower['rating']:.0f} | {times} |"
            )
    return "\n".join([*lines, *(full if len(full) > 6 else [])])


def read() -> Measured:
    """What has been measured so far."""
    found: Measured = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    return found


def keep(game: Game, contest: str, result: dict[str, Any]) -> None:
    """Adds a contest to what is kept, in the order of the levels, and writes the table into the page."""
    measured = read()
    found = {**measured.get(game.key, {}), contest: result}
    measured[game.key] = {name: found[name] for name in contests(game) if name in found}
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
    parser.add_argument(
        "--contest", action="append", help="only this one, as the table calls it: «club – expert, 4 seats»"
    )
    parser.add_argument("--with", dest="parts", action="append", default=[], metavar="BOT", help="a level's part")
    parser.add_argument("--processes", type=int, help="processes (default: one for each core)")
    asked = parser.parse_args()
    parts = {level_of(bot): bot for bot in asked.parts}
    for key in asked.only or catalogue.keys(catalogue.HOUSE):
        game = catalogue.listed(key)
        kept = read().get(key, {})
        strongest = LEVELS.index(asked.up_to)
        for contest, (pair, seats) in contests(game).items():
            if LEVELS.index(pair[-1]) > strongest or (asked.contest and contest not in asked.contest):
                continue
            games = asked.full if "," in contest else asked.games
            if games and (asked.only or contest not in kept):
                playing = [parts.get(level, level) for level in pair]
                result = measure(game, playing, seats, games, asked.processes)
                print(key, contest, result["bots"], flush=True)
                keep(game, contest, result)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
