"""Is a chance of 70 % won in 70 of 100 games? Plays games, asks the judge of reviews, and plots what it said.

    python tools/calibration.py               # 500 games of every game: docs/calibration.json, its plot, its table
    python tools/calibration.py GAME          # one of them anew; what was found of the others stays

Bots that are strong and quick play, two to four of them. Of each game a few of the moments in which somebody is asked anew
are drawn at random (where one has sealed and another has not, a review draws nothing new), and its bands there are kept with
what came of it. Chances of one game hang together, so errors are those between games.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ludoteca import catalogue
from ludoteca.bots.levels import prepare, read_bot
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.game import Game
from ludoteca.core.play import Play
from ludoteca.core.record import copied
from ludoteca.lab.bar import Bar
from ludoteca.lab.chart import ACCENT, FAINT, INK, Chart
from ludoteca.review.judging import judge_of
from ludoteca.review.reviewing import Story, asks_anew

DOCS = pathlib.Path(__file__).parents[1] / "docs"
KEPT, PLOT, PAGE = DOCS / "calibration.json", DOCS / "images" / "calibration.svg", DOCS / "review.md"
MARKS = "<!-- calibration: written by make calibration -->\n", "<!-- /calibration -->\n"
BINS = 10
FEWEST = 10  # chances said, for a bin to be shown
ASKED = 3  # moments of each game
MOST_SEATS = 4
SIDE, GAP = 240.0, 60.0  # of a plot
Found = dict[str, Any]  # of one game, as it is kept


class Said(NamedTuple):
    """A chance, what came of it, and in which game."""

    chance: float
    won: float
    game: int


def said_of(engine: CompiledEngine, seats: int, bot: str, number: int, moments: int = ASKED) -> list[Said]:
    """One game: the chances of the seats at some moments, and whether each has won."""
    seed = derive(number, 99)
    play = Play.deal(engine, seats, {}, seed)
    player, positions = read_bot(play.game, bot), {0: copied(play.states)}
    while not play.is_over():
        before = copied(play.states)
        seat = play.waiting()[0]
        seen = play.game.redact(play.states, 0, seat)
        play.decide(seat, [player.choose(engine, seen, seat, derive(seed, play.seq))])
        if asks_anew(engine, before, play.states) and not play.is_over():
            positions[play.seq] = copied(play.states)
    story = Story(engine, play)
    won = story.judge.result(play.states)
    picked = random.Random(seed).sample(sorted(positions), min(moments, len(positions)))
    found = [story.point(after, positions[after]).chances for after in picked]
    return [Said(chance, won[seat], number) for chances in found for seat, chance in enumerate(chances)]


def asked(game: Game, count: int, bot: str, moments: int) -> Found:
    """So many games of one title, as they are kept."""
    engine, said = prepare(game), list[Said]()
    seats = [n for n in game.seats if 2 <= n <= MOST_SEATS]
    bar = Bar(count, f"games of {game.key}", asked=True)
    for number in range(count):
        said += said_of(engine, seats[number % len(seats)], bot, number, moments)
        bar.show(number + 1)
    bar.close()
    return {
        "games": count,
        "seats": seats,
        "played_by": bot,
        "judge": judge_of(game),
        "said": len(said),
        "off": round(100 * off(said), 1),
        "bins": [[round(number, 4) for number in row] for row in binned(said)],
    }


def binned(said: list[Said]) -> Iterator[tuple[float, float, float, int]]:
    """For each tenth: the mean chance said, the part won, its standard error, and how many."""
    for n in range(BINS):
        here = [one for one in said if min(int(one.chance * BINS), BINS - 1) == n]
        if len(here) >= FEWEST:
            chance, won = np.array([(one.chance, one.won) for one in here]).mean(0)
            yield float(chance), float(won), error_of(here, float(won)), len(here)


def error_of(here: list[Said], won: float) -> float:
    """The standard error of a part won: what is said within one game hangs together, games do not."""
    by_game: dict[int, float] = {}
    for one in here:
        by_game[one.game] = by_game.get(one.game, 0.0) + one.won - won
    spread = float(np.sqrt(np.square(list(by_game.values())).sum())) / len(here)
    return max(spread, 0.5 / len(here))  # none has won, or all: that does not make it certain


def off(said: list[Said]) -> float:
    """How far what is said lies from what is won, on average over everything said."""
    return sum(count * abs(chance - won) for chance, won, _, count in binned(said)) / len(said)


def by_chance(found: Found) -> float:
    """How far off a judge would be that is right: so few games come out otherwise than one expects."""
    errors: float = sum(count * error for _, _, error, count in found["bins"])
    return math.sqrt(2 / math.pi) * errors / int(found["said"])


def draw(chart: Chart, left: float, title: str, found: Found) -> None:
    """One game's plot: the diagonal is the truth."""
    top = 40.0

    def x(chance: float) -> float:
        return left + SIDE * chance

    def y(chance: float) -> float:
        return top + SIDE * (1 - chance)

    chart.words(left, 20, f"{title}, {found['games']} games")
    for mark in (0, 0.25, 0.5, 0.75, 1):
        chart.line(x(mark), y(0), x(mark), y(1), FAINT)
        chart.line(x(0), y(mark), x(1), y(mark), FAINT)
        chart.words(x(mark), y(0) + 14, f"{round(100 * mark)}", "middle")
        chart.words(x(0) - 6, y(mark), f"{round(100 * mark)}", "end")
    chart.words(x(0.5), y(0) + 32, "chance said, in a hundred", "middle")
    chart.line(x(0), y(0), x(1), y(1), INK)
    for chance, won, error, _ in found["bins"]:
        chart.line(x(chance), y(max(0, won - 2 * error)), x(chance), y(min(1, won + 2 * error)), ACCENT, 2)
        chart.box(x(chance) - 4, y(won) - 4, 8, 8)


def table(kept: dict[str, Found]) -> Iterator[str]:
    """What was found, as a table of the page."""
    yield "| game | games | played by | chances said | off by | by chance alone | said → won (± two standard errors) |"
    yield "|---|---|---|---|---|---|---|"
    for key, found in kept.items():
        bins = ", ".join(f"{100 * c:.0f} → {100 * w:.0f} ± {200 * e:.0f}" for c, w, e, _ in found["bins"])
        figures = (found[name] for name in ("games", "played_by", "said", "off"))
        yield f"| {catalogue.game(key).title} | {' | '.join(map(str, figures))} | {100 * by_chance(found):.1f} | {bins} |"


def write(new: dict[str, Found]) -> None:
    """The numbers, their plot, and their table on the page; what is known of other games stays."""
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept = {key: (known | new)[key] for key in catalogue.keys(of=catalogue.HOUSE) if key in known | new}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    chart = Chart(GAP + len(kept) * (SIDE + GAP), SIDE + 100)
    for number, (key, found) in enumerate(kept.items()):
        draw(chart, GAP + number * (SIDE + GAP), catalogue.game(key).title, found)
    chart.save(PLOT)
    page = PAGE.read_text("utf-8")
    before, rest = page.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    lines = "\n".join(table(kept))
    PAGE.write_text(f"{before}{MARKS[0]}\n{lines}\n\n{MARKS[1]}{after}", "utf-8")


def main() -> None:
    """Plays, asks, and writes what was found after each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="which (default: every installed one)")
    parser.add_argument("--count", type=int, default=500, help="games of each (default 500)")
    parser.add_argument("--moments", type=int, default=ASKED, help=f"asked of each game (default {ASKED})")
    parser.add_argument("--bot", default="club", help="who plays (default club)")
    arguments = parser.parse_args()
    for key in arguments.games or catalogue.keys(of=catalogue.HOUSE):
        write({key: asked(catalogue.game(key), arguments.count, arguments.bot, arguments.moments)})


if __name__ == "__main__":
    main()
