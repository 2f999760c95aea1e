"""What can happen in Splendor, and what comes with the choices; the rules tell it, everything else is made from it."""

from __future__ import annotations

from ludoteca.core.facts import (
    FLAG,
    NUMBER,
    Choices,
    Facts,
    carried,
    counted,
    names,
    names_by,
    number,
    optional,
    said,
    secret,
    tally,
)

from .actions import ACTIONS
from .components import CARD_LIST, CARDS, LEVELS, MOST_TILES, PLACE_LIST
from .state import HAND, SLOTS, TILES, TOKEN_KINDS

CARD_IDS = tuple(tuple(card.id for card in cards) for cards in CARD_LIST)  # by edition
PLACE_IDS = tuple(tuple(place.id for place in places) for places in PLACE_LIST)

CARD_ID = {"en": "the id of a card", "it": "l'id di una carta"}
PLACE_ID = {"en": "the id of a place", "it": "l'id di un luogo"}
CARD = names_by("card", lambda state: CARD_IDS[state.edition], CARDS, CARD_ID)
PLACE = names_by("place", lambda state: PLACE_IDS[state.edition], MOST_TILES, PLACE_ID)
TOKENS = tally("tokens", TOKEN_KINDS)
LEVEL = counted("level", LEVELS)
SLOT = counted("slot", SLOTS)
HAND_PLACE = counted("hand_place", HAND)
TILE = counted("tile", TILES)
HOLDER = number("holder", most=3)  # said as `you` or `other`
COLOUR = number("colour", 1, 6)
ENDING = names("ending", ("rules", "idle"), first=1)

FACTS = Facts(always=("edition",))

TOOK = FACTS.kind("took", tokens=TOKENS)
RESERVED = FACTS.kind("reserved", level=LEVEL, slot=optional(SLOT), grey=FLAG, card=secret(CARD))  # no slot: the deck
RECRUITED = FACTS.kind(
    "recruited", card=CARD, paid=TOKENS, slot=optional(SLOT), hand=optional(HAND_PLACE), free=said("paid", "free")
)
DEALT = FACTS.of_the_table("dealt", level=LEVEL, slot=SLOT, card=CARD)
RETURNED = FACTS.kind("returned", tokens=TOKENS)
RECEIVED = FACTS.kind("received", tile=TILE, place=PLACE)
TIME_GEM = FACTS.kind("time_gem")
AVENGERS = FACTS.kind("avengers", from_=optional(HOLDER), stars=NUMBER, loser=said("from", "loser"))
PASSED = FACTS.kind("passed")
ASSEMBLED = FACTS.kind("assembled", points=NUMBER)
FELL_SHORT = FACTS.kind("fell_short")
NEW_ROUND = FACTS.of_the_table("new_round", round=NUMBER)
ENDED = FACTS.of_the_table("ended", why=ENDING)

_PAYMENT = {
    "card": CARD,
    "coloured": carried(
        "coloured", "number[]", "coloured tokens to pay, by colour", "gettoni colorati da pagare, per colore"
    ),
    "jokers": NUMBER,
    "spare": NUMBER,
}
CHOICES = Choices(
    ACTIONS,
    {"one": COLOUR, "two": COLOUR, "three": COLOUR, "colour": COLOUR},
    always=("edition",),
    reserve={"card": CARD},
    recruit=_PAYMENT,
    recruit_hand=_PAYMENT,
    choose_payment=_PAYMENT,
    choose_payment_hand=_PAYMENT,
)
