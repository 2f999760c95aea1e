"""A turn of Splendor and what follows from it, in the order of the rulebook: §2 to §9, and §10 where an edition differs."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import ActionList, Log, ScoreList, kernel
from ludoteca.core.log import NOBODY, NOTHING, bundle, tell
from ludoteca.core.record import EVERYONE, Grid, Row

from ..actions import (
    CHOOSE_PAYMENT,
    GIVE_BACK,
    MARKET_CARDS,
    PAIR_BITS,
    PAIRS,
    PASS,
    PAY_NOW,
    RECRUIT,
    RESERVE,
    RESERVE_TOP,
    SWAP,
    TAKE_ALIKE,
    TAKE_ONE,
    TAKE_PLACE,
    TAKE_THREE,
    TAKE_TWO,
    TRIPLE_BITS,
    TRIPLES,
)
from ..components import (
    BASE,
    BONUS,
    COST,
    GOAL,
    GREEN,
    GREY,
    LEVEL,
    LEVELS,
    MARVEL,
    PACKED_COST,
    PACKED_PLACE_COST,
    POINTS,
    STARS,
    TILE_POINTS,
)
from ..facts import (
    ASSEMBLED,
    AVENGERS,
    DEALT,
    ENDED,
    FELL_SHORT,
    NEW_ROUND,
    PASSED,
    RECEIVED,
    RECRUITED,
    RESERVED,
    RETURNED,
    TIME_GEM,
    TOOK,
)
from ..state import HAND, MAIN, PAY, PLACE, RETURN, SLOTS, TILES, TOKEN_KINDS, State
from .setup import draw

TOKEN_LIMIT = 10  # §3.2
ENOUGH_FOR_TWO = 4  # §2.4
ENOUGH_STARS = 3  # §8.1
IDLE_ROUNDS = 30  # §9.9
TOP_BITS, LOW_BITS = 0x8080808080, 0x0101010101  # of five colours packed eight bits each


# §2 A turn: one action of four


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    """Fills in what the seat may do, ascending; returns how many."""
    if state.phase == RETURN:
        return legal_returns(state, seat, actions)
    if state.phase == PLACE:
        return legal_places(state, seat, actions)
    if state.phase == PAY:
        return legal_payments(state, seat, actions)
    n = legal_takes(state, actions)
    if may_reserve(state, seat):
        for slot in range(MARKET_CARDS):
            actions[n] = RESERVE + slot
            n += state.market[slot // SLOTS, slot % SLOTS] >= 0
        for level in range(LEVELS):
            actions[n] = RESERVE_TOP + level
            n += state.deck_left[level] > 0
    first_recruit = n
    bonuses = packed_bonuses(state, seat)
    coloured = packed_tokens(state, seat)
    wealth = bonuses + coloured
    jokers = int(state.tokens[seat, GREY])
    for slot in range(MARKET_CARDS):
        actions[n] = RECRUIT + slot
        n += may_recruit(state, state.market[slot // SLOTS, slot % SLOTS], wealth, jokers)
    for place in range(state.in_hand[seat]):
        actions[n] = RECRUIT + MARKET_CARDS + place
        n += may_recruit(state, state.hand[seat, place], wealth, jokers)
    if jokers > 0:
        for k in range(first_recruit, n):
            which = actions[k] - RECRUIT
            actions[n] = CHOOSE_PAYMENT + which
            n += may_choose_payment(state, card_at(state, seat, which), bonuses, coloured, jokers)
    if n == 0:  # §2.6
        actions[0] = PASS
        n = 1
    return n


def different_colours(left: int) -> list[int]:
    """§2.2 Three different ones of the colours that are left (a bit for each); §2.3 of fewer than three, two or one."""
    if left.bit_count() >= 3:
        return [TAKE_THREE + k for k, bits in enumerate(TRIPLE_BITS) if left & bits == bits]
    pairs = [TAKE_TWO + k for k, bits in enumerate(PAIR_BITS) if left & bits == bits]
    return pairs + [TAKE_ONE + colour for colour in range(5) if left >> colour & 1]


# The same for all that can be left, in rows of equal length: copied whole, of which the first `DIFFERENT_COUNT` are meant.
_TAKES = [different_colours(left) for left in range(1 << 5)]
MOST_DIFFERENT = max(map(len, _TAKES))
DIFFERENT: Grid = np.array([takes + [0] * (MOST_DIFFERENT - len(takes)) for takes in _TAKES], np.int64)
DIFFERENT_COUNT: Row = np.array([len(takes) for takes in _TAKES], np.int64)


@kernel
def legal_takes(state: State, actions: ActionList) -> int:
    left = 0
    for colour in range(5):
        left |= (state.bank[colour] > 0) << colour
    for k in range(MOST_DIFFERENT):
        actions[k] = DIFFERENT[left, k]
    n = int(DIFFERENT_COUNT[left])
    for colour in range(5):
        actions[n] = TAKE_ALIKE + colour
        n += may_take_alike(state, colour)
    return n


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    """Does what the action says."""
    if action < TAKE_TWO:
        take(state, seat, TRIPLES[action, 0], TRIPLES[action, 1], TRIPLES[action, 2], log)
    elif action < TAKE_ONE:
        k = action - TAKE_TWO
        take(state, seat, PAIRS[k, 0], PAIRS[k, 1], -1, log)
    elif action < TAKE_ALIKE:
        take(state, seat, action - TAKE_ONE, -1, -1, log)
    elif action < RESERVE:
        take(state, seat, action - TAKE_ALIKE, action - TAKE_ALIKE, -1, log)
    elif action < RESERVE_TOP:
        slot = action - RESERVE
        reserve(state, seat, slot // SLOTS, slot % SLOTS, log)
    elif action < RECRUIT:
        reserve_top(state, seat, action - RESERVE_TOP, log)
    elif action < CHOOSE_PAYMENT:
        recruit(state, seat, action - RECRUIT, log)
    elif action < SWAP:
        state.buying = action - CHOOSE_PAYMENT
        state.phase = PAY
    elif action < PAY_NOW:
        state.swapped[action - SWAP] += 1
    elif action < GIVE_BACK:
        recruit(state, seat, state.buying, log)
    elif action < TAKE_PLACE:
        give_back(state, seat, action - GIVE_BACK, log)
    elif action < PASS:
        take_place(state, seat, action - TAKE_PLACE, log)
        end_turn(state, seat, log)
    else:
        tell(log, PASSED, seat, EVERYONE)
        after_action(state, seat, log)


@kernel
def may_take_alike(state: State, colour: int) -> bool:
    """§2.4 Two alike only from a pile of four or more."""
    return state.bank[colour] >= ENOUGH_FOR_TWO


@kernel
def take(state: State, seat: int, one: int, two: int, three: int, log: Log) -> None:
    """§2.2, §2.3, §2.4 Tokens move from the table to the player; grey and green are never taken so (§2.5)."""
    taken = take_token(state, seat, one)
    if two >= 0:
        taken += take_token(state, seat, two)
    if three >= 0:
        taken += take_token(state, seat, three)
    tell(log, TOOK, seat, EVERYONE, taken)
    after_action(state, seat, log)


@kernel
def take_token(state: State, seat: int, colour: int) -> int:
    """One token; returns it as facts carry tokens."""
    state.bank[colour] -= 1
    state.tokens[seat, colour] += 1
    return bundle(colour, 1)


# §3 The token limit


@kernel
def held(state: State, seat: int) -> int:
    """§3.2 Grey and green tokens count too."""
    total = 0
    for kind in range(TOKEN_KINDS):
        total += state.tokens[seat, kind]
    return total


@kernel
def legal_returns(state: State, seat: int, actions: ActionList) -> int:
    """§3.3 The player chooses what goes back; §3.4 never the time gem."""
    n = 0
    for kind in range(GREEN):
        actions[n] = GIVE_BACK + kind
        n += state.tokens[seat, kind] > 0
    return n


@kernel
def give_back(state: State, seat: int, kind: int, log: Log) -> None:
    state.tokens[seat, kind] -= 1
    state.bank[kind] += 1
    tell(log, RETURNED, seat, EVERYONE, bundle(kind, 1))
    after_action(state, seat, log)


# §4 Reserving


@kernel
def may_reserve(state: State, seat: int) -> bool:
    """§4.5 At most three cards in hand."""
    return state.in_hand[seat] < HAND


@kernel
def reserve(state: State, seat: int, level: int, slot: int, log: Log) -> None:
    """§4.1 A face-up card: everybody has seen it."""
    card = state.market[level, slot]
    state.market[level, slot] = -1
    got = to_hand(state, seat, card, EVERYONE)
    tell(log, RESERVED, seat, EVERYONE, level, slot, got, card)
    refill(state, level, slot, log)
    after_action(state, seat, log)


@kernel
def reserve_top(state: State, seat: int, level: int, log: Log) -> None:
    """§4.2 The top of a deck: nobody else sees it before it is recruited."""
    card = draw(state, level)
    got = to_hand(state, seat, card, 1 << seat)
    tell(log, RESERVED, seat, 1 << seat, level, NOTHING, got, card)
    after_action(state, seat, log)


@kernel
def to_hand(state: State, seat: int, card: int, audience: int) -> int:
    """§4.3 A reserved card brings a grey token, §4.4 if one is left; returns how many came."""
    place = state.in_hand[seat]
    state.hand[seat, place] = card
    state.hand_seen[seat, place] = audience
    state.hand_level[seat, place] = LEVEL[card]
    state.in_hand[seat] += 1
    state.idle_turns = -1
    if state.bank[GREY] == 0:
        return 0
    take_token(state, seat, GREY)
    return 1


# §5 Recruiting. A card that may be recruited is 0-11 in the market, 12-14 in the player's hand.


@kernel
def card_at(state: State, seat: int, which: int) -> int:
    if which < MARKET_CARDS:
        return int(state.market[which // SLOTS, which % SLOTS])
    return int(state.hand[seat, which - MARKET_CARDS])


@kernel
def price(state: State, seat: int, card: int, colour: int) -> int:
    """§5.5 Each bonus of a colour saves one token of it; §5.6 down to nothing."""
    due = COST[state.edition, card, colour] - state.bonuses[seat, colour]
    return due if due > 0 else 0


@kernel
def packed_bonuses(state: State, seat: int) -> int:
    """Bonuses of each colour, eight bits a colour: one comparison then serves all five."""
    packed = 0
    for colour in range(5):
        packed |= int(state.bonuses[seat, colour]) << (8 * colour)
    return packed


@kernel
def packed_tokens(state: State, seat: int) -> int:
    """Coloured tokens, likewise."""
    packed = 0
    for colour in range(5):
        packed |= int(state.tokens[seat, colour]) << (8 * colour)
    return packed


@kernel
def purse(state: State, seat: int) -> int:
    """Bonuses and tokens of each colour together, likewise."""
    return packed_bonuses(state, seat) + packed_tokens(state, seat)


@kernel
def exceeding(many: int, few: int) -> int:
    """A bit for each colour of which there are more here than there; both packed."""
    return ((many | TOP_BITS) - few - LOW_BITS) & TOP_BITS


@kernel
def missing(cost: int, wealth: int) -> int:
    """Tokens missing, over all colours; both packed. Colour by colour, random play is a tenth slower."""
    spare = (cost | TOP_BITS) - wealth  # in each colour 128 + cost - wealth: the top bit stays if something is missing
    short = spare & TOP_BITS
    lack = spare & (short - (short >> 7))
    pairs = lack + (lack >> 8)
    return (pairs + (pairs >> 16) + (lack >> 32)) & 0xFF


@kernel
def jokers_needed(state: State, seat: int, card: int) -> int:
    """§5.3 A joker stands for any colour that is missing."""
    return int(missing(PACKED_COST[state.edition, card], purse(state, seat)))


@kernel
def may_recruit(state: State, card: int, wealth: int, jokers: int) -> bool:
    return card >= 0 and missing(PACKED_COST[state.edition, card], wealth) <= jokers


@kernel
def may_swap(state: State, seat: int, card: int, colour: int) -> bool:
    """§5.4 One more joker in place of a coloured token that would otherwise be paid."""
    due = price(state, seat, card, colour)
    coloured = min(due, int(state.tokens[seat, colour]))
    return state.swapped[colour] < coloured


@kernel
def may_choose_payment(state: State, card: int, bonuses: int, coloured: int, jokers: int) -> bool:
    """§5.4 There is a joker to spare and a coloured token that it could save."""
    cost = PACKED_COST[state.edition, card]
    return missing(cost, bonuses + coloured) < jokers and exceeding(cost, bonuses) & exceeding(coloured, 0) != 0


@kernel
def legal_payments(state: State, seat: int, actions: ActionList) -> int:
    """§5.4 Jokers are named colour by colour, in order, so that each way to pay can be said in one way only."""
    card = card_at(state, seat, state.buying)
    chosen = 0
    first = 0
    for colour in range(5):
        chosen += state.swapped[colour]
        if state.swapped[colour] > 0:
            first = colour
    n = 0
    if jokers_needed(state, seat, card) + chosen < state.tokens[seat, GREY]:
        for colour in range(first, 5):
            actions[n] = SWAP + colour
            n += may_swap(state, seat, card, colour)
    if chosen > 0:
        actions[n] = PAY_NOW
        n += 1
    return n


@kernel
def recruit(state: State, seat: int, which: int, log: Log) -> None:
    """§5.1 A card of the market or of the own hand joins the team."""
    card = card_at(state, seat, which)
    paid = pay(state, seat, card)
    state.owner[card] = seat
    state.bonuses[seat, BONUS[state.edition, card]] += 1
    state.points[seat] += POINTS[state.edition, card]
    state.recruits[seat] += 1
    state.idle_turns = -1
    if which < MARKET_CARDS:
        tell(log, RECRUITED, seat, EVERYONE, card, paid, which % SLOTS, NOTHING)
        refill(state, which // SLOTS, which % SLOTS, log)
    else:
        tell(log, RECRUITED, seat, EVERYONE, card, paid, NOTHING, which - MARKET_CARDS)
        drop_from_hand(state, seat, which - MARKET_CARDS)
    if state.edition == MARVEL:
        take_time_gem(state, seat, card, log)
        count_stars(state, seat, card, log)
    after_action(state, seat, log)


@kernel
def pay(state: State, seat: int, card: int) -> int:
    """§5.2 Tokens go back to the table: coloured ones first, jokers for the rest and where the player chose so (§5.4)."""
    paid = 0
    for colour in range(5):
        due = price(state, seat, card, colour)
        if due > 0:
            coloured = min(due, int(state.tokens[seat, colour])) - state.swapped[colour]
            paid += spend(state, seat, colour, coloured)
            paid += spend(state, seat, GREY, due - coloured)
    for colour in range(5):
        state.swapped[colour] = 0
    state.buying = -1
    state.phase = MAIN
    return paid


@kernel
def spend(state: State, seat: int, kind: int, count: int) -> int:
    state.tokens[seat, kind] -= count
    state.bank[kind] += count
    return bundle(kind, count)


@kernel
def drop_from_hand(state: State, seat: int, place: int) -> None:
    """The cards behind close up."""
    last = state.in_hand[seat] - 1
    for k in range(place, last):
        state.hand[seat, k] = state.hand[seat, k + 1]
        state.hand_seen[seat, k] = state.hand_seen[seat, k + 1]
        state.hand_level[seat, k] = state.hand_level[seat, k + 1]
    state.hand[seat, last] = -1
    state.hand_seen[seat, last] = 0
    state.hand_level[seat, last] = -1
    state.in_hand[seat] = last


@kernel
def refill(state: State, level: int, slot: int, log: Log) -> None:
    """§5.7 The gap is filled at once; §5.8 when the deck is empty it stays."""
    card = draw(state, level)
    state.market[level, slot] = card
    if card >= 0:
        tell(log, DEALT, NOBODY, EVERYONE, level, slot, card)


# §6 Places (nobles in the base edition)


@kernel
def may_take_place(state: State, n: int, bonuses: int) -> bool:
    """§6.1 Bonuses (packed) count, tokens do not."""
    face = state.tiles[n]
    if face < 0 or state.tile_owner[n] >= 0:
        return False
    return exceeding(PACKED_PLACE_COST[state.edition, face], bonuses) == 0


@kernel
def legal_places(state: State, seat: int, actions: ActionList) -> int:
    """§6.4 Who could take several chooses one."""
    n = 0
    bonuses = packed_bonuses(state, seat)
    for tile in range(TILES):
        actions[n] = TAKE_PLACE + tile
        n += may_take_place(state, tile, bonuses)
    return n


@kernel
def take_place(state: State, seat: int, n: int, log: Log) -> None:
    state.tile_owner[n] = seat
    state.points[seat] += TILE_POINTS
    tell(log, RECEIVED, seat, EVERYONE, n, state.tiles[n])


# §7 The time gem


@kernel
def take_time_gem(state: State, seat: int, card: int, log: Log) -> None:
    """§7.1 The first recruit of level 3 brings it; §7.2 nobody has more than one."""
    if LEVEL[card] == 2 and state.tokens[seat, GREEN] == 0:
        take_token(state, seat, GREEN)
        tell(log, TIME_GEM, seat, EVERYONE)


# §8 The Avengers tile


@kernel
def count_stars(state: State, seat: int, card: int, log: Log) -> None:
    """§8.1 The first with three symbols takes the tile; §8.2 then whoever has strictly more; §8.3 points move with it."""
    gained = STARS[state.edition, card]
    if gained == 0:
        return
    state.stars[seat] += gained
    holder = state.avengers
    if holder == seat or state.stars[seat] < ENOUGH_STARS:
        return
    if holder >= 0:
        if state.stars[seat] <= state.stars[holder]:
            return
        state.points[holder] -= TILE_POINTS
    state.avengers = seat
    state.points[seat] += TILE_POINTS
    tell(log, AVENGERS, seat, EVERYONE, holder, state.stars[seat])


# Between turns


@kernel
def after_action(state: State, seat: int, log: Log) -> None:
    """The end of a turn: tokens beyond ten go back (§3.2), then one place is taken (§6.2, §6.3), then the next player."""
    if held(state, seat) > TOKEN_LIMIT:
        state.phase = RETURN
        return
    possible = 0
    only = -1
    bonuses = packed_bonuses(state, seat)
    for n in range(state.tile_count):
        if may_take_place(state, n, bonuses):
            possible += 1
            only = n
    if possible > 1:
        state.phase = PLACE
        return
    if possible == 1:
        take_place(state, seat, only, log)
    end_turn(state, seat, log)


@kernel
def end_turn(state: State, seat: int, log: Log) -> None:
    note_the_end(state, seat, log)
    state.phase = MAIN
    state.waiting[seat] = 0
    state.idle_turns += 1
    following = seat + 1
    if following == state.seats:  # §9.2 the round is complete: everybody has had the same number of turns
        following = 0
        if state.ending == 1:
            finish(state, 1, log)
            return
        if state.idle_turns >= IDLE_ROUNDS * state.seats:  # §9.9
            finish(state, 2, log)
            return
        state.round_number += 1
        tell(log, NEW_ROUND, NOBODY, EVERYONE, state.round_number)
    state.turn = following
    state.waiting[following] = 1


# §9 The end


@kernel
def qualifies(state: State, seat: int) -> bool:
    """§9.1 Sixteen points, a bonus of every colour and the time gem; §10.3 fifteen points."""
    if state.points[seat] < GOAL[state.edition]:
        return False
    if state.edition == BASE:
        return True
    for colour in range(5):
        if state.bonuses[seat, colour] == 0:
            return False
    return state.tokens[seat, GREEN] == 1


@kernel
def note_the_end(state: State, seat: int, log: Log) -> None:
    """§9.8 Who has met the conditions may lose the Avengers tile and with it the end of the game, or to whoever took it."""
    anybody = 0
    others = 0
    for other in range(state.seats):
        if qualifies(state, other):
            anybody = 1
            others += other != seat
    if anybody == 1 and (state.ending == 0 or others == 0):
        tell(log, ASSEMBLED, seat, EVERYONE, state.points[seat])
    if anybody == 0 and state.ending == 1:
        tell(log, FELL_SHORT, seat, EVERYONE)
    state.ending = anybody


@kernel
def finish(state: State, why: int, log: Log) -> None:
    state.over = why
    tell(log, ENDED, NOBODY, EVERYONE, why)


@kernel
def is_over(state: State) -> bool:
    return state.over > 0


@kernel
def scores(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = state.points[seat]


@kernel
def standing(state: State, seat: int) -> int:
    """§9.4-§9.6 Who meets the conditions comes first; then points, the Avengers tile, fewer cards."""
    first = 1 if qualifies(state, seat) else 0
    tile = 1 if state.avengers == seat else 0
    return ((first * 1000 + int(state.points[seat])) * 2 + tile) * 100 + 99 - int(state.recruits[seat])


@kernel
def ranks(state: State, out: ScoreList) -> None:
    """§9.7 Equal in everything: shared."""
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            if standing(state, other) > standing(state, seat):
                out[seat] += 1
