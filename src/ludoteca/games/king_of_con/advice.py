"""How a thoughtful beginner looks at the table: what an action is worth, and who seems ahead.

Everything is counted in tokens (three are a point). Offers that look best are easy to foresee, so each Item's worth is
shaken a little by the player's own secrets: the same position with other Passions or another supply is played differently.
"""

from __future__ import annotations

import math

from ludoteca.core.chance import mixed
from ludoteca.core.kernel import ChanceList, kernel

from .actions import BID, CLAIM, CLAIM_DOMINANCE, CONCEDE, CONCEDE_DOMINANCE, PASS, PLACE, SEAL
from .components import ITEMS, SHARING, TOKENS, TRAITS
from .rules.ending import EPIC_SIZE, KEPT, ROUNDS, TOKENS_A_POINT, sharing
from .rules.looting import value
from .rules.show_off import RECOVERY, items_of
from .state import BUYING, ON_BOOTH, ON_STALL, State

BACK = 0.8  # of the tokens that devaluation lays in the Trash, so many are recovered


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    """Offer where the Item is worth more than the tokens; take ties; keep Passions that go together."""
    if action < BID:
        return put_back_worth(state, seat, action)
    if action < PASS:
        offer = action - BID
        return bid_gain(state, seat, offer // TOKENS, offer % TOKENS + 1)
    if action < PLACE:
        return 0.0
    if action < SEAL:
        offer = action - PLACE
        return place_gain(state, seat, offer // TOKENS, offer % TOKENS + 1)
    if action < CLAIM:
        return 0.0
    if action < CONCEDE:
        return 10.0 + item_worth(state, seat, action - CLAIM)
    if action < CLAIM_DOMINANCE or action >= CONCEDE_DOMINANCE:
        return 0.4 * (state.seats - state.monkeys[seat])  # a good Monkey is worth a little
    return 1.0


@kernel
def put_back_worth(state: State, seat: int, passion: int) -> float:
    """Two Passions of different kinds can meet on one Item."""
    axis = -1
    for place in range(KEPT + 1):
        other = state.passions[seat, place]
        if other != passion:
            if axis >= 0 and axis != other // SHARING:
                return 1.0
            axis = other // SHARING
    return 0.0


# What an Item is worth to a player


@kernel
def item_worth(state: State, seat: int, item: int) -> float:
    """Its points, the dominances it would bring in the Show Offs to come, and the Epic Collection it may complete."""
    mine = 1 if state.location[item] == seat else 0
    show_offs = ROUNDS + 1 - state.round_number
    worth = float(TOKENS_A_POINT)
    for n in range(3):
        trait = TRAITS[item, n]
        have = sharing(state, seat, trait) - mine
        if state.passions[seat, 0] == trait or state.passions[seat, 1] == trait:
            worth += TOKENS_A_POINT
        most = 0
        for other in range(state.seats):
            if other != seat:
                most = max(most, sharing(state, other, trait))
        if have == most:
            worth += 0.5 * show_offs if most > 0 else 0.8 * show_offs
        elif have + 1 == most:
            worth += 0.4 * show_offs
        if have + 1 == EPIC_SIZE:
            worth += epic_worth(state, seat)
    return worth * shaken(state, seat, item)


@kernel
def shaken(state: State, seat: int, item: int) -> float:
    """0.8 to 1.2, by what nobody else knows."""
    secret = state.passions[seat, 0] * 17 + state.passions[seat, 1] * 31 + state.supply[seat]
    number = mixed((secret * 64 + item) * 64 + state.round_number * 8 + state.hid_bid)
    return 0.8 + 0.4 * (number % 1024) / 1024.0


@kernel
def epic_worth(state: State, seat: int) -> float:
    """A point and the end of the game: welcome to whoever has the most Items, dreadful to whoever trails."""
    most = 0
    for other in range(state.seats):
        if other != seat:
            most = max(most, items_of(state, other))
    return TOKENS_A_POINT * (1.0 + 1.5 * (items_of(state, seat) + 1 - most))


@kernel
def lost_on_item(state: State, tokens: int) -> float:
    """Tokens on an Item come back one a round, mostly."""
    return tokens - BACK * min(tokens, ROUNDS + 1 - state.round_number)


@kernel
def lost_in_trash(state: State, seat: int, tokens: int) -> float:
    """Wasted tokens come back as far as the recovery goes."""
    room = max(0, RECOVERY - items_of(state, seat) - state.trash[seat])
    return 0.15 * tokens + 0.85 * max(0, tokens - room)


@kernel
def sure(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


# Offers


@kernel
def bid_gain(state: State, seat: int, booth: int, tokens: int) -> float:
    """What the tokens add to what the player's total at the Booth promises."""
    worth = item_worth(state, seat, state.booths[booth])
    before = int(state.markers[booth, seat])
    promise = bid_promise(state, seat, booth, worth, before + tokens)
    return promise - bid_promise(state, seat, booth, worth, before) - scarcity(state, seat) * tokens


@kernel
def bid_promise(state: State, seat: int, booth: int, worth: float, total: int) -> float:
    """The chance to buy with this total, and what is lost either way; rivals may raise in the hid-bids to come."""
    if total == 0:
        return 0.0
    rival = 1
    for other in range(state.seats):
        if other != seat:
            rival = max(rival, int(state.markers[booth, other]))
    # Waiting even longer (0.7) beats a table of such players, but a table that all waits ends its hid-bids at once.
    expected = rival + (0.1 + 0.45 * (state.seats - 1)) * (4 - state.hid_bid)
    chance = sure((total - expected) / 1.1)
    return chance * (worth - lost_on_item(state, total)) - (1.0 - chance) * lost_in_trash(state, seat, total)


@kernel
def scarcity(state: State, seat: int) -> float:
    """What a token is worth for the offers still to come."""
    return 0.25 + 3.0 / (2.0 + state.supply[seat])


@kernel
def place_gain(state: State, seat: int, item: int, tokens: int) -> float:
    """Looting goes through the Quadrant in order: what pays is taken as it comes, the earlier slot first."""
    place = state.location[item]
    if place < 0 or place >= ON_BOOTH or state.phase <= BUYING:
        return -100.0  # by mistake
    if place == seat:
        gain = defence_gain(state, seat, item, tokens)
    else:
        gain = attack_gain(state, seat, item, tokens)
    gain -= scarcity(state, seat) * tokens
    return gain + 10.0 * (ITEMS - item) if gain > 0.0 else gain


@kernel
def defence_gain(state: State, seat: int, item: int, tokens: int) -> float:
    """Fewer players will pass the higher value; who is looted at least gets the offer."""
    worth = item_worth(state, seat, item)
    now = int(state.worth[item])
    saved = looting_chance(state, now) - looting_chance(state, now + tokens)
    return saved * max(0.0, worth - now) - lost_on_item(state, now + tokens) + lost_on_item(state, now)


@kernel
def looting_chance(state: State, worth: int) -> float:
    """How likely somebody is to pass this value."""
    tempting = 3.0 + 0.5 * (ROUNDS + 1 - state.round_number) - worth
    return 0.5 * sure(tempting)


@kernel
def attack_gain(state: State, seat: int, item: int, tokens: int) -> float:
    """The Item, its owner's loss and the tokens he gets for it; or a wasted offer."""
    over = tokens - value(state, item)
    if over <= 0:
        return -1.0 * tokens
    rivals = float(state.seats - 1)
    worth = item_worth(state, seat, item)
    if state.location[item] == ON_STALL:
        chance = sure((over - 0.4 * rivals) / 1.0)
    else:
        chance = sure((over - 0.8 - 0.3 * rivals) / 1.2)
        worth += (1.3 * TOKENS_A_POINT - tokens + state.worth[item]) / rivals
    return chance * (worth - lost_on_item(state, tokens)) - (1.0 - chance) * lost_in_trash(state, seat, tokens)


# Who seems ahead


@kernel
def outlook(state: State, out: ChanceList) -> None:
    """Each seat's chance at a glance, from points, tokens, and the dominances its Collection brings."""
    late = (ROUNDS + 1 - state.round_number) / ROUNDS
    if state.over > 0:
        late = 0.0
    total = 0.0
    for seat in range(state.seats):
        strength = math.exp(promise(state, seat) / (1.5 + 2.5 * late))
        out[seat] = strength
        total += strength
    for seat in range(state.seats):
        out[seat] /= total


@kernel
def promise(state: State, seat: int) -> float:
    """Worth of a position in points: what would score now, and a share of what lies on Items and in the Trash."""
    show_offs = ROUNDS + 1 - state.round_number
    points = (state.supply[seat] + 0.5 * min(int(state.trash[seat]), 4)) / TOKENS_A_POINT
    for booth in range(state.markers.shape[0]):
        points += 0.3 * state.markers[booth, seat]
    for item in range(ITEMS):
        if state.location[item] == seat:
            points += 1.0 + 0.2 * show_offs + BACK * min(int(state.worth[item]), show_offs) / TOKENS_A_POINT
            for n in range(3):
                if state.passions[seat, 0] == TRAITS[item, n] or state.passions[seat, 1] == TRAITS[item, n]:
                    points += 1.0
    for trait in range(SHARING * 3):
        points += sharing(state, seat, trait) >= EPIC_SIZE
    return points
