"""§3, §4 The deck phase: everybody at once and at their own pace.

A player's steps: a level (where the plan leaves a choice), then picks with at most one redraw, then removing. Levels are
sealed until all have chosen; then each level deck is divided among those who draw from it (§3.9). Whatever leaves a player
waits in `leaving` or in the display; it reaches the discards when all are ready, in the order of the seats. Together that
makes the order of decisions immaterial.
"""

from __future__ import annotations

import numpy as np

from ludoteca.core.chance import begin_own, below_own
from ludoteca.core.kernel import ActionList, Log, kernel
from ludoteca.core.log import NOBODY, tell
from ludoteca.core.record import EVERYONE

from ..actions import CHOOSE_LEVEL, DECLINE, GET_READY, MARK, PICK, REDRAW_NOW, REMOVE, STOP
from ..components import (
    AMOUNT,
    DRAFT_LEVELS,
    EFFECT,
    EXCHANGE,
    FANS,
    KINDS,
    LEVEL,
    PICKS,
    TIMING,
    WHEN_CHOSEN,
    A,
    P,
)
from ..facts import (
    BECAME_READY,
    DECLINED,
    DREW,
    LEVEL_CHOSEN,
    PICKED,
    REDREW,
    REMOVED,
    ROUND_BEGAN,
    STOPPED,
)
from ..state import (
    AWAITING,
    DECK,
    DRAFT,
    DRAWN,
    EXCHANGE_STEP,
    FINAL_TRIM,
    LEVEL_STEP,
    READY,
    REDRAW,
    SHARE,
    TEAMS,
    TRIM,
    State,
)
from .power import fits
from .trophies import gain_fans
from .zones import discard, draw_from_any_share, draw_share, fill_up_stack, leave, own

MOST_DOUBT = 100


@kernel
def begin_round(state: State, log: Log) -> None:
    """§2.1 A round begins with the deck phase."""
    tell(log, ROUND_BEGAN, NOBODY, EVERYONE, state.round_number)
    prepare_round(state)
    if only_level(state) >= 0:
        tell_displays(state, log)


@kernel
def prepare_round(state: State) -> None:
    """The stacks are filled up, and where there is only one level to choose, everybody draws from it."""
    state.phase = DECK
    begin_own(state, state.streams, int(state.teams))
    for stack in range(DRAFT_LEVELS):
        if PICKS[state.round_number - 1, stack] > 0:
            fill_up_stack(state, stack, SHARE * state.seats)
    for seat in range(state.seats):
        state.level[seat] = -1
        state.redraws[seat] = 1
        state.picked[seat] = 0
        state.picks[seat] = 0
        state.step[seat] = LEVEL_STEP
        state.waiting[seat] = 1
        state.wanted[seat] = only_level(state)
    if only_level(state) >= 0:
        lay_out_displays(state)


@kernel
def open_levels(state: State) -> int:
    """§3.2 From how many levels the round lets one choose."""
    count = 0
    for stack in range(DRAFT_LEVELS):
        count += PICKS[state.round_number - 1, stack] > 0
    return count


@kernel
def only_level(state: State) -> int:
    """The level of a round that leaves no choice, otherwise -1."""
    found = -1
    for stack in range(DRAFT_LEVELS):
        if PICKS[state.round_number - 1, stack] > 0:
            if found >= 0:
                return -1
            found = stack
    return found


# What may be decided


@kernel
def legal_in_deck_phase(state: State, seat: int, actions: ActionList) -> int:
    step = state.step[seat]
    n = 0
    if step == LEVEL_STEP:
        for stack in range(DRAFT_LEVELS):
            actions[n] = CHOOSE_LEVEL + stack
            n += PICKS[state.round_number - 1, stack] > 0
    elif step == DRAFT:
        for place in range(DRAWN):
            actions[n] = PICK + place
            n += state.display[seat, place] >= 0
        if may_redraw(state, seat):
            for place in range(DRAWN):
                actions[n] = MARK + place
                n += state.display[seat, place] >= 0
        actions[n] = STOP
        n += 1
    elif step == REDRAW:
        for place in range(DRAWN):
            actions[n] = MARK + place
            n += may_mark(state, seat, place)
        actions[n] = REDRAW_NOW
        n += 1
    else:
        if may_remove_any(state, seat):
            for kind in range(KINDS):
                actions[n] = REMOVE + kind
                n += may_remove(state, seat, kind)
        if step == TRIM:
            actions[n] = GET_READY
            n += 1
        elif may_decline(state, seat):
            actions[n] = DECLINE
            n += 1
    return n


@kernel
def decide_in_deck_phase(state: State, seat: int, action: int, log: Log) -> None:
    if action < PICK:
        seal_level(state, seat, action - CHOOSE_LEVEL)
    elif action < MARK:
        pick(state, seat, action - PICK, log)
    elif action < REDRAW_NOW:
        state.step[seat] = REDRAW
        state.marked[seat] |= 1 << (action - MARK)
    elif action < STOP:
        ask_for_redraw(state, seat, log)
    elif action < REMOVE:
        tell(log, STOPPED, seat, EVERYONE, state.picked[seat])
        state.step[seat] = TRIM
    elif action < DECLINE:
        remove(state, seat, action - REMOVE, log)
        if state.step[seat] == EXCHANGE_STEP:
            go_on_exchanging(state, seat)
    elif action < GET_READY:
        tell(log, DECLINED, seat, EVERYONE, state.exchange[seat])
        go_on_picking(state, seat)
    else:
        state.step[seat] = READY
        state.waiting[seat] = 0
        tell(log, BECAME_READY, seat, EVERYONE, state.deck_size[seat], state.picked[seat])
    deal_redraws(state, log)


# §3.2 The level


@kernel
def seal_level(state: State, seat: int, stack: int) -> None:
    """Nobody knows it until all have chosen."""
    state.wanted[seat] = stack
    state.waiting[seat] = 0


@kernel
def choosing_levels(state: State) -> bool:
    """Whether some have yet to choose a level: nobody draws before."""
    return state.phase == DECK and state.step[0] == LEVEL_STEP


@kernel
def deal_displays(state: State, log: Log) -> None:
    """§3.2 All levels are opened, and everybody draws."""
    lay_out_displays(state)
    for seat in range(state.seats):
        tell(log, LEVEL_CHOSEN, seat, EVERYONE, state.level[seat] + A, state.picks[seat])
    tell_displays(state, log)


@kernel
def lay_out_displays(state: State) -> None:
    """§3.9 Each level deck is divided among those who draw from it."""
    for seat in range(state.seats):
        stack = int(state.wanted[seat])
        state.wanted[seat] = -1
        state.level[seat] = stack
        state.picks[seat] = PICKS[state.round_number - 1, stack]
        state.waiting[seat] = 1
    for seat in range(state.seats):
        draw_display(state, seat)


@kernel
def drawers_of(state: State, stack: int) -> int:
    """How many draw from this level deck."""
    count = 0
    for seat in range(state.seats):
        count += state.level[seat] == stack
    return count


@kernel
def share_of(state: State, seat: int) -> int:
    """§3.9 Which share of the level deck is this player's; in each round another player has the first one."""
    first = (state.round_number - 1) % state.seats
    share = 0
    for n in range(state.seats):
        other = (first + n) % state.seats
        if other == seat:
            return share
        share += state.level[other] == state.level[seat]
    return -1


# §3.3 Five cards of a level


@kernel
def draw_display(state: State, seat: int) -> None:
    stack = int(state.level[seat])
    share = share_of(state, seat)
    shares = drawers_of(state, stack)
    for place in range(DRAWN):
        kind = draw_share(state, stack, share, shares)
        state.display[seat, place] = kind
        if kind >= 0:
            state.lying[seat] |= 1 << place
    go_on_picking(state, seat)


@kernel
def displayed(state: State, seat: int) -> int:
    """How many cards were drawn: fewer than five where a stack ran out."""
    count = 0
    for place in range(DRAWN):
        count += state.display[seat, place] >= 0
    return count


@kernel
def tell_displays(state: State, log: Log) -> None:
    for seat in range(state.seats):
        tell_display(state, seat, DREW, displayed(state, seat), log)


@kernel
def tell_display(state: State, seat: int, event: int, count: int, log: Log) -> None:
    """The five places: only for the eyes of the player."""
    tell(
        log, event, seat, 1 << seat, count, state.level[seat] + A,
        state.display[seat, 0], state.display[seat, 1], state.display[seat, 2], state.display[seat, 3],
        state.display[seat, 4],
    )  # fmt: skip


@kernel
def go_on_picking(state: State, seat: int) -> None:
    """§3.4 While cards may be picked and there are any; then §4.1 removing."""
    state.exchange[seat] = -1
    state.exchange_left[seat] = 0
    state.step[seat] = DRAFT if state.picks[seat] > 0 and state.lying[seat] != 0 else TRIM


# §3.5 One redraw of any number of cards


@kernel
def left_for_redraws(state: State, stack: int) -> int:
    """Cards the level deck had left when all displays were drawn."""
    return max(0, int(state.stack_size[stack]) - DRAWN * drawers_of(state, stack))


@kernel
def left_in_deck(state: State, stack: int) -> int:
    """Cards the level deck has now. While somebody may still redraw, others cannot have taken the last ones (§3.9)."""
    left = int(state.stack_size[stack])
    for drawer in range(TEAMS):
        left -= state.taken[stack, drawer]
    return max(0, left)


@kernel
def may_redraw(state: State, seat: int) -> bool:
    """Once, and only if there is anything to draw."""
    return state.redraws[seat] > 0 and left_in_deck(state, int(state.level[seat])) > 0


@kernel
def may_mark(state: State, seat: int, place: int) -> bool:
    """The cards to be redrawn are named in the order in which they lie, so that each redraw can be said in one way."""
    return state.display[seat, place] >= 0 and state.marked[seat] >> place == 0


@kernel
def ask_for_redraw(state: State, seat: int, log: Log) -> None:
    """§3.5 As many new ones from the same deck: at once, if the deck has as many for everybody; otherwise §3.9 what it has
    left is dealt out when all who draw from it have redrawn or can no longer do so."""
    stack = int(state.level[seat])
    count = marked_cards(state, seat)
    if count * drawers_of(state, stack) <= left_for_redraws(state, stack):
        for place in range(DRAWN):
            if state.marked[seat] >> place & 1:
                redraw_card(state, seat, place)
        end_redraw(state, seat, count, log)
    else:
        state.step[seat] = AWAITING
        state.waiting[seat] = 0


@kernel
def marked_cards(state: State, seat: int) -> int:
    count = 0
    for place in range(DRAWN):
        count += state.marked[seat] >> place & 1
    return count


@kernel
def redraw_card(state: State, seat: int, place: int) -> bool:
    """One card for another; False when the deck has none."""
    stack = int(state.level[seat])
    kind = draw_from_any_share(state, stack, share_of(state, seat), drawers_of(state, stack))
    if kind < 0:
        return False
    leave(state, seat, int(state.display[seat, place]))
    state.display[seat, place] = kind
    state.marked[seat] &= ~(1 << place)
    return True


@kernel
def end_redraw(state: State, seat: int, count: int, log: Log) -> None:
    state.marked[seat] = 0
    if count > 0:  # §3.9 a redraw that brought nothing is not used up
        state.redraws[seat] = 0
    state.step[seat] = DRAFT
    state.waiting[seat] = 1
    tell_display(state, seat, REDREW, count, log)


@kernel
def deal_redraws(state: State, log: Log) -> None:
    """§3.9 Deals to those who await new cards, level by level, as soon as nobody else can ask for any."""
    for stack in range(DRAFT_LEVELS):
        awaiting = 0
        undecided = 0
        for seat in range(state.seats):
            if state.level[seat] == stack:
                awaiting += state.step[seat] == AWAITING
                undecided += state.redraws[seat] > 0 and state.step[seat] in (DRAFT, REDRAW, EXCHANGE_STEP)
        if awaiting > 0 and undecided == 0:
            deal_what_is_left(state, stack, log)


@kernel
def deal_what_is_left(state: State, stack: int, log: Log) -> None:
    """§3.9 One card each, in turn; when there are no more, the cards not yet replaced, by chance, come back."""
    first = (state.round_number - 1) % state.seats
    came = np.zeros(TEAMS, np.int64)
    for _ in range(DRAWN):
        for n in range(state.seats):
            seat = (first + n) % state.seats
            if state.level[seat] == stack and state.step[seat] == AWAITING and state.marked[seat] != 0:
                spot = nth_marked(
                    int(state.marked[seat]), below_own(state, state.streams, seat, marked_cards(state, seat))
                )
                came[seat] += redraw_card(state, seat, spot)
    for seat in range(state.seats):
        if state.level[seat] == stack and state.step[seat] == AWAITING:
            end_redraw(state, seat, came[seat], log)


@kernel
def nth_marked(marked: int, n: int) -> int:
    for place in range(DRAWN):
        if marked >> place & 1:
            if n == 0:
                return place
            n -= 1
    return -1


# §3.4 Picking, and §3.10 what happens when a card is chosen


@kernel
def pick(state: State, seat: int, place: int, log: Log) -> None:
    kind = int(state.display[seat, place])
    open_card = TIMING[kind] == WHEN_CHOSEN  # §3.10 such a card is shown
    state.display[seat, place] = -1
    state.lying[seat] &= ~(1 << place)
    state.picks[seat] -= 1
    state.picked[seat] += 1
    state.deck_size[seat] += 1
    own(state, seat, kind)
    tell(log, PICKED, seat, EVERYONE if open_card else 1 << seat, state.picked[seat], LEVEL[kind], kind, place)
    if not open_card:
        go_on_picking(state, seat)
        return
    state.shown[seat, kind] += 1
    if EFFECT[kind] == FANS:
        gain_fans(state, seat, AMOUNT[kind], kind, log)
    if EFFECT[kind] == EXCHANGE and state.deck_size[seat] > AMOUNT[kind]:  # who cannot exchange says no like the others
        state.step[seat] = EXCHANGE_STEP
        state.exchange[seat] = kind
        state.exchange_left[seat] = AMOUNT[kind]
    else:
        go_on_picking(state, seat)


@kernel
def may_exchange(state: State, seat: int) -> bool:
    """§3.11 There are enough fitting cards, and one card stays in the deck."""
    card = int(state.exchange[seat])
    fitting = 0
    for kind in range(KINDS):
        if state.deck[seat, kind] > 0 and fits(state, card, kind):
            fitting += state.deck[seat, kind]
    return fitting >= state.exchange_left[seat] and state.deck_size[seat] > state.exchange_left[seat]


@kernel
def may_decline(state: State, seat: int) -> bool:
    """§3.11 All or nothing: whoever has removed the first card removes the second."""
    return state.exchange_left[seat] == AMOUNT[state.exchange[seat]]


@kernel
def go_on_exchanging(state: State, seat: int) -> None:
    state.exchange_left[seat] -= 1
    if state.exchange_left[seat] == 0:
        state.picks[seat] += 1
        go_on_picking(state, seat)


# §4 Removing cards


@kernel
def may_remove_any(state: State, seat: int) -> bool:
    """§4.3 One card always stays; §3.11 an exchange is begun only by whoever can finish it."""
    if state.step[seat] == EXCHANGE_STEP:
        return may_exchange(state, seat)
    return state.deck_size[seat] > 1


@kernel
def may_remove(state: State, seat: int, kind: int) -> bool:
    """§4.1 Any card; in an exchange one that it speaks of."""
    if state.deck[seat, kind] <= 0:
        return False
    return state.step[seat] == TRIM or fits(state, int(state.exchange[seat]), kind)


@kernel
def remove(state: State, seat: int, kind: int, log: Log) -> None:
    """§4.2 To the discards of its level, a starting card to the box; everybody sees the level, not the card."""
    state.deck[seat, kind] -= 1
    state.by_level[seat, LEVEL[kind]] -= 1
    state.deck_size[seat] -= 1
    if state.doubt[seat, LEVEL[kind]] < MOST_DOUBT:
        state.doubt[seat, LEVEL[kind]] += 1
    if LEVEL[kind] == P:
        state.boxed[seat, kind] += 1
    else:
        leave(state, seat, kind)
    tell(log, REMOVED, seat, 1 << seat, LEVEL[kind], state.deck_size[seat], kind)


# The end of the phase


@kernel
def clear_away(state: State) -> None:
    """§3.7 What was not picked goes to the discards."""
    for seat in range(state.seats):
        for place in range(DRAWN):
            if state.display[seat, place] >= 0:
                discard(state, int(state.display[seat, place]), seat)
                state.display[seat, place] = -1
        state.lying[seat] = 0
        state.level[seat] = -1
        state.picks[seat] = 0


@kernel
def begin_final_trim(state: State, log: Log) -> None:
    """§8.4 Before the final its two players may remove cards; they draw none."""
    state.phase = FINAL_TRIM
    for n in range(2):
        seat = state.finalists[n]
        state.step[seat] = TRIM
        state.picked[seat] = 0
        state.waiting[seat] = 1
