"""How a player of some experience looks at the table: what an action is worth, and who seems ahead.

Everything is counted in points. What tokens, Items and dominances are worth in which round was weighed by the ends of
some thousand games. Offers that look best are easy to foresee, so each Item's worth is shaken a little by the player's
own secrets: the same position with other Passions or another supply is played differently.
"""

from __future__ import annotations

import math

from ludoteca.core.chance import mixed
from ludoteca.core.kernel import ChanceList, kernel

from .actions import BID, CLAIM, CLAIM_DOMINANCE, CONCEDE, CONCEDE_DOMINANCE, PASS, PLACE, SEAL
from .components import BOOTHS, ITEMS, PASSIONS, SHARING, TOKENS, TRAITS
from .rules.buying import HID_BIDS
from .rules.ending import EPIC_SIZE, KEPT, ROUNDS, sharing
from .rules.looting import value
from .rules.show_off import RECOVERY, dominion, items_of
from .state import BUYING, ON_BOOTH, ON_STALL, State

FOLLY = -1e9  # tokens thrown away for nothing: the search does not even try it
RECOVERED = 0.3  # of a wasted token that the recovery has room for: the game may end before


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


# What tokens and Items are worth


@kernel
def rounds_left(state: State) -> int:
    return ROUNDS - int(state.round_number)


@kernel
def token_worth(state: State) -> float:
    """A third of a point at the end, nearly a point at the beginning, when it buys what others have to pay for later."""
    return 0.33 + 0.13 * rounds_left(state)


@kernel
def laid_worth(state: State, tokens: int) -> float:
    """Tokens on an Item keep looters off; the first three do most of it."""
    left = rounds_left(state)
    return 0.05 * (2 + left) * min(tokens, 3) + 0.02 * left * max(0, tokens - 3)


@kernel
def item_worth(state: State, seat: int, item: int) -> float:
    """Its point and matches, less while it can still be looted; its dominances; the Epic Collection it may complete."""
    mine = 1 if state.location[item] == seat else 0
    worth = kept_worth(state, seat, item)
    for n in range(3):
        trait = TRAITS[item, n]
        have = sharing(state, seat, trait) - mine
        most = 0
        for other in range(state.seats):
            if other != seat and state.location[item] != other:
                most = max(most, sharing(state, other, trait))
            elif other != seat:
                most = max(most, sharing(state, other, trait) - 1)
        if have <= most <= have + 1:  # a dominance won, or a tie for it, in this Show Off and perhaps in others
            worth += (1.0 + 0.25 * rounds_left(state)) * token_worth(state) * (1.0 if most == 0 else 0.5)
        if have + 1 == EPIC_SIZE:
            worth += epic_worth(state, seat)
    return worth


@kernel
def kept_worth(state: State, seat: int, item: int) -> float:
    """An Item of one's own, apart from dominances: early in the game it will hardly stay to the end."""
    left = rounds_left(state)
    return max(0.1, 1.0 - 0.2 * left) + (1.0 - 0.08 * left) * passions_met(state, seat, item)


@kernel
def passions_met(state: State, seat: int, item: int) -> int:
    """How many of the player's Passions the Item matches."""
    met = 0
    for n in range(3):
        met += state.passions[seat, 0] == TRAITS[item, n]
        met += state.passions[seat, 1] == TRAITS[item, n]
    return met


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
    return 1.0 + 1.5 * (items_of(state, seat) + 1 - most)


@kernel
def recovered_worth(state: State, seat: int, tokens: int) -> float:
    """Wasted tokens come back as far as the recovery goes, if there is another Show Off."""
    room = max(0, RECOVERY - items_of(state, seat) - state.trash[seat])
    return RECOVERED * token_worth(state) * min(tokens, room)


@kernel
def sure(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


# Offers


@kernel
def bid_gain(state: State, seat: int, booth: int, tokens: int) -> float:
    """What the tokens add to what the player's total at the Booth promises."""
    item = state.booths[booth]
    worth = item_worth(state, seat, item) * shaken(state, seat, item)
    before = int(state.markers[booth, seat])
    if state.hid_bid == HID_BIDS and before + tokens < highest_marker(state, seat, booth):
        return FOLLY + tokens
    promised = bid_promise(state, seat, booth, worth, before + tokens)
    return promised - bid_promise(state, seat, booth, worth, before) - token_worth(state) * tokens


@kernel
def highest_marker(state: State, seat: int, booth: int) -> int:
    """The most that anybody else has offered at the Booth."""
    most = 0
    for other in range(state.seats):
        if other != seat:
            most = max(most, int(state.markers[booth, other]))
    return most


@kernel
def supply_of(state: State, other: int) -> int:
    """What a rival may still offer; any number, behind a screen that is down."""
    return int(state.supply[other]) if state.supply[other] >= 0 else TOKENS


@kernel
def richest_rival(state: State, seat: int) -> int:
    """The most tokens that anybody else may still offer."""
    most = 0
    for other in range(state.seats):
        if other != seat:
            most = max(most, supply_of(state, other))
    return most


@kernel
def bid_promise(state: State, seat: int, booth: int, worth: float, total: int) -> float:
    """The chance to buy with this total, and what is left either way; rivals may raise in the hid-bids to come."""
    if total == 0:
        return 0.0
    most = 0
    for other in range(state.seats):
        if other != seat:
            most = max(most, int(state.markers[booth, other]) + supply_of(state, other))
    # Waiting even longer (0.7) beats a table of such players, but a table that all waits ends its hid-bids at once.
    expected = float(max(1, highest_marker(state, seat, booth)))
    expected += (0.1 + 0.45 * (state.seats - 1)) * (1.0 + 0.4 * (HID_BIDS - state.hid_bid))
    chance = sure((total - expected) / 1.1) if total <= most else 1.0
    return chance * (worth + laid_worth(state, total)) + (1.0 - chance) * recovered_worth(state, seat, total)


@kernel
def place_gain(state: State, seat: int, item: int, tokens: int) -> float:
    """Looting goes through the Quadrant in order: what pays is taken as it comes, the earlier slot first."""
    place = state.location[item]
    if place < 0 or place >= ON_BOOTH or state.phase <= BUYING:
        return FOLLY  # by mistake
    if place != seat and tokens <= value(state, item):
        return FOLLY + tokens
    gain = offer_gain(state, seat, item, tokens)
    if gain <= 0.0:
        return gain
    if gain < offer_gain(state, seat, item, tokens - 1) or gain < offer_gain(state, seat, item, tokens + 1):
        return gain - 10.0  # rather one token more or less
    return gain + 10.0 * (ITEMS - item)


@kernel
def offer_gain(state: State, seat: int, item: int, tokens: int) -> float:
    if tokens == 0:
        return 0.0
    if state.location[item] == seat:
        gain = defence_gain(state, seat, item, tokens)
    else:
        gain = attack_gain(state, seat, item, tokens)
    return gain - token_worth(state) * tokens


@kernel
def defence_gain(state: State, seat: int, item: int, tokens: int) -> float:
    """Fewer players will pass the higher value; who is looted at least gets the offer."""
    now = int(state.worth[item])
    loss = item_worth(state, seat, item) * shaken(state, seat, item) - token_worth(state) * (now + 1)
    most = richest_rival(state, seat)
    saved = looting_chance(state, most, now) - looting_chance(state, most, now + tokens)
    return saved * max(0.0, loss) + 0.5 * (laid_worth(state, now + tokens) - laid_worth(state, now))


@kernel
def looting_chance(state: State, most: int, worth: int) -> float:
    """How likely somebody is to pass this value."""
    if most <= worth:
        return 0.0
    tempting = 3.0 + 0.5 * rounds_left(state) - worth
    return 0.5 * sure(tempting)


@kernel
def attack_gain(state: State, seat: int, item: int, tokens: int) -> float:
    """The Item, its owner's loss less the tokens he gets for it; or a wasted offer."""
    over = tokens - value(state, item)
    if over <= 0:
        return 0.0
    rivals = float(state.seats - 1)
    owner = state.location[item]
    safe = tokens > richest_rival(state, seat) + value(state, item)
    worth = item_worth(state, seat, item) * shaken(state, seat, item) + laid_worth(state, tokens)
    if owner == ON_STALL:
        chance = 1.0 if safe else sure((over - 0.4 * rivals) / 1.0)
    else:
        chance = 1.0 if safe else sure((over - 0.8 - 0.3 * rivals) / 1.2)
        lost = item_worth(state, owner, item) + laid_worth(state, int(state.worth[item]))
        worth += (lost - token_worth(state) * tokens) / rivals
    return chance * worth + (1.0 - chance) * recovered_worth(state, seat, tokens)


# Who seems ahead


@kernel
def outlook(state: State, out: ChanceList) -> None:
    """Each seat's chance at a glance; the more rounds are left, the less is decided."""
    total = 0.0
    for seat in range(state.seats):
        strength = math.exp(promise(state, seat) / (0.7 + 0.28 * rounds_left(state)))
        out[seat] = strength
        total += strength
    for seat in range(state.seats):
        out[seat] /= total


@kernel
def promise(state: State, seat: int) -> float:
    """Worth of a position in points."""
    points = token_worth(state) * state.supply[seat]
    recovered = min(int(state.trash[seat]), max(0, RECOVERY - items_of(state, seat)))
    points += RECOVERED * token_worth(state) * recovered
    points -= 0.5 * rounds_left(state) * state.monkeys[seat] / (state.seats * state.seats)
    for item in range(ITEMS):
        if state.location[item] == seat:
            points += kept_worth(state, seat, item) + laid_worth(state, int(state.worth[item]))
    lasting = 0.8 if state.phase > BUYING else 0.2  # before the buying a dominance says little
    points += lasting * token_worth(state) * dominances(state, seat)
    for booth in range(BOOTHS):
        points += marker_worth(state, seat, booth)
    return points


@kernel
def dominances(state: State, seat: int) -> int:
    """Tokens the next Show Off would bring."""
    found = 0
    for trait in range(PASSIONS):
        mine = dominion(state, seat, trait)
        if mine > 0:
            best = 1
            for other in range(state.seats):
                theirs = dominion(state, other, trait)
                if theirs > mine or (theirs == mine and state.monkeys[other] < state.monkeys[seat]):
                    best = 0
            found += best
    return found


@kernel
def marker_worth(state: State, seat: int, booth: int) -> float:
    """Whoever leads at a Booth has nearly bought; the others' tokens are nearly lost."""
    mine = int(state.markers[booth, seat])
    if mine == 0:
        return 0.0
    for other in range(state.seats):
        if state.markers[booth, other] > mine:
            return 0.3 * token_worth(state) * mine
    return 0.7 + 0.5 * token_worth(state) * mine + 0.7 * passions_met(state, seat, state.booths[booth])
