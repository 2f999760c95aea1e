"""Splendor for people: the table as JSON, and what each choice means.

Everything here reads the record as its viewer may see it. Cards and places travel by their id; what is printed on them
is in `components/*.csv`, which the browser has too.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ludoteca.core.game import Json
from ludoteca.core.record import EVERYONE, SPECTATOR

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
EDITION_AT, HANDS_AT = State.bytes_of("edition").start, State.bytes_of("hand").start
HANDS_END = State.bytes_of("hand").stop  # the hands are the only thing that some see and others do not
COSTS = COST.tolist()
LACKS = [[max(0, cost - have) for cost in range(10)] for have in range(100)]  # by what one has, and by the cost


class Public(NamedTuple):
    """What everybody sees of a position."""

    table: Json  # the view, but for the hands and `you`
    market: list[int]  # the face-up cards
    tokens: list[list[int]]  # of each player
    bonuses: list[list[int]]
    reserved: list[list[tuple[int, int, bool]]]  # of each player: the place in `hand`, the level, whether face down
    paying: int  # the seat that chooses jokers, or -1


def view(state: State, viewer: int) -> Json:
    """The table as this viewer sees it: what everybody sees, the hands as this one sees them, and their own seat.

    The viewers of a position follow each other. What the bytes of their records have in common, and these are redacted,
    is worked out for the first of them and remembered for the others.
    """
    return with_hands(state.tobytes()) | {"you": None if viewer == SPECTATOR else own(state, viewer)}


@functools.lru_cache(maxsize=64)
def with_hands(raw: bytes) -> Json:
    """The table and the hands, from the bytes of a redacted record."""
    public, hand, ids = in_public(without_hands(raw)), raw[HANDS_AT:HANDS_END], CARD_IDS[raw[EDITION_AT]]
    players = [
        panel | {"hand": [in_hand(ids, hand[place], level, secret) for place, level, secret in cards]}
        for panel, cards in zip(public.table["players"], public.reserved)
    ]
    return public.table | {"players": players}


def without_hands(raw: bytes) -> bytes:
    """The part of a record that is the same for every viewer."""
    return raw[:HANDS_AT] + raw[HANDS_END:]


@functools.lru_cache(maxsize=64)
def in_public(raw: bytes) -> Public:
    """What everybody sees, from the bytes of a redacted record without its hands."""
    whole = raw[:HANDS_AT] + b"\xff" * (HANDS_END - HANDS_AT) + raw[HANDS_AT:]
    state = State(np.frombuffer(whole, State.DTYPE)).opened()
    edition = state.edition
    ids, places = CARD_IDS[edition], PLACE_LIST[edition]
    recruited: list[list[str]] = [[] for _ in range(state.seats)]
    for card, seat in enumerate(state.owner.tolist()):
        if seat >= 0:
            recruited[seat].append(ids[card])
    tiles = [
        {"id": places[face].id, "owner": None if taken < 0 else taken}
        for face, taken in zip(state.tiles.tolist(), state.tile_owner.tolist(), strict=True)
        if face >= 0
    ]
    market, tokens, bonuses = state.market.tolist(), state.tokens.tolist(), state.bonuses.tolist()
    table = {
        "edition": EDITIONS[edition],
        "goal": GOAL[edition],
        "token_limit": TOKEN_LIMIT,
        "hand_limit": HAND,
        "round": state.round_number,
        "turn": state.turn,
        "phase": PHASES[state.phase],
        "final_round": bool(state.ending),
        "over": state.over,
        "bank": state.bank.tolist(),
        "decks": state.deck_left.tolist(),
        "market": [[None if c < 0 else ids[c] for c in row] for row in market],
        "tiles": tiles,
        "avengers": None if state.avengers < 0 else state.avengers,
        "players": [player(state, seat, tokens[seat], bonuses[seat], recruited[seat]) for seat in range(state.seats)],
        "you": None,
    }
    seen_by, levels = state.hand_seen.tolist(), state.hand_level.tolist()
    reserved = [
        [
            (seat * HAND + place, level + 1, seen_by[seat][place] != EVERYONE)
            for place, level in enumerate(levels[seat])
            if level >= 0
        ]
        for seat in range(state.seats)
    ]
    paying = state.turn if state.buying >= 0 else -1
    return Public(table, [c for row in market for c in row if c >= 0], tokens, bonuses, reserved, paying)


def player(state: State, seat: int, tokens: list[int], bonuses: list[int], recruited: list[str]) -> Json:
    """What lies in front of one player; `view` fills in the hand."""
    marvel = state.edition == MARVEL
    points = state.points[seat]
    return {
        "points": points,
        "tokens": tokens,
        "bonuses": bonuses,
        "stars": state.stars[seat],
        "cards": recruited,
        "hand": [],
        "missing": {
            "points": max(0, GOAL[state.edition] - points),
            "bonuses": [c for c in range(5) if not bonuses[c]] if marvel else [],
            "time": marvel and not tokens[GREEN],
        },
        "qualifies": bool(qualifies(state, seat)),
    }


def in_hand(ids: tuple[str, ...], card: int, level: int, secret: bool) -> Json:
    """A reserved card; its back shows the level. The card is a byte of the record: 255 is HIDDEN."""
    return {"level": level, "card": None if card == 255 else ids[card], "secret": secret}


def own(state: State, seat: int) -> Json:
    """For the viewer's own seat: what each card in sight still lacks, by colour, after bonuses and tokens."""
    raw = state.tobytes()
    public, edition = in_public(without_hands(raw)), raw[EDITION_AT]
    ids, costs, tokens = CARD_IDS[edition], COSTS[edition], public.tokens[seat]
    in_sight = public.market + [raw[HANDS_AT + place] for place, _, _ in public.reserved[seat]]
    a, b, c, d, e = [LACKS[bonus + token] for bonus, token in zip(public.bonuses[seat], tokens)]
    lacks = {}
    for card in in_sight:
        v, w, x, y, z = costs[card]
        lacks[ids[card]] = [a[v], b[w], c[x], d[y], e[z]]
    return {
        "seat": seat,
        "lacks": lacks,
        "jokers": tokens[GREY],
        "excess": max(0, sum(tokens) - TOKEN_LIMIT),
        "paying": paying(state, seat) if seat == public.paying else None,
    }


def paying(state: State, seat: int) -> Json:
    """While jokers are being chosen: the card and what is owed."""
    card = card_at(state, seat, state.buying)
    return {"card": CARD_LIST[state.edition][card].id, "swapped": state.swapped.tolist()} | payment(state, seat, card)


def payment(state: State, seat: int, card: int) -> Json:
    """How a card would be paid: coloured tokens and jokers, and how many jokers could save a coloured token."""
    due = [LACKS[have][cost] for have, cost in zip(state.bonuses[seat].tolist(), COSTS[state.edition][card])]
    tokens = state.tokens[seat].tolist()
    coloured = [min(d, token) for d, token in zip(due, tokens, strict=False)]
    jokers = sum(due) - sum(coloured)
    return {"coloured": coloured, "jokers": jokers, "spare": tokens[GREY] - jokers}


def choice(state: State, seat: int, action: int) -> Json:
    """The facts a page needs to offer this action."""
    if RESERVE <= action < RESERVE_TOP:
        card = state.market[(action - RESERVE) // SLOTS, (action - RESERVE) % SLOTS]
        return {"card": CARD_LIST[state.edition][card].id}
    if RECRUIT <= action < SWAP:
        which = action - RECRUIT if action < CHOOSE_PAYMENT else action - CHOOSE_PAYMENT
        card = card_at(state, seat, which)
        paid = payment(state, seat, card)
        return (
            {"card": CARD_LIST[state.edition][card].id}
            | paid
            | (jokers_after(paid) if action >= CHOOSE_PAYMENT else {})
        )
    if SWAP <= action < PAY_NOW:
        return {"then": [ACTIONS.described(PAY_NOW)]}
    return {}


def jokers_after(paid: Json) -> Json:
    """The steps that follow in the same message when jokers are named: those that save a token, and to pay."""
    swaps = [SWAP + colour for colour, tokens in enumerate(paid["coloured"]) if tokens]
    return {"then": [ACTIONS.described(step) for step in (*swaps, PAY_NOW)]}


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
