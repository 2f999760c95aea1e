"""What somebody wishes of a game, in words of the report, and how far some games are from it.

seats within 1 %            chairs win about equally often
28 rounds                   also «27 to 29 rounds», «at most 60 decisions», «28 rounds, give or take 2»
no card of level 1 above 55 %
Venom 45 to 55 %            of those who had it won; «Venom taken by at least 20 %» of the players
Venom worth at most 2       wins of a hundred that it brings more than another card of its like in the same place
decided after at least 60 %     who led halfway won at most 70 %

In Italian as well: «posti entro 1 %», «28 round, più o meno 2», «nessuna carta di livello 1 sopra 55 %».
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludoteca.core.errors import BadData
from ludoteca.core.game import Game

from .balance import FEW, Watched
from .compare import Pairs, owners, rate
from .report_words import Unread

COUNTS: dict[str, Callable[[Watched], float]] = {
    "rounds": lambda game: game.rounds,
    "decisions": lambda game: game.decisions,
    "possibilities at a decision": lambda game: game.widths,
    "changes of the lead": lambda game: game.leads,
}
DECIDED, HALFWAY, SEATS = "decided after", "who led halfway won", "seats"
TAKEN, WORTH = " taken by", " worth"
UNKNOWN = 10.0  # a figure that too few games show is as far away as this
SLACK = {True: 0.01, False: 0.5}  # of a plain number, by whether it is a share: «28 rounds» is 27.5 to 28.5

NUMBER = r"[+\-−]?\d+(?:[.,]\d+)?(?:\s*%)?"
BOUND = re.compile(rf"(?:(at most|at least|above|below|within)\s+)?({NUMBER})(?:\s+to\s+({NUMBER}))?", re.I)
GIVE_OR_TAKE = re.compile(rf",?\s*give or take\s+({NUMBER})\s*$", re.I)
NO_CARD = re.compile(r"no\s+(.+?)(?:\s+of\s+(\w+)\s+(\w[\w-]*))?", re.I)

# How the same is said in Italian, in the words of the Italian report; what is left is the title of a card.
ITALIAN = {
    r"al massimo": "at most",
    r"almeno": "at least",
    r"entro(?: l[o']?)?": "within",
    r"sopra(?: i?l)?": "above",
    r"sotto(?: i?l)?": "below",
    r"(?:da|dal) (?=[+\-−]?\d)": "",
    r"(?<=\d) al? (?=[+\-−]?\d)": " to ",
    r"(?<=%) al? (?=[+\-−]?\d)": " to ",
    r"più o meno": "give or take",
    r"posti|sedie": "seats",
    r"round\b": "rounds",
    r"decisioni": "decisions",
    r"possibilità(?: a ogni decisione)?": "possibilities at a decision",
    r"cambi in testa": "changes of the lead",
    r"decis[ae] dopo": "decided after",
    r"chi era in testa a metà ha vinto": "who led halfway won",
    r"nessuna carta|nessun oggetto": "no card",
    r"(?<=no card )(?:di|del) livello": "of level",
    r"(?<=no card )(?:di|del|della) (?=\w+ )": "of ",
    r"pres[ao] da": "taken by",
    r"vale\b": "worth",
}


@dataclass(frozen=True)
class Wish:
    """A figure and the range it should lie in; shares are parts of one."""

    text: str
    figure: str  # SEATS, one of COUNTS, DECIDED, HALFWAY, «wins», «taken»
    low: float
    high: float
    things: frozenset[str] | None = None  # of wins and taken: «recruited: M101»; None: of every thing of that kind
    kind: str = ""
    is_about_many: bool = False  # of whichever cards there are

    @property
    def card(self) -> str:
        """The id of the card that is to be exchanged for others; nothing, if the wish is not about its worth."""
        return next(iter(self.things or ())).partition(": ")[2] if self.figure == WORTH.strip() else ""

    @property
    def percent(self) -> bool:
        """Whether the figure is a share."""
        return self.figure not in COUNTS

    def values(self, games: Sequence[Watched]) -> list[float]:
        """What the games show of the figure: one number; several where it is about many cards; none if too few show it."""
        if self.figure in COUNTS:
            return [statistics.fmean(map(COUNTS[self.figure], games))]
        if self.figure == SEATS:
            shares = [statistics.fmean(of_seat) for of_seat in zip(*(game.shares for game in games), strict=True)]
            return [max(shares) - min(shares)]
        if self.figure == DECIDED:
            return [statistics.fmean(game.decided for game in games)]
        if self.figure == HALFWAY:
            found = [game.early_leader_won for game in games if game.early_leader_won is not None]
            return [statistics.fmean(found)] if found else []
        return list(self._of_things(games))

    def _of_things(self, games: Sequence[Watched]) -> Iterator[float]:
        had: dict[str, list[float]] = {} if self.is_about_many else {"": []}
        for game in games:
            for share, things in zip(game.shares, game.had, strict=True):
                for thing in things:
                    if thing in self.things if self.things is not None else thing.startswith(f"{self.kind}: "):
                        had.setdefault(thing if self.is_about_many else "", []).append(share)
        for shares in had.values():
            if self.figure == "taken":
                yield len(shares) / sum(len(game.had) for game in games)
            elif len(shares) >= FEW:
                yield statistics.fmean(shares)

    def value(self, games: Sequence[Watched], exchanged: Mapping[str, Pairs] | None = None) -> float | None:
        """The figure; of many cards that which is farthest out.

        `exchanged` has for the id of a card the same deals with another of its like in its place, and as they were.
        """
        if self.card:
            found = rate(self.figure, (exchanged or {}).get(self.card, ()), owners(next(iter(self.things or ()))))
            return found.difference if min(found.of) >= FEW else None
        return max(self.values(games), key=self.outside, default=None)

    def miss(self, value: float | None) -> float:
        """How far outside of the range: in points of a hundred, or in hundredths of what was wished."""
        if value is None:
            return 0.0 if self.is_about_many else UNKNOWN
        return 100 * max(0.0, self.outside(value))

    def outside(self, value: float) -> float:
        """The distance to the range; below 0 within."""
        scale = 1.0 if self.percent else max(self.low, self.high if self.high < float("inf") else self.low, 1.0)
        return max(self.low - value, value - self.high) / scale

    def shown(self, value: float | None) -> str:
        """A value as people read it."""
        if value is None:
            return "too few to say"
        if self.card:
            return f"{100 * value:+.1f}"
        return f"{100 * value:.1f} %" if self.percent else f"{value:.2f}"


def read_wish(game: Game, rows: Sequence[dict[str, str]], text: str) -> Wish:
    """A wish in words, English or Italian; `rows` are those of the deck (none of a sheet)."""
    try:
        return in_english(game, rows, text, text)
    except BadData:
        translated = from_italian(text)
        if translated == " ".join(text.split()):
            raise
        return in_english(game, rows, translated, text)


def from_italian(text: str) -> str:
    """A wish in Italian as it is said in English."""
    said = " ".join(text.split())
    for italian, english in ITALIAN.items():
        said = re.sub(rf"(?<!\w)(?:{italian})(?!\w)" if italian[0] != "(" else italian, english, said, flags=re.I)
    return said


def in_english(game: Game, rows: Sequence[dict[str, str]], said: str, text: str) -> Wish:
    """A wish in English; `text` is what was written."""
    said = " ".join(said.split())
    rest, slack = said, None
    if found := GIVE_OR_TAKE.search(rest):
        rest, slack = rest[: found.start()], found[1]
    bounds = list(BOUND.finditer(rest))
    if not bounds:
        raise Unread("wish.no_number", text)
    # A number may be part of a title («Agent 13»): the bound is the last one, unless a unit follows the first.
    bound = bounds[-1]
    subject = f"{rest[: bound.start()]} {rest[bound.end() :]}".strip(" ,:").lower()
    figure, things, kind = read_subject(game, rows, subject, text)
    low, high = read_bound(bound, slack, figure not in COUNTS)
    if figure == WORTH.strip():
        if game.exchange is None:
            raise Unread("wish.no_worth", text, game=game.title)
        low = -float("inf") if (bound[1] or "").lower() in ("at most", "within") else low
    if subject.startswith("no ") != ((bound[1] or "").lower() in ("above", "below")):
        raise Unread("wish.above", text)
    if subject.startswith("no "):  # «no card above 55 %» wants every card at most there
        low, high = (0.0, low) if bound[1].lower() == "above" else (high, float("inf"))
    if low > high:
        raise Unread("wish.empty", text)
    return Wish(" ".join(text.split()), figure, low, high, things, kind, subject.startswith("no "))


def read_bound(bound: re.Match[str], slack: str | None, percent: bool) -> tuple[float, float]:
    """The range that is meant; of «above» and «below» the number twice."""
    how, first = (bound[1] or "").lower(), number(bound[2], percent)
    if bound[3]:
        return first, number(bound[3], percent)
    if how in ("above", "below"):
        return first, first
    if how in ("at most", "within"):
        return 0.0, first
    if how == "at least":
        return first, float("inf")
    around = number(slack, percent) if slack else SLACK[percent]
    return first - around, first + around


def number(text: str, percent: bool) -> float:
    """A number as it is written, a share as part of one."""
    value = float(text.rstrip("% ").replace(",", ".").replace("−", "-"))
    return value / 100 if percent else value


Subject = tuple[str, frozenset[str] | None, str]


def read_subject(game: Game, rows: Sequence[dict[str, str]], subject: str, text: str) -> Subject:
    """What a wish is about: its figure, and the things that are meant."""
    if subject in (SEATS, "chairs"):
        return SEATS, None, ""
    for figure in (*COUNTS, DECIDED, HALFWAY):
        if subject in (figure, figure.split()[0]):
            return figure, None, ""
    kinds = [kind.replace("_", " ") for kind in game.things]
    if found := NO_CARD.fullmatch(subject):
        kind = kinds[0] if found[1] in ("card", "item", "thing") else found[1]
        if kind not in kinds:
            raise Unread("wish.no_kind", text, kind=found[1], kinds=", ".join(kinds))
        return "wins", of_column(rows, kind, found[2], found[3], text) if found[2] else None, kind
    for ending in (TAKEN, WORTH, " is worth"):
        if subject.endswith(ending):
            figure = "taken" if ending == TAKEN else WORTH.strip()
            found_things = named(rows, kinds, subject.removesuffix(" is worth").removesuffix(ending), text)
            return figure, found_things, ""
    return "wins", named(rows, kinds, subject, text), ""


def of_column(rows: Sequence[dict[str, str]], kind: str, column: str, value: str, text: str) -> frozenset[str]:
    """The things whose row has that in a column."""
    found = frozenset(f"{kind}: {row['id']}" for row in rows if row.get(column, "").lower() == value and row.get("id"))
    if not found:
        raise Unread("wish.no_value", text, value=value, column=column)
    return found


def named(rows: Sequence[dict[str, str]], kinds: Sequence[str], name: str, text: str) -> frozenset[str]:
    """A thing by the title or the id of its row, or as the report writes it: «combo: red»."""
    for row in rows:
        if name and name in [row.get(column, "").lower() for column in ("name", "name_it", "id")]:
            # To have a card is the first kind of having (recruited, bought); other rows are had in ways of their own.
            ways = kinds[:1] if row.get("kind", "card") == "card" else kinds[1:]
            return frozenset(f"{kind}: {row['id']}" for kind in ways)
    for kind in kinds:
        if name.startswith(f"{kind} ") or name.startswith(f"{kind}: "):
            return frozenset({f"{kind}: {name.removeprefix(kind).lstrip(': ')}"})
    raise Unread("wish.no_card", text, name=name[:40])


def misses(wishes: Iterable[Wish], values: Iterable[float | None]) -> float:
    """How far all of them are from being met; 0: they are."""
    return sum(wish.miss(value) for wish, value in zip(wishes, values, strict=True))
