"""Is the game fair, and what do its cards do? Bots play it many times, and the report counts what happened.

    ludoteca balance GAME --games 1000 --html report.html

For somebody who changes a card file: report before, change, report again with `--against`. The deals are the same (common
random numbers), so what differs comes from the change.

What is reported of a card is how often those won who had it. That is not yet what the card *does*: who is ahead gets more of
everything. Compare cards of one kind with each other, and one card before and after a change.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import itertools
import json
import math
import os
import pathlib
import statistics
import sys
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.bots.own import AnyBot, Chooser, name_of, resolve, typed
from ludoteca.core.chance import derive
from ludoteca.core.decks import printed
from ludoteca.core.engine import Engine
from ludoteca.core.errors import BadData
from ludoteca.core.facts import Fact, Kind
from ludoteca.core.game import DECK, Game, Json
from ludoteca.core.record import Record, States
from ludoteca.core.words import LANGUAGES, Telling

from . import chart, reports
from .arena import Table, at_table, processes_for, wilson
from .bar import Bar
from .driven import Course, can_drive, driven
from .pools import Workers
from .rating import CONFIDENCE

FALSE_ALARMS = 0.05  # of the cards that are marked, at most this share by chance alone (Benjamini and Hochberg's rule)
STREAMED_EVERY = 1.0  # seconds between two lines of a report that grows
TELLING = 9  # times what the last line took to make: playing gets most of the time, however long the report is
FEW = 20  # a card that fewer players had is not judged


@dataclass(frozen=True)
class Watched:
    """One game: by seat the share in the win, the ranks and what they had; and how it went."""

    shares: list[float]
    ranks: list[int]
    things: list[list[str]]
    decisions: int
    widths: float  # possibilities at a decision, on average
    leads: int  # how often another player went into the lead
    early_leader_won: float | None  # the share in the win of who led halfway; None: nobody did alone
    decided: float = (
        1.0  # how much of the game was played when the first took the lead for good; 1: at the end, or shared
    )
    had: list[dict[str, str]] = field(default_factory=list)  # by seat: the same things by id, with their names
    rounds: int = 0  # as the game counts them; its decisions, if it does not


def watch(table: Table) -> Watched:
    """Plays one game and looks on: in one call of machine code where that can play for all bots."""
    game, engine, bots = at_table(table, driven=True)
    seats = len(table.bots)
    states = engine.start(seats, table.options, table.seed)
    if table.exchanged is not None and game.exchange is not None:
        state = Record(states, 0)
        game.exchange(state, *table.exchanged)
        state.close()
    in_one_call = not table.plain and can_drive(bots)
    course = driven(game, bots, states, table.seed) if in_one_call else None
    course = course or followed(engine, bots, states, table.seed)
    had = things_of(game, states, course.facts, seats)
    ranks, leaders = engine.result(states).ranks, course.leaders
    shares = [(rank == 1) / ranks.count(1) for rank in ranks]
    ahead = [who for who in leaders if who is not None]
    halfway = leaders[len(leaders) // 2] if leaders else None
    return Watched(
        shares, ranks, [sorted(set(one.values())) for one in had], len(leaders), course.widths,
        sum(a != b for a, b in itertools.pairwise(ahead)), None if halfway is None else shares[halfway],
        decided_at(leaders, ranks), had, rounds_of(states, len(leaders)),
    )  # fmt: skip


def followed(engine: Engine, bots: Sequence[Chooser], states: States, seed: int) -> Course:
    """Plays a game that is set up to its end, decision by decision."""
    game, widths, leaders, facts = engine.game, list[int](), list[int | None](), list[Fact]()
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        widths.append(len(engine.legal(states, 0, seat)))
        action = bots[seat].choose(engine, game.redact(states, 0, seat), seat, derive(seed, len(widths) - 1, seat))
        facts += [fact for fact in engine.decide(states, 0, seat, action) if game.events[fact.kind] in game.things]
        leaders.append(leader(engine, states))
    return Course(statistics.fmean(widths) if widths else 0.0, leaders, facts)


def rounds_of(states: States, decisions: int) -> int:
    """In which round a game ended."""
    return int(states["round_number"][0]) if "round_number" in (states.dtype.names or ()) else decisions


def decided_at(leaders: Sequence[int | None], ranks: Sequence[int]) -> float:
    """The share of the game after which only the winner has led."""
    if ranks.count(1) != 1 or not leaders:
        return 1.0
    first = ranks.index(1)
    others = [n for n, who in enumerate(leaders) if who != first]
    return (others[-1] + 1 if others else 0) / len(leaders)


def things_of(game: Game, states: States, facts: Sequence[Fact], seats: int) -> list[dict[str, str]]:
    """What each player came to have: «recruited: Thor», by its id."""
    things: list[dict[str, str]] = [{} for _ in range(seats)]
    known = _known.setdefault(game, {})
    parts = {kind.number: _told(game, kind) for kind in game.facts.kinds if kind.name in game.things}
    for fact in facts:
        if 0 <= fact.seat < seats:
            seen = fact.seen_by(fact.seat)
            place = (seats, fact.seat, fact.kind, *[seen.values[n] for n in parts[fact.kind]])
            if place not in known:
                known[place] = thing_of(game, states, seen)
            things[fact.seat].update(known[place])
    return things


_known: WeakKeyDictionary[Game, dict[tuple[Any, ...], dict[str, str]]] = WeakKeyDictionary()


def _told(game: Game, kind: Kind) -> list[int]:
    """Where among the numbers of a fact stands what somebody came to have."""
    return [n for part in game.things[kind.name] for n in range(kind.width)[kind.columns[part]]]


def thing_of(game: Game, states: States, fact: Fact) -> dict[str, str]:
    """What somebody came to have by a fact, by its id; nothing, if it is nobody's at the table."""
    kind = game.events[fact.kind]
    event = game.event(Record(game.redact(states, 0, fact.seat)), fact)
    if event.get("seat") is None:
        return {}
    thing = f"{kind.replace('_', ' ')}: {', '.join(str(event.get(part)) for part in game.things[kind])}"
    return {thing: name_of_thing(game, thing, states)}


_names: WeakKeyDictionary[Game, dict[tuple[str, str], str]] = WeakKeyDictionary()


def name_of_thing(game: Game, thing: str, states: States, language: str = LANGUAGES[0]) -> str:
    """What «recruited: M101» is called where such a game is played: «recruited: Baron Zemo»."""
    known = _names.setdefault(game, {})
    if (thing, language) not in known:
        known[thing, language] = _name_of_thing(game, thing, states, language)
    return known[thing, language]


def _name_of_thing(game: Game, thing: str, states: States, language: str) -> str:
    what, _, id = thing.partition(": ")
    kind = what.replace(" ", "_")
    if kind not in game.things:
        return thing
    said = {"kind": kind, "seat": 0} | dict(zip(game.things[kind], id.split(", "), strict=False))
    telling = Telling(game, Record(states), [], language)
    declared = game.facts.values_of(kind)
    parts = [telling.say(declared[part].name, said.get(part), said, declared[part].words) for part in game.things[kind]]
    return f"{what}: {', '.join(map(str, parts))}"


def leader(engine: Engine, states: States) -> int | None:
    """Who has the most points, if one has more than all others."""
    scores = engine.result(states).scores
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


# ── The report ───────────────────────────────────────────────


@dataclass(frozen=True)
class Rate:
    """How often something was won."""

    wins: float
    of: int

    @property
    def rate(self) -> float:
        """Wins per try."""
        return self.wins / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The rate's 95 % confidence interval."""
        return wilson(self.wins, self.of)

    def figures(self) -> Json:
        """For machines."""
        low, high = self.interval
        return {"wins": self.wins, "of": self.of, "rate": self.rate, "low": low, "high": high}


@dataclass
class Report:
    """What came out."""

    game: str
    bots: list[str]
    seats: int
    options: dict[str, str]
    seed: int
    games: list[Watched] = field(default_factory=list)

    def title(self) -> str:
        """What was played."""
        played = " ".join(f"{key}={value}" for key, value in self.options.items())
        return (
            f"{self.game} {played} · {self.seats} × {', '.join(self.bots)} · {len(self.games)} games · seed {self.seed}"
        )

    def by_seat(self) -> list[Rate]:
        """The share of the wins of each seat."""
        return [Rate(sum(game.shares[seat] for game in self.games), len(self.games)) for seat in range(self.seats)]

    def by_thing(self) -> dict[str, Rate]:
        """For each thing, how those fared who had it; by kind, the best first."""
        wins, had = defaultdict[str, float](float), Counter[str]()
        for game in self.games:
            for seat, things in enumerate(game.things):
                for thing in things:
                    had[thing] += 1
                    wins[thing] += game.shares[seat]
        rates = {thing: Rate(wins[thing], count) for thing, count in had.items()}
        return dict(sorted(rates.items(), key=lambda item: (kind_of(item[0]), -item[1].rate, item[0])))

    def marked(self) -> set[str]:
        """The things whose rate is not that of their kind, even when one looks at so many of them at once."""
        things, kinds = self.by_thing(), defaultdict[str, list[Rate]](list)
        for thing, rate in things.items():
            kinds[kind_of(thing)].append(rate)
        usual = {kind: sum(r.wins for r in rates) / sum(r.of for r in rates) for kind, rates in kinds.items()}
        chances = {thing: chance(rate, usual[kind_of(thing)]) for thing, rate in things.items() if rate.of >= FEW}
        return standing_out(chances)

    def figures(self) -> dict[str, tuple[float, float]]:
        """How the games went: each figure with the half of its 95 % interval."""
        comeback = [game.early_leader_won for game in self.games if game.early_leader_won is not None]
        return {
            "rounds": mean([game.rounds for game in self.games]),
            "decisions": mean([game.decisions for game in self.games]),
            "possibilities at a decision": mean([game.widths for game in self.games]),
            "changes of the lead": mean([game.leads for game in self.games]),
            "who led halfway won": mean(comeback),
        }

    def as_json(self) -> Json:
        """For machines, and for `--against`."""
        return {
            "game": self.game, "bots": self.bots, "seats": self.seats, "options": self.options, "seed": self.seed,
            "games": len(self.games), "by_seat": [rate.figures() for rate in self.by_seat()],
            "figures": {name: {"mean": value, "half": half} for name, (value, half) in self.figures().items()},
            "things": {thing: rate.figures() for thing, rate in self.by_thing().items()}, "marked": sorted(self.marked()),
        }  # fmt: skip

    def as_csv(self) -> str:
        """For a spreadsheet: a line for each seat and thing."""
        paper = io.StringIO()
        writer = csv.writer(paper, lineterminator="\n")
        writer.writerow(["what", *Rate(0, 0).figures(), "marked"])
        marked = self.marked()
        for seat, rate in enumerate(self.by_seat()):
            writer.writerow([f"seat {seat}", *rate.figures().values(), ""])
        for thing, rate in self.by_thing().items():
            writer.writerow([thing, *rate.figures().values(), "yes" if thing in marked else ""])
        return paper.getvalue()


def kind_of(thing: str) -> str:
    """«recruited» of «recruited: Thor»."""
    return thing.partition(":")[0]


def mean(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    if not numbers:
        return 0.0, 0.0
    spread = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
    return statistics.fmean(numbers), CONFIDENCE * spread / math.sqrt(len(numbers))


def chance(rate: Rate, usual: float) -> float:
    """How likely a rate at least so far from the usual one is by chance (two-sided, normal)."""
    spread = math.sqrt(max(usual * (1 - usual), 1e-9) / rate.of)
    return math.erfc(abs(rate.rate - usual) / spread / math.sqrt(2))


def standing_out(chances: dict[str, float]) -> set[str]:
    """Those of many that are no false alarms: Benjamini and Hochberg's rule."""
    ordered = sorted(chances, key=lambda thing: chances[thing])
    kept = 0
    for place, thing in enumerate(ordered, 1):
        if chances[thing] <= FALSE_ALARMS * place / len(ordered):
            kept = place
    return set(ordered[:kept])


def differences(before: Json, after: Json) -> list[tuple[str, float, float, bool]]:
    """What changed: name, before, after, and whether it is more than chance would do."""
    found = []
    for seat, (a, b) in enumerate(zip(before["by_seat"], after["by_seat"], strict=True)):
        found.append((f"wins of seat {seat}", a, b))
    for thing in sorted(before["things"].keys() | after["things"].keys()):
        a, b = (report["things"].get(thing, Rate(0, 0).figures()) for report in (before, after))
        if max(a["of"], b["of"]) >= FEW:
            found.append((f"players who {thing}", share_of(a, before), share_of(b, after)))
        if min(a["of"], b["of"]) >= FEW:
            found.append((f"wins with {thing}", a, b))
    chances = {name: two_rates(a, b) for name, a, b in found}
    real = standing_out(chances)
    lines = [(name, a["rate"], b["rate"], name in real) for name, a, b in found]
    for name, a in before["figures"].items():
        b = after["figures"][name]
        apart = abs(a["mean"] - b["mean"]) > math.hypot(a["half"], b["half"])
        lines.append((name, a["mean"], b["mean"], apart))
    return lines


def share_of(thing: Json, report: Json) -> Json:
    """How many of all players had it."""
    return Rate(thing["of"], report["games"] * report["seats"]).figures()


def two_rates(a: Json, b: Json) -> float:
    """How likely two rates so far apart are by chance."""
    both = (a["wins"] + b["wins"]) / (a["of"] + b["of"])
    spread = math.sqrt(max(both * (1 - both), 1e-9) * (1 / a["of"] + 1 / b["of"]))
    return math.erfc(abs(a["rate"] - b["rate"]) / spread / math.sqrt(2))


# ── For people ───────────────────────────────────────────────

NOTE = (
    "How often those won who had it; * marks what is not usual for its kind even when one looks at so many at once. "
    "Who is ahead gets more of everything, so compare things of one kind."
)


def as_text(report: Report, changed: Sequence[tuple[str, float, float, bool]] = (), most: int = 10) -> str:
    """The report in lines."""
    lines = [report.title(), "", f"{'seat':>6}  {'wins':>7}  95 % interval   (even: {1 / report.seats:.1%})"]
    for seat, rate in enumerate(report.by_seat()):
        low, high = rate.interval
        lines.append(f"{seat:>6}  {rate.rate:7.1%}  {low:6.1%} – {high:6.1%}")
    lines.append("")
    lines += [f"{name:28} {value:8.2f}  ± {half:.2f}" for name, (value, half) in report.figures().items()]
    things, marked = [item for item in report.by_thing().items() if item[1].of >= FEW], report.marked()
    for _, group in itertools.groupby(things, key=lambda item: kind_of(item[0])):
        alike = list(group)
        shown = alike if len(alike) <= 2 * most else [*alike[:most], None, *alike[-most:]]
        lines += ["", f"{'won with':44} {'had':>6}  {'rate':>6}  95 % interval"]
        lines += [as_line(*item, item[0] in marked) if item else f"  … {len(alike) - 2 * most} more" for item in shown]
    if things:
        lines += ["", *textwrap.wrap(NOTE, 100)]
    differing = [line for line in changed if line[3]]
    if changed:
        lines += ["", "Against the report before:"]
        lines += [f"  {name}: {before:.3g} → {after:.3g}" for name, before, after, _ in differing]
        lines += [] if differing else ["  nothing that chance would not do as well"]
    return "\n".join(lines)


def as_line(thing: str, rate: Rate, marked: bool) -> str:
    """«recruited: Thor    *     34   85.3%   69.9% –  93.6%»."""
    low, high = rate.interval
    return f"{thing[:43]:43}{'*' if marked else ' '} {rate.of:6}  {rate.rate:6.1%}  {low:6.1%} – {high:6.1%}"


PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 32px auto; padding: 0 16px }}
body {{ background: #faf4e8; color: #221710 }} table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: right; padding: 3px 10px; border-bottom: 1px solid #d8cbb4 }}
th:first-child, td:first-child {{ text-align: left }} .real {{ font-weight: 700; color: #b4472f }}
svg {{ width: 100%; height: auto }}
</style><h1>{title}</h1>{body}</html>
"""


def as_html(report: Report, changed: Sequence[tuple[str, float, float, bool]] = ()) -> str:
    """The report as a page that needs nothing else."""
    seats = [
        (f"seat {n}", 100 * r.rate, 100 * r.interval[0], 100 * r.interval[1]) for n, r in enumerate(report.by_seat())
    ]
    body = [chart.intervals("Wins by seat, in %", seats, f"Even would be {100 / report.seats:.1f} %.").svg()]
    body.append(rows(("", "mean", "± 95 %"), [(n, f"{v:.2f}", f"{h:.2f}") for n, (v, h) in report.figures().items()]))
    marked = report.marked()
    things = [
        (
            thing,
            str(r.of),
            f"{r.rate:.1%}",
            f"{r.interval[0]:.1%} – {r.interval[1]:.1%}",
            "*" if thing in marked else "",
        )
        for thing, r in report.by_thing().items()
        if r.of >= FEW
    ]
    if things:
        body.append(f"<h2>Won with</h2><p>{html.escape(NOTE)}</p>")
        body.append(rows(("", "players who had it", "won", "95 % interval", ""), things, "*"))
    if changed:
        lines = [(name, f"{a:.3g}", f"{b:.3g}", "*" if real else "") for name, a, b, real in changed]
        body.append("<h2>Against the report before</h2><p>* is more than chance would do.</p>")
        body.append(rows(("", "before", "now", ""), sorted(lines, key=lambda line: not line[3]), "*"))
    return PAGE.format(language=LANGUAGES[0], title=html.escape(report.title()), body="".join(body))


def rows(head: Sequence[str], lines: Iterable[Sequence[str]], mark: str = "") -> str:
    """A table; lines that end with the mark stand out."""
    found = [f"<tr>{''.join(f'<th>{html.escape(word)}</th>' for word in head)}</tr>"]
    for line in lines:
        real = ' class="real"' if mark and line[-1] == mark else ""
        found.append(f"<tr{real}>{''.join(f'<td>{html.escape(word)}</td>' for word in line)}</tr>")
    return f"<table>{''.join(found)}</table>"


# ── The command ──────────────────────────────────────────────


def run(
    which: catalogue.Which, bots: AnyBot | Sequence[AnyBot], games: int, seats: int, options: dict[str, str], seed: int = 0,
    workers: int | None = None, bar: Bar | None = None,
) -> Report:  # fmt: skip
    """Plays so many games of one bot against itself, or of a list with one for each seat."""
    game = catalogue.game(which)
    game.check_seats(seats)
    full = game.full_options(options)
    chosen = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
    if len(chosen) not in (1, seats):
        raise BadData(f"{len(chosen)} bots for {seats} seats: give one for all, or one for each seat.", "no_such_bot")
    for bot in chosen:
        resolve(game, bot)
    report = Report(game.key, [name_of(bot) for bot in chosen], seats, full, seed)
    by_seat = chosen * seats if len(chosen) == 1 else chosen
    tables = [Table(game.place, by_seat, full, derive(seed, deal), game.version) for deal in range(games)]
    if can_drive([resolve(game, bot) for bot in chosen]):
        watch(tables[0])  # so that the workers only have to load
    else:
        levels.prepare(game)
    with Workers(processes_for(chosen, workers)) as whoever:
        for watched in whoever.in_order(watch, tables):
            report.games.append(watched)
            if bar:
                bar.show(len(report.games))
    return report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca balance GAME --games 1000 --html report.html`"""
    parser.add_argument("game", metavar="GAME", help=catalogue.HELP)
    parser.add_argument("--games", type=int, default=1000, help="how many games (default 1000)")
    parser.add_argument(
        "--bot",
        action="append",
        type=typed,
        help="who plays: greedy (default), uniform, novice, club, my_module:my_bot …; once, or once for each seat",
    )
    parser.add_argument("--deck", type=pathlib.Path, metavar="FILE", help=catalogue.DECK_HELP)
    parser.add_argument(
        "--before", metavar="FILE", default="printed", help="with --deck: the deck to compare with (default: printed)"
    )
    parser.add_argument(
        "--levels", metavar="BOT,…", default="", help="with --deck: what other bots make of the change: novice,club"
    )
    parser.add_argument(
        "--worth",
        choices=("changed", "all"),
        default="changed",
        help="with --deck: which cards are exchanged for others of their like; all of them: as many games again for each",
    )
    parser.add_argument("--seats", type=int, help="players (default: the fewest from two on)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other deals (default 0)")
    parser.add_argument("--processes", dest="workers", type=int, metavar="N", help="default: one for each core")
    parser.add_argument("--against", type=pathlib.Path, metavar="FILE", help="an earlier report, written with --save")
    parser.add_argument("--save", type=pathlib.Path, metavar="FILE", help="write the report for a later --against")
    parser.add_argument("--html", type=pathlib.Path, metavar="FILE", help="write a page with everything")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE", help="write seats and cards for a spreadsheet")
    parser.add_argument("--json", action="store_true", help="figures for machines")
    parser.add_argument(
        "--language", choices=LANGUAGES, default=LANGUAGES[0], help="with --deck: of the report (default: en)"
    )
    parser.add_argument(
        "--stream", action="store_true", help="with --deck: the report as it grows, a line of JSON each"
    )
    parser.add_argument("--progress", action="store_true", help="show progress even without a terminal")


def run_command(args: argparse.Namespace) -> int:
    """Plays, counts and reports."""
    game = catalogue.typed(args.game, args.deck)
    if args.games < 1:
        raise BadData("A report needs at least one game.", "no_such_value")
    if args.deck and not args.against and not args.save:
        return compare_decks(game, args)
    if (idle := in_vain(args)) is not None:
        raise BadData(
            f"--{idle} is for two decks that are compared: with --deck, without --save and --against.", "no_such_value"
        )
    before = earlier(args.against) if args.against else None
    reports.check_places(args.save, args.html, args.csv)
    seats = args.seats or max(2, min(game.seats))
    options = dict(option.partition("=")[::2] for option in args.option)
    bar = Bar(args.games, "games", asked=args.progress)
    report = run(game, args.bot or ["greedy"], args.games, seats, options, args.seed, args.workers, bar)
    bar.close()
    now = report.as_json()
    if before and not comparable(before, now):
        raise BadData("The report before is of another game, other options, seats or bots.", "no_such_value")
    changed = differences(before, now) if before else []
    if args.save:
        reports.write(args.save, json.dumps(now, indent=1))
    if args.html:
        reports.write(args.html, as_html(report, changed))
    if args.csv:
        reports.write(args.csv, report.as_csv())
    sys.stdout.write((json.dumps(now, indent=1) if args.json else as_text(report, changed)) + "\n")
    return 0


def in_vain(args: argparse.Namespace) -> str | None:
    """An option that counts only where two decks are compared, and was given although none are."""
    alone = {"before": "printed", "levels": "", "worth": "changed", "stream": False}
    return next((name for name, usual in alone.items() if getattr(args, name) != usual), None)


def compare_decks(game: Game, args: argparse.Namespace) -> int:
    """The deck and another one, side by side on the same deals."""
    from . import compare, compare_page  # here, because they are made of what is above

    if args.stream and hasattr(os, "nice"):
        os.nice(5)  # in the background of whoever reads it; with 10 it hardly moves on a busy machine
    first = printed(game) if args.before == "printed" else catalogue.with_file(printed(game), args.before)
    reports.check_places(args.html, args.csv)
    seats = args.seats or max(2, min(game.seats))
    options = dict(option.partition("=")[::2] for option in args.option)
    bar = Bar(args.games, "games", asked=args.progress)

    def progress(done: int, total: int) -> None:
        bar.total = total
        bar.show(done)

    told, took = time.monotonic(), 0.0

    def grown(now: compare.Comparison, done: int, total: int) -> None:
        nonlocal told, took
        if args.stream and (time.monotonic() - told > max(STREAMED_EVERY, TELLING * took) or done == total):
            began = time.monotonic()
            report = compare_page.as_page(now) if now.pairs else {"early": compare_page.as_early(now)}
            line = {"done": done, "total": total, "report": report}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
            told = time.monotonic()
            took = told - began

    def compared(bots: Sequence[AnyBot], worth: Sequence[str] | None) -> compare.Comparison:
        return compare.run(
            first, game, bots, args.games, seats, options, args.seed, args.workers, progress, worth, grown,
            share=args.worth != "all",
        )  # fmt: skip

    cards = [row["id"] for row in compare.rows_of(game) if row.get("id")] if args.worth == "all" else None
    found = compared(args.bot or ["greedy"], cards)
    others = [compared([typed(name)], ()) for name in args.levels.split(",") if name]
    for one in (found, *others):
        one.language = args.language
    bar.close()
    if args.html:
        reports.write(args.html, compare_page.as_html(found, others))
    if args.csv:
        reports.write(args.csv, compare_page.as_csv(found))
    if args.stream:
        return 0
    figures = compare_page.as_json(found, others)
    sys.stdout.write((json.dumps(figures, indent=1) if args.json else compare_page.as_text(found, others)) + "\n")
    return 0


def comparable(before: Json, now: Json) -> bool:
    """Whether two reports are of the same game at the same table; the decks may differ."""
    tables = [{**report, "options": {**report["options"], DECK: ""}} for report in (before, now)]
    return all(tables[0][part] == tables[1][part] for part in ("game", "seats", "options", "bots"))


def earlier(path: pathlib.Path) -> Json:
    """A report that was saved."""
    try:
        found: Json = json.loads(path.read_text("utf-8"))
        if not {"game", "by_seat", "things", "figures"} <= found.keys():
            raise ValueError
    except ValueError:
        raise BadData(f"{path.name} is no report written with --save.", "no_such_value") from None
    return found
