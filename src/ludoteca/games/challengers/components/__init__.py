"""What is printed on the components, read from the files beside this one; cards are numbered by title and level («kinds»).

Copies of a card cannot be told apart, so the rules count them by kind. A new card is a row of `cards.csv`: its timing, what
it does (`effect`, `amount`, `measure`, `which`) and whether it must; only an effect of a new sort needs a function in
`rules/effects.py`.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.forms import Cells, Column, Form, Mistake, Words, chosen, in_a_line, written
from ludoteca.core.record import Cube, Grid, Row
from ludoteca.core.sheets import read_sheet

from .texts import does_the_same, text_of

if TYPE_CHECKING:
    from ludoteca.core.decks import Deck

HERE = pathlib.Path(__file__).parent

ROUNDS = 7
PARKS = 4
PARK_NAMES = ("green", "red", "purple", "yellow")
SETS = ("city", "castle", "film-studio", "funfair", "haunted-house", "outer-space", "shipwreck", "robot")
SET_COUNT = len(SETS)
CITY, OUTER_SPACE, ROBOT_SET = 0, 5, 7
FIRST_EXTRA_SET, EXTRA_SETS = 1, 6
LEVEL_NAMES = ("P", "A", "B", "C", "R", "SOLO")
P, A, B, C, R = range(5)  # a SOLO card counts as one of level R once it is in the Robot's deck
LEVELS = 5
DRAFT_LEVELS = 3  # A, B and C have decks to draw from: stack 0, 1, 2

TIMINGS = (
    "",
    "immediate",
    "while_attacking",
    "from_bench",
    "flag_possession",
    "flag_lost",
    "flag_gained",
    "when_chosen",
)
(NO_TIMING, IMMEDIATE, WHILE_ATTACKING, FROM_BENCH, FLAG_POSSESSION, FLAG_LOST, FLAG_GAINED, WHEN_CHOSEN) = range(8)

EFFECTS = (
    "", "power", "help", "help_attack", "help_flag", "fans", "rival_fans", "sink", "reorder", "search_top", "search_bottom",
    "exhaust", "exhaust_rival", "rival_exhausts", "recall", "rival_recalls", "retire", "cheer", "replace", "gain_top",
    "gain_bottom", "rival_gains_top", "exhaust_rival_top", "exhaust_bottom", "bench_rival_top", "exchange",
)  # fmt: skip
(
    NO_EFFECT, POWER_BONUS, HELP, HELP_ATTACK, HELP_FLAG, FANS, RIVAL_FANS, SINK, REORDER, SEARCH_TOP, SEARCH_BOTTOM,
    EXHAUST, EXHAUST_RIVAL, RIVAL_EXHAUSTS, RECALL, RIVAL_RECALLS, RETIRE, CHEER, REPLACE, GAIN_TOP,
    GAIN_BOTTOM, RIVAL_GAINS_TOP, EXHAUST_RIVAL_TOP, EXHAUST_BOTTOM, BENCH_RIVAL_TOP, EXCHANGE,
) = range(len(EFFECTS))  # fmt: skip

MEASURES = (
    "", "one", "bench_card", "any_bench_card", "no_bench_card", "bench_set", "free_seat", "low_deck", "few_trophies",
    "rival_trophy", "rival_bench_card", "rival_bench_set",
)  # fmt: skip
(
    NO_MEASURE, ONE, BENCH_CARD, ANY_BENCH_CARD, NO_BENCH_CARD, BENCH_SET, FREE_SEAT, LOW_DECK, FEW_TROPHIES,
    RIVAL_TROPHY, RIVAL_BENCH_CARD, RIVAL_BENCH_SET,
) = range(len(MEASURES))  # fmt: skip

ONE_CARD = (
    "sink", "search_top", "search_bottom", "retire", "replace", "exhaust_rival_top", "exhaust_bottom", "bench_rival_top",
)  # fmt: skip
ASKED_OF_A_BENCH = ("exhaust", "exhaust_rival", "rival_exhausts", "recall", "rival_recalls")  # which of its cards

ANY, OF_SET, OF_POWER, OF_LEVEL, OF_NAME = range(5)  # what `which` asks of a card
THE_ROUND = -1  # the base power of a card whose power is the number of the round


@dataclass(frozen=True)
class Card:
    """All copies of one card."""

    id: str
    name: str
    name_it: str
    set: str
    level: str
    power: int
    copies: int
    timing: str
    effect: str
    amount: int
    measure: str
    which: str
    must: bool


def read_filter(which: str) -> tuple[int, int, int]:
    """`set castle`, `power 2`, `power 0-3`, `level B`, `name Newcomer` → kind of filter, lowest and highest value."""
    if not which:
        return ANY, 0, 0
    what, _, value = which.partition(" ")
    if what == "set":
        n = SETS.index(value)
        return OF_SET, n, n
    if what == "level":
        n = LEVEL_NAMES.index(value)
        return OF_LEVEL, n, n
    if what == "power":
        low, _, high = value.partition("-")
        return OF_POWER, int(low), int(high or low)
    if what == "name":
        return OF_NAME, 0, 0  # the number of the name is looked up when all cards are known
    raise ValueError(f"«{which}» is no filter")


# What a deck must look like: cards, trophies and plans are rows of one table.

PLAYERS = ("1-2", "3-4", "5-6", "7-8")  # §1.2 plans are for so many
MOST_KINDS = 126  # the record counts kinds in a byte
MOST_IN_STACK = 127
FEWEST_IN_STACK = 40  # §3.3 five cards for each of eight players
FEWEST_ROBOT_CARDS = 5  # §9.8 the highest difficulty draws as many
MOST_ROBOT_CARDS = 60
SHARED_BY = 8  # players that the starting cards are for
REPLACED = ("robot-alpha-p", "robot-beta-p", "robot-good-bot-p", "robot-champ-p")  # §9.8 by the difficulties
STARTING = ("city-newcomer-p", "city-talent-p", "city-dog-p", "city-champion-p", *REPLACED, "robot-cyborg-p")

_AT_ONCE = ("immediate", "flag_gained", "flag_lost")
_ASKING = ("immediate", "flag_lost")
# When each effect can happen: what the rules do at which moment.
MOMENTS: dict[str, tuple[str, ...]] = {
    "power": ("immediate", "while_attacking", "flag_possession"),
    **dict.fromkeys(("help", "help_attack", "help_flag"), ("from_bench",)),
    "fans": (*_AT_ONCE, "when_chosen"),
    "rival_fans": _AT_ONCE,
    **dict.fromkeys(("sink", "reorder", "search_top", "search_bottom", *ASKED_OF_A_BENCH), _ASKING),
    **dict.fromkeys(("retire", "cheer", "replace"), ("flag_lost",)),
    **dict.fromkeys(("gain_top", "gain_bottom", "rival_gains_top"), _ASKING),
    **dict.fromkeys(("exhaust_rival_top", "exhaust_bottom"), _ASKING),
    "bench_rival_top": ("flag_gained",),
    "exchange": ("when_chosen",),
}
FROM_A_LEVEL = ("gain_top", "gain_bottom", "rival_gains_top", "replace")  # `which` names level A or B
OF_ANY_CARD = ("sink", "reorder", "search_top", "search_bottom", "retire", "cheer", "exhaust_rival_top",
               "exhaust_bottom", "bench_rival_top")  # fmt: skip
OF_A_CARD = ("bench_card", "any_bench_card", "no_bench_card", "rival_bench_card")  # measures that `which` speaks of
MOST_AMOUNT = {"reorder": 3, "exchange": 3, **dict.fromkeys((*ASKED_OF_A_BENCH, *FROM_A_LEVEL), 3)}


def card_of(row: Mapping[str, str]) -> Card:
    """A card from its row."""
    return Card(
        row["id"], row["name"], row["name_it"] or row["name"], row["set"], row["level"],
        THE_ROUND if row["power"] == "round" else int(row["power"]), int(row["copies"]), row["timing"],
        row["effect"], int(row["amount"] or 0), row["measure"], row["which"], row["must"] == "yes",
    )  # fmt: skip


def check_card(row: Cells) -> Iterator[Mistake]:
    """What a card does must be something the rules can do."""
    card = card_of(row)
    if bool(card.timing) != bool(card.effect):
        yield row.wrong("effect" if card.timing else "timing", "timing_and_effect")
        return
    if not card.effect:
        for column in ("amount", "measure", "which", "must"):
            if row[column]:
                yield row.wrong(column, "no_effect", value=row[column])
        return
    if card.timing not in MOMENTS[card.effect]:
        moments = ", ".join(MOMENTS[card.effect])
        yield row.wrong("timing", "moment", effect=card.effect, timing=card.timing, moments=moments)
    yield from check_amount(row, card)
    wants = card.effect == "power" or card.effect.endswith("fans")
    if wants != bool(card.measure):
        yield row.wrong("measure", "measure", effect=card.effect)
    elif card.timing == "when_chosen" and card.measure not in ("", "one"):
        yield row.wrong("measure", "measure_chosen")
    yield from check_filter(row, card)


def check_amount(row: Cells, card: Card) -> Iterator[Mistake]:
    """How much."""
    if card.effect in ONE_CARD and card.amount != 1:
        yield row.wrong("amount", "one_card", effect=card.effect)
    elif card.must and card.effect in ASKED_OF_A_BENCH and card.amount != 1:
        yield row.wrong("amount", "must_one")
    elif card.amount == 0 or (card.amount < 0 and card.effect != "power"):
        yield row.wrong("amount", "amount", value=card.amount)
    elif card.amount > MOST_AMOUNT.get(card.effect, card.amount):
        yield row.wrong("amount", "bounds", value=card.amount, low=1, high=MOST_AMOUNT[card.effect])
    if card.must and card.effect not in ("sink", "reorder", "search_top", "search_bottom", *ASKED_OF_A_BENCH):
        yield row.wrong("must", "must_nothing", effect=card.effect)
    elif not card.must and card.effect in ("sink", "reorder", "search_top", "search_bottom"):
        yield row.wrong("must", "must_always", effect=card.effect)


def check_filter(row: Cells, card: Card) -> Iterator[Mistake]:
    """Of which cards."""
    try:
        read_filter(card.which)
    except (ValueError, IndexError):
        yield row.wrong("which", "which", value=card.which)
        return
    if card.effect in FROM_A_LEVEL:
        if card.which not in ("level A", "level B"):
            yield row.wrong("which", "which_level", effect=card.effect)
    elif card.which and (card.effect in OF_ANY_CARD or (card.measure and card.measure not in OF_A_CARD)):
        yield row.wrong("which", "which_nothing", effect=card.effect)


def check_cards(rows: list[Cells]) -> Iterator[Mistake]:
    """Each card by itself."""
    for row in rows:
        if row["kind"] == "card":
            yield from check_card(row)


def check_table(rows: list[Cells]) -> Iterator[Mistake]:
    """What the rules need of all cards, trophies and plans together."""
    cards = [row for row in rows if row["kind"] == "card"]
    names = {row["name"] for row in cards}
    for row in cards:
        if row["which"].startswith("name ") and row["which"].removeprefix("name ") not in names:
            yield row.wrong("which", "which_name", value=row["which"].removeprefix("name "))
    if len(cards) > MOST_KINDS:
        yield Mistake(0, "", "many_kinds", {"found": len(cards), "most": MOST_KINDS})
    yield from check_starting(cards)
    for level in "ABC":
        copies = {name: 0 for name in SETS}
        for row in cards:
            if row["level"] == level:
                copies[row["set"]] += row.number("copies")
        extra = [copies[name] for name in SETS[FIRST_EXTRA_SET : FIRST_EXTRA_SET + EXTRA_SETS]]
        least, most = sum(copies.values()) - max(extra), sum(copies.values()) - min(extra)
        if least < FEWEST_IN_STACK or most > MOST_IN_STACK:
            found = least if least < FEWEST_IN_STACK else most
            facts = {"level": level, "found": found, "least": FEWEST_IN_STACK, "most": MOST_IN_STACK}
            yield Mistake(0, "copies", "stack", facts)
    robot = sum(row.number("copies") for row in cards if row["level"] == "R")
    with_solo = robot + sum(row.number("copies") for row in cards if row["level"] == "SOLO")
    if robot < FEWEST_ROBOT_CARDS or with_solo > MOST_ROBOT_CARDS:
        facts = {"found": robot, "least": FEWEST_ROBOT_CARDS, "most": MOST_ROBOT_CARDS}
        yield Mistake(0, "copies", "robot_cards", facts)
    yield from check_trophies([row for row in rows if row["kind"] == "trophy"])
    yield from check_plans([row for row in rows if row["kind"] == "plan"])


def check_starting(cards: list[Cells]) -> Iterator[Mistake]:
    """§1.8, §9.1 The rules name the cards that everybody and the Robot begin with."""
    by_id = {row["id"]: row for row in cards}
    for id in STARTING:
        if id not in by_id or by_id[id]["level"] != "P" or by_id[id]["set"] != id.partition("-")[0]:
            yield Mistake(by_id[id].line if id in by_id else 0, "id", "starting", {"id": id})
    for row in cards:
        if row["level"] == "P" and row["id"] not in STARTING:
            yield row.wrong("level", "not_starting", ids=", ".join(STARTING))
        elif row["level"] == "P" and row["set"] == "city" and row.number("copies") % SHARED_BY:
            yield row.wrong("copies", "eighths", value=row["copies"], players=SHARED_BY)
        if (row["set"] == "robot") != (row["level"] in ("R", "SOLO")) and row["level"] != "P":
            yield row.wrong("set", "robot_set", level=row["level"])


def check_trophies(rows: list[Cells]) -> Iterator[Mistake]:
    """§1.4 Four trophies for each round: one for each park."""
    for number in range(1, ROUNDS + 1):
        found = sum(row.number("count") for row in rows if row["round"] == str(number))
        if found != PARKS:
            yield Mistake(0, "count", "trophies", {"round": number, "found": found, "needed": PARKS})


def check_plans(rows: list[Cells]) -> Iterator[Mistake]:
    """§1.2 In every round two plans meet in each park; §9.2 the first, the Robot's, stays in the first park."""
    for pairs, players in enumerate(PLAYERS, 1):
        plans = [row for row in rows if row["players"] == players]
        if sorted(row["plan"] for row in plans) != [str(n) for n in range(1, 2 * pairs + 1)]:
            yield Mistake(0, "plan", "plans", {"players": players, "needed": 2 * pairs})
            continue
        for number in range(1, ROUNDS + 1):
            parks = sorted(row[f"round_{number}"] for row in plans)
            if parks != sorted([str(park) for park in range(1, pairs + 1)] * 2):
                yield Mistake(plans[0].line, f"round_{number}", "meeting", {"players": players, "parks": pairs})
        for row in plans:
            if row["plan"] == "1" and any(row[f"round_{n}"] != "1" for n in range(1, ROUNDS + 1)):
                yield row.wrong("round_1", "first_plan", players=players)


def titles_of(content: list[dict[str, str]]) -> Words:
    """The cards' titles (where there is no Italian one, the other serves), and what those say that do something new."""
    printed = {row["id"]: row for row in read_sheet(HERE / "cards.csv", ())}
    found: dict[str, dict[str, str]] = {"en": {}, "it": {}}
    for row in content:
        if row["kind"] == "card":
            titles = {"en": row["name"], "it": row["name_it"] or row["name"]}
            for language, words in found.items():
                words[f"card.{row['id']}"] = titles[language]
                if not does_the_same(row, printed.get(row["id"])):
                    words[f"text.{row['id']}"] = text_of(row, language)
    return found


def printed_content() -> list[dict[str, str]]:
    """The three printed files as one table."""
    files = (("card", "cards.csv"), ("trophy", "trophies.csv"), ("plan", "plans.csv"))
    rows = [{"kind": kind, **row} for kind, file in files for row in read_sheet(HERE / file, ())]
    head = [column.key for column in FORM.columns]
    content, wrong = FORM.read(written(head, rows))
    if wrong:
        raise BadData(in_a_line(wrong[0], "cards, trophies, plans", HERE.parent), "bad_components")
    found: list[dict[str, str]] = content
    return found


_card, _trophy, _plan = ("card",), ("trophy",), ("plan",)
FORM = Form(
    "cards",
    (
        Column("kind", "choice", values=("card", "trophy", "plan")),
        Column("id", "id", of=_card),
        Column("name", "text", of=_card),
        Column("name_it", "text", of=_card, empty=""),
        Column("set", "choice", values=SETS, of=_card),
        Column("level", "choice", values=LEVEL_NAMES, of=_card),
        Column("power", "number", 0, 20, ("round",), of=_card),
        Column("copies", "number", 1, 24, of=_card),
        Column("timing", "choice", values=TIMINGS, of=_card, empty=""),
        Column("effect", "choice", values=EFFECTS, of=_card, empty=""),
        Column("amount", "number", -5, 5, of=_card, empty=""),
        Column("measure", "choice", values=MEASURES, of=_card, empty=""),
        Column("which", "text", of=_card, empty=""),
        Column("must", "choice", values=("", "yes"), of=_card, empty=""),
        Column("round", "number", 1, ROUNDS, of=_trophy),
        Column("fans", "number", 0, 20, of=_trophy),
        Column("count", "number", 1, PARKS, of=_trophy),
        Column("players", "choice", values=PLAYERS, of=_plan),
        Column("plan", "number", 1, 2 * PARKS, of=_plan),
        *(Column(f"round_{n}", "number", 1, PARKS, of=_plan) for n in range(1, ROUNDS + 1)),
    ),
    ("card", "trophy", "plan"),
    check_table,
    check_cards,
    printed_content,
    words=titles_of,
)

DECK: Deck | None = chosen(__name__)
CONTENT: list[dict[str, str]] = FORM.printed() if DECK is None else DECK.content
OWN_WORDS: Words = {} if DECK is None else titles_of(CONTENT)
# The starting cards come first: State counts those that leave the game by their numbers.
CARDS = sorted(
    [card_of(row) for row in CONTENT if row["kind"] == "card"],
    key=lambda card: STARTING.index(card.id) if card.id in STARTING[:4] else len(STARTING),
)
KINDS = len(CARDS)
KIND = {card.id: kind for kind, card in enumerate(CARDS)}
NAMES = tuple(dict.fromkeys(card.name for card in CARDS))

SET: Row = np.array([SETS.index(card.set) for card in CARDS], np.int64)
LEVEL: Row = np.array([min(LEVEL_NAMES.index(card.level), R) for card in CARDS], np.int64)
POWER: Row = np.array([card.power for card in CARDS], np.int64)
COPIES: Row = np.array([card.copies for card in CARDS], np.int64)
TIMING: Row = np.array([TIMINGS.index(card.timing) for card in CARDS], np.int64)
EFFECT: Row = np.array([EFFECTS.index(card.effect) for card in CARDS], np.int64)
AMOUNT: Row = np.array([card.amount for card in CARDS], np.int64)
MEASURE: Row = np.array([MEASURES.index(card.measure) for card in CARDS], np.int64)
MUST: Row = np.array([card.must for card in CARDS], np.int64)
NAME: Row = np.array([NAMES.index(card.name) for card in CARDS], np.int64)
HELPS: Row = np.array([card.timing == "from_bench" for card in CARDS], np.int64)

_filters = [read_filter(card.which) for card in CARDS]
FILTER: Row = np.array([f[0] for f in _filters], np.int64)
LOWEST: Row = np.array([f[1] for f in _filters], np.int64)
HIGHEST: Row = np.array([f[2] for f in _filters], np.int64)
for _kind, _known in enumerate(CARDS):
    if FILTER[_kind] == OF_NAME:
        LOWEST[_kind] = HIGHEST[_kind] = NAMES.index(_known.which.removeprefix("name "))

SAME_NAME = max(list(NAME).count(n) for n in range(len(NAMES)))  # kinds that share a name, at most
OF_THE_NAME: Grid = np.full((len(NAMES), SAME_NAME), -1, np.int64)  # the kinds of each name, then -1
for _kind in range(KINDS):
    _name = NAME[_kind]
    OF_THE_NAME[_name, list(OF_THE_NAME[_name]).index(-1)] = _kind

# §1.8 A starting deck: the P cards of the City, shared out among eight players.
START: Row = np.array([c.copies // 8 if c.level == "P" and c.set == "city" else 0 for c in CARDS], np.int64)

# §9 The Robot: its starting cards, and what the difficulties replace.
ROBOT_START: Row = np.array([c.copies if c.level == "P" and c.set == "robot" else 0 for c in CARDS], np.int64)
ROBOT_REPLACED: Row = np.array([KIND[id] for id in REPLACED], np.int64)
ROBOT_CARDS: Row = np.array([k for k, c in enumerate(CARDS) if c.level == "R" for _ in range(c.copies)], np.int64)
SOLO_CARDS: Row = np.array([k for k, c in enumerate(CARDS) if c.level == "SOLO" for _ in range(c.copies)], np.int64)

# The decks of levels A, B and C; §1.7 the City and five of the six other sets are in play.
IN_LEVEL: Grid = np.array([[LEVEL[k] == A + n for k in range(KINDS)] for n in range(DRAFT_LEVELS)], np.int64)
STACK = max(
    sum(c.copies for c in CARDS if c.level == level and c.set != SETS[out])
    for level in "ABC"
    for out in range(FIRST_EXTRA_SET, FIRST_EXTRA_SET + EXTRA_SETS)
)  # fmt: skip

# §3.2 The levels open in each round and how many cards may be picked from each.
PICKS: Grid = np.zeros((ROUNDS, DRAFT_LEVELS), np.int64)
for _row in read_sheet(HERE / "draft.csv", ()):
    for _option in _row["options"].split("|"):
        PICKS[int(_row["round"]) - 1, "ABC".index(_option[0])] = int(_option[1:])

# §1.2 Where each plan plays: by pairs of players (1-2, 3-4, 5-6, 7-8), plan and round.
PLAN_PARK: Cube = np.full((PARKS, 2 * PARKS, ROUNDS), -1, np.int64)
for _written in (row for row in CONTENT if row["kind"] == "plan"):
    _pairs, _number = int(_written["players"][0]) // 2, int(_written["plan"]) - 1
    for _round in range(ROUNDS):
        PLAN_PARK[_pairs, _number, _round] = int(_written[f"round_{_round + 1}"]) - 1

# §1.4 Four trophies for each round.
TROPHY: Grid = np.array(
    [[int(r["fans"]) for r in CONTENT if r["kind"] == "trophy" and int(r["round"]) == n + 1 for _ in range(int(r["count"]))]
     for n in range(ROUNDS)], np.int64,
)  # fmt: skip
