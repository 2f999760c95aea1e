"""What is printed on the components, read from the files beside this one; cards are numbered by title and level («kinds»).

Copies of a card cannot be told apart, so the rules count them by kind. A new card is a row of `cards.csv`: its timing, what
it does (`effect`, `amount`, `measure`, `which`) and whether it must; only an effect of a new sort needs a function in
`rules/effects.py`.
"""

from __future__ import annotations

import csv
import pathlib
from dataclasses import dataclass

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.record import Cube, Grid, Row

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

FILTERS = ("", "set", "power", "level", "name")  # what `which` asks of a card
ANY, OF_SET, OF_POWER, OF_LEVEL, OF_NAME = range(5)
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


def read_cards(path: pathlib.Path) -> list[Card]:
    """The rows of a card file, checked; a mistake is said with its line."""
    cards: list[Card] = []
    with path.open(newline="", encoding="utf-8") as file:
        for line, row in enumerate(csv.DictReader(file), 2):
            try:
                card = Card(
                    row["id"], row["name"], row["name_it"], row["set"], row["level"],
                    THE_ROUND if row["power"] == "round" else int(row["power"]), int(row["copies"]), row["timing"],
                    row["effect"], int(row["amount"] or 0), row["measure"], row["which"], row["must"] == "yes",
                )  # fmt: skip
                check_card(card)
            except (KeyError, TypeError, ValueError) as error:
                raise BadData(f"{path.name}, line {line}: {error}.", "bad_components") from None
            cards.append(card)
    ids = [card.id for card in cards]
    for twice in sorted({i for i in ids if ids.count(i) > 1}):
        raise BadData(f"{path.name}: the id {twice} is used twice.", "bad_components")
    if len(cards) > 126:
        raise BadData(f"{path.name}: there are {len(cards)} different cards; 126 are possible.", "bad_components")
    return cards


def check_card(card: Card) -> None:
    """Refuses what the rules cannot play with."""
    allowed = {
        "set": (card.set, SETS), "level": (card.level, LEVEL_NAMES), "timing": (card.timing, TIMINGS),
        "effect": (card.effect, EFFECTS), "measure": (card.measure, MEASURES),
    }  # fmt: skip
    for what, (value, known) in allowed.items():
        if value not in known:
            raise ValueError(f"the {what} is one of {', '.join(filter(None, known))}, not «{value}»")
    if bool(card.timing) != bool(card.effect):
        raise ValueError("a card has both a timing and an effect, or neither")
    if not (card.power == THE_ROUND or 0 <= card.power <= 20) or not 1 <= card.copies <= 24:
        raise ValueError("power is from 0 to 20 or «round», copies are 1 to 24")
    if card.effect in ONE_CARD and card.amount != 1:
        raise ValueError(f"{card.effect} is about one card, so its amount is 1")
    if card.must and card.effect in ASKED_OF_A_BENCH and card.amount != 1:
        raise ValueError("what must be done with a bench is about one card, so its amount is 1")
    if (card.effect == "power" or card.effect.endswith("fans")) != bool(card.measure):
        raise ValueError("power and fans need a measure, other effects have none")
    read_filter(card.which)


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


def read_rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


CARDS = read_cards(HERE / "cards.csv")
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
for _kind, _card in enumerate(CARDS):
    if FILTER[_kind] == OF_NAME:
        LOWEST[_kind] = HIGHEST[_kind] = NAMES.index(_card.which.removeprefix("name "))

SAME_NAME = max(list(NAME).count(n) for n in range(len(NAMES)))  # kinds that share a name, at most
OF_THE_NAME: Grid = np.full((len(NAMES), SAME_NAME), -1, np.int64)  # the kinds of each name, then -1
for _kind in range(KINDS):
    _name = NAME[_kind]
    OF_THE_NAME[_name, list(OF_THE_NAME[_name]).index(-1)] = _kind

# §1.8 A starting deck: the P cards of the City, shared out among eight players.
START: Row = np.array([c.copies // 8 if c.level == "P" and c.set == "city" else 0 for c in CARDS], np.int64)
START_SIZE = int(START.sum())
NEWCOMER = KIND["city-newcomer-p"]

# §9 The Robot: its starting cards, and what the difficulties replace.
ROBOT_START: Row = np.array([c.copies if c.level == "P" and c.set == "robot" else 0 for c in CARDS], np.int64)
ROBOT_REPLACED: Row = np.array([KIND[f"robot-{c}-p"] for c in ("alpha", "beta", "good-bot", "champ")], np.int64)
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
for _row in read_rows("draft.csv"):
    for _option in _row["options"].split("|"):
        PICKS[int(_row["round"]) - 1, "ABC".index(_option[0])] = int(_option[1:])

# §1.2 Where each plan plays: by pairs of players (1-2, 3-4, 5-6, 7-8), plan and round.
PLAN_PARK: Cube = np.full((PARKS, 2 * PARKS, ROUNDS), -1, np.int64)
for _row in read_rows("plans.csv"):
    for _round in range(ROUNDS):
        PLAN_PARK[int(_row["players"][0]) // 2, int(_row["plan"]) - 1, _round] = int(_row[f"round_{_round + 1}"]) - 1

# §1.4 Four trophies for each round.
TROPHY: Grid = np.array(
    [[int(r["fans"]) for r in read_rows("trophies.csv") if int(r["round"]) == n + 1 for _ in range(int(r["count"]))]
     for n in range(ROUNDS)], np.int64,
)  # fmt: skip
