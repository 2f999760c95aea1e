"""What can happen in King of Con, and what comes with the choices; the rules tell it, everything else is made from it."""

from __future__ import annotations

from ludoteca.core.facts import (
    NUMBER,
    SEAT_NUMBER,
    SEATS,
    THEN,
    Choices,
    Facts,
    counted,
    names,
    number,
    optional,
    said,
    secret,
    several,
    tally,
)

from .actions import ACTIONS
from .components import BOOTHS, ITEM_LIST, PASSIONS
from .state import SEATS as PLAYERS

PHASES = ("passions", "hype", "hid_bid", "buying", "looting", "spoils", "show_off", "over")

WASTES = ("beaten", "not_enough", "two_booths", "not_in_play")
BEATEN, NOT_ENOUGH, TWO_BOOTHS, NOT_IN_PLAY = range(len(WASTES))

DECIDED_BY = ("items", "tokens", "monkeys", "concession")  # how a dominance was decided
BY_ITEMS, BY_TOKENS, BY_MONKEYS, BY_CONCESSION = range(len(DECIDED_BY))

IDS = tuple(item.id for item in ITEM_LIST)

ITEM = names("item", IDS, words="item", meaning={"en": "the id of an Item", "it": "l'id di un Oggetto"})
CHARACTERISTIC = counted("characteristic", PASSIONS, words="characteristic")
PASSION = counted("passion", PASSIONS, words="characteristic")
BOOTH = counted("booth", BOOTHS)
HID_BID = optional(number("hid_bid", 1, 3), none=0)  # none: looting
PHASE = names("phase", PHASES)
MONKEYS = tally("monkeys", PLAYERS)  # one for each seat, 0 where nobody sits
WASTE = names("waste", WASTES)
DECISION = names("decision", DECIDED_BY)
ENDING = names("ending", ("rounds", "epic"), first=1)


# What a tie is about: an Item or a characteristic, and NOTHING for the other.
_ABOUT = {"item": optional(ITEM), "characteristic": optional(CHARACTERISTIC)}
_WHAT = said("item", "what")

FACTS = Facts()

SEALED = FACTS.kind("sealed", phase=PHASE, passion=secret(optional(PASSION)), tokens=secret(optional(NUMBER)))
NEW_ROUND = FACTS.of_the_table("new_round", round=NUMBER)
EXPOSED = FACTS.of_the_table("exposed", booth=BOOTH, item=ITEM)
SCREENS_UP = FACTS.of_the_table("screens_up", hid_bid=HID_BID)
OFFERED = FACTS.kind("offered", item=ITEM, tokens=NUMBER, booth=optional(BOOTH), total=NUMBER)
PASSED = FACTS.kind("passed", hid_bid=HID_BID)
NOBODY_OFFERED = FACTS.of_the_table("nobody_offered", hid_bid=HID_BID)
WASTED = FACTS.kind("wasted", item=ITEM, tokens=NUMBER, why=WASTE)
UNSOLD = FACTS.of_the_table("unsold", item=ITEM, booth=BOOTH)
BOUGHT = FACTS.kind("bought", item=ITEM, value=NUMBER, booth=BOOTH)
REINFORCED = FACTS.kind("reinforced", item=ITEM, tokens=NUMBER, value=NUMBER)
LOOTED = FACTS.kind("looted", item=ITEM, tokens=NUMBER, from_=SEAT_NUMBER, added=NUMBER)
BOUGHT_STALL = FACTS.kind("bought_stall", item=ITEM, tokens=NUMBER)
TIED = FACTS.of_the_table("tied", **_ABOUT, seats=SEATS, tokens=NUMBER, monkeys=MONKEYS, what=_WHAT)
TOOK_TIE = FACTS.kind("claimed", **_ABOUT, monkey=NUMBER, what=_WHAT)
LEFT_TIE = FACTS.kind("conceded", **_ABOUT, seats=SEATS, what=_WHAT)
SWAPPED = FACTS.kind(
    "swapped", **_ABOUT, seats=SEATS, before=MONKEYS, after=MONKEYS, what=_WHAT, moves=said("seats", "moves")
)
WHIP_ROUND = FACTS.of_the_table("whip_round", missing=NUMBER, pool=NUMBER)
GAVE = FACTS.kind("gave")
FELL_SHORT = FACTS.of_the_table("fell_short", missing=NUMBER)
DEVALUED = FACTS.kind("devalued", item=ITEM, value=NUMBER)
RECOVERED = FACTS.kind("recovered", tokens=NUMBER, rest=NUMBER)
DOMINATED = FACTS.kind("dominated", characteristic=CHARACTERISTIC, items=NUMBER, by=DECISION, tokens=NUMBER)
UNDOMINATED = FACTS.of_the_table("undominated", characteristic=CHARACTERISTIC)
CONSOLED = FACTS.kind("consoled")
EPIC = FACTS.kind("epic", characteristic=CHARACTERISTIC, items=NUMBER)
ENDED = FACTS.of_the_table("ended", why=ENDING)
UNCOVERED = FACTS.kind("uncovered", passions=several(PASSION, 2), supply=NUMBER)
SCORED = FACTS.kind(
    "scored",
    points=NUMBER,
    rank=NUMBER,
    items=NUMBER,
    matches=NUMBER,
    epics=NUMBER,
    tokens=NUMBER,
    on_items=NUMBER,
)
NO_TOKENS = FACTS.kind("no_tokens", phase=PHASE)

CHOICES = Choices(ACTIONS, {"item": ITEM, "passion": PASSION, "characteristic": CHARACTERISTIC}, place={"then": THEN})
