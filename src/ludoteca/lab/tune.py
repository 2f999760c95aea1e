"""Searches for balance: which numbers must a deck have, so that what you wish comes true?

    ludoteca tune GAME --deck my.csv --wish "no card of level 1 above 55 %" --cell "Venom points 0..5" --out found

Every deck is tried on the same deals (common random numbers), so that two of them differ by their cells and not by luck.
Optuna's tree-structured Parzen estimator says what to try next, always some decks at a time, so that it does not matter
how many processes play them. What was tried is written down at once: a search that was stopped goes on where it was, by
asking the optimiser the same questions and answering from what is written. In the end a few decks are proposed, each checked
on deals that it was not chosen by, with what it costs elsewhere.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ludoteca import catalogue
from ludoteca.bots.own import AnyBot, name_of, resolve, typed
from ludoteca.core import decks
from ludoteca.core.chance import derive
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json
from ludoteca.core.words import LANGUAGES

from . import compare, compare_page, reports
from .arena import Table, plays_plainly, processes_for
from .balance import Watched, watch
from .bar import Bar
from .pools import Workers
from .report_words import Unread
from .wishes import Wish, misses, read_wish

AT_ONCE = 8  # decks that are asked for together: a part of the search, whatever number of processes plays them
PROPOSED = 3
MOST_COSTS = 12  # figures that are told of
SMALL = (
    0.5  # of two decks that meet the wishes the nearer one is better: all cells changed count as half a point missed
)
CHECKED_ON = 0x7E57  # the deals of the check are others than those of the search
TRIES, PLAN = "tries.jsonl", "plan.json"


# ── What may change ──────────────────────────────────────────


@dataclass(frozen=True)
class Cell:
    """Something in a deck that may change: where it stands, and what may stand there.

    `by` means that numbers are added to what stands there now, in every row that is meant.
    """

    text: str
    rows: tuple[int, ...]  # of a table
    path: tuple[str, ...]  # of a table: the column; of a sheet: the way to it
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()  # words to choose from, in place of numbers
    by: bool = False

    @property
    def name(self) -> str:
        """What may change, without the range."""
        return self.text.rpartition(" ")[0]

    def start(self, content: Any) -> int | str:
        """What stands there now, as a choice of the search: the nearest that is allowed."""
        if self.by:
            return min(max(0, self.low), self.high)
        now = self.look(content)
        if self.values:
            return now if now in self.values else self.values[0]
        return min(max(int(now) if now.lstrip("-").isdigit() else self.low, self.low), self.high)

    def look(self, content: Any) -> str:
        """What stands there."""
        holder, key = self._places(content)[0]
        return str(holder[key])

    def write(self, content: Any, chosen: int | str) -> None:
        """Puts it there."""
        for holder, key in self._places(content):
            value: int | str = int(holder[key]) + int(chosen) if self.by else chosen
            holder[key] = str(value) if isinstance(content, list) else value

    def _places(self, content: Any) -> list[tuple[Any, Any]]:
        if isinstance(content, list):
            return [(content[row], self.path[0]) for row in self.rows]
        holder: Any = content
        for step in self.path[:-1]:
            holder = holder[key_of(holder, step)]
        return [(holder, key_of(holder, self.path[-1]))]

    def moved(self, start: int | str, chosen: int | str) -> float:
        """How much of its range it has moved."""
        if self.values:
            return float(start != chosen)
        return abs(int(chosen) - int(start)) / max(1, self.high - self.low)


def key_of(holder: Any, step: str) -> Any:
    """A part of a sheet by its name; of a list by its number, from 1."""
    if isinstance(holder, dict) and step in holder:
        return step
    if isinstance(holder, list) and step.isdigit() and 1 <= int(step) <= len(holder):
        return int(step) - 1
    parts = (
        ", ".join(holder) if isinstance(holder, dict) else f"1 to {len(holder)}" if isinstance(holder, list) else "–"
    )
    raise Unread("cell.no_part", step, step=step[:40], parts=parts)


RANGE = re.compile(r"([+-]?\d{1,6})\.\.([+-]?\d{1,6})")


def read_cell(game: Game, content: Any, text: str) -> Cell:
    """A cell and its range in words: «Venom points 0..5», «level=1 points -1..+1», «combos red reward 1..5»."""
    *where, allowed = text.split() or [""]
    found = RANGE.fullmatch(allowed)
    values = tuple(allowed.split("|")) if "|" in allowed else ()
    if not where or not (found or values):
        raise Unread("cell.no_range", text)
    low, high = (int(found[1]), int(found[2])) if found else (0, 0)
    if low > high:
        raise Unread("cell.empty", text)
    by = found is not None and found[2].startswith("+")
    if isinstance(content, list):
        cell = Cell(text, rows_meant(content, where, text), (where[-1],), low, high, values, by)
    else:
        cell = Cell(text, (), tuple(where), low, high, values, by)
    now = cell.look(content)
    if by and not now.lstrip("-").isdigit():
        raise Unread("cell.no_sum", text, now=now[:40])
    return cell


def rows_meant(rows: Sequence[dict[str, str]], where: Sequence[str], text: str) -> tuple[int, ...]:
    """The rows that are meant: by title or id, or by what stands in a column."""
    *row, column = where
    name = " ".join(row)
    wanted, equals, value = name.partition("=")
    if equals:
        found = [n for n, one in enumerate(rows) if one.get(wanted, "").lower() == value.lower()]
    else:
        found = [
            n
            for n, one in enumerate(rows)
            if name and name.lower() in (one.get("name", "").lower(), one.get("id", "").lower())
        ]
    if not found:
        raise Unread("cell.no_row", text, name=name[:40])
    if not all(column in rows[n] for n in found):
        there = ", ".join(rows[found[0]])
        raise Unread("cell.no_column", text, column=column[:40], there=there)
    return tuple(found)


# ── Trying decks ─────────────────────────────────────────────


@dataclass(frozen=True)
class Plan:
    """What is searched for, and how: the same plan finds the same decks, wherever and however often it is carried out."""

    game: str  # its place, with the deck one begins with
    wishes: tuple[str, ...]
    cells: tuple[str, ...]
    bots: tuple[str, ...]
    seats: int
    options: tuple[tuple[str, str], ...]
    deals: int
    check: int
    seed: int


@dataclass(frozen=True)
class Try:
    """A deck to be played: by whom, on which deals, and what is to be looked at."""

    game: str
    version: str
    bots: tuple[AnyBot, ...]
    options: dict[str, str]
    deals: int
    seed: int
    wishes: tuple[Wish, ...]


def play_deck(trial: Try) -> list[float | None]:
    """Plays all deals with a deck, and says what became of each wish."""
    game = catalogue.game(trial.game)
    plain = plays_plainly(game, trial.bots, trial.deals)
    tables = [
        Table(trial.game, list(trial.bots), trial.options, derive(trial.seed, deal), trial.version, plain=plain)
        for deal in range(trial.deals)
    ]
    games = [watch(table) for table in tables]
    exchanged: dict[str, list[tuple[Watched, Watched]]] = {}
    for id, deal, table in compare.exchanges(game, exchanged_for(trial.wishes), tables, trial.seed, share=False):
        assert table.exchanged is not None
        again = compare.in_its_place(watch(table), *table.exchanged)
        exchanged.setdefault(id, []).append((again, games[deal]))
    return [wish.value(games, exchanged) for wish in trial.wishes]


def exchanged_for(wishes: Sequence[Wish]) -> list[str]:
    """The cards whose worth is wished for."""
    return list(dict.fromkeys(wish.card for wish in wishes if wish.card))


@dataclass
class Tried:
    """A deck that was tried: what stood in the cells, and what came of the wishes; None: it breaks a bound."""

    chosen: tuple[int | str, ...]
    deck: str  # its hash; nothing, if it cannot be played
    values: list[float | None]
    miss: float
    change: float  # 0 to 1: how much of what may change did

    @property
    def score(self) -> float:
        """What the search makes small."""
        return self.miss + SMALL * self.change


class Search:
    """The search: what it was asked for, and what it has found so far."""

    def __init__(self, plan: Plan, folder: pathlib.Path) -> None:
        self.plan, self.folder = plan, folder
        self.game = catalogue.game(plan.game)
        self.form = decks.form_of(self.game, self.game.deck.form if self.game.deck else "")
        self.content = compare.content_of(self.game, self.form.key)
        rows = self.content if isinstance(self.content, list) else []
        self.wishes = tuple(read_wish(self.game, rows, text) for text in plan.wishes)
        self.cells = tuple(read_cell(self.game, self.content, text) for text in plan.cells)
        self.start = tuple(cell.start(self.content) for cell in self.cells)
        is_printed = self.content == self.form.printed()
        self.before = decks.printed(self.game) if is_printed else self.game  # which has its machine code
        self.found: dict[tuple[int | str, ...], Tried] = {}
        self._known: dict[str, list[float | None]] = {}  # by deck: what was written down

    # Decks.

    def deck(self, chosen: Sequence[int | str]) -> Game | None:
        """The game with these cells; None, if that deck breaks a bound."""
        content = json.loads(json.dumps(self.content))
        for cell, value in zip(self.cells, chosen, strict=True):
            cell.write(content, value)
        base = decks.printed(self.game)
        try:
            made = decks.from_text(base, decks.Deck(base.key, self.form.key, content, base.place).text)
        except decks.BadDeck:
            return None
        return decks.with_deck(base, made)

    def change(self, chosen: Sequence[int | str]) -> float:
        """How much of what may change does."""
        parts = [c.moved(was, now) for c, was, now in zip(self.cells, self.start, chosen, strict=True)]
        return sum(parts) / len(parts)

    def size(self) -> int:
        """How many decks there are in all."""
        count = 1
        for cell in self.cells:
            count *= len(cell.values) or cell.high - cell.low + 1
        return count

    # Trying.

    def run(
        self, tries: int, workers: Workers, progress: Callable[[int, int, Tried | None], None] | None = None
    ) -> None:
        """Tries so many different decks; those that are written down are not played again."""
        study, spread = self._study(tries)
        wanted = min(tries, self.size())
        asked = 0
        while len(self.found) < wanted and asked < 20 * tries:
            trials = [study.ask(spread) for _ in range(AT_ONCE)]
            asked += AT_ONCE
            chosen = [tuple(trial.params[str(n)] for n in range(len(self.cells))) for trial in trials]
            fresh = list(dict.fromkeys(one for one in chosen if one not in self.found))
            for tried in self._played(fresh[: wanted - len(self.found)], workers):
                self.found[tried.chosen] = tried
                if progress:
                    progress(len(self.found), wanted, self.best())
            for trial, one in zip(trials, chosen, strict=True):
                if one in self.found:
                    study.tell(trial, self.found[one].score)

    def _study(self, tries: int) -> tuple[Any, dict[str, Any]]:
        """The optimiser, and what it may choose; it begins with the deck as it is."""
        try:
            import optuna
        except ModuleNotFoundError:
            raise BadData('A search needs Optuna: pip install "ludoteca[tune]"', "not_installed") from None
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        seed = derive(self.plan.seed) % 2**32
        first = max(AT_ONCE, min(24, tries // 3))  # tried by chance, before anything is known
        study = optuna.create_study(
            sampler=optuna.samplers.TPESampler(seed=seed, n_startup_trials=first, constant_liar=True)
        )
        study.enqueue_trial({str(n): value for n, value in enumerate(self.start)})
        ways = optuna.distributions
        spread = {
            str(n): ways.CategoricalDistribution(cell.values)
            if cell.values
            else ways.IntDistribution(cell.low, cell.high)
            for n, cell in enumerate(self.cells)
        }
        return study, spread

    def _played(self, chosen: Sequence[tuple[int | str, ...]], workers: Workers) -> Iterator[Tried]:
        """These decks, each played on the same deals or remembered."""
        games = [self.deck(one) for one in chosen]
        unknown = list(dict.fromkeys(game for game in games if game is not None and game.variant not in self._known))
        played = dict(
            zip([game.variant for game in unknown], workers.in_order(play_deck, list(map(self._try, unknown))))
        )
        for one, game in zip(chosen, games, strict=True):
            if game is None:
                yield Tried(one, "", [], float("1e6"), self.change(one))
                continue
            if game.variant not in self._known:
                self._write_down(game.variant, one, played[game.variant])
            values = self._known[game.variant]
            yield Tried(one, game.variant, values, misses(self.wishes, values), self.change(one))

    def _try(self, game: Game) -> Try:
        bots = self.plan.bots * self.plan.seats if len(self.plan.bots) == 1 else self.plan.bots
        options = compare.chosen_options(game, game, dict(self.plan.options))
        return Try(game.place, game.version, bots, options, self.plan.deals, self.plan.seed, self.wishes)

    # Keeping.

    def _write_down(self, deck: str, chosen: Sequence[int | str], values: list[float | None]) -> None:
        self._known[deck] = values
        with (self.folder / TRIES).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"deck": deck, "cells": chosen, "values": values}) + "\n")

    def begin(self, resume: bool) -> int:
        """Makes the folder, or reads what an earlier search of the same plan has written; returns how many decks."""
        reports.make_folder(self.folder)
        plan, tries = self.folder / PLAN, self.folder / TRIES
        mine = json.loads(json.dumps(asdict(self.plan)))
        if not resume:
            if tries.exists():
                raise BadData(f"There is a search in {self.folder}: --resume goes on with it.", "not_written")
            plan.write_text(json.dumps(mine, indent=1), "utf-8")
            return 0
        if not plan.exists():
            raise BadData(f"There is no search in {self.folder} to go on with.", "no_such_value")
        if json.loads(plan.read_text("utf-8")) != mine:
            raise BadData(
                f"The search in {self.folder} has another plan: other wishes, cells, deals or bots.", "no_such_value"
            )
        for line in tries.read_text("utf-8").splitlines() if tries.exists() else ():
            try:
                one = json.loads(line)
                self._known[one["deck"]] = one["values"]
            except (ValueError, KeyError):  # the line that was being written when it was stopped
                continue
        return len(self._known)

    # What came out.

    def best(self) -> Tried | None:
        """The nearest so far."""
        return min(self.found.values(), key=lambda one: one.score, default=None)

    def proposed(self) -> list[Tried]:
        """A few decks, the best first; of those that change the same cells only the best, as long as there are others."""
        ordered = sorted((one for one in self.found.values() if one.deck), key=lambda one: (one.score, str(one.chosen)))
        good = [one for one in ordered if one.miss == 0] or ordered
        first, later, seen = list[Tried](), list[Tried](), set[tuple[bool, ...]]()
        for one in good:
            changed = tuple(was != now for was, now in zip(self.start, one.chosen, strict=True))
            (later if changed in seen else first).append(one)
            seen.add(changed)
        return [*first, *later][:PROPOSED]


@dataclass
class Proposal:
    """A deck that is proposed, looked at once more on other deals."""

    tried: Tried
    game: Game
    compared: compare.Comparison
    values: list[float | None] = field(default_factory=list)


def check(search: Search, tried: Tried, workers: int | None, cluster: str | None) -> Proposal:
    """A deck beside the one that the search began with, on deals it was not chosen by."""
    plan, game = search.plan, search.deck(tried.chosen)
    assert game is not None, "only decks that can be played are proposed"
    found = compare.run(
        search.before, game, list(plan.bots), plan.check, plan.seats, dict(plan.options), derive(plan.seed, CHECKED_ON),
        workers, worth=exchanged_for(search.wishes), cluster=cluster,
    )  # fmt: skip
    after = [pair[1] for pair in found.pairs]
    return Proposal(tried, game, found, [wish.value(after, found.exchanged) for wish in search.wishes])


# ── For people ───────────────────────────────────────────────


def as_text(search: Search, proposals: Sequence[Proposal]) -> str:
    """What was found, in lines."""
    met = sum(one.miss == 0 for one in search.found.values())
    plan = search.plan
    lines = [
        f"{search.game.title}: {len(search.found)} decks tried on the same {plan.deals} deals, "
        f"{plan.seats} × {', '.join(plan.bots)}",
        f"{met} of them meet what you wish." if met else "None of them meets what you wish; these are the nearest.",
    ]
    begun = search.found.get(search.start)
    if begun is not None and begun.deck:
        lines += ["", "As it was", *wish_lines(search, begun.values)]
    for letter, one in zip("ABC", proposals):
        lines += ["", f"{letter}: {cells_line(search, one.tried)}", *wish_lines(search, one.tried.values, one.values)]
        lines += [f"  costs elsewhere: {line}" for line in costs(one)]
    return "\n".join(lines)


def wish_lines(search: Search, values: Sequence[float | None], again: Sequence[float | None] = ()) -> list[str]:
    """What became of each wish, and on other deals."""
    lines = []
    for number, (wish, value) in enumerate(zip(search.wishes, values, strict=True)):
        told = f"  {'met   ' if wish.miss(value) == 0 else 'missed'}  {wish.text}: {wish.shown(value)}"
        if again:
            once_more = "" if wish.miss(again[number]) == 0 else ", missed there"
            told += f"; on {search.plan.check} other deals {wish.shown(again[number])}{once_more}"
        lines.append(told)
    return lines


def cells_line(search: Search, tried: Tried) -> str:
    """«Venom points 9 → 3»."""
    told = [
        f"{cell.name} {'by ' if cell.by else ''}{was} → {now}"
        for cell, was, now in zip(search.cells, search.start, tried.chosen, strict=True)
        if was != now
    ]
    return ", ".join(told) or "nothing changes"


def costs(one: Proposal) -> list[str]:
    """What else has moved beyond chance, on the other deals."""
    found, moved = one.compared, one.compared.moved()
    told = [
        f"{compare_page.label(figure, found)}, {compare_page.difference(figure, found, moved)}"
        for figure in moved_elsewhere(one)[:MOST_COSTS]
    ]
    return told or [f"nothing beyond chance, in {len(found.all())} figures"]


def moved_elsewhere(one: Proposal) -> list[compare.Figure]:
    """The figures that have moved beyond chance, but those of the cards that were changed."""
    found = one.compared
    moved, own = found.moved(), found.changed()
    return [figure for figure in found.all() if figure.key in moved and figure.key.rpartition(": ")[2] not in own]


def as_json(search: Search, proposals: Sequence[Proposal]) -> Json:
    """For machines."""
    return {
        "plan": asdict(search.plan),
        "tried": [asdict(one) for one in search.found.values()],
        "proposals": [
            {**asdict(one.tried), "on_other_deals": one.values, "costs": costs(one)} for one in proposals
        ],
    }  # fmt: skip


def as_page(search: Search, proposals: Sequence[Proposal] = ()) -> Json:
    """For a page that shows the search as it goes on; proposals are the nearest so far until they have been checked."""
    begun = search.found.get(search.start)
    checked = {one.tried.chosen: one for one in proposals}
    nearest = [one.tried for one in proposals] or search.proposed()
    return {
        "tried": [round(one.miss, 3) if one.deck else None for one in search.found.values()],
        "met": sum(one.miss == 0 for one in search.found.values()),
        "as_it_was": begun.values if begun is not None and begun.deck else [],
        "start": list(search.start),
        "proposals": [proposal_page(search, one, checked.get(one.chosen)) for one in nearest],
    }


def proposal_page(search: Search, tried: Tried, checked: Proposal | None) -> Json:
    """A proposal: what stands in the cells, what became of the wishes, the deck as a file, and what it costs elsewhere."""
    game = search.deck(tried.chosen)
    assert game is not None and game.deck is not None
    again = checked.values if checked is not None else []
    return {
        "chosen": list(tried.chosen), "values": tried.values, "met": wishes_met(search, tried.values),
        "again": again, "again_met": wishes_met(search, again), "change": tried.change,
        "deck": decks.as_file(game, search.form, game.deck.content), "content": game.deck.content,
        "costs": costs_page(checked) if checked is not None else None,
        "looked_at": len(checked.compared.all()) if checked is not None else 0,
    }  # fmt: skip


def wishes_met(search: Search, values: Sequence[float | None]) -> list[bool]:
    """Which wishes have come true."""
    return [wish.miss(value) == 0 for wish, value in zip(search.wishes, values, strict=False)]


def costs_page(one: Proposal) -> list[Json]:
    """What else has moved beyond chance, for a page."""
    told = compare_page.teller(one.compared, one.compared.moved())
    return [told(figure) for figure in moved_elsewhere(one)[:MOST_COSTS]]


# ── The command ──────────────────────────────────────────────


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca tune GAME --deck my.csv --wish "28 rounds" --cell "Venom points 0..5" --out found`"""
    parser.add_argument("game", metavar="GAME", help=catalogue.HELP)
    parser.add_argument("--deck", type=pathlib.Path, metavar="FILE", help="the deck to begin with (default: printed)")
    parser.add_argument("--form", default="", help="without --deck: which printed deck, where a game has several")
    parser.add_argument(
        "--wish", action="append", required=True, help="what should come true, in words of the report; again for more"
    )
    parser.add_argument(
        "--cell", action="append", required=True, help="what may change, with its range; again for more"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("tuned"),
        metavar="FOLDER",
        help="where decks, reports and what was tried go (default tuned)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the search in that folder; with more --tries: further"
    )
    parser.add_argument("--tries", type=int, default=60, help="how many decks are tried (default 60)")
    parser.add_argument("--deals", type=int, default=400, help="how many games are played with each (default 400)")
    parser.add_argument(
        "--check", type=int, default=1000, help="other deals, on which proposals are checked (default 1000)"
    )
    parser.add_argument(
        "--bot",
        action="append",
        type=typed,
        help="who plays: greedy (default), novice, club …; once, or once for each seat",
    )
    parser.add_argument("--seats", type=int, help="players (default: the fewest from two on)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other deals and tries (default 0)")
    parser.add_argument("--processes", dest="workers", type=int, metavar="N", help="default: one for each core")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster: tcp://scheduler:8786")
    parser.add_argument("--json", action="store_true", help="figures for machines")
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help="of the reports (default: en)")
    parser.add_argument("--stream", action="store_true", help="the search as it goes on, a line of JSON each")
    parser.add_argument("--progress", action="store_true", help="show progress even without a terminal")


def run_command(args: argparse.Namespace) -> int:
    """Searches, checks and tells; exit status 1 if nothing that was tried meets the wishes."""
    if not args.stream:
        return searched(args, lambda *_: None)
    if hasattr(os, "nice"):
        os.nice(5)  # in the background of whoever reads it

    def told(done: int, total: int, page: Json | None, refused: str = "") -> None:
        line = {"done": done, "total": total, "report": page, "refused": refused}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    try:
        return searched(args, told)
    except BadData as bad:
        told(0, 1, None, bad.in_language(args.language) if isinstance(bad, Unread) else bad.sentence)
        return 2


def searched(args: argparse.Namespace, told: Callable[[int, int, Json | None], None]) -> int:
    """As `run_command`; a page hears of every deck."""
    search = Search(plan_of(args), args.out)
    known = search.begin(args.resume)
    bar = Bar(args.tries, "decks", asked=args.progress)
    bar.start = known

    def progress(done: int, total: int, best: Tried | None) -> None:
        bar.total = total
        bar.unit = f"decks · nearest {best.miss:.1f} away" if best is not None and best.deck else "decks"
        bar.show(done)
        told(done, total, as_page(search) if args.stream else None)

    try:
        with Workers(processes_for(search.plan.bots, args.workers, args.cluster), args.cluster) as workers:
            search.run(args.tries, workers, progress)
    except KeyboardInterrupt:
        bar.close()
        print(f"\nStopped after {len(search.found)} decks; --resume goes on.", file=sys.stderr)
        return 130
    bar.close()
    proposals = list[Proposal]()
    for letter, one in zip("ABC", search.proposed()):
        proposals.append(check(search, one, args.workers, args.cluster))
        proposals[-1].compared.language = args.language
        write_down(search, letter, proposals[-1])
    met = any(one.miss == 0 for one in search.found.values())
    if args.stream:
        told(len(search.found), len(search.found), as_page(search, proposals))
        return 0 if met else 1
    found = json.dumps(as_json(search, proposals), indent=1) if args.json else as_text(search, proposals)
    sys.stdout.write(found + "\n")
    if not args.json:
        print(f"\nLeft in {args.out}: a deck and a report of each proposal, {TRIES}, {PLAN}.")
    return 0 if met else 1


def plan_of(args: argparse.Namespace) -> Plan:
    """What was asked for."""
    if min(args.tries, args.deals, args.check) < 1:
        raise BadData("A search needs at least one try, and one deal for each.", "no_such_value")
    game = catalogue.typed(args.game, args.deck)
    if game.deck is None:
        form = decks.form_of(game, args.form)
        game = decks.with_deck(game, decks.Deck(game.key, form.key, form.printed(), game.place))
    seats = args.seats or max(2, min(game.seats))
    game.check_seats(seats)
    bots = tuple(args.bot or ["greedy"])
    if len(bots) not in (1, seats):
        raise BadData(f"{len(bots)} bots for {seats} seats: give one for all, or one for each seat.", "no_such_bot")
    for bot in bots:
        resolve(game, bot)
    options = tuple(sorted(option.partition("=")[::2] for option in args.option))
    return Plan(
        game.place, tuple(args.wish), tuple(args.cell), tuple(map(name_of, bots)), seats, options, args.deals, args.check,
        args.seed,
    )  # fmt: skip


def write_down(search: Search, letter: str, one: Proposal) -> None:
    """The deck of a proposal as a file of its own, and the report beside the deck that was begun with."""
    assert one.game.deck is not None
    ending = "json" if search.form.is_sheet else "csv"
    text = decks.as_file(one.game, search.form, one.game.deck.content)
    (search.folder / f"{letter}.{ending}").write_text(text, "utf-8")
    (search.folder / f"{letter}.html").write_text(compare_page.as_html(one.compared), "utf-8")
