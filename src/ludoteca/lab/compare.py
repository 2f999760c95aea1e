"""What does a deck do? Bots play it and another one on the same deals, and the report sets the two side by side.

    ludoteca balance GAME --deck my.csv --games 2000 --html report.html

Deals are common, so differences are paired: every figure has an interval of its own, and a verdict is given only where it
holds among all figures that are looked at (Benjamini and Hochberg's rule). The cards that differ between the two decks come
first, whatever came out.
"""

from __future__ import annotations

import functools
import math
import statistics
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeVar

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.bots.own import AnyBot, name_of, resolve
from ludoteca.core.chance import derive
from ludoteca.core.decks import by_id, form_of
from ludoteca.core.engine import interpreted, is_compiled
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json
from ludoteca.core.record import States

from .arena import Table, at_table, is_simple, plays_plainly, processes_for
from .balance import FEW, Watched, mean, standing_out, watch
from .driven import HALVES, can_drive, driven, make_half
from .driven import is_made as driven_is_made
from .pools import Workers
from .rating import CONFIDENCE

SEEN = 2.8  # standard errors: an effect so large shows four times of five
MOST_WAYS = 6
COMMON = 0.1  # of the deals: a way of playing that is met less often is left out
A_FEW = 8  # deals that are played before one looks again whether the machine code is there
AT_SIGHT = "greedy"  # who plays while the machine code of those who think is made
GLANCES = 40  # deals that it plays: then time goes to the bots that were asked for
OFTEN = 0.95  # of the deals: a card that nearly always somebody has
Pairs = Sequence[tuple[Watched, Watched]]  # the same deal, before and after
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Figure:
    """One question, before and after: two values, the paired difference and half of its 95 % interval."""

    key: str
    before: float
    after: float
    difference: float
    half: float
    of: tuple[int, int] = (0, 0)  # how many it is counted from, before and after
    percent: bool = True
    own: tuple[float, float] = (0.0, 0.0)  # half of the 95 % interval of before and of after, each by itself

    @property
    def chance(self) -> float:
        """How likely so large a difference is if nothing has changed (two-sided, normal)."""
        error = self.half / CONFIDENCE
        if error <= 0:
            return 1.0 if self.difference == 0 else 0.0
        return math.erfc(abs(self.difference) / error / math.sqrt(2))

    @property
    def least(self) -> float:
        """The smallest difference that would most likely have shown."""
        return SEEN * self.half / CONFIDENCE

    def as_json(self) -> Json:
        """For machines."""
        return {
            "key": self.key, "before": self.before, "after": self.after, "difference": self.difference,
            "half": self.half, "of": list(self.of), "chance": self.chance,
        }  # fmt: skip


def paired(key: str, pairs: Pairs, of: Callable[[Watched], float], percent: bool = False) -> Figure:
    """A figure that every game has."""
    before, after = [of(a) for a, _ in pairs], [of(b) for _, b in pairs]
    difference, half = mean([b - a for a, b in zip(before, after, strict=True)])
    count = len(pairs)
    (was, one), (now, other) = mean(before), mean(after)
    return Figure(key, was, now, difference, half, (count, count), percent, (one, other))


def rate(key: str, pairs: Pairs, of: Callable[[Watched], tuple[float, float]]) -> Figure:
    """A figure that is wins by tries, and not every game has tries: (wins, tries) of a game.

    The error is that of the ratio, deal by deal (the delta method), so that what both decks have in common does not count.
    """
    found = [(of(a), of(b)) for a, b in pairs]
    tries = [fmean([one[side][1] for one in found]) for side in (0, 1)]
    rates = [
        sum(one[side][0] for one in found) / max(sum(one[side][1] for one in found), 1e-12) for side in (0, 1)
    ]  # fmt: skip

    def share(game: tuple[float, float], side: int) -> float:
        return (game[0] - rates[side] * game[1]) / tries[side] if tries[side] else 0.0

    _, half = mean([share(b, 1) - share(a, 0) for a, b in found])
    own = mean([share(a, 0) for a, _ in found])[1], mean([share(b, 1) for _, b in found])[1]
    counts = round(sum(a[1] for a, _ in found)), round(sum(b[1] for _, b in found))
    return Figure(key, rates[0], rates[1], rates[1] - rates[0], half, counts, own=own)


def fmean(numbers: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return statistics.fmean(numbers) if numbers else 0.0


Had = dict[
    int, tuple[float, int]
]  # of a thing: for each deal in which somebody had it, their wins and how many they were


def owners(thing: str) -> Callable[[Watched], tuple[float, float]]:
    """Wins and players among those who had it."""

    def counted(game: Watched) -> tuple[float, float]:
        seats = [seat for seat, had in enumerate(game.had) if thing in had]
        return sum(game.shares[seat] for seat in seats), len(seats)

    return counted


def rate_of_owners(key: str, deals: int, before: Had, after: Had) -> Figure:
    """As `rate`, from those deals alone in which somebody had the thing: hundreds of things are looked at."""
    counts = [sum(tries for _, tries in side.values()) for side in (before, after)]
    rates = [sum(wins for wins, _ in side.values()) / (n or 1) for side, n in zip((before, after), counts, strict=True)]
    shares: tuple[dict[int, float], ...] = tuple(
        {deal: (wins - rate * tries) * deals / count for deal, (wins, tries) in found.items()}
        for found, rate, count in ((before, rates[0], counts[0]), (after, rates[1], counts[1]))
    )
    both = [shares[1].get(deal, 0.0) - shares[0].get(deal, 0.0) for deal in {**before, **after}]
    half, one, other = (half_of(values, 0.0, deals) for values in (both, shares[0].values(), shares[1].values()))
    return Figure(
        key, rates[0], rates[1], rates[1] - rates[0], half, (counts[0], counts[1]), own=(one, other)
    )  # fmt: skip


def share_of_players(key: str, deals: int, seats: int, before: Had, after: Had) -> Figure:
    """The share of the players who had a thing."""
    more = {deal: (after.get(deal, (0, 0))[1] - before.get(deal, (0, 0))[1]) / seats for deal in {*before, *after}}
    shares = [sum(tries for _, tries in side.values()) / (seats * deals or 1) for side in (before, after)]
    half = half_of(more.values(), shares[1] - shares[0], deals)
    one, other = (
        half_of([tries / seats for _, tries in side.values()], share, deals)
        for side, share in zip((before, after), shares, strict=True)
    )
    return Figure(key, shares[0], shares[1], shares[1] - shares[0], half, (deals, deals), own=(one, other))


def half_of(values: Iterable[float], mean: float, count: int) -> float:
    """Half of the 95 % interval of a mean of so many values, those that are not named being 0."""
    found = list(values)
    if count < 2:
        return 0.0
    squares = sum((value - mean) ** 2 for value in found) + (count - len(found)) * mean**2
    return CONFIDENCE * math.sqrt(squares / (count - 1) / count)


Made = TypeVar("Made")


def once(figures: Callable[[Comparison], Made]) -> Callable[[Comparison], Made]:
    """What is asked for again and again while a report is written is made once for so many games."""

    @functools.wraps(figures)
    def kept(found: Comparison) -> Made:
        played = len(found.pairs), sum(map(len, found.exchanged.values()))
        if found._made.get(figures.__name__, (None,))[0] != played:
            found._made[figures.__name__] = played, figures(found)
        made: Made = found._made[figures.__name__][1]
        return made

    return kept


@dataclass
class Comparison:
    """Two decks on the same deals, by one kind of bot."""

    game: Game  # with the deck of after
    before: Game
    bots: list[str]
    seats: int
    seed: int
    wanted: int  # deals that were asked for: until then verdicts stay open
    pairs: list[tuple[Watched, Watched]] = field(default_factory=list)
    # By id: deals of the new deck with another card of its like in the card's place (and by its name), and as they were.
    exchanged: dict[str, list[tuple[Watched, Watched]]] = field(default_factory=dict)
    early: list[Watched] = field(default_factory=list)  # the old deck alone, while the new one's machine code is made
    sight: Comparison | None = (
        None  # meanwhile: both decks, by a bot that takes what looks best and needs no machine code
    )
    options: dict[str, str] = field(default_factory=dict)
    language: str = "en"  # in which it is told
    titles: dict[str, dict[str, str]] = field(default_factory=dict)  # by id and language, as far as they were asked for
    _made: dict[str, tuple[tuple[int, int], Any]] = field(default_factory=dict)  # see `once`

    @property
    def done(self) -> bool:
        """Whether all deals were played that were asked for."""
        return len(self.pairs) >= self.wanted

    @once
    def changed(self) -> dict[str, list[str]]:
        """The ids in which the decks differ, with the columns."""
        return changed_ids(self.before, self.game)

    @functools.cached_property
    def dealt(self) -> States:
        """Such a game before it begins, of which words may ask what is played."""
        return interpreted(self.game).start(self.seats, chosen_options(self.game, self.before, self.options))

    def names(self) -> dict[str, str]:
        """Everything that somebody had, by id: what it is called."""
        return self._index()[0]

    @once
    def _index(self) -> tuple[dict[str, str], dict[str, tuple[Had, Had]]]:
        """Names, and in which deals somebody had what: before and after."""
        names: dict[str, str] = {}
        found: dict[str, tuple[Had, Had]] = {}
        for deal, pair in enumerate(self.pairs):
            for side, game in enumerate(pair):
                for seat, had in enumerate(game.had):
                    names.update(had)
                    for thing in had:
                        deals = found.setdefault(thing, ({}, {}))[side]
                        wins, tries = deals.get(deal, (0.0, 0))
                        deals[deal] = wins + game.shares[seat], tries + 1
        return names, found

    def _wins(self, thing: str) -> Figure:
        return rate_of_owners(f"wins {thing}", len(self.pairs), *self._index()[1][thing])

    def _taken(self, thing: str) -> Figure:
        return share_of_players(f"taken {thing}", len(self.pairs), self.seats, *self._index()[1][thing])

    # The figures.

    @once
    def course(self) -> list[Figure]:
        """How games went."""
        found = [
            paired("rounds", self.pairs, lambda game: game.rounds),
            paired("decisions", self.pairs, lambda game: game.decisions),
            paired("widths", self.pairs, lambda game: game.widths),
            paired("leads", self.pairs, lambda game: game.leads),
            paired("decided", self.pairs, lambda game: game.decided, percent=True),
            rate("halfway", self.pairs, half_time),
        ]
        return found

    @once
    def chairs(self) -> list[Figure]:
        """Who wins from which seat."""
        return [paired(f"seat {n}", self.pairs, seat_share(n), percent=True) for n in range(self.seats)]

    @once
    def things(self) -> list[Figure]:
        """For each thing that enough players had, before and after: how often it was taken, how often its owners won."""
        found = []
        for thing in sorted(self.names()):
            wins = self._wins(thing)
            if max(wins.of) >= FEW:
                found.append(self._taken(thing))
            if min(wins.of) >= FEW:
                found.append(wins)
        return found

    def all(self) -> list[Figure]:
        """Every figure that is judged."""
        return [*self.chairs(), *self.course(), *self.things()]

    @once
    def moved(self) -> set[str]:
        """The figures that have changed beyond chance, all of them looked at together; none while deals are missing."""
        return standing_out({figure.key: figure.chance for figure in self.all()}) if self.done else set()

    @once
    def of_changed(self) -> list[Figure]:
        """What became of the cards that differ, whatever it is."""
        ids, found = self.changed(), []
        for thing in sorted(self.names()):
            if thing.partition(": ")[2] in ids:
                found += [self._taken(thing), self._wins(thing)]
        return found

    def never_taken(self) -> list[str]:
        """Cards of the new deck that nobody ever had."""
        had = {thing.partition(": ")[2] for _, game in self.pairs for one in game.had for thing in one}
        return [id for id in self._ids() if id not in had]

    def always_taken(self) -> list[str]:
        """Cards of the new deck that nearly always somebody had."""
        count: dict[str, int] = {}
        for _, game in self.pairs:
            for id in {thing.partition(": ")[2] for one in game.had for thing in one}:
                count[id] = count.get(id, 0) + 1
        return [id for id in self._ids() if count.get(id, 0) >= OFTEN * len(self.pairs) > 0]

    def _ids(self) -> list[str]:
        return [row["id"] for row in rows_of(self.game) if row.get("id")]

    @once
    def ways(self) -> list[Figure]:
        """Which ways of playing win, the best first: to have most things of a kind or level at the table, or fewest."""
        kinds = sorted({thing.partition(":")[0] for thing in self.names()})
        found = [rate(f"more {kind}", self.pairs, most_of(f"{kind}: ")) for kind in kinds]
        levels: dict[str, set[str]] = {}
        for row in rows_of(self.game):
            if row.get("id") and row.get("level") and row.get("kind", "card") == "card":
                levels.setdefault(row["level"], set()).add(row["id"])
        first = next((what.replace("_", " ") for what in self.game.things if what.replace("_", " ") in kinds), "")
        for level, ids in sorted(levels.items()) if first and len(levels) > 1 else ():
            found.append(rate(f"more {first} level {level}", self.pairs, most_of(f"{first}: ", ids)))
        if first:
            found.append(rate(f"fewest {first}", self.pairs, most_of(f"{first}: ", sign=-1)))
        common = [one for one in found if min(one.of) >= max(FEW, COMMON * len(self.pairs))]
        return sorted(common, key=lambda one: -one.after)[:MOST_WAYS]

    @once
    def worth(self) -> list[Figure]:
        """What a changed card is worth: its owners' wins, less those of who took an average card lying in its place."""
        found = []
        for id, games in self.exchanged.items():
            kinds = sorted({thing.partition(":")[0] for thing in self.names() if thing.endswith(f": {id}")})
            found += [rate(f"worth {kind}: {id}", games, owners(f"{kind}: {id}")) for kind in kinds[:1]]
        return [figure for figure in found if min(figure.of) >= FEW]


def half_time(game: Watched) -> tuple[float, float]:
    """Whether who led halfway won."""
    return (game.early_leader_won, 1) if game.early_leader_won is not None else (0.0, 0)


def seat_share(seat: int) -> Callable[[Watched], float]:
    """The share in the win of a seat."""
    return lambda game: game.shares[seat]


def most_of(kind: str, ids: set[str] | None = None, sign: int = 1) -> Callable[[Watched], tuple[float, float]]:
    """Wins and players among those who had more things of a kind (of these ids) than anybody else; or fewer."""

    def counted(game: Watched) -> tuple[float, float]:
        counts = [
            sign * sum(thing.startswith(kind) and (ids is None or thing[len(kind) :] in ids) for thing in had)
            for had in game.had
        ]
        most = max(counts, default=0)
        first = [seat for seat, count in enumerate(counts) if count == most]
        return (game.shares[first[0]], 1) if len(first) == 1 and (most or sign < 0) else (0.0, 0)

    return counted


def rows_of(game: Game) -> list[dict[str, str]]:
    """The rows of a game's deck, printed or not; none of a sheet."""
    content = game.deck.content if game.deck is not None else []
    return content if isinstance(content, list) else []


def content_of(game: Game, form: str) -> object:
    """What is printed on a game's components, by the form of a deck."""
    return game.deck.content if game.deck is not None else form_of(game, form).printed()


def rows_by_id(game: Game, form: str) -> dict[str, dict[str, str]]:
    """The same by the ids of its rows."""
    return by_id(form_of(game, form), content_of(game, form))


def changed_ids(before: Game, after: Game) -> dict[str, list[str]]:
    """The ids of rows that differ, with the columns in which they do."""
    deck = after.deck or before.deck
    assert deck is not None
    old, new = rows_by_id(before, deck.form), rows_by_id(after, deck.form)
    found = {}
    for id in dict.fromkeys((*new, *old)):
        was, now = old.get(id, {}), new.get(id, {})
        columns = [column for column in dict.fromkeys((*now, *was)) if was.get(column, "") != now.get(column, "")]
        if columns:
            found[id] = columns
    return found


# ── Playing ──────────────────────────────────────────────────


def run(
    before: Game, after: Game, bots: AnyBot | Sequence[AnyBot], deals: int, seats: int, options: dict[str, str],
    seed: int = 0, workers: int | None = None, progress: Progress | None = None, worth: Sequence[str] | None = None,
    grown: Callable[[Comparison, int, int], None] | None = None, cluster: str | None = None, share: bool = True,
) -> Comparison:  # fmt: skip
    """Plays so many deals with each deck, and those once more in which a card is exchanged for another.

    The cards with these ids are; the changed ones, if none are named. They share the deals, or each has all of them.
    """
    chosen = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
    after.check_seats(seats)
    if len(chosen) not in (1, seats):
        raise BadData(f"{len(chosen)} bots for {seats} seats: give one for all, or one for each seat.", "no_such_bot")
    for bot in chosen:
        resolve(after, bot)
    found = Comparison(after, before, [name_of(bot) for bot in chosen], seats, seed, deals, options=options)
    by_seat = chosen * seats if len(chosen) == 1 else chosen

    def tables_of(game: Game) -> list[Table]:
        full, plain = chosen_options(game, after, options), plays_plainly(game, chosen, deals)
        return [
            Table(game.place, by_seat, full, derive(seed, deal), game.version, plain=plain) for deal in range(deals)
        ]

    one, other = tables_of(before), tables_of(after)
    jobs = list(exchanges(after, found.changed() if worth is None else worth, other, seed, share))
    total, done = 2 * deals + len(jobs), 0

    def told() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, total)
        if grown:
            grown(found, done, total)

    with Workers(processes_for(chosen, workers, cluster), cluster) as whoever:
        for kind, watched in while_it_is_made(one, other, whoever):
            if kind is Meanwhile.SIGHT:
                found.sight = found.sight or replace(found, bots=[AT_SIGHT], pairs=[], early=[], exchanged={}, _made={})
                found.sight.pairs.append((watched[0], watched[1]))
                if grown:
                    grown(found, done, total)
                continue
            if kind is Meanwhile.BOTH:
                found.pairs.append((watched[0], watched[1]))
            else:
                found.early += watched
            for _ in watched:
                told()
        early, paired = len(found.early), len(found.pairs)
        rest = [table for deal in range(paired + early, deals) for table in (one[deal], other[deal])]
        waiting: Watched | None = None
        for number, game in enumerate(whoever.in_order(watch, [*other[paired : paired + early], *rest])):
            if number < early:
                found.pairs.append((found.early[number], game))
            elif waiting is None:
                waiting = game
            else:
                found.pairs.append((waiting, game))
                waiting = None
            told()
        played = whoever.in_order(watch, [table for _, _, table in jobs])
        for (id, deal, table), game in zip(jobs, played, strict=True):
            assert table.exchanged is not None
            again = found.exchanged.setdefault(id, [])
            again.append((in_its_place(game, *table.exchanged), found.pairs[deal][1]))
            told()
    return found


class Meanwhile(Enum):
    """What is played while machine code is made."""

    BOTH = "both decks, by the bots that were asked for, in plain Python: the same games"
    SIGHT = "both decks, by a bot that needs no machine code: something to look at"
    EARLY = "the old deck alone, by the bots that were asked for"


def meanwhile(one: Sequence[Table], other: Sequence[Table], is_made: bool) -> Iterator[tuple[Meanwhile, list[Table]]]:
    """The deals that are played until the machine code of the new deck is there; and of the old one, if it is not made."""
    game = catalogue.game(one[0].game)
    if all(is_simple(resolve(game, bot)) for bot in one[0].bots):
        for before, after in zip(one, other, strict=True):
            yield Meanwhile.BOTH, [replace(before, plain=not is_made), replace(after, plain=True)]
        return
    quick: list[AnyBot] = [AT_SIGHT] * len(one[0].bots)
    plain = not driven_is_made(game)
    for before, after in zip(one[:GLANCES], other, strict=False):
        yield Meanwhile.SIGHT, [replace(before, bots=quick, plain=plain), replace(after, bots=quick, plain=True)]
    if is_made:
        yield from early(one)


def early(one: Sequence[Table]) -> Iterator[tuple[Meanwhile, list[Table]]]:
    """Deals of the old deck alone."""
    for first in range(0, len(one), A_FEW):
        yield Meanwhile.EARLY, list(one[first : first + A_FEW])


def while_it_is_made(
    one: Sequence[Table], other: Sequence[Table], workers: Workers
) -> Iterator[tuple[Meanwhile, list[Watched]]]:
    """Makes the machine code of a new deck in other processes, and plays as long as that takes.

    Where the workers make it, they play the old deck in turn with that; where there is one only, it compares both at once.
    """
    missing = [table for table in (one[0], other[0]) if not table.plain and not is_ready(table)]
    if workers.processes > 1 and one[0] in missing:
        make_ready(one[0])  # so that the workers only have to load
        missing.remove(one[0])
    if not missing:
        return
    with workers.beside() as makers:
        if workers.processes > 1:
            making = [make_in_halves(makers, other[0])]
            portions = early(one)
        else:
            making = [makers.submit(make_ready, table) for table in missing]
            portions = meanwhile(one, other, one[0] not in missing)
        for kind, tables in portions:
            if all(each.done() for each in making):
                break
            yield kind, list(workers.in_order(watch, tables))
        for each in making:
            each.result()


def make_in_halves(makers: Executor, new: Table) -> Future[None]:
    """On two cores: the halves of what is needed at the same time, then the whole."""
    game = catalogue.game(new.game)
    if not can_drive([resolve(game, bot) for bot in new.bots]):
        return makers.submit(make_ready, new)
    whole: Future[None] = Future()

    def make() -> None:
        try:
            for half in [makers.submit(make_half, game.place, number) for number in range(len(HALVES))]:
                half.result()
            whole.set_result(makers.submit(make_ready, new).result())
        except BaseException as error:
            whole.set_exception(error)

    threading.Thread(target=make, daemon=True).start()
    return whole


def is_ready(table: Table) -> bool:
    """Whether the machine code that is needed at a table is there."""
    game = catalogue.game(table.game)
    bots = [resolve(game, bot) for bot in table.bots]
    if can_drive(bots):
        return driven_is_made(game)
    return is_compiled(game) if all(map(is_simple, bots)) else levels.is_ready(game)


def make_ready(table: Table) -> None:
    """Makes it, where it is needed."""
    game, engine, bots = at_table(table, driven=True)
    if can_drive(bots) and not table.plain:
        driven(game, bots, engine.start(len(bots), table.options, table.seed), table.seed)


def chosen_options(game: Game, other: Game, options: dict[str, str]) -> dict[str, str]:
    """The options of a table: those that were given, and what such decks are played with."""
    deck = game.deck or other.deck
    form = deck.form_in(game).options if deck is not None else {}
    return game.full_options({**form, **options})


def exchanges(
    game: Game, ids: Iterable[str], tables: Sequence[Table], seed: int, share: bool = True
) -> Iterator[tuple[str, int, Table]]:
    """For each of these cards and some deals: the table on which it is exchanged for another of its like, by chance.

    Cards share the deals among them, so that many do not take longer than one; or each has all of them.
    """
    rows = {row["id"]: row for row in rows_of(game) if "id" in row}
    cards = [id for id in ids if id in rows and rows[id].get("kind", "card") == "card"]
    if game.exchange is None:
        return
    for number, id in enumerate(cards):
        alike = [
            o
            for o, row in rows.items()
            if o != id and row.get("level") == rows[id].get("level") and row.get("kind") != "place"
        ]
        step = len(cards) if share else 1
        for deal in range(number % step, len(tables), step):
            other = alike[derive(seed, deal, number + 1) % len(alike)]
            yield id, deal, replace(tables[deal], exchanged=(id, other))


def in_its_place(game: Watched, id: str, other: str) -> Watched:
    """The game in which `other` lay where `id` would have: what people had of it counts by that id."""

    def renamed(had: dict[str, str]) -> dict[str, str]:
        kept = {thing: name for thing, name in had.items() if not thing.endswith(f": {id}")}
        return {
            f"{thing.removesuffix(other)}{id}" if thing.endswith(f": {other}") else thing: name
            for thing, name in kept.items()
        }

    return replace(game, had=[renamed(had) for had in game.had])
