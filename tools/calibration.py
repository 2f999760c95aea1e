"""Is a chance of 70 % won in 70 of 100 games? Plays games, asks the judge of reviews, and plots what it said.

    python tools/calibration.py --count 500            # every game; writes docs/images/calibration.svg and a table

In each game, played by bots that are strong and quick, the chances are asked for at three moments drawn at random.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import random

import numpy as np

from ludoteca import catalogue
from ludoteca.bots.levels import prepare, read_bot
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.play import Play
from ludoteca.lab.bar import Bar
from ludoteca.lab.chart import ACCENT, FAINT, INK, Chart
from ludoteca.review.judging import Effort, Judge

OUT = pathlib.Path(__file__).parents[1] / "docs" / "images" / "calibration.svg"
BINS = 10
ASKED = 3  # moments of each game
SIDE, GAP = 240.0, 60.0  # of a plot
Said = tuple[float, float]  # a chance, and what came of it


def said_of(engine: CompiledEngine, seats: int, bot: str, seed: int) -> list[Said]:
    """One game: the chances of the seats at some moments, and whether each has won."""
    play, judge = Play.deal(engine, seats, {}, seed), Judge(engine, Effort(runs=4, guesses=48))
    positions = []
    while not play.is_over():
        positions.append(play.states.copy())
        seat = play.waiting()[0]
        seen = play.game.redact(play.states, 0, seat)
        play.decide(seat, [read_bot(play.game, bot).choose(engine, seen, seat, derive(seed, play.seq))])
    won = judge.result(play.states)
    picked = random.Random(seed).sample(positions, min(ASKED, len(positions)))
    found = [judge.position(states, derive(seed, number)).chances for number, states in enumerate(picked)]
    return [(chance, won[seat]) for chances in found for seat, chance in enumerate(chances)]


def binned(said: list[Said]) -> list[tuple[float, float, float, int]]:
    """For each tenth: the mean chance said, the part won, its standard error, and how many."""
    rows = []
    for n in range(BINS):
        here = np.array(
            [pair for pair in said if n / BINS <= pair[0] < (n + 1) / BINS or (n == BINS - 1 and pair[0] == 1)]
        )
        if len(here) >= 10:
            chance, won = here.mean(0)
            rows.append(
                (float(chance), float(won), math.sqrt(max(won * (1 - won), 0.01) / len(here) * ASKED), len(here))
            )
    return rows


def draw(chart: Chart, left: float, title: str, rows: list[tuple[float, float, float, int]]) -> None:
    """One game's plot: the diagonal is the truth."""
    top = 40.0

    def x(chance: float) -> float:
        return left + SIDE * chance

    def y(chance: float) -> float:
        return top + SIDE * (1 - chance)

    chart.words(left, 20, title)
    for mark in (0, 0.25, 0.5, 0.75, 1):
        chart.line(x(mark), y(0), x(mark), y(1), FAINT)
        chart.line(x(0), y(mark), x(1), y(mark), FAINT)
        chart.words(x(mark), y(0) + 14, f"{round(100 * mark)}", "middle")
    chart.line(x(0), y(0), x(1), y(1), INK)
    for chance, won, error, _ in rows:
        chart.line(x(chance), y(max(0, won - 2 * error)), x(chance), y(min(1, won + 2 * error)), ACCENT, 2)
        chart.box(x(chance) - 4, y(won) - 4, 8, 8)


def main() -> None:
    """Plays, plots, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="which (default: every installed one)")
    parser.add_argument("--count", type=int, default=500, help="games of each (default 500)")
    parser.add_argument("--bot", default="club", help="who plays (default club)")
    parser.add_argument("--out", type=pathlib.Path, default=OUT)
    arguments = parser.parse_args()
    keys = arguments.games or list(catalogue.keys(of=catalogue.HOUSE))
    chart = Chart(GAP + len(keys) * (SIDE + GAP), SIDE + 80)
    print("| game | said | won | ± | n |\n|---|---|---|---|---|")
    for number, key in enumerate(keys):
        engine = prepare(catalogue.game(key))
        bar, said = Bar(arguments.count, f"games of {key}", asked=True), list[Said]()
        for seed in range(arguments.count):
            said += said_of(engine, 2, arguments.bot, derive(seed, 99))
            bar.show(seed + 1)
        bar.close()
        rows = binned(said)
        draw(chart, GAP + number * (SIDE + GAP), f"{engine.game.title}, {arguments.count} games", rows)
        for chance, won, error, count in rows:
            print(f"| {key} | {100 * chance:.0f} | {100 * won:.0f} | {200 * error:.0f} | {count} |", flush=True)
        chart.save(arguments.out)


if __name__ == "__main__":
    main()
