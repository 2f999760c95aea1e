"""What a player can think lies behind the others' screens.

Everything that moves at the table moves openly, but supplies are kept out of sight and this record has no memory: what
it shows for certain is that there are 100 tokens. So:

- **Supplies**: what is in no other place is shared out among the hidden supplies, each way to share it as likely as any
  other (with two players that leaves one way: the other's supply is known).
- **Passions and deck**: the unseen cards, each order as likely as any other. One's own Passion that went back is seen.
- **Sealed offers**: for the supply just imagined, one of the things that seat could have done, action by action, each
  legal action as likely as any other. For a hid-bid that is uniform over all offers; for a chain of offers it is not,
  because uniform over all sets of offers would have nearly everybody spend nearly everything.
- **Seats that have not sealed** are imagined with an empty Quadrant: their decision still lies ahead.

The search guesses differently (`imagine`). Everybody begins with as many tokens, so supplies are alike in the first rounds,
and differ more from round to round, as they do in games of bots. Whoever has collected Items that share a characteristic is
the likelier to have it as a Passion: in games of bots each such Item doubles that. Sealed offers are not guessed but opened
again: everybody decides anew together with the searching seat, so nobody is easier prey for having sealed first.
"""

from __future__ import annotations

import numpy as np

from ludoteca.core.chance import below, seed_stream, shuffle
from ludoteca.core.kernel import ScoreList, kernel

from .components import BOOTHS, ITEMS, PASSIONS, TOKENS, TRAITS
from .rules.buying import may_place
from .state import BIDDING, DRAWN, IN_DECK, LOOTING, SEATS, State

EVEN = 4  # the larger, the less supplies differ; 1 makes every way to share the tokens as likely
KEPT = 2  # Passions, after the first decision
MOST_TELLING = 8  # three Items that share a characteristic: more of them tell no more
ROUNDS_ALIKE = 3  # after the first round: so long a part of the tokens is shared out evenly, less of it each round


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    """Fills in everything this seat (or a spectator) cannot see."""
    seed_stream(state, seed)
    imagine_deck(state)
    imagine_passions(state)
    imagine_supplies(state)
    for other in range(SEATS):
        if other != seat:
            imagine_quadrant(state, other)


@kernel
def imagine(state: State, seat: int, seed: int) -> None:
    """As the search thinks of what this seat cannot see."""
    seed_stream(state, seed)
    imagine_deck(state)
    imagine_likely_passions(state)
    imagine_likely_supplies(state)
    for other in range(SEATS):
        if other != seat:
            imagine_open_quadrant(state, other)


@kernel
def imagine_likely_supplies(state: State) -> None:
    """A part to all alike, the rest token by token: a supply is drawn the more often the more it got, from EVEN on."""
    tokens = TOKENS - tokens_in_sight(state)
    hidden = 0
    for seat in range(SEATS):
        if seat >= state.seats:
            state.supply[seat] = 0
        elif state.supply[seat] < 0:
            state.supply[seat] -= EVEN - 1  # hidden supplies count down, from -EVEN
            hidden += 1
    alike = min(max(ROUNDS_ALIKE + 1 - int(state.round_number), 0), ROUNDS_ALIKE)
    each = tokens * alike // (ROUNDS_ALIKE * max(hidden, 1))
    for given in range(tokens - each * hidden):
        drawn = below(state, EVEN * hidden + given)
        for seat in range(state.seats):
            if state.supply[seat] < 0:
                drawn += state.supply[seat]
                if drawn < 0:
                    state.supply[seat] -= 1
                    break
    for seat in range(state.seats):
        if state.supply[seat] < 0:
            state.supply[seat] = each - EVEN - state.supply[seat]


@kernel
def imagine_open_quadrant(state: State, other: int) -> None:
    """An empty Quadrant and a decision to make."""
    for item in range(ITEMS):
        state.quadrant[other, item] = 0
    if other < state.seats and (state.phase == BIDDING or state.phase == LOOTING):
        state.waiting[other] = 1


@kernel
def imagine_deck(state: State) -> None:
    for n in range(ITEMS):
        state.deck[n] = -1
    unseen = 0
    for item in range(ITEMS):
        if state.location[item] == IN_DECK:
            state.deck[unseen] = item
            unseen += 1
    shuffle(state, state.deck, unseen)


@kernel
def imagine_passions(state: State) -> None:
    """Unseen Passions are shuffled into the box and hidden hands are dealt from it."""
    unseen = 0
    for passion in range(PASSIONS):
        state.box[passion] = -1
    for passion in range(PASSIONS):
        if not is_known_passion(state, passion):
            state.box[unseen] = passion
            unseen += 1
    shuffle(state, state.box, unseen)
    for other in range(state.seats):
        for place in range(state.drawn):
            if state.passions[other, place] < 0:
                unseen -= 1
                state.passions[other, place] = state.box[unseen]
                state.box[unseen] = -1


@kernel
def imagine_likely_passions(state: State) -> None:
    """As `imagine_passions`, but what somebody collects tells of the Passions they have kept."""
    unseen = 0
    for passion in range(PASSIONS):
        if not is_known_passion(state, passion):
            state.box[unseen] = passion
            unseen += 1
    for place in range(unseen, PASSIONS):
        state.box[place] = -1
    weight = np.empty(PASSIONS, np.int64)
    for other in range(state.seats):
        weigh_passions(state, other, weight)
        for place in range(state.drawn):
            if state.passions[other, place] < 0:
                if place == KEPT:  # went back, whatever was collected since
                    weight[:] = 1
                drawn = draw_passion(state, weight, unseen)
                unseen -= 1
                state.passions[other, place] = state.box[drawn]
                state.box[drawn] = state.box[unseen]
                state.box[unseen] = -1


@kernel
def weigh_passions(state: State, seat: int, weight: ScoreList) -> None:
    """How likely each Passion is beside the others: twice as likely for each Item of this seat that meets it."""
    weight[:] = 1
    for item in range(ITEMS):
        if state.location[item] == seat:
            for n in range(TRAITS.shape[1]):
                trait = TRAITS[item, n]
                weight[trait] = min(2 * weight[trait], MOST_TELLING)


@kernel
def draw_passion(state: State, weight: ScoreList, unseen: int) -> int:
    """The place in the box of one of the unseen Passions."""
    total = 0
    for n in range(unseen):
        total += weight[state.box[n]]
    drawn = below(state, total)
    place = 0
    while drawn >= weight[state.box[place]]:
        drawn -= weight[state.box[place]]
        place += 1
    return place


@kernel
def is_known_passion(state: State, passion: int) -> bool:
    for other in range(state.seats):
        for place in range(DRAWN):
            if state.passions[other, place] == passion:
                return True
    return False


@kernel
def tokens_in_sight(state: State) -> int:
    """Everything that is in no hidden supply."""
    tokens = int(state.pool)
    for seat in range(state.seats):
        tokens += state.trash[seat]
        if state.supply[seat] > 0:
            tokens += state.supply[seat]
        for booth in range(BOOTHS):
            tokens += state.markers[booth, seat]
    for item in range(ITEMS):
        tokens += state.worth[item]
        for seat in range(state.seats):
            if state.claims[item] >> seat & 1 == 1:
                tokens += state.shown[seat, item]
    return tokens


@kernel
def imagine_supplies(state: State) -> None:
    """Tokens in a row with a bar between one supply and the next: every set of places for the bars is as likely."""
    tokens = TOKENS - tokens_in_sight(state)
    hidden = 0
    for seat in range(SEATS):
        if seat >= state.seats:
            state.supply[seat] = 0
        hidden += state.supply[seat] < 0
    # Walk along the places: the next one is a bar with the chance that keeps all sets of places equal.
    bars = hidden - 1
    for seat in range(state.seats):
        if state.supply[seat] < 0:
            mine = 0
            while tokens > 0 and below(state, tokens + bars) >= bars:
                mine += 1
                tokens -= 1
            bars -= 1
            state.supply[seat] = mine


@kernel
def imagine_quadrant(state: State, other: int) -> None:
    for item in range(ITEMS):
        state.quadrant[other, item] = 0
    if other >= state.seats or state.waiting[other] == 1:
        return
    if state.phase == BIDDING and state.mistakes == 0:
        imagine_bid(state, other)
    elif state.phase == BIDDING or state.phase == LOOTING:
        imagine_offers(state, other)


@kernel
def imagine_bid(state: State, other: int) -> None:
    """A pass or any number of tokens at any Booth."""
    supply = int(state.supply[other])
    offer = below(state, BOOTHS * supply + 1)
    if offer > 0:
        state.quadrant[other, state.booths[(offer - 1) // supply]] = (offer - 1) % supply + 1


@kernel
def imagine_offers(state: State, other: int) -> None:
    """Offer after offer in the order of the Quadrant, until the seal is drawn."""
    left = int(state.supply[other])
    item = 0
    while left > 0:
        open_slots = 0
        for slot in range(item, ITEMS):
            open_slots += may_place(state, slot)
        drawn = below(state, open_slots * left + 1)
        if drawn == 0:
            return
        skipped = (drawn - 1) // left
        while skipped > 0 or not may_place(state, item):
            skipped -= may_place(state, item)
            item += 1
        tokens = (drawn - 1) % left + 1
        state.quadrant[other, item] = tokens
        left -= tokens
        item += 1
