"""What a player can think the hidden cards are.

Everybody knows how many cards of each level a team has, and everything that lay open in a match. So the cards nobody has
shown are dealt anew, level by level: into the others' decks, displays and discards, the level decks, and the unseen cards
that came into piles.

What is known of another team's deck stands in `shown`: copies seen there. When the team has since removed d cards of that
level (`doubt`), each of its cards of the level, seen or not, is as likely to have been among the d; without removals the
seen copies are certain. The starting cards are `shown` from the beginning, and the box holds those that are gone. The
viewer's own deck is known, its order is not, but for places looked at (marked in `pile_seen`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludoteca.core.chance import OWN_SEEDS, below, seed_stream, shuffle
from ludoteca.core.kernel import kernel
from ludoteca.core.record import Row

from .components import (
    CARDS,
    COPIES,
    DRAFT_LEVELS,
    KINDS,
    LEVEL,
    LEVELS,
    PARKS,
    PICKS,
    ROUNDS,
    SET,
    START,
    TROPHY,
    A,
    P,
    R,
)
from .rules.drafting import choosing_levels, drawers_of, open_levels
from .state import DECK, DRAWN, LARGEST_DECK, P_KINDS, PLAYING, TEAMS, State

SOLO_ONLY: Row = np.array([card.level == "SOLO" for card in CARDS], np.int64)


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    """Fills in what the viewer cannot see, components conserved."""
    seed_stream(state, seed)
    unseen = np.zeros(KINDS, np.int64)
    count_unseen(state, seat, unseen)
    for team in range(TEAMS):
        state.streams[team] = below(state, OWN_SEEDS)
        if team != seat:
            forget(state, team)
            guess_level(state, team)
    for pass_ in range(2):  # first those whose decks are certain: what they hold, nobody else can hold
        for team in range(state.teams):
            if team != seat:
                for level in range(LEVELS):
                    if (state.doubt[team, level] == 0) == (pass_ == 0):
                        keep_shown(state, team, level, unseen)
    for stack in range(DRAFT_LEVELS):
        deal_unseen(state, seat, stack, unseen)
    guess_box_and_robot(state, seat, unseen)
    order = np.zeros(LARGEST_DECK, np.int64)
    for team in range(state.teams):
        if state.park[team] >= 0 and state.match_on[state.park[team]] == PLAYING:
            guess_pile(state, team, order)
    guess_trophies(state)


@kernel
def count_unseen(state: State, seat: int, unseen: Any) -> None:
    """Copies in the box of the game, less those whose place the viewer knows."""
    for kind in range(KINDS):
        if LEVEL[kind] == P:
            unseen[kind] = START[kind]  # of one team; starting cards do not mix
        elif SET[kind] != state.left_out and (SOLO_ONLY[kind] == 0 or state.solo_cards == 1):
            unseen[kind] = COPIES[kind]
    for kind in range(KINDS):
        if LEVEL[kind] != P:
            for team in range(state.teams):
                if team == seat:
                    unseen[kind] -= state.deck[team, kind] + state.leaving[team, kind]
                else:
                    unseen[kind] -= state.visible[team, kind]
    for team in range(state.teams):
        if team == seat:
            for place in range(DRAWN):
                if state.display[team, place] >= 0:
                    unseen[state.display[team, place]] -= 1
        else:
            for place in range(state.pile_left[team]):
                kind = state.pile[team, place]
                if kind >= 0 and LEVEL[kind] != P:
                    unseen[kind] -= 1
    for stack in range(DRAFT_LEVELS):
        for place in range(state.discards_size[stack]):
            if state.discards[stack, place] >= 0:
                unseen[state.discards[stack, place]] -= 1


@kernel
def forget(state: State, team: int) -> None:
    """Of another team's deck only what lies open, or on its pile for all to know."""
    for kind in range(KINDS):
        state.deck[team, kind] = state.visible[team, kind]
        state.leaving[team, kind] = 0
    for kind in range(P_KINDS):
        state.boxed[team, kind] = 0
    for place in range(state.pile_left[team]):
        if state.pile[team, place] >= 0:
            state.deck[team, state.pile[team, place]] += 1


@kernel
def guess_level(state: State, team: int) -> None:
    """§3.2 Who has sealed a level may have chosen any that is open."""
    if team < state.seats and state.waiting[team] == 0 and choosing_levels(state):
        chosen = below(state, open_levels(state))
        for stack in range(DRAFT_LEVELS):
            if PICKS[state.round_number - 1, stack] > 0:
                if chosen == 0:
                    state.wanted[team] = stack
                chosen -= 1


@kernel
def missing(state: State, team: int, level: int) -> int:
    """Cards of a level that the team must have and that are not yet guessed."""
    count = int(state.by_level[team, level])
    for kind in range(KINDS):
        if LEVEL[kind] == level:
            count -= state.deck[team, kind]
    return count


@kernel
def spare(state: State, team: int, kind: int, unseen: Any) -> int:
    """Copies seen in the deck at some time that may be there still."""
    copies = state.shown[team, kind] - state.deck[team, kind]
    if LEVEL[kind] != P and copies > unseen[kind]:
        copies = unseen[kind]
    return max(0, copies)


@kernel
def keep_shown(state: State, team: int, level: int, unseen: Any) -> None:
    """Of the cards once seen, those that were not among the removed ones."""
    slots = missing(state, team, level)
    seen = 0
    for kind in range(KINDS):
        if LEVEL[kind] == level:
            seen += spare(state, team, kind, unseen)
    if seen == 0 or slots == 0:
        return
    removed = int(state.doubt[team, level])
    staying = seen
    for n in range(removed):
        if below(state, max(slots + removed - n, 1)) < staying:
            staying -= 1
    staying = min(staying, slots)
    for kind in range(KINDS):
        if LEVEL[kind] == level:
            for _ in range(spare(state, team, kind, unseen)):
                if below(state, seen) < staying:
                    state.deck[team, kind] += 1
                    staying -= 1
                    if level != P:
                        unseen[kind] -= 1
                seen -= 1


@kernel
def deal_unseen(state: State, seat: int, stack: int, unseen: Any) -> None:
    """Shuffles the unseen cards of a level and deals them to every place that must hold one."""
    level = stack + A
    left = 0
    for kind in range(KINDS):
        if LEVEL[kind] == level:
            for _ in range(unseen[kind]):
                state.stack[stack, left] = kind
                left += 1
    shuffle(state, state.stack[stack], left)
    for team in range(state.teams):
        if team != seat:
            for _ in range(missing(state, team, level)):
                left -= 1
                state.deck[team, state.stack[stack, left]] += 1
            for _ in range(state.leaving_by[team, stack]):
                left -= 1
                state.leaving[team, state.stack[stack, left]] += 1
            if state.level[team] == stack:
                for place in range(DRAWN):
                    if state.lying[team] >> place & 1:
                        left -= 1
                        state.display[team, place] = state.stack[stack, left]
        for place in range(state.pile_left[team]):
            if state.pile_new[team, place] == level:
                left -= 1
                state.pile[team, place] = state.stack[stack, left]
    for place in range(state.discards_size[stack]):
        if state.discards[stack, place] < 0:
            left -= 1
            state.discards[stack, place] = state.stack[stack, left]
    spread(state, stack, left)


@kernel
def spread(state: State, stack: int, left: int) -> None:
    """The rest is the level deck; where cards were drawn in this phase there is a gap."""
    drawers = max(1, drawers_of(state, stack)) if state.phase == DECK else int(state.parks)
    for place in range(state.stack.shape[1] - 1, -1, -1):
        lies = place < state.stack_size[stack] and place // drawers >= state.taken[stack, place % drawers]
        if lies:
            left -= 1
            state.stack[stack, place] = state.stack[stack, left]
        else:
            state.stack[stack, place] = -1


@kernel
def guess_box_and_robot(state: State, seat: int, unseen: Any) -> None:
    """Starting cards that are no longer in a deck are in the box; the Robot's R cards are any that were not seen."""
    for team in range(state.seats):
        if team != seat:
            for kind in range(P_KINDS):
                state.boxed[team, kind] = START[kind] - state.deck[team, kind]
    if state.teams == state.seats:
        return
    robot = int(state.seats)
    wanted = missing(state, robot, R)
    possible = 0
    for kind in range(KINDS):
        if LEVEL[kind] == R:
            possible += unseen[kind]
    for kind in range(KINDS):
        if LEVEL[kind] == R:
            for _ in range(unseen[kind]):
                if below(state, possible) < wanted:
                    state.deck[robot, kind] += 1
                    wanted -= 1
                possible -= 1


@kernel
def guess_pile(state: State, team: int, order: Any) -> None:
    """The cards of the deck that do not lie open, in any order, but for the places that are known."""
    count = 0
    for kind in range(KINDS):
        left = state.deck[team, kind] - state.visible[team, kind]
        if left > 0:
            for place in range(state.pile_left[team]):
                if state.pile[team, place] == kind and state.pile_new[team, place] == 0:
                    left -= 1
        for _ in range(left):
            order[count] = kind
            count += 1
    for n in range(count - 1, 0, -1):
        other = below(state, n + 1)
        kept = order[n]
        order[n] = order[other]
        order[other] = kept
    for place in range(state.pile_left[team]):
        if state.pile[team, place] < 0:
            count -= 1
            state.pile[team, place] = order[count]


@kernel
def guess_trophies(state: State) -> None:
    """The backs of a round's four trophies are known; who has which is not."""
    for row in range(ROUNDS):
        for park in range(PARKS):
            if state.trophy[row, park] < 0:
                state.trophy[row, park] = hidden_trophy(state, row)


@kernel
def hidden_trophy(state: State, row: int) -> int:
    """One of the values of a round that lie nowhere yet, each token as likely."""
    value = -1
    left = 0
    for n in range(PARKS):
        copies = 0
        for m in range(PARKS):
            copies += TROPHY[row, m] == TROPHY[row, n]
            copies -= state.trophy[row, m] == TROPHY[row, n]
        before = 0
        for m in range(n):
            before += TROPHY[row, m] == TROPHY[row, n]
        if before < copies:
            left += 1
            if below(state, left) == 0:
                value = TROPHY[row, n]
    return value
