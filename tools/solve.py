"""Solves the small variants exactly with OpenSpiel's own algorithms, and prints how far play is from perfect.

    python tools/solve.py GAME deals=4 common=1 after=50 width=2 decisions=6 --iterations 100

Exploitability is what a perfect opponent would win of a policy, on average over the seats; 0 is perfect play.
"""

from __future__ import annotations

import argparse
import time

from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, get_all_states

from ludoteca import catalogue, envs
from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game

SETTINGS = "deals", "common", "after", "width", "decisions"


def solve(game: Game, settings: dict[str, int], iterations: int) -> list[str]:
    """One row of the table."""
    small = envs.openspiel(game, seats=2, **settings)
    states = get_all_states.get_all_states(small, include_terminals=True, include_chance_states=False)
    before = exploitability.exploitability(small, policy.UniformRandomPolicy(small))
    solver, began = cfr.CFRPlusSolver(small), time.process_time()
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    spent = time.process_time() - began
    after = exploitability.exploitability(small, solver.average_policy())
    known = len(policy.TabularPolicy(small).states)
    said = " ".join(f"{name}={value}" for name, value in settings.items())
    return [game.key, f"`{said}`", str(len(states)), str(known), f"{before:.4f}", f"{after:.4f}", f"{spent:.0f} s"]


def main() -> None:
    """Prints a table of one row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help=catalogue.HELP)
    parser.add_argument("settings", nargs="*", metavar="NAME=NUMBER", help=", ".join(SETTINGS))
    parser.add_argument("--iterations", type=int, default=100)
    args = parser.parse_args()
    head = [
        "game",
        "settings",
        "positions",
        "information states",
        "uniform",
        f"after {args.iterations} of CFR+",
        "time",
    ]
    given = [part.partition("=")[::2] for part in args.settings]
    for name, value in given:
        if name not in SETTINGS:
            parser.error(f"there is no setting «{name}»; there is {', '.join(SETTINGS)}.")
        if not value.isdecimal():
            parser.error(f"{name} needs a whole number: {name}=4")
    try:
        row = solve(catalogue.typed(args.game), {name: int(value) for name, value in given}, args.iterations)
    except Refusal as refused:
        parser.error(refused.sentence)
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
