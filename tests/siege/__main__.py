"""The house under siege: `make siege`, or `python -m siege` with `tests` in the path.

Every attack of `attacks.py` is made against a real server in a process of its own, on this machine only, while people play
there. The report says for each what was promised, what was measured and whether it held; if one did not, the command ends
with an error. `--quick` has fewer attackers and less time, and forgives a busy machine; `make test` runs that.
"""

from __future__ import annotations

import argparse
import asyncio
import pathlib
import tempfile
import time

from ludoteca.lab.load import raise_limit
from siege.attacks import ATTACKS, Attack, Outcome
from siege.field import PATIENCE, Field


async def besiege(attacks: list[Attack], folder: pathlib.Path, quick: bool) -> list[tuple[Attack, Outcome, float]]:
    """One attack after the other; prints as it goes."""
    field, found = Field(folder, quick), list[tuple[Attack, Outcome, float]]()
    try:
        for attack in attacks:
            start = time.monotonic()
            outcome = await attempt(attack, field)
            found.append((attack, outcome, time.monotonic() - start))
            print(row(*found[-1]), flush=True)
    finally:
        field.close()
    return found


async def attempt(attack: Attack, field: Field) -> Outcome:
    """An attack; one that could not be made to its end did not hold."""
    try:
        async with asyncio.timeout(3 * PATIENCE):
            return await attack.make(field)
    except Exception as error:
        return Outcome(f"could not be made: {type(error).__name__}: {error}"[:160], False)


def row(attack: Attack, outcome: Outcome, seconds: float) -> str:
    """A line of the report."""
    return f"{'held' if outcome.held else 'FELL'}  {attack.name}: {outcome.figure} ({seconds:.0f} s)"


def report(found: list[tuple[Attack, Outcome, float]]) -> str:
    """The table, widest columns first seen to."""
    cells = [("attack", "promise", "figure", "verdict")]
    cells += [(a.name, a.promise, o.figure, "held" if o.held else "FELL") for a, o, _ in found]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    lines = [" | ".join(text.ljust(width) for text, width in zip(line, widths)) for line in cells]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    held = sum(outcome.held for _, outcome, _ in found)
    seconds = sum(taken for *_, taken in found)
    return "\n".join([*lines, "", f"{held} of {len(found)} held; {seconds:.0f} s."])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the short form")
    parser.add_argument("--only", metavar="TEXT", default="", help="only attacks with this in their name")
    parser.add_argument("--folder", help="where the databases are put (a temporary folder unless told)")
    chosen = parser.parse_args()
    raise_limit()
    attacks = [a for a in ATTACKS if chosen.only in a.name and (a.quick or not chosen.quick)]
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        found = asyncio.run(besiege(attacks, pathlib.Path(folder), chosen.quick))
    print(f"\n{report(found)}")
    if not all(outcome.held for _, outcome, _ in found):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
