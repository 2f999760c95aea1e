"""Splendor for people: why something is not legal, what a rank comes from, what is in the box. `written.py` has the table.

What is refused is explained from the record as its seat may see it.
"""

from __future__ import annotations

import numpy as np

from ludoteca.core.game import Json

from .actions import ACTIONS, CHOOSE_PAYMENT, MARKET_CARDS, RECRUIT, SWAP, TAKE_PLACE
from .components import (
    CARD_LIST,
    DECK_SIZES,
    EDITIONS,
    GREY,
    LEVEL,
    LEVELS,
    TILES_IN_BOX,
)
from .facts import CARD_IDS
from .rules.decisions import (
    ENOUGH_FOR_TWO,
    card_at,
    jokers_needed,
    may_reserve,
    may_swap,
    qualifies,
)
from .state import MAIN, PAY, PLACE, RETURN, State
from .written import PHASES


def explain(state: State, seat: int, action: int) -> tuple[str, Json]:
    """Why this action is not legal now: a key of the words and its facts."""
    kind = ACTIONS.decode(action).kind
    edition = {"edition": EDITIONS[state.edition]}
    if state.phase == PAY and kind in ("swap", "pay"):
        return "choose_joker" if kind == "pay" else why_no_swap(state, seat, action - SWAP), edition
    if state.phase == RETURN and kind == "give_back":
        return "no_such_token", {}
    if state.phase == PLACE and kind == "take_place":
        return why_no_place(state, action - TAKE_PLACE), edition
    if state.phase != MAIN:
        return f"phase_{PHASES[state.phase]}", edition if state.phase == PLACE else {}
    if kind == "take_place":
        return "not_now_take_place", edition
    if kind in ("swap", "pay", "give_back"):
        return f"not_now_{kind}", {}
    if kind == "pass":
        return "pass", {}
    if kind == "take_alike":
        return "take_alike", {"least": ENOUGH_FOR_TWO}
    if kind in ("take_three", "take_two", "take_one"):
        too_few = kind != "take_three" and sum(left > 0 for left in state.bank[:5].tolist()) >= 3
        return ("take_fewer", {}) if too_few else ("take_gone", {})
    if kind == "reserve_top":
        return ("deck_empty", {}) if may_reserve(state, seat) else ("hand_full", {})
    if kind == "reserve":
        return ("no_card", {}) if may_reserve(state, seat) else ("hand_full", {})
    which = action - RECRUIT if kind.startswith("recruit") else action - CHOOSE_PAYMENT
    card = card_at(state, seat, which)
    if card < 0:
        return ("no_card", {}) if which < MARKET_CARDS else ("no_hand_card", {})
    missing = jokers_needed(state, seat, card) - int(state.tokens[seat, GREY])
    if missing > 0:
        return "too_dear", {"card": CARD_LIST[state.edition][card].id, "missing": missing}
    return "no_other_payment", {}


def why_no_swap(state: State, seat: int, colour: int) -> str:
    """Why no joker can stand for this colour: it saves nothing, all jokers are named, or its turn has passed."""
    card = card_at(state, seat, state.buying)
    if not may_swap(state, seat, card, colour):
        return "nothing_to_save"
    if jokers_needed(state, seat, card) + int(state.swapped.sum()) >= state.tokens[seat, GREY]:
        return "no_spare_joker"
    return "swap_order"


def why_no_place(state: State, n: int) -> str:
    return "place_gone" if state.tiles[n] < 0 or state.tile_owner[n] >= 0 else "place_bonuses"


def reasons(state: State) -> list[Json]:
    """For each seat, what its rank comes from."""
    return [
        {
            "points": int(state.points[seat]),
            "qualifies": bool(qualifies(state, seat)),
            "avengers": state.avengers == seat,
            "cards": int(state.recruits[seat]),
            "places": sum(1 for owner in state.tile_owner.tolist() if owner == seat),
            "idle": state.over == 2,
        }
        for seat in range(state.seats)
    ]


def shuffles(state: State) -> list[tuple[str, int]]:
    """The shuffles of the set-up, in the order in which they are made; a deck's last card is its top."""
    decks = [(f"deck_{level + 1}", int(DECK_SIZES[level])) for level in range(LEVELS)]
    return [*decks, ("places", int(TILES_IN_BOX[state.edition]))]


def exchange(state: State, one: str, other: str) -> bool:
    """Two cards of one level change places in decks and market, before the first decision."""
    ids = CARD_IDS[state.edition]
    if one not in ids or other not in ids:
        return False
    first, second = ids.index(one), ids.index(other)
    if LEVEL[first] != LEVEL[second]:
        return False
    for lying in (state.deck, state.market):
        places = np.asarray(lying)
        there, elsewhere = places == first, places == second
        places[there], places[elsewhere] = second, first
    return True


def components(state: State) -> Json:
    """Everything in the box, counted: tokens by kind, and where each card is (exactly once)."""
    cards = [0] * state.owner.shape[0]
    for card, owner in enumerate(state.owner.tolist()):
        cards[card] += owner >= 0
    for row, left in zip(state.deck.tolist(), state.deck_left.tolist(), strict=True):
        for card in row[:left]:
            cards[card] += 1
    for card in [c for row in (*state.market.tolist(), *state.hand.tolist()) for c in row if c >= 0]:
        cards[card] += 1
    return {
        "tokens": [sum(kind) for kind in zip(state.bank.tolist(), *state.tokens.tolist(), strict=True)],
        "cards": cards,
        "tiles": state.tiles.tolist(),
    }
