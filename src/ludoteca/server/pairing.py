"""Tournaments as a pure function of what has been played: who meets whom next, and how everybody stands.

Nothing here reads a clock, a store or a random number: where nothing else decides, lots do, and they follow from the
tournament's seed. It is sealed before anybody enters and shown at the end, so every round can be drawn again and checked.

    coming = next_round(form, played, present, seed)   # None: it is over
    lines = standings(form, played, entrants, seed)

Entrants are numbers, in the order in which they entered. A *meeting* is one table of a round.
"""

from __future__ import annotations

import hmac
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from .matching import most_couples

Kind = Literal["robin", "swiss", "knockout"]
MOST_ROUNDS = 200  # of a round robin at tables of many, which ends long before
HALF = Fraction(1, 2)


class Form(NamedTuple):
    """What kind of tournament it is."""

    kind: Kind
    seats: int  # at a table, at most
    least: int  # with which the game can be played
    rounds: int = 0  # of a Swiss


class Meeting(NamedTuple):
    """A table of a round: who sits where, and the ranks that count (1 is first), once it is over."""

    entrants: tuple[int, ...]
    ranks: tuple[int, ...] | None = None


class Round(NamedTuple):
    """The tables of a round, and who has none."""

    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all of its tables are."""
        return all(meeting.ranks is not None for meeting in self.meetings)


class Line(NamedTuple):
    """How an entrant stands."""

    entrant: int
    place: int  # 1 is first; nobody shares one
    points: Fraction
    opponents: Fraction  # the mean of the points of everybody met
    direct: int  # won less lost against those who are level so far
    by_lot: bool  # only lots decide between this one and another


def lot(seed: bytes, round: int, entrant: int) -> bytes:
    """Drawn for a round (0: the standings): the smallest comes first."""
    return hmac.digest(seed, b"%d %d" % (round, entrant), "sha256")


# ── What a table is worth ────────────────────────────────────


def share(ranks: Sequence[int], seat: int) -> Fraction:
    """The part of one's opponents at a table whom one has beaten; a tie with somebody counts half. First: 1, last: 0."""
    others = [rank for other, rank in enumerate(ranks) if other != seat]
    beaten = sum((_against(ranks[seat], rank) for rank in others), Fraction(0))
    return beaten / len(others) if others else Fraction(1)


def _against(mine: int, theirs: int) -> Fraction:
    return Fraction(1) if mine < theirs else HALF if mine == theirs else Fraction(0)


def in_order(meeting: Meeting, seed: bytes, number: int) -> list[int]:
    """Those at a table of a knock-out, the best first; where they are level, by lot."""
    assert meeting.ranks is not None
    ranked = zip(meeting.ranks, meeting.entrants, strict=True)
    return [one for _, one in sorted(ranked, key=lambda ranked: (ranked[0], lot(seed, number, ranked[1])))]


def advancing(meeting: Meeting, seed: bytes, number: int) -> list[int]:
    """Who goes on from a table of a knock-out: the better half (of three, one)."""
    return in_order(meeting, seed, number)[: max(1, len(meeting.entrants) // 2)]


def is_final(round: Round) -> bool:
    """Whether everybody who was left sat at one table."""
    return len(round.meetings) == 1 and not round.byes


def points(form: Form, played: Sequence[Round], seed: bytes) -> dict[int, Fraction]:
    """Everybody's, from the tables that are over."""
    found: dict[int, Fraction] = {}
    for number, round in enumerate(played, 1):
        for entrant, worth in round_points(form, round, seed, number).items():
            found[entrant] = found.get(entrant, Fraction(0)) + worth
    return found


def round_points(form: Form, round: Round, seed: bytes, number: int) -> dict[int, Fraction]:
    """What one round has brought; having no table counts as a win, in a round robin as nothing."""
    found = dict.fromkeys(round.byes, Fraction(0 if form.kind == "robin" else 1))
    for meeting in round.meetings:
        found |= _worth(form, round, meeting, seed, number)
    return found


def _worth(form: Form, round: Round, meeting: Meeting, seed: bytes, number: int) -> dict[int, Fraction]:
    """What a table has brought those who sat there; in a knock-out, whoever goes on has won."""
    if meeting.ranks is None:
        return dict.fromkeys(meeting.entrants, Fraction(0))
    if form.kind != "knockout":
        return {entrant: share(meeting.ranks, seat) for seat, entrant in enumerate(meeting.entrants)}
    order = in_order(meeting, seed, number)
    found = {entrant: share(range(len(order)), place) for place, entrant in enumerate(order)}
    on = [] if is_final(round) else advancing(meeting, seed, number)
    return found | dict.fromkeys(on, Fraction(1))


# ── How everybody stands ─────────────────────────────────────


def standings(form: Form, played: Sequence[Round], entrants: Iterable[int], seed: bytes) -> list[Line]:
    """By points; then the mean of the opponents' points; then who beat whom among those still level; then by lot."""
    scored, met = points(form, played, seed), _opponents(played)
    level: dict[tuple[Fraction, Fraction], list[int]] = {}
    for entrant in entrants:
        theirs = met.get(entrant, [])
        mean = sum((scored[other] for other in theirs), Fraction(0)) / len(theirs) if theirs else Fraction(0)
        level.setdefault((scored.get(entrant, Fraction(0)), mean), []).append(entrant)
    lines = list[Line]()
    for (had, mean), group in sorted(level.items(), reverse=True):
        direct = _direct(played, group)
        tied = Counter(direct.values())
        for entrant in sorted(group, key=lambda one: (-direct[one], lot(seed, 0, one))):
            lines.append(Line(entrant, len(lines) + 1, had, mean, direct[entrant], tied[direct[entrant]] > 1))
    return lines


def _over(played: Sequence[Round]) -> list[Meeting]:
    return [meeting for round in played for meeting in round.meetings if meeting.ranks is not None]


def _opponents(played: Sequence[Round]) -> dict[int, list[int]]:
    """Whom each has met at tables that are over, as often as they have."""
    met: dict[int, list[int]] = {}
    for meeting in _over(played):
        for one, other in itertools.permutations(meeting.entrants, 2):
            met.setdefault(one, []).append(other)
    return met


def _direct(played: Sequence[Round], group: Collection[int]) -> dict[int, int]:
    """Won less lost among these, at whatever tables they have met."""
    found = dict.fromkeys(group, 0)
    if len(found) < 2:
        return found
    for meeting in _over(played):
        assert meeting.ranks is not None
        for (one, mine), (other, theirs) in itertools.permutations(
            zip(meeting.entrants, meeting.ranks, strict=True), 2
        ):
            if one in found and other in found:
                found[one] += (mine < theirs) - (mine > theirs)
    return found


# ── Who meets whom next ──────────────────────────────────────


def next_round(form: Form, played: Sequence[Round], present: Collection[int], seed: bytes) -> Round | None:
    """The round after those that are over, among those who are present; None: the tournament is over."""
    draw = {"robin": _robin, "swiss": _swiss, "knockout": _knockout}[form.kind]
    drawn = draw(form, played, sorted(present), seed)
    if drawn is None:
        return None
    before = _places(played)
    number = len(played) + 1
    groups = drawn.tables if drawn.seated else [seated(group, before, seed, number) for group in drawn.tables]
    meetings = [Meeting(tuple(group)) for group in groups]
    return Round(tuple(meetings), tuple(drawn.byes))


class Draw(NamedTuple):
    """Who sits together, and who has no table; whether those at a table are in the order of its seats."""

    tables: list[list[int]]
    byes: list[int]
    seated: bool = False


def table_sizes(number: int, seats: int, least: int) -> list[int]:
    """How many sit at each table: as few tables as there can be, as even as can be; too few for one more sit out."""
    tables = -(-number // seats)
    while tables and number // tables < least:
        tables -= 1
    if not tables:
        return []
    seated = min(number, tables * seats)
    return [seated // tables + (table < seated % tables) for table in range(tables)]


def _by_lot(entrants: Iterable[int], seed: bytes, number: int) -> list[int]:
    return sorted(entrants, key=lambda one: lot(seed, number, one))


# A knock-out: drawn anew for each round.


def _knockout(form: Form, played: Sequence[Round], present: Sequence[int], seed: bytes) -> Draw | None:
    left = set(present)
    for number, round in enumerate(played, 1):
        if is_final(round):
            return None
        on = {entrant for meeting in round.meetings for entrant in advancing(meeting, seed, number)}
        left &= on | set(round.byes)
    if len(left) < max(2, form.least):
        return None
    order = _by_lot(left, seed, len(played) + 1)
    if form.seats == 2 and len(order) & (len(order) - 1):  # free rounds now, so that from the next on there are none
        games = len(order) - (1 << (len(order).bit_length() - 1))
        sizes = [2] * games
    else:
        sizes = table_sizes(len(order), form.seats, form.least)
    return _cut(order, sizes)


def _cut(order: Sequence[int], sizes: Sequence[int]) -> Draw:
    rest = iter(order)
    tables = [list(itertools.islice(rest, size)) for size in sizes]
    return Draw(tables, list(rest))


# A round robin: at tables of two the circle, in which all but one go round; at larger ones until everybody has met.


def _robin(form: Form, played: Sequence[Round], present: Sequence[int], seed: bytes) -> Draw | None:
    if len(present) < max(2, form.least):
        return None
    return _circle(played, present, seed) if form.seats == 2 else _until_all_have_met(form, played, present, seed)


def _circle(played: Sequence[Round], present: Sequence[int], seed: bytes) -> Draw | None:
    """Who would meet somebody who has left has no table."""
    first = played[0] if played else None
    begun = [*itertools.chain(*(m.entrants for m in first.meetings)), *first.byes] if first else present
    ring: list[int | None] = list(_by_lot(begun, seed, 0))
    if len(ring) % 2:
        ring.insert(0, None)
    turn = len(played)
    if turn >= len(ring) - 1:
        return None
    ring = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    couples = [[ring[n], ring[-1 - n]] for n in range(len(ring) // 2)]
    for n, couple in enumerate(couples):
        if turn % 2 if n == 0 else n % 2:
            couple.reverse()  # so everybody sits first in every second game, give or take one
    tables = [[one for one in couple if one is not None] for couple in couples if set(couple) <= set(present)]
    sitting = set(itertools.chain(*tables))
    return Draw(tables, [one for one in present if one not in sitting], seated=True)


def _until_all_have_met(form: Form, played: Sequence[Round], present: Sequence[int], seed: bytes) -> Draw | None:
    met = _met(played)
    strangers = [couple for couple in itertools.combinations(present, 2) if not met[frozenset(couple)]]
    if not strangers or len(played) >= MOST_ROUNDS:
        return None
    number = len(played) + 1
    free = Counter(itertools.chain(*(round.byes for round in played)))
    order = sorted(_by_lot(present, seed, number), key=lambda one: -free[one])  # who sat out, sits now
    drawn = _cut(order, table_sizes(len(order), form.seats, form.least))
    _improve(drawn.tables, met, lambda _: Fraction(0))
    if all(met[frozenset(couple)] for table in drawn.tables for couple in itertools.combinations(table, 2)):
        _bring_together(drawn, *min(strangers, key=lambda couple: lot(seed, number, couple[0])))
    return drawn


def _bring_together(drawn: Draw, one: int, other: int) -> None:
    """These two sit at one table, whoever has to make room for it."""
    for missing in (one, other):
        if missing in drawn.byes:
            table = drawn.tables[0]
            out = next(each for each in table if each not in (one, other))
            drawn.byes[drawn.byes.index(missing)] = out
            table[table.index(out)] = missing
    theirs = next(table for table in drawn.tables if one in table)
    if other not in theirs:
        away = next(table for table in drawn.tables if other in table)
        out = next(each for each in theirs if each != one)
        theirs[theirs.index(out)], away[away.index(other)] = other, out


# Swiss: neighbours in the standings meet, who have not met before if that can be.


def _swiss(form: Form, played: Sequence[Round], present: Sequence[int], seed: bytes) -> Draw | None:
    if len(played) >= form.rounds or len(present) < max(2, form.least):
        return None
    number, scored, met = len(played) + 1, points(form, played, seed), _met(played)
    order = sorted(_by_lot(present, seed, number), key=lambda one: -scored.get(one, Fraction(0)))
    free = Counter(itertools.chain(*(round.byes for round in played)))
    if form.seats == 2:
        return _couples(order, met, free)
    sizes = table_sizes(len(order), form.seats, form.least)
    byes = _sit_out(order, len(order) - sum(sizes), free)
    drawn = _cut([one for one in order if one not in byes], sizes)

    def unlike(table: Sequence[int]) -> Fraction:
        theirs = [scored.get(one, Fraction(0)) for one in table]
        return max(theirs) - min(theirs)

    _improve(drawn.tables, met, unlike)
    return Draw(drawn.tables, byes)


def _sit_out(order: Sequence[int], number: int, free: Mapping[int, int]) -> list[int]:
    """So many have no table: those who had the fewest free rounds, the last in the standings first."""
    return sorted(reversed(order), key=lambda one: free[one])[:number]


def _couples(order: Sequence[int], met: Mapping[frozenset[int], int], free: Mapping[int, int]) -> Draw:
    """Couples of neighbours, with as few who have met before as can be; of an odd number one has no table.

    From the first on, each gets the nearest of whom the rest can still be coupled as well as possible.
    """
    byes = list[int]()
    if len(order) % 2:
        least = min(free[one] for one in order)
        able = [one for one in reversed(order) if free[one] == least]
        byes = [min(able, key=lambda one: _rematches([other for other in order if other != one], met))]
    left = [one for one in order if one not in byes]
    allowed, tables = _rematches(left, met), list[list[int]]()
    while left:
        one, rest = left[0], left[1:]
        partner = next(
            other
            for other in sorted(rest, key=lambda other: met[frozenset((one, other))])  # stable: else the nearest
            if _rematches([each for each in rest if each != other], met) + bool(met[frozenset((one, other))]) <= allowed
        )
        allowed -= bool(met[frozenset((one, partner))])
        left = [each for each in rest if each != partner]
        tables.append([one, partner])
    return Draw(tables, byes)


def _rematches(entrants: Sequence[int], met: Mapping[frozenset[int], int]) -> int:
    """How many couples of these, who are even in number, must have met before."""
    strangers = [
        [n for n, other in enumerate(entrants) if other != one and not met[frozenset((one, other))]] for one in entrants
    ]
    return len(entrants) // 2 - most_couples(strangers)


def _met(played: Sequence[Round]) -> Counter[frozenset[int]]:
    """How often each couple has sat at a table."""
    return Counter(
        frozenset(couple)
        for round in played
        for meeting in round.meetings
        for couple in itertools.combinations(meeting.entrants, 2)
    )


def _improve(
    tables: list[list[int]], met: Mapping[frozenset[int], int], unlike: Callable[[Sequence[int]], Fraction]
) -> None:
    """Changes places as long as fewer meet again by it, or as few and those at a table are more alike."""

    def cost(*some: Sequence[int]) -> tuple[int, Fraction]:
        again = sum(met[frozenset(couple)] for table in some for couple in itertools.combinations(table, 2))
        return again, sum((unlike(table) for table in some), Fraction(0))

    better = True
    while better:
        better = False
        for one, other in itertools.combinations(tables, 2):
            for i, j in itertools.product(range(len(one)), range(len(other))):
                before = cost(one, other)
                one[i], other[j] = other[j], one[i]
                if cost(one, other) < before:
                    better = True
                else:
                    one[i], other[j] = other[j], one[i]


# ── Who sits where ───────────────────────────────────────────


def _places(played: Sequence[Round]) -> Counter[tuple[int, int]]:
    """How often each has sat in each place."""
    return Counter(
        (entrant, seat)
        for round in played
        for meeting in round.meetings
        for seat, entrant in enumerate(meeting.entrants)
    )


def seated(group: Sequence[int], before: Mapping[tuple[int, int], int], seed: bytes, number: int) -> list[int]:
    """A table's seats in turn: who has sat in a place less often sits there; where that is alike, by lot."""
    order = _by_lot(group, seed, number)
    better = True
    while better:
        better = False
        for i, j in itertools.combinations(range(len(order)), 2):
            one, other = order[i], order[j]
            stay = before[one, i] ** 2 + before[other, j] ** 2
            if before[one, j] ** 2 + before[other, i] ** 2 < stay:
                order[i], order[j] = other, one
                better = True
    return order
