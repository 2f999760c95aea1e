"""Do reviews add up? Bots play, their games are reviewed, and what is left over of each account is printed.

    python tools/residues.py GAME GAME                           # ten games each of «expert» against «club»
    python tools/residues.py GAME --bots master:seconds=0,iterations=2000 --games 2   # a bot reviewed by itself

For each game: what the account has at its first seat, and what each seat lost for each decision; then the means.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from ludoteca import catalogue
from ludoteca.bots.levels import prepare, read_bot
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.journal import Journal
from ludoteca.core.play import Play
from ludoteca.review.pieces import Review
from ludoteca.review.reviewing import reviewed, story_of


def played(engine: CompiledEngine, bots: list[str], seed: int) -> Journal:
    """A game of two, to its end."""
    game, play = engine.game, Play.deal(engine, 2, {}, seed)
    while not play.is_over():
        seat = play.waiting()[0]
        seen = game.redact(play.states, 0, seat)
        bot = read_bot(game, bots[seat % len(bots)])
        play.decide(seat, [bot.choose(engine, seen, seat, derive(seed, play.seq))])
    return Journal(game.key, game.version, play.seats, {}, seed, play.decisions())


def lost(review: Review, seat: int) -> float:
    """What a decision of this seat cost, on average over those that left a choice."""
    return -review.totals[seat].own / max(1, review.totals[seat].decisions)


def main() -> None:
    """Plays, reviews, and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("keys", nargs="*", metavar="GAME", help="which (default: every installed one)")
    parser.add_argument("--games", type=int, default=10, help="of each (default 10)")
    parser.add_argument("--first", type=int, default=1, help="seed of the first (default 1)")
    parser.add_argument("--bots", nargs="+", default=["expert:seconds=0,iterations=800", "club"], help="who plays")
    arguments = parser.parse_args()
    for key in arguments.keys or catalogue.keys(of=catalogue.HOUSE):
        engine, found = prepare(catalogue.game(key)), list[Review]()
        for seed in range(arguments.first, arguments.first + arguments.games):
            journal, began = played(engine, arguments.bots, seed), time.process_time()
            found.append(reviewed(story_of(engine, journal)))
            one = found[-1].totals[0]
            account = (one.start, one.own, one.others, one.luck, one.strokes, one.residue, one.end)
            words = ("start", "own", "others", "luck", "(strokes)", "residue", "end")
            told = ", ".join(f"{word} {100 * number:.0f}" for word, number in zip(words, account, strict=True))
            cost = ", ".join(f"{100 * lost(found[-1], seat):.2f}" for seat in (0, 1))
            print(
                f"{key} {seed}: {told} ± {200 * one.error:.0f}; a decision cost {cost}; {time.process_time() - began:.0f} s"
            )
        left = [abs(review.totals[0].residue) for review in found]
        costs = [lost(review, seat) for review in found for seat in (0, 1)]
        print(
            f"{key}: residue {100 * np.mean(left):.1f} on average, {100 * max(left):.1f} at most; "
            f"a decision cost {100 * np.mean(costs):.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
