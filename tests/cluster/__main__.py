"""Several servers, and what happens when one dies: `make cluster`, or `python -m cluster` with `tests` in the path.

Postgres, Redis, a balancer and three servers run on this machine only, several hundred people play all four games, and
everything that can go away goes away. The report says for each what was promised, what was measured and whether it held; if
something did not, the command ends with an error. `--quick` has fewer people and less time, and forgives a busy machine;
`make test` runs that.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import signal
import time
from collections import Counter

from cluster import checks
from cluster.disturbances import DISTURBANCES, Disturbance, Field, Outcome
from cluster.players import Player, Town
from cluster.servers import House
from cluster.witness import Witness
from ludoteca.lab.load import raise_limit
from ludoteca.lab.machine import busy
from services import need_all

PACKAGES = ("postgresql", "redis-server", "haproxy")
TABLES = 80  # 280 people and 20 bots
FEW_TABLES = 10
SERVERS = 3
FEW_SERVERS = 2
LAST_WORD = 15.0  # seconds in which everybody must have their answer at the end, and see the last step
SHOWN = 30  # problems that the report names one by one
LONGEST = 900.0  # seconds after which the harness gives up

Row = tuple[str, str, Outcome]


async def run(
    quick: bool, only: str = "", tables: int = 0, servers: int = 0, kills: int = 0
) -> tuple[list[Row], Field]:
    """Everything from the first guest to the last check; prints as it goes."""
    house, witness, rows = House(servers or (FEW_SERVERS if quick else SERVERS)), Witness(), list[Row]()
    try:
        await house.open()
        town = Town(house.balancer, witness, tables or (FEW_TABLES if quick else TABLES))
        field = Field(house, town, witness, quick, kills)
        try:
            async with asyncio.timeout(LONGEST):
                await disturbed(field, only, rows)
        except TimeoutError:
            rows.append(("the whole", "ends", Outcome(f"not within {LONGEST:.0f} s", False)))
        finally:
            await town.go_home()
            field.errors = errors_in(house.said())
        return rows, field
    finally:
        await house.close()


async def disturbed(field: Field, only: str, rows: list[Row]) -> None:
    """People come, disturbances happen, people go."""

    def told(name: str, promise: str, outcome: Outcome, began: float) -> None:
        rows.append((name, promise, outcome))
        print(f"{verdict(outcome)}  {name}: {outcome.figure} ({time.monotonic() - began:.0f} s)", flush=True)

    began = time.monotonic()
    await field.town.begin(field.of(15, 3))
    told("nothing yet", "everybody finds a table and plays", await settled(field), began)
    for disturbance in DISTURBANCES:
        if only in disturbance.name and (disturbance.quick or not field.quick):
            began = time.monotonic()
            told(disturbance.name, disturbance.promise, await attempt(disturbance, field), began)
    began = time.monotonic()
    for name, promise, outcome in await the_end(field):
        told(name, promise, outcome, began)
        began = time.monotonic()


async def settled(field: Field) -> Outcome:
    """Waits until every table plays."""
    end = time.monotonic() + 60.0 * field.slack
    while len(field.playing()) < len(field.town.everybody) * 0.95 and time.monotonic() < end:
        field.town.check()
        await asyncio.sleep(0.1)
    await asyncio.sleep(field.of(5, 2))
    figure, held = await field.look()
    everybody, playing = len(field.town.everybody), len(field.playing())
    by_server = Counter(player.watching.server for player in field.playing() if player.watching)
    spread = ", ".join(f"{count} at {name}" for name, count in sorted(by_server.items()))
    return Outcome(f"{playing} of {everybody} are there ({spread}); {figure}", held and playing >= everybody * 0.9)


async def attempt(disturbance: Disturbance, field: Field) -> Outcome:
    """A disturbance; one that could not be made to its end did not hold."""
    try:
        return await disturbance.make(field)
    except Exception as error:
        field.problems.append(f"{disturbance.name}: {error!r}")
        return Outcome(f"could not be made: {type(error).__name__}: {error}"[:200], False)


# ── The end ──────────────────────────────────────────────────


async def the_end(field: Field) -> list[Row]:
    """Nobody decides any more: now everything must agree."""
    unanswered = await field.town.close(LAST_WORD * field.slack)
    field.problems += [f"{player.name} got no answer" for player in unanswered]
    figure, held = await field.look()
    rows = [
        ("the last command", "is answered", Outcome(f"{len(unanswered)} without; {figure}", held and not unanswered))
    ]
    await quiet(field)
    rows.append(("all journals", "replay, and are what everybody has seen, to the last step", await journals(field)))
    wrong = await asyncio.to_thread(checks.chat, field.books, field.witness)
    field.problems += wrong
    lines = field.books.rows("SELECT COUNT(*) FROM chat")[0][0]
    rows.append(
        (
            "what was said",
            "is heard by all at the table, once",
            Outcome(f"{lines} lines, {len(wrong)} amiss", not wrong),
        )
    )
    return rows


async def quiet(field: Field) -> None:
    """Waits until bots have done what they owed and everybody is there and has seen it."""
    end = time.monotonic() + LAST_WORD * field.slack
    while time.monotonic() < end:
        before = await steps(field)
        if not any(behind(player, before) for player in field.town.everybody):
            await asyncio.sleep(1.0)
            if await steps(field) == before:
                return
        await asyncio.sleep(0.2)


async def steps(field: Field) -> dict[str, int]:
    """How far each table is, by the store."""
    return dict(await asyncio.to_thread(field.books.rows, "SELECT id, seq FROM tables"))


def behind(player: Player, steps: dict[str, int]) -> bool:
    """Whether somebody in the middle of a game has not seen its last step."""
    watching = player.watching
    return watching is not None and not watching.left and watching.seq != steps.get(watching.table)


async def journals(field: Field) -> Outcome:
    """Every game is played again from the store, for all eyes that have seen it."""
    of_tables = field.witness.of_tables()
    wrong: list[str] = []
    for table, watchings in of_tables.items():
        wrong += await asyncio.to_thread(checks.journal, field.books, table, watchings, True)
    field.problems += wrong
    facts = sum(len(watching.facts) for watching in field.witness.views)
    games = Counter(story.game for story in field.witness.stories.values())
    played = ", ".join(f"{count} of {game}" for game, count in sorted(games.items()))
    return Outcome(f"{len(of_tables)} tables ({played}), {facts:,} facts seen, {len(wrong)} amiss", not wrong)


# ── The report ───────────────────────────────────────────────


def verdict(outcome: Outcome) -> str:
    """In one word."""
    return "held" if outcome.held else "FELL"


def report(rows: list[Row]) -> str:
    """The table, widest columns first seen to."""
    cells = [("disturbance", "promise", "figure", "verdict")]
    cells += [(name, promise, outcome.figure, verdict(outcome)) for name, promise, outcome in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    lines = [" | ".join(text.ljust(width) for text, width in zip(line, widths)) for line in cells]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    held = sum(outcome.held for *_, outcome in rows)
    return "\n".join([*lines, "", f"{held} of {len(rows)} held."])


def errors_in(logs: str) -> Counter[str]:
    """The errors of the servers, without their times; below a traceback stands what was raised."""
    found: Counter[str] = Counter()
    error = ""
    for line in [*logs.splitlines(), " INFO "]:
        if " ERROR " in line or " WARNING " in line or " INFO " in line:
            if error:
                found[error] += 1
            error = line.partition(" ")[2] if " ERROR " in line else ""
        elif error and line and not line.startswith((" ", "Traceback", "──")):
            error = f"{error.partition(' · ')[0]} · {line}"[:300]
    return found


def remarks(field: Field) -> str:
    """What went by the way, and everything that did not hold, in words."""
    witness = field.witness
    lines = [
        f"{len(witness.acknowledged):,} acknowledged, {witness.repeated} commands repeated after a lost connection, "
        f"{witness.healed} gaps filled by a snapshot.",
        "Refusals: " + (", ".join(f"{key} {count}" for key, count in witness.refusals.most_common()) or "none") + ".",
    ]
    lines += [f"  In the servers' logs, {count} times: {line}" for line, count in field.errors.most_common(10)]
    for problems in (field.problems, field.late):
        lines += [f"  {problem}" for problem in problems[:SHOWN]]
        if len(problems) > SHOWN:
            lines.append(f"  … and {len(problems) - SHOWN} more")
    return "\n".join(lines)


def ours() -> float:
    """Seconds of processor time of the harness and of everything that it has started and that has ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def shares(seconds: float, all_cores: float, own: float) -> str:
    """How busy the machine was with this, and with something else: times mean little where that was much."""
    others = max(0.0, all_cores - own) / seconds
    return f"{seconds:.0f} s on {os.cpu_count()} cores: {own / seconds:.1f} of them for this, {others:.1f} for others."


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the short form")
    parser.add_argument("--only", metavar="TEXT", default="", help="only disturbances with this in their name")
    parser.add_argument("--tables", type=int, default=0, help="how many tables are played at")
    parser.add_argument("--servers", type=int, default=0, help="how many servers there are")
    parser.add_argument("--kills", type=int, default=0, help="how often a server is killed")
    chosen = parser.parse_args()
    need_all(*PACKAGES)
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))  # whoever is asked to end tidies up
    raise_limit()
    began, all_before = time.monotonic(), busy()
    rows, field = asyncio.run(run(chosen.quick, chosen.only, chosen.tables, chosen.servers, chosen.kills))
    print(f"\n{report(rows)}\n{shares(time.monotonic() - began, busy() - all_before, ours())}\n\n{remarks(field)}")
    if not all(outcome.held for *_, outcome in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
