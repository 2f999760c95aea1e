"""How a thoughtful beginner plays: what a card is worth, what an action is worth, and who seems ahead."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import ChanceList, kernel

from .actions import (
    CHOOSE,
    CHOOSE_LEVEL,
    DECLINE,
    ENOUGH,
    FIND,
    MARK,
    NEXT,
    PICK,
    REDRAW_NOW,
    REMOVE,
    STOP,
    TO_BOTTOM,
)
from .components import (
    CARDS,
    EFFECT,
    EXHAUST,
    EXHAUST_RIVAL,
    HELPS,
    KIND,
    KINDS,
    NAME,
    PICKS,
    RIVAL_EXHAUSTS,
    SEARCH_TOP,
)
from .rules.effects import bench_asked
from .rules.power import base_power
from .rules.tournament import total_fans
from .rules.zones import free_seats, named_on_bench
from .state import DRAWN, MATCH, SEATS_ON_BENCH, State

# What an effect usually adds to the printed power, in points of power.
EXTRA = {
    "city-reporter-a": 0.3, "city-mascot-b": 2.5, "city-fan-bus-c": 1.0, "castle-jester-a": 2.0,
    "castle-stable-boy-a": 0.8, "castle-hermit-a": 1.0, "castle-blacksmith-b": 0.6, "castle-knight-b": 1.2,
    "castle-sorcerer-b": 0.6, "castle-bard-c": 2.0, "castle-prince-c": 1.0, "film-studio-make-up-artist-a": 0.8,
    "film-studio-movie-star-a": 0.3, "film-studio-gangster-a": 1.2, "film-studio-cowboy-b": 0.8,
    "film-studio-director-b": 0.5, "film-studio-comic-character-b": 0.8, "film-studio-heroine-c": 1.5,
    "film-studio-villain-c": -1.0, "funfair-clown-a": 1.2, "funfair-juggler-a": 0.4, "funfair-vendor-a": 0.6,
    "funfair-mime-b": 3.0, "funfair-pyrotechnician-b": 0.3, "funfair-clairvoyant-b": 0.6, "funfair-illusionist-c": 3.0,
    "funfair-bumper-car-c": 0.4, "haunted-house-butler-a": 1.5, "haunted-house-skeleton-a": 0.7,
    "haunted-house-ghost-b": 2.0, "haunted-house-teenager-b": 1.5, "haunted-house-necromancer-b": 0.8,
    "haunted-house-vampire-c": 1.8, "haunted-house-vacuum-cleaner-c": 1.0, "outer-space-rescue-pod-a": 1.0,
    "outer-space-shapeshifter-a": 0.3, "outer-space-ai-a": 0.5, "outer-space-band-b": 0.5, "outer-space-ufo-b": 0.5,
    "outer-space-clones-b": 0.4, "outer-space-hologram-c": -0.5, "outer-space-sci-fi-geek-c": 0.3,
    "shipwreck-merman-a": 2.0, "shipwreck-treasure-a": 1.4, "shipwreck-sailor-a": 0.3, "shipwreck-cook-b": 1.0,
    "shipwreck-lifeguard-b": 0.4, "shipwreck-navigator-b": 0.3, "shipwreck-siren-c": 0.5, "shipwreck-submarine-c": -0.5,
}  # fmt: skip
WORTH = np.array([(card.power if card.power >= 0 else 4) + EXTRA.get(card.id, 0.0) for card in CARDS], np.float64)
for _id in EXTRA:
    assert _id in KIND, _id
TYPICAL = np.array([3.0, 4.6, 6.8], np.float64)  # what a card of level A, B, C is worth on the whole
COMPANION = 0.7  # a second card of a name needs no seat of its own
FEW_CARDS = 7  # a deck should not be smaller: it would run out
SEATED_NAMES = 9  # with more names the bench fills up


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    """In the deck phase the strongest cards and few names; in a match the strong cards early and seats for the rest."""
    if action < PICK:
        stack = action - CHOOSE_LEVEL
        return TYPICAL[stack] + 0.4 * PICKS[state.round_number - 1, stack]
    if action < MARK:
        return 10.0 + wish(state, seat, int(state.display[seat, action - PICK]))
    if action < REDRAW_NOW:
        return 50.0 if is_unwanted(state, seat, action - MARK) else -50.0
    if action < STOP:
        return 40.0
    if action < REMOVE:
        return 10.0 + weakest_wish(state, seat)
    if action < DECLINE:
        return removal(state, seat, action - REMOVE)
    if action < CHOOSE:
        return 0.0
    if action == ENOUGH:
        return 0.0
    if action < ENOUGH:
        return bench_choice(state, seat, action - CHOOSE)
    top = state.pile_left[seat] - 1
    if action < TO_BOTTOM:  # the order: strongest first
        park = state.park[seat]
        placed = min(3, int(state.pile_left[seat])) - state.ask_left[park]
        return WORTH[state.pile[seat, top - placed - (action - NEXT)]]
    if action < FIND:
        return -WORTH[state.pile[seat, top - (action - TO_BOTTOM)]]
    worth = WORTH[state.pile[seat, top - (action - FIND)]]
    return worth if state.ask[state.park[seat]] == SEARCH_TOP else -worth


@kernel
def wish(state: State, seat: int, kind: int) -> float:
    """What a card would be worth in this deck."""
    worth = WORTH[kind]
    for other in range(KINDS):
        if NAME[other] == NAME[kind] and state.deck[seat, other] > 0:
            worth += COMPANION
    return worth


@kernel
def is_unwanted(state: State, seat: int, place: int) -> bool:
    """A card that would not be picked anyway costs nothing to redraw; neither is a poor one worth keeping."""
    mine = wish(state, seat, int(state.display[seat, place]))
    if mine < TYPICAL[state.level[seat]]:
        return True
    better = 0
    for other in range(DRAWN):
        if other != place and state.display[seat, other] >= 0:
            theirs = wish(state, seat, int(state.display[seat, other]))
            better += theirs > mine or (theirs == mine and other < place)
    return better >= state.picks[seat]


@kernel
def weakest_wish(state: State, seat: int) -> float:
    """A card weaker than the average of the deck is better left."""
    total = 0.0
    for kind in range(KINDS):
        if state.deck[seat, kind] > 0:
            total += WORTH[kind] * state.deck[seat, kind]
    return 0.8 * total / state.deck_size[seat]


@kernel
def removal(state: State, seat: int, kind: int) -> float:
    """Weak cards go while the deck is large enough, or when too many names want a seat."""
    names = 0
    total = 0.0
    for other in range(KINDS):
        if state.deck[seat, other] > 0:
            names += 1
            total += WORTH[other] * state.deck[seat, other]
    average = total / state.deck_size[seat]
    gap = 0.75 * average - WORTH[kind]
    if state.exchange[seat] >= 0:
        return 4.0 - WORTH[kind]
    if state.deck_size[seat] <= FEW_CARDS:
        return -1.0
    if names > SEATED_NAMES:
        gap += 1.0
    return gap


@kernel
def bench_choice(state: State, seat: int, kind: int) -> float:
    """Free a seat when few are left, take helpers from the rival, fetch back the strongest."""
    park = int(state.park[seat])
    effect = EFFECT[state.ask_card[park]]
    bench = bench_asked(state, park)
    if effect == EXHAUST_RIVAL:
        return 5.0 + state.bench[bench, kind] if HELPS[kind] else -1.0
    if effect in (EXHAUST, RIVAL_EXHAUSTS):
        if HELPS[kind]:
            return -5.0
        if named_on_bench(state, bench, NAME[kind]) > 1:
            return -1.0
        return 3.5 - free_seats(state, bench) - 0.01 * WORTH[kind]
    return base_power(state, kind) + 0.1 * WORTH[kind]


@kernel
def outlook(state: State, out: ChanceList) -> None:
    """Each player's chance at a glance: fans won, and how strong the deck is for the rounds to come."""
    if state.over > 0:
        for seat in range(state.seats):
            out[seat] = 1.0 if seat == state.champion or state.seats == 1 else 0.0
        return
    total = 0.0
    for seat in range(state.seats):
        chance = 2.0 ** (promise(state, seat) / 4.0)
        if state.phase > MATCH and seat != state.finalists[0] and seat != state.finalists[1]:
            chance = 0.0
        out[seat] = chance
        total += chance
    for seat in range(state.seats):
        out[seat] /= total


@kernel
def promise(state: State, seat: int) -> float:
    """Fans so far, and those that a deck of this strength may win."""
    total = 0.0
    names = 0
    for kind in range(KINDS):
        if state.deck[seat, kind] > 0:
            names += 1
            total += WORTH[kind] * state.deck[seat, kind]
    strength = total / (3.0 + state.deck_size[seat])
    crowd = max(0, names - SEATS_ON_BENCH)
    fans = total_fans(state, seat) if state.phase <= MATCH else 0
    return fans + 2.5 * strength - 0.3 * crowd
