"""King of Con for people: the table as JSON, and why something is not allowed.

Everything here reads the record as its viewer may see it. Items travel by their id, characteristics and Passions by
their number from 1 to 15; what is printed on them is in `components/cards.csv`, which the browser has too.
"""

from __future__ import annotations

import numpy as np

from ludoteca.core.game import Json
from ludoteca.core.record import HIDDEN, States
from ludoteca.core.view_parts import Part, Values, ViewInParts

from .actions import ACTIONS, PLACE, SEAL
from .components import BOOTHS, ITEMS, PASSIONS, TRAITS
from .facts import IDS, PHASES
from .rules.buying import first_free_slot, placed_by
from .rules.ending import (
    EPIC_SIZE,
    KEPT,
    ROUNDS,
    epics,
    final_standing,
    matches,
    points,
    rank,
    sharing,
    token_points,
    tokens_on_items,
)
from .rules.looting import value
from .rules.monkeys import lowest_monkey, only_one
from .rules.show_off import ONE_ITEM, RECOVERY, dominion, items_of
from .state import (
    BIDDING,
    BUYING,
    CHOOSING,
    DRAWN,
    FINISHED,
    IN_DECK,
    LOOTING,
    ON_BOOTH,
    ON_STALL,
    SHOW_OFF,
    SPOILS,
    State,
)

AFTER_AN_OFFER: Json = {"then": [ACTIONS.described(SEAL)]}  # may follow in the same message


# ── The table, in parts (see core/view_parts.py) ─────────────────


def state_of_play(state: State) -> Json:
    """Which round and phase it is, by which rules, and what is left."""
    return {
        "round": state.round_number,
        "rounds": ROUNDS,
        "phase": PHASES[state.phase],
        "hid_bid": state.hid_bid or None,
        "options": {
            "passions": state.drawn,
            "monkey_control": bool(state.monkey_control),
            "bluffing_by_mistake": bool(state.mistakes),
        },
        "pool": state.pool,
        "deck": state.deck_left,
        "ended_by": {0: None, 1: "rounds", 2: "epic"}[state.over],
    }


def items(state: State) -> Json:
    """Where every Item is, and what it is worth."""
    return {
        "items": [item_view(state, item) for item in range(ITEMS)],
        "stall": [IDS[item] for item in range(ITEMS) if state.location[item] == ON_STALL],
    }


def dominance(state: State) -> Json:
    """Who would dominate what."""
    return {"dominance": [dominance_view(state, characteristic) for characteristic in range(PASSIONS)]}


def tie(state: State) -> Json:
    """The tie that waits for somebody's word."""
    return {"contest": contest(state)}


def final(state: State) -> Json:
    """At the end, the scoring."""
    return {"final": final_table(state) if state.over else None}


def item_view(state: State, item: int) -> Json:
    """One slot of the Quadrant: where its Item is and what it is worth."""
    place = state.location[item]
    owned = 0 <= place < ON_STALL
    where = "collection" if owned else {IN_DECK: "deck", ON_STALL: "stall"}.get(place, "booth")
    return {
        "id": IDS[item],
        "where": where,
        "owner": place if owned else None,
        "booth": place - ON_BOOTH + 1 if where == "booth" else None,
        "value": value(state, item) if where in ("collection", "stall") else None,
    }


def booths(seats: int, round_number: int, booths: Values, markers: Values) -> Json:
    """The Booths with everybody's tokens; the leaders are those who would tie for one now."""
    found = []
    for booth, item in enumerate(booths):
        first = booth * (len(markers) // BOOTHS)
        offers = markers[first : first + seats]
        best, shown = max(offers), round_number and item >= 0  # before the first Hype there is nothing on show
        leaders = [seat for seat, tokens in enumerate(offers) if tokens == best > 0]
        found.append({"booth": booth + 1, "item": IDS[item] if shown else None, "offers": offers, "leaders": leaders})
    return {"booths": found}


def dominance_view(state: State, characteristic: int) -> Json:
    """Who would dominate now, and what breaks the tie: tokens, Monkeys, or nothing need be broken."""
    standings = [dominion(state, seat, characteristic) for seat in range(state.seats)]
    best = max(standings)
    items = [standing // ONE_ITEM for standing in standings]
    bits = sum(1 << seat for seat, standing in enumerate(standings) if standing == best)
    tie = None
    if best and items.count(max(items)) > 1:
        tie = "tokens" if only_one(bits) else "monkeys"
    return {
        "characteristic": characteristic + 1,
        "seat": lowest_monkey(state, bits) if best else None,
        "items": best // ONE_ITEM,
        "tokens": best % ONE_ITEM,
        "tie": tie,
    }


def contest(state: State) -> Json | None:
    """While a tie waits for somebody's word: what it is about, who is in it and who decides."""
    deciding = [seat for seat in range(state.seats) if state.waiting[seat]]
    if state.phase not in (BUYING, SPOILS, SHOW_OFF) or not deciding:
        return None
    bits = int(state.contenders)
    return {
        "seat": deciding[0],
        "item": IDS[state.booths[state.step]] if state.phase == BUYING else None,
        "booth": state.step + 1 if state.phase == BUYING else None,
        "characteristic": state.step + 1 if state.phase == SHOW_OFF else None,
        "seats": unpacked_seats(bits) if state.phase != SPOILS else None,
    }


def ties(claims: Values, shown: Values) -> Json:
    """The ties over Items while the looting is settled."""
    tied = [(item, unpacked_seats(bits)) for item, bits in enumerate(claims) if bits]
    return {
        "ties": [{"item": IDS[item], "seats": seats, "tokens": shown[seats[0] * ITEMS + item]} for item, seats in tied]
    }


def player(state: State, seat: int) -> Json:
    """What lies in front of one player."""
    best = max(range(PASSIONS), key=lambda c: (sharing(state, seat, c), -c))
    count = sharing(state, seat, best)
    items = [item for item in range(ITEMS) if state.location[item] == seat]
    return {
        "monkey": state.monkeys[seat],
        "trash": state.trash[seat],
        "recovers": min(state.trash[seat], max(0, RECOVERY - len(items))),
        "gave": state.levied[seat],
        "sealed": state.phase in (CHOOSING, BIDDING, LOOTING) and not state.waiting[seat],
        "items": [{"id": IDS[item], "value": state.worth[item]} for item in items],
        "nearest_epic": {"characteristic": best + 1, "items": count, "needs": EPIC_SIZE} if count else None,
        "epics": [c + 1 for c in range(PASSIONS) if sharing(state, seat, c) >= EPIC_SIZE],
    }


def shown(seat: int, shown: Values) -> Json:
    """One player's Quadrant as it was last revealed."""
    return {"shown": tokens_by_item(shown)}


def behind_screen(seat: int, phase: int, supply: int, passions: Values) -> Json:
    """One player's supply, when its screen is down or it is one's own, and at the end the Passions."""
    return {
        "supply": None if supply == HIDDEN else supply,
        "passions": [p + 1 for p in passions[:KEPT]] if phase == FINISHED else None,
    }


def own(state: State, seat: int) -> Json:
    """What only the viewer knows: supply, Passions, the Quadrant behind the screen, and points so far."""
    hand = [p for p in state.passions[seat].tolist() if p >= 0]
    chosen = state.phase != CHOOSING or not state.waiting[seat]
    kept = hand[:KEPT] if chosen else hand
    placed = placed_by(state, seat)
    return {
        "seat": seat,
        "supply": state.supply[seat],
        "placed": placed,
        "left": state.supply[seat] - placed,
        "passions": [{"passion": p + 1, "points": sharing(state, seat, p)} for p in kept],
        "put_back": hand[DRAWN - 1] + 1 if chosen and len(hand) == DRAWN else None,
        "quadrant": tokens_by_item(state.quadrant[seat].tolist()),
        "matches": {
            IDS[item]: [p + 1 for p in kept if p in TRAITS[item]]
            for item in range(ITEMS)
            if state.location[item] != IN_DECK and any(p in TRAITS[item] for p in kept)
        },
        "offers": own_offers(state, seat) if state.phase == LOOTING else {},
        "points": points(state, seat) if chosen else None,
        "score": score_parts(state, seat) if chosen else None,
    }


VIEW = ViewInParts(
    State,
    table=[
        Part(
            state_of_play,
            (
                "round_number", "phase", "hid_bid", "drawn", "monkey_control", "mistakes", "pool", "deck_left", "over",
            ),
            opened=True,
        ),
        Part(items, ("location", "worth"), opened=True),
        Part(booths, ("seats", "round_number", "booths", "markers")),
        Part(dominance, ("seats", "location", "worth", "monkeys"), opened=True),
        Part(tie, ("seats", "phase", "step", "contenders", "waiting", "booths"), opened=True),
        Part(ties, ("claims", "shown")),
        Part(final, opened=True),
    ],
    players=[
        Part(player, ("phase", "waiting", "monkeys", "trash", "levied", "location", "worth"), opened=True),
        Part(shown, (), ("shown",)),
        Part(behind_screen, ("phase",), ("supply", "passions")),
    ],
    you=[Part(own, opened=True)],
)  # fmt: skip


def stays_secret(states: States, seat: int) -> None:
    """§8.8 The Passion put back; while one of three is being chosen, all of them."""
    first = 0 if states["phase"][0] == CHOOSING else DRAWN - 1
    states["passions"][0, seat, first:] = HIDDEN


def own_offers(state: State, seat: int) -> Json:
    """For looting: what tokens on each Item in play would be, and the least that could win it."""
    found = {}
    for item in range(ITEMS):
        if state.location[item] != IN_DECK:
            place = state.location[item]
            kind = "defend" if place == seat else "buy" if place == ON_STALL else "attack"
            found[IDS[item]] = {"kind": kind, "least": 1 if kind == "defend" else value(state, item) + 1}
    return found


def tokens_by_item(slots: Values) -> Json:
    return {IDS[item]: tokens for item, tokens in enumerate(slots) if tokens > 0}


def unpacked_seats(bits: int) -> list[int]:
    """Seats as bits → a list."""
    return [seat for seat in range(8) if bits >> seat & 1]


def score_parts(state: State, seat: int) -> Json:
    """§8.4-§8.7"""
    return {
        "items": items_of(state, seat),
        "matches": matches(state, seat),
        "epics": epics(state, seat),
        "tokens": token_points(state, seat),
    }


def final_table(state: State) -> list[Json]:
    """The scoring, first place first."""
    seats = sorted(range(state.seats), key=lambda seat: -final_standing(state, seat))
    return [{"seat": seat, "rank": rank(state, seat), **reason} for seat in seats for reason in [reasons(state)[seat]]]


def reasons(state: State) -> list[Json]:
    """For each seat, what its rank comes from."""
    return [
        {
            "points": points(state, seat),
            **score_parts(state, seat),
            "supply": state.supply[seat],
            "on_items": tokens_on_items(state, seat),
            "monkey": state.monkeys[seat],
        }
        for seat in range(state.seats)
    ]


def choice(state: State, seat: int, action: int) -> Json:
    """The facts a page needs to offer this action: what the view holds is not said again, for there are hundreds."""
    return AFTER_AN_OFFER if PLACE <= action < SEAL else {}


def explain(state: State, seat: int, action: int) -> tuple[str, Json]:
    """Why this action is not legal now: a key of the words and its facts."""
    decoded = ACTIONS.decode(action)
    kind = decoded.kind
    if kind == "put_back":
        return ("not_your_passion", {}) if state.phase == CHOOSING else ("not_now_put_back", {})
    if state.phase == CHOOSING:
        return "choose_passions", {}
    about_a_tie = kind in ("claim", "concede", "claim_dominance", "concede_dominance")
    if state.phase in (BUYING, SPOILS, SHOW_OFF):
        if about_a_tie and kind.startswith("concede") and not state.monkey_control:
            return "no_concession", {}
        return ("not_this_tie", {}) if about_a_tie else ("tie_first", {})
    if about_a_tie:
        return "no_tie", {}
    placed = placed_by(state, seat)
    left = int(state.supply[seat]) - placed
    if kind in ("bid", "pass"):
        if state.phase == LOOTING:
            return "not_now_bid", {}
        return ("already_placed", {}) if placed else ("too_many_tokens", {"left": left})
    if state.phase == BIDDING and not state.mistakes:
        return "not_now_place", {}
    if kind == "seal":
        return "nothing_to_seal", {}
    item = IDS.index(str(decoded.arguments[0]))
    if item < first_free_slot(state, seat):
        return "quadrant_order", {}
    if int(decoded.arguments[1]) > left:
        return "too_many_tokens", {"left": left}
    return "not_in_play", {"item": IDS[item]}


def shuffles(state: State) -> list[tuple[str, int]]:
    """The shuffles of the set-up, in the order in which they are made; the last of a deck is its top."""
    return [("monkeys", int(state.seats)), ("passions", PASSIONS), ("items", ITEMS)]


def exchange(state: State, one: str, other: str) -> bool:
    """Two Items change places in the deck and on the Booths, before the first decision."""
    if one not in IDS or other not in IDS:
        return False
    first, second = IDS.index(one), IDS.index(other)
    for lying in (state.deck, state.booths):
        places = np.asarray(lying)
        there, elsewhere = places == first, places == second
        places[there], places[elsewhere] = second, first
    state.location[first], state.location[second] = int(state.location[second]), int(state.location[first])
    return True


def components(state: State) -> Json:
    """Everything in the box, counted: tokens, Monkeys, and each card exactly once."""
    tokens = state.pool + sum(state.supply.tolist()) + sum(state.trash.tolist()) + sum(state.worth.tolist())
    tokens += int(state.markers.sum())
    for item in range(ITEMS):
        tokens += sum(state.shown[seat, item] for seat in unpacked_seats(state.claims[item]))
    items = [0] * ITEMS
    for item in state.deck[: state.deck_left].tolist():
        items[item] += 1
    for item in range(ITEMS):
        items[item] += state.location[item] != IN_DECK
    passions = sorted(p for row in (state.box, *state.passions) for p in row.tolist() if p >= 0)
    behind = [placed_by(state, seat) <= state.supply[seat] for seat in range(state.seats)]
    return {
        "tokens": tokens,
        "items": items,
        "passions": passions,
        "monkeys": sorted(state.monkeys.tolist()),
        "covered": behind,  # no screen hides more tokens than its supply has
    }
