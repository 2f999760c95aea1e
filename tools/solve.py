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
from ludoteca.core.game import Game


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
    parser.add_argument("settings", nargs="*", metavar="NAME=NUMBER", help="deals, common, after, width, decisions")
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
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    settings = {name: int(number) for name, _, number in (part.partition("=") for part in args.settings)}
    print("| " + " | ".join(solve(catalogue.typed(args.game), settings, args.iterations)) + " |")


if __name__ == "__main__":
    main()
