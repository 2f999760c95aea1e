"""Facts: what can happen in a game, declared once, as actions are.

A game's `facts.py` lists its kinds of fact, each with its named values and their types:

    CARD = names("card", CARD_IDS)
    FACTS = Facts()
    RESERVED = FACTS.kind("reserved", level=LEVEL, slot=optional(SLOT), joker=FLAG, card=secret(CARD))
    NEW_ROUND = FACTS.of_the_table("new_round", round=NUMBER)

`kind` returns a number, with which the rules tell that it happened: `tell(log, RESERVED, seat, audience, level, slot,
joker, card)`; from the ninth value on they go on with `tell_more`. A type says how a value is held in whole numbers,
written as JSON, typed in TypeScript and described in the docs. From the list follow the JSON of an event, what is hidden
from those outside the audience, the values of its sentences, the page's types and the tables in the docs
(`tools/generate.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from .actions import Actions
from .kernel import Log
from .log import AUDIENCE, BUNDLE_BITS, FIRST_VALUE, KIND, MORE, NOTHING, SEAT, UNSAID
from .record import EVERYONE

Json = dict[str, Any]
State = Any  # a record of the game's own fields
Words = Mapping[str, str]  # by language
FEW_NAMES = 12  # so many names are listed one by one, in TypeScript and in the docs


# ── Types of values ──────────────────────────────────────────


@dataclass(frozen=True)
class Value:
    """A type of value. `write` makes JSON of its whole numbers and the record as the viewer may see it."""

    name: str  # sentences find by it how to say the value: `Game.spoken` here, `sayers` on the page
    typescript: str
    meaning: Words
    write: Callable[..., Any] = field(repr=False)  # (record, *numbers) → JSON
    holds: Callable[..., bool] = field(repr=False)  # (*numbers): whether rules may tell this
    columns: int = 1
    words: str = ""  # the catalogues have its words as `<words>.<value>`
    is_optional: bool = False
    is_secret: bool = False
    source: str = ""  # another value of the same fact: this one is made of its numbers
    in_json: bool = True  # or only in sentences


def number(name: str = "number", least: int = 0, most: int | None = None, words: str = "") -> Value:
    """A whole number, written as it is held."""
    meaning = {"en": "a number", "it": "un numero"} if most is None else _from_to(least, most)
    return Value(name, "number", meaning, _itself, lambda n: least <= n and (most is None or n <= most), words=words)


def counted(name: str, most: int, words: str = "") -> Value:
    """The place of something among `most`: held from 0, written from 1."""
    return Value(name, "number", _from_to(1, most), lambda _, n: n + 1, lambda n: 0 <= n < most, words=words)


def names(name: str, known: Sequence[str], words: str = "", first: int = 0, meaning: Words | None = None) -> Value:
    """One of these names: held as its place, from `first` on. Say their `meaning` if they are many."""
    few = len(known) <= FEW_NAMES
    typescript = " | ".join(f"'{one}'" for one in known) if few else "string"
    listed = ", ".join(f"`{one}`" for one in known)
    table = tuple(known)
    return Value(
        name,
        typescript,
        meaning or {"en": listed, "it": listed},
        lambda _, n: table[n - first],
        lambda n: 0 <= n - first < len(table),
        words=words,
    )


def names_by(name: str, known: Callable[[State], Sequence[str]], most: int, meaning: Words) -> Value:
    """One of `most` names at most that depend on the record, such as the cards of an edition."""
    return Value(name, "string", meaning, lambda record, n: known(record)[n], lambda n: 0 <= n < most)


def tally(name: str, places: int) -> Value:
    """Small counts, one for each place; rules add up `bundle(place, count)`."""
    assert BUNDLE_BITS * places < 32, f"{name} does not fit into a column"
    shifts = [BUNDLE_BITS * place for place in range(places)]
    mask = (1 << BUNDLE_BITS) - 1
    meaning = {"en": f"{places} counts", "it": f"{places} numeri"}
    return Value(
        name,
        "number[]",
        meaning,
        lambda _, n: [n >> shift & mask for shift in shifts],
        lambda n: 0 <= n < 1 << BUNDLE_BITS * places,
    )


def several(one: Value, count: int, name: str = "") -> Value:
    """So many values of a type, each in a column of its own; one that is not there is null."""
    meaning = {"en": f"{count} of: {one.meaning['en']}", "it": f"{count} di: {one.meaning['it']}"}
    element = _in_brackets(typed(one))
    return Value(
        name or f"{one.name}s",
        f"{element}[]" if count > 2 else f"[{', '.join([typed(one)] * count)}]",
        meaning,
        lambda record, *held: [None if n == NOTHING and one.is_optional else one.write(record, n) for n in held],
        lambda *held: all((n == NOTHING and one.is_optional) or one.holds(n) for n in held),
        columns=count,
    )


def up_to(one: Value, count: int, name: str = "") -> Value:
    """A list of at most so many values, each in a column of its own; NOTHING from its end on."""
    meaning = {"en": f"up to {count} of: {one.meaning['en']}", "it": f"fino a {count} di: {one.meaning['it']}"}
    return Value(
        name or f"{one.name}s",
        f"{_in_brackets(typed(one))}[]",
        meaning,
        lambda record, *held: [one.write(record, n) for n in held if n != NOTHING],
        lambda *held: (
            list(held) == sorted(held, key=lambda n: n == NOTHING) and all(n == NOTHING or one.holds(n) for n in held)
        ),
        columns=count,
    )


def optional(one: Value, none: int = NOTHING) -> Value:
    """A value that may be missing: held as NOTHING (or `none`), written as null."""
    write, holds = one.write, one.holds
    return replace(
        one,
        is_optional=True,
        write=lambda record, *held: None if held[0] == none else write(record, *held),
        holds=lambda *held: held[0] == none or holds(*held),
    )


def secret(one: Value) -> Value:
    """A value that only the audience of a fact may know; others get null."""
    return replace(one, is_secret=True)


def also(source: str, one: Value) -> Value:
    """Another value made of the same numbers as `source`."""
    return replace(one, source=source)


def said(source: str, name: str) -> Value:
    """Something that sentences say and JSON does not repeat, made from the value `source` (or from the record: '')."""
    return Value(name, "", {}, _itself, lambda *_: True, columns=0, source=source, in_json=False)


def carried(name: str, typescript: str, en: str, it: str) -> Value:
    """A value of choices that is not told by rules: only its type and meaning are needed."""
    return Value(name, typescript, {"en": en, "it": it}, _itself, lambda *_: True)


def typed(value: Value) -> str:
    """The type in TypeScript, with null where it may be missing or hidden."""
    return f"{value.typescript} | null" if value.is_optional or value.is_secret else value.typescript


def _itself(_record: State, held: int) -> int:
    return held


# Choices that may follow in the same message, where they are no choices by themselves yet.
THEN = carried("then", "Choice[]", "what may follow in the same message", "che cosa può seguire nello stesso messaggio")


def _in_brackets(typescript: str) -> str:
    return f"({typescript})" if "|" in typescript else typescript


def _from_to(least: int, most: int) -> Words:
    return {"en": f"{least} to {most}", "it": f"da {least} a {most}"}


NUMBER = number()
SEAT_NUMBER = replace(number("seat"), meaning={"en": "a seat", "it": "un posto"}, holds=lambda n: 0 <= n < 16)
SEATS = Value(
    "seats",
    "number[]",
    {"en": "seats", "it": "posti"},
    lambda _, bits: [seat for seat in range(16) if bits >> seat & 1],
    lambda bits: 0 < bits < 1 << 16,
)  # held as a bit for each seat
FLAG = Value(
    "flag", "boolean", {"en": "true or false", "it": "true o false"}, lambda _, n: bool(n), lambda n: n in (0, 1)
)


# ── Kinds of fact ────────────────────────────────────────────


@dataclass(frozen=True)
class Kind:
    """A kind of fact: its number and name, its values in the order of JSON, and where each is among the told numbers."""

    number: int
    name: str
    values: Mapping[str, Value]
    columns: Mapping[str, slice]
    width: int  # how many numbers are told
    secrets: int  # which of them are only for the audience, as bits
    of_the_table: bool


class Fact(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened: the numbers that were told, None where this viewer may not know them."""

    kind: int
    seat: int
    values: tuple[int | None, ...]
    secrets: int = 0  # which of the numbers are secret, as bits
    audience: int = EVERYONE

    def seen_by(self, viewer: int) -> Fact:
        """The fact as this viewer may know it; the audience itself is nobody's business."""
        if self.audience == EVERYONE:
            return self
        if self.audience >> viewer & 1:
            return Fact(self.kind, self.seat, self.values, self.secrets)
        known = tuple(None if self.secrets >> n & 1 else value for n, value in enumerate(self.values))
        return Fact(self.kind, self.seat, known, self.secrets)


# A fact of every game, which no rules tell: steps were taken back, all that was told after so many facts.
TAKEN_BACK = -1
TAKEN_BACK_NAME = "taken_back"


def taken_back(seat: int, told: int) -> Fact:
    """This seat has taken back what was told after the first `told` facts."""
    return Fact(TAKEN_BACK, seat, (told,))


def seated(_record: State, seat: int) -> Json:
    """To whom a fact happens: a seat, or nobody."""
    return {"seat": None if seat < 0 else seat}


class Facts:
    """All kinds of fact of a game.

    `who` writes whom a fact happens to (`doers`: its keys and their types in TypeScript), the last of which has a name in
    sentences; `always` are names that every sentence of the game may use.
    """

    def __init__(
        self,
        who: Callable[[State, int], Json] = seated,
        doers: Mapping[str, str] | None = None,
        always: Sequence[str] = (),
    ) -> None:
        self.kinds: list[Kind] = []
        self.who = who
        self.doers = dict(doers or {"seat": "number"})
        self.doer = list(self.doers)[-1]
        self.always = {name: said("", name) for name in always}
        self._written: list[list[tuple[str, int, int, Callable[..., Any]]]] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds of fact, by number."""
        return tuple(kind.name for kind in self.kinds)

    def kind(self, name: str, /, **values: Value) -> int:
        """Adds a kind of fact that happens to a seat; returns its number. `from_` stands for `from`."""
        return self._add(name, values, of_the_table=False)

    def of_the_table(self, name: str, /, **values: Value) -> int:
        """Adds a kind of fact that happens to nobody in particular: it is told with NOBODY as seat."""
        return self._add(name, values, of_the_table=True)

    def _add(self, name: str, values: Mapping[str, Value], of_the_table: bool) -> int:
        values = {key.rstrip("_"): value for key, value in values.items()}
        columns: dict[str, slice] = {}
        width = 0
        for key, value in values.items():
            if not value.source:
                columns[key] = slice(width, width + value.columns)
                width += value.columns
        for key, value in values.items():
            if value.source:
                columns[key] = columns[value.source]
        hidden = [columns[key] for key, value in values.items() if value.is_secret]
        secrets = sum((1 << place.stop) - (1 << place.start) for place in hidden)
        found = Kind(len(self.kinds), name, values, columns, width, secrets, of_the_table)
        self.kinds.append(found)
        self._written.append(
            [
                (key, columns[key].start, columns[key].stop, value.write)
                for key, value in values.items()
                if value.in_json
            ]
        )
        return found.number

    def read(self, log: Log) -> list[Fact]:
        """What the log holds, oldest first; empties it."""
        told: list[list[int]] = []
        for row in log.taken():
            if row[KIND] == MORE:
                told[-1] += row[FIRST_VALUE:]
            else:
                told.append(row)
        return [self._fact(row) for row in told]

    def _fact(self, row: list[int]) -> Fact:
        kind = self.kinds[row[KIND]]
        told = tuple([number for number in row[FIRST_VALUE:] if number != UNSAID])
        assert len(told) == kind.width, f"{kind.name} was told with {len(told)} numbers, not {kind.width}"
        return Fact(row[KIND], row[SEAT], told, kind.secrets, row[AUDIENCE])

    def name_of(self, fact: Fact) -> str:
        """The kind of a fact."""
        return TAKEN_BACK_NAME if fact.kind == TAKEN_BACK else self.kinds[fact.kind].name

    def named(self, record: State, fact: Fact) -> Json:
        """The fact as JSON: kind, whom it happens to, and its values by name; what the viewer may not know is null."""
        if fact.kind == TAKEN_BACK:
            return {"kind": TAKEN_BACK_NAME, "seat": fact.seat, "after": fact.values[0]}
        event = {"kind": self.kinds[fact.kind].name, **self.who(record, fact.seat)}
        told = fact.values
        for key, first, end, write in self._written[fact.kind]:
            event[key] = None if told[first] is None else write(record, *told[first:end])
        return event

    def values_of(self, kind: str) -> dict[str, Value]:
        """What a sentence about this kind of fact may say, by name."""
        return {**self.always, **next(found.values for found in self.kinds if found.name == kind)}


# ── Choices ──────────────────────────────────────────────────


class Choices:
    """What the choices of a game carry: the arguments of their action, and what `Game.choice` adds for the page.

    `arguments` types arguments by their name (the others are what the actions show: numbers, or one of a few names).
    """

    def __init__(
        self,
        actions: Actions,
        arguments: Mapping[str, Value] | None = None,
        always: Sequence[str] = (),
        **carried: Mapping[str, Value],
    ) -> None:
        self.kinds: dict[str, dict[str, Value]] = {}
        self.carried: dict[str, tuple[str, ...]] = {}  # what comes with each kind beside its arguments
        self.always = {name: said("", name) for name in always}
        for kind in carried:
            assert kind in actions.names, f"there is no action {kind}"
        for kind, names_of_arguments in actions.names.items():
            typed_by_name = {name: (arguments or {}).get(name) for name in names_of_arguments}
            shown = {name: value or _seen(actions, kind, name) for name, value in typed_by_name.items()}
            more = {key.rstrip("_"): value for key, value in carried.get(kind, {}).items()}
            self.carried[kind] = tuple(key for key, value in more.items() if value.in_json)
            self.kinds[kind] = shown | more

    def values_of(self, kind: str) -> dict[str, Value]:
        """What a sentence about this kind of choice may say, by name."""
        return {**self.always, **self.kinds[kind]}


def _seen(actions: Actions, kind: str, name: str) -> Value:
    """The type of an argument, from every action that has it."""
    met = list(dict.fromkeys(_arguments(actions, kind, name)))
    if all(isinstance(one, int) for one in met):
        return number(name, int(min(met)), int(max(met)))
    return names(name, [str(one) for one in met])


def _arguments(actions: Actions, kind: str, name: str) -> Iterator[Any]:
    place = actions.names[kind].index(name)
    for n in range(len(actions)):
        action = actions.decode(n)
        if action.kind == kind:
            yield action.arguments[place]
