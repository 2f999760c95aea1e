"""Splendor for people: the table as JSON, and what each choice means.

Everything here reads the record as its viewer may see it. Cards and places travel by their id; what is printed on them
is in `components/*.csv`, which the browser has too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ludoteca.core.game import Json
from ludoteca.core.record import EVERYONE, HIDDEN
from ludoteca.core.view_parts import Part, Values, ViewInParts

from .actions import ACTIONS, CHOOSE_PAYMENT, MARKET_CARDS, PAY_NOW, RECRUIT, RESERVE, RESERVE_TOP, SWAP, TAKE_PLACE
from .components import (
    CARD_LIST,
    COST,
    DECK_SIZES,
    EDITIONS,
    GOAL,
    GREEN,
    GREY,
    LEVEL,
    LEVELS,
    MARVEL,
    PLACE_LIST,
    TILES_IN_BOX,
)
from .facts import CARD_IDS
from .rules.decisions import (
    ENOUGH_FOR_TWO,
    TOKEN_LIMIT,
    card_at,
    jokers_needed,
    may_reserve,
    may_swap,
    qualifies,
)
from .state import HAND, MAIN, PAY, PLACE, RETURN, SLOTS, State

PHASES = ("main", "pay", "return", "place")
COSTS = COST.tolist()
PRINTED: list[list[tuple[Any, ...]]] = [  # id and cost by colour
    [(id, *cost) for id, cost in zip(ids, costs)] for ids, costs in zip(CARD_IDS, COSTS)
]
LACKS = [[max(0, cost - have) for cost in range(10)] for have in range(100)]  # by what one has, and by the cost


# ── The table, in parts (see core/view_parts.py) ─────────────────


def state_of_play(
    edition: int, round_number: int, turn: int, phase: int, ending: int, over: int, bank: Values, deck_left: Values,
    avengers: int,
) -> Json:  # fmt: skip
    """Whose turn it is, and what is left of everything."""
    return {
        "edition": EDITIONS[edition],
        "goal": GOAL[edition],
        "token_limit": TOKEN_LIMIT,
        "hand_limit": HAND,
        "round": round_number,
        "turn": turn,
        "phase": PHASES[phase],
        "final_round": bool(ending),
        "over": over,
        "bank": bank,
        "decks": deck_left,
        "avengers": None if avengers < 0 else avengers,
    }


def market(edition: int, market: Values) -> Json:
    """The face-up cards, level by level."""
    cards = [None if card < 0 else CARD_IDS[edition][card] for card in market]
    return {"market": [cards[first : first + SLOTS] for first in range(0, len(cards), SLOTS)]}


def tiles(edition: int, tiles: Values, tile_owner: Values) -> Json:
    """The places on the table, and who has taken them."""
    places, lying = PLACE_LIST[edition], zip(tiles, tile_owner, strict=True)
    return {
        "tiles": [{"id": places[face].id, "owner": None if taken < 0 else taken} for face, taken in lying if face >= 0]
    }


def panel(seat: int, edition: int, points: int, tokens: Values, bonuses: Values, stars: int) -> Json:
    """What lies in front of one player, but for cards; whoever misses nothing qualifies for the end."""
    marvel = edition == MARVEL
    missing = {
        "points": max(0, GOAL[edition] - points),
        "bonuses": [c for c in range(5) if not bonuses[c]] if marvel else [],
        "time": marvel and not tokens[GREEN],
    }
    return {
        "points": points,
        "tokens": tokens,
        "bonuses": bonuses,
        "stars": stars,
        "missing": missing,
        "qualifies": not any(missing.values()),
    }


def recruited(seat: int, edition: int, owner: Values) -> Json:
    """The cards that one player has recruited."""
    return {"cards": [CARD_IDS[edition][card] for card, whose in enumerate(owner) if whose == seat]}


def hand(seat: int, edition: int, hand: Values, hand_level: Values, hand_seen: Values) -> Json:
    """The cards that one player has reserved; the back of one shows its level."""
    ids = CARD_IDS[edition]
    return {
        "hand": [
            {"level": level + 1, "card": None if card == HIDDEN else ids[card], "secret": seen_by != EVERYONE}
            for card, level, seen_by in zip(hand, hand_level, hand_seen, strict=True)
            if level >= 0
        ]
    }


def lacking(seat: int, edition: int, market: Values, tokens: Values, bonuses: Values, hand: Values) -> Json:
    """For the viewer's own seat: what each card in sight still lacks, by colour."""
    printed = PRINTED[edition]
    a, b, c, d, e = [LACKS[bonus + token] for bonus, token in zip(bonuses, tokens)]
    in_sight = [printed[card] for card in market + hand if card >= 0]
    lacks = {id: [a[v], b[w], c[x], d[y], e[z]] for id, v, w, x, y, z in in_sight}
    excess = max(0, sum(tokens) - TOKEN_LIMIT)
    return {"seat": seat, "lacks": lacks, "jokers": tokens[GREY], "excess": excess}


def paying(
    seat: int, edition: int, market: Values, buying: int, swapped: Values, waiting: int, tokens: Values,
    bonuses: Values, hand: Values,
) -> Json:  # fmt: skip
    """For the viewer's own seat: while a card is paid for, how."""
    if buying < 0 or not waiting:
        return {"paying": None}
    card = (market + hand)[buying]
    chosen = {"card": CARD_IDS[edition][card], "swapped": swapped}
    return {"paying": chosen | payment(edition, card, bonuses, tokens)}


# ── Choices ──────────────────────────────────────────────────


def payment(edition: int, card: int, bonuses: Iterable[int], tokens: Sequence[int]) -> Json:
    """How a card would be paid: coloured tokens and jokers, and how many jokers could save a coloured token."""
    due = [LACKS[have][cost] for have, cost in zip(bonuses, COSTS[edition][card])]
    coloured = [min(d, token) for d, token in zip(due, tokens, strict=False)]
    jokers = sum(due) - sum(coloured)
    return {"coloured": coloured, "jokers": jokers, "spare": tokens[GREY] - jokers}


def offering(
    seat: int, edition: int, market: Values, tokens: Values, bonuses: Values, hand: Values
) -> Callable[[int], Json]:
    """What gives the facts a page needs to offer an action now."""
    ids, in_sight = CARD_IDS[edition], market + hand  # as `card_at` finds them

    def offer(action: int) -> Json:
        if RESERVE <= action < RESERVE_TOP:
            return {"card": ids[in_sight[action - RESERVE]]}
        if RECRUIT <= action < SWAP:
            card = in_sight[action - RECRUIT if action < CHOOSE_PAYMENT else action - CHOOSE_PAYMENT]
            paid = payment(edition, card, bonuses, tokens)
            more = jokers_after(paid) if action >= CHOOSE_PAYMENT else {}
            return {"card": ids[card], **paid, **more}
        if SWAP <= action < PAY_NOW:
            return {"then": [ACTIONS.described(PAY_NOW)]}
        return {}

    return offer


def jokers_after(paid: Json) -> Json:
    """The steps that follow in the same message when jokers are named: those that save a token, and to pay."""
    swaps = [SWAP + colour for colour, tokens in enumerate(paid["coloured"]) if tokens]
    return {"then": [ACTIONS.described(step) for step in (*swaps, PAY_NOW)]}


VIEW = ViewInParts(
    State,
    table=[
        Part(
            state_of_play,
            ("edition", "round_number", "turn", "phase", "ending", "over", "bank", "deck_left", "avengers"),
        ),
        Part(market, ("edition", "market")),
        Part(tiles, ("edition", "tiles", "tile_owner")),
    ],
    players=[
        Part(panel, ("edition",), ("points", "tokens", "bonuses", "stars")),
        Part(recruited, ("edition", "owner")),
        Part(hand, ("edition",), ("hand", "hand_level", "hand_seen")),
    ],
    you=[
        Part(lacking, ("edition", "market"), ("tokens", "bonuses", "hand")),
        Part(
            paying,
            ("edition", "market", "buying", "swapped"),
            ("waiting", "tokens", "bonuses", "hand"),
            rest=("buying", -1, {"paying": None}),
        ),
    ],
    offer=Part(offering, ("edition", "market"), ("tokens", "bonuses", "hand")),
)


def choice(state: State, seat: int, action: int) -> Json:
    """The facts a page needs to offer this action."""
    offer = VIEW.offer(state, seat)
    assert offer is not None, "the view says how choices are offered"
    return offer(action)


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
