"""Learns how good actions are by playing, for a game that has a `learning.py`, and writes down its `experience.json`.

    python tools/learn_experience.py GAME --games 1500000 --seed 1      # some minutes of one core

The mean of the last third of all steps is written down, with the command and how often it won against `greedy` on the way.
As many games with the same seed give the same file on one machine.
"""

from __future__ import annotations

import argparse
import importlib

import numpy as np

from ludoteca import catalogue

MEASURED = 12  # times, on the way


def main() -> None:
    """Learns, says how it goes, and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--games", type=int, default=1_500_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = catalogue.game(given.game)
    package = game.place.partition(":")[0]
    learning, experience = (importlib.import_module(f"{package}.{name}") for name in ("learning", "experience"))
    learner, curve = learning.Learner(np.random.default_rng(given.seed)), []
    steps, counted = max(1, given.games // learner.batch), 0
    mean = np.zeros_like(learner.numbers)
    for step in range(steps):
        learner.learn(step / steps)
        if 3 * step >= 2 * steps:
            mean, counted = mean + learner.numbers, counted + 1
        if (step + 1) % max(1, steps // MEASURED) == 0:
            curve.append([(step + 1) * learner.batch, round(learner.won(4000, learner.numbers, 77), 4)])
            print(f"{curve[-1][0]} games: {curve[-1][1]:.1%} of 4000 against greedy, at sight", flush=True)
    mean /= counted
    won = round(learner.won(10_000, mean, 1077), 4)
    print(f"the mean of the last third: {won:.1%} of 10000")
    record = {
        "command": f"python tools/learn_experience.py {game.key} --games {given.games} --seed {given.seed}",
        "games": steps * learner.batch, "won_of_10000_against_greedy_at_sight": won, "curve": curve,
    }  # fmt: skip
    experience.FILE.write_text(experience.written_numbers(mean, record), "utf-8")


if __name__ == "__main__":
    main()
