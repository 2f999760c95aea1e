"""How a thoughtful beginner plays: what a card is worth, what an action is worth, and who seems ahead."""

from __future__ import annotations

import math

import numpy as np

from ludoteca.core.kernel import ChanceList, kernel
from ludoteca.core.record import Grid

from .actions import (
    CHOOSE,
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
    OF_THE_NAME,
    RIVAL_EXHAUSTS,
    ROUNDS,
    SEARCH_TOP,
    THE_ROUND,
    Card,
)
from .rules.effects import bench_asked
from .rules.power import base_power
from .rules.tournament import is_finalist, total_fans
from .rules.zones import free_seats, named_on_bench
from .state import DRAFT, DRAWN, MATCH, State

# What a card is worth to a deck, in points of power, in round 4, and how much more (or less) it is in round 7 than in
# round 4. Found by players whose opinions differed a little, over some hundred thousand games: each opinion moved
# towards those who won. All numbers below are from the same games.
VALUES = {
    "city-newcomer-p": (0.7, -2.9), "city-talent-p": (0.5, -1.5), "city-dog-p": (2.1, -1.2),
    "city-champion-p": (4.5, -0.7), "city-reporter-a": (0.9, 0.1), "city-talent-a": (1.2, 0.7),
    "city-mascot-b": (5.5, 0.6), "city-dog-b": (1.4, -0.7), "city-fan-bus-c": (8.8, 0.7),
    "city-champion-c": (3.8, -0.4), "castle-jester-a": (2.5, -0.7), "castle-stable-boy-a": (2.6, -1.3),
    "castle-hermit-a": (2.8, 0.0), "castle-pig-a": (3.5, -1.2), "castle-blacksmith-b": (4.3, -0.7),
    "castle-knight-b": (4.6, -0.3), "castle-sorcerer-b": (5.3, 0.7), "castle-horse-b": (8.4, 0.7),
    "castle-bard-c": (4.5, -0.4), "castle-prince-c": (6.0, 0.7), "castle-dragon-c": (7.2, 0.6),
    "film-studio-make-up-artist-a": (1.1, 1.2), "film-studio-movie-star-a": (1.7, 1.3),
    "film-studio-gangster-a": (5.0, -2.4), "film-studio-cat-a": (3.4, -0.5), "film-studio-cowboy-b": (6.7, -0.1),
    "film-studio-director-b": (5.1, -0.4), "film-studio-comic-character-b": (5.7, 0.3),
    "film-studio-lion-b": (7.7, -0.3), "film-studio-heroine-c": (5.9, 0.2), "film-studio-t-rex-c": (6.8, 0.4),
    "film-studio-villain-c": (10.7, 1.7), "funfair-clown-a": (0.8, 1.0), "funfair-juggler-a": (1.2, 0.6),
    "funfair-vendor-a": (2.1, 0.7), "funfair-pony-a": (3.4, -1.1), "funfair-mime-b": (5.6, 0.2),
    "funfair-pyrotechnician-b": (3.4, -0.7), "funfair-clairvoyant-b": (4.5, 0.3), "funfair-rubber-duck-b": (8.0, 0.2),
    "funfair-illusionist-c": (8.4, 0.4), "funfair-bumper-car-c": (5.9, 0.6), "funfair-teddy-bear-c": (6.2, 0.7),
    "haunted-house-butler-a": (0.7, 0.8), "haunted-house-skeleton-a": (1.5, 0.5), "haunted-house-spider-a": (3.7, -1.4),
    "haunted-house-ghost-b": (3.9, -0.5), "haunted-house-teenager-b": (2.6, 0.4),
    "haunted-house-necromancer-b": (3.3, -0.6), "haunted-house-bat-b": (8.4, -0.1),
    "haunted-house-vampire-c": (5.2, -0.4), "haunted-house-vacuum-cleaner-c": (6.2, -0.4),
    "haunted-house-werewolf-c": (7.4, 0.8), "outer-space-rescue-pod-a": (2.0, 0.4),
    "outer-space-shapeshifter-a": (1.4, 0.4), "outer-space-ai-a": (1.7, -0.3), "outer-space-cow-a": (3.4, -0.6),
    "outer-space-band-b": (3.0, 0.1), "outer-space-ufo-b": (3.5, 1.2), "outer-space-clones-b": (5.3, -0.3),
    "outer-space-alien-b": (8.4, 1.0), "outer-space-hologram-c": (2.9, 0.3), "outer-space-sci-fi-geek-c": (7.1, 0.4),
    "outer-space-slime-c": (6.9, -0.3), "shipwreck-merman-a": (2.5, 0.6), "shipwreck-treasure-a": (2.2, -0.2),
    "shipwreck-sailor-a": (1.2, 0.1), "shipwreck-parrot-a": (3.4, -1.0), "shipwreck-cook-b": (2.5, 0.6),
    "shipwreck-lifeguard-b": (2.5, 0.3), "shipwreck-navigator-b": (3.3, -0.5), "shipwreck-shark-b": (8.5, -0.0),
    "shipwreck-siren-c": (6.8, -0.3), "shipwreck-kraken-c": (7.9, -0.1), "shipwreck-submarine-c": (8.3, -0.6),
}  # fmt: skip


def worth_in_round(card: Card, row: int) -> float:
    """What a card is worth in the round of this row; of the Robot's cards the power is."""
    if card.id in VALUES:
        worth, later = VALUES[card.id]
        return worth + later * (row - 3) / 3
    return row + 1 if card.power == THE_ROUND else card.power


WORTH_BY_ROUND = np.array([[worth_in_round(card, row) for card in CARDS] for row in range(ROUNDS)], np.float64)
WORTH = WORTH_BY_ROUND[3]
for _id in VALUES:
    assert _id in KIND, _id
LEAST = np.array([-1.2, 0.2, -0.4, 0.2, 1.1, 1.6, 2.2], np.float64)  # by round: a card must be worth more to be kept
# A new name after so many costs so much: six have a seat, one holds the flag.
CROWD = np.array([0, 0, 0, 0, 0, 0.7, -5.0, 3.3, 3.4, 3.7, 3.0, 3.3, 2.0], np.float64)
KEPT = np.array(  # by round and level: a card worth less is redrawn
    [[3.1, 0, 0], [2.4, 0, 0], [1.2, 3.6, 0], [3.4, 3.3, 0], [0, 3.9, 0], [0, 3.6, 7.0], [0, 0, 6.1]], np.float64
)
FEW_CARDS = 6  # a deck should not be smaller: it would run out
EXTRA_PICK = 4.0  # what one more card to pick is worth
# How much more a deck counts at the beginning of a round for the victory (log-odds), by round: for each card, for each
# point it is worth, for each name above five and again above seven, for each fan won.
PROMISE = np.array(
    [
        [0.33, 0.086, -0.26, 0.0, 0.12],
        [0.33, 0.086, -0.26, 0.0, 0.12],
        [0.36, 0.071, -0.43, 0.04, 0.13],
        [0.15, 0.081, -0.41, 0.08, 0.14],
        [-0.02, 0.092, -0.35, 0.14, 0.13],
        [0.12, 0.055, -0.14, -0.23, 0.15],
        [0.05, 0.039, 0.43, -0.57, 0.03],
    ],
    np.float64,
)
TWICE: Grid = np.array([row for row in OF_THE_NAME if row[1] >= 0], np.int64)  # two kinds of one name


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    """In the deck phase the strongest cards and seven names; in a match the strong cards early and seats for the rest."""
    if action < PICK:
        return float(action)  # the highest level
    if action < MARK:
        return 10.0 + wish(state, seat, int(state.display[seat, action - PICK]), count_names(state, seat))
    if action < REDRAW_NOW:
        return redrawing(state, seat, action - MARK)
    if action < STOP:
        return 40.0
    if action < REMOVE:
        return 10.0
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
        return float(WORTH[state.pile[seat, top - placed - (action - NEXT)]])
    if action < FIND:
        return -float(WORTH[state.pile[seat, top - (action - TO_BOTTOM)]])
    worth = float(WORTH[state.pile[seat, top - (action - FIND)]])
    return worth if state.ask[state.park[seat]] == SEARCH_TOP else -worth


@kernel
def count_names(state: State, seat: int) -> int:
    """Different names in the deck."""
    count = 0
    for kind in range(KINDS):
        count += state.deck[seat, kind] > 0
    for n in range(TWICE.shape[0]):
        count -= state.deck[seat, TWICE[n, 0]] > 0 and state.deck[seat, TWICE[n, 1]] > 0
    return count


@kernel
def copies_of_name(state: State, seat: int, kind: int) -> int:
    """Cards in the deck that share a seat with this one."""
    copies = int(state.deck[seat, OF_THE_NAME[NAME[kind], 0]])
    if OF_THE_NAME[NAME[kind], 1] >= 0:
        copies += state.deck[seat, OF_THE_NAME[NAME[kind], 1]]
    return copies


@kernel
def wish(state: State, seat: int, kind: int, names: int) -> float:
    """What a card would add to this deck, which has so many names: a new name needs a seat of its own."""
    row = state.round_number - 1
    worth = float(WORTH_BY_ROUND[row, kind] - LEAST[row])
    if copies_of_name(state, seat, kind) == 0:
        worth -= CROWD[min(names, CROWD.shape[0] - 1)]
    return worth


@kernel
def removal(state: State, seat: int, kind: int) -> float:
    """What is of no use may go, unless the deck is small; in an exchange something better comes."""
    gain = 0.0
    if state.exchange[seat] >= 0:
        gain = EXTRA_PICK
    elif state.deck_size[seat] <= FEW_CARDS:
        gain = -20.0
    return gain - use(state, seat, kind)


@kernel
def use(state: State, seat: int, kind: int) -> float:
    """What the deck would lose with a card of this kind."""
    row = state.round_number - 1
    worth = float(WORTH_BY_ROUND[row, kind] - LEAST[row])
    if copies_of_name(state, seat, kind) == 1:
        worth -= CROWD[min(count_names(state, seat) - 1, CROWD.shape[0] - 1)]
    return worth


@kernel
def redrawing(state: State, seat: int, place: int) -> float:
    """When a card that would be picked is poor, it is redrawn with those that would not be: that costs nothing."""
    row = state.round_number - 1
    level = int(state.level[seat])
    poor = KEPT[row, level] - LEAST[row]
    names = count_names(state, seat)
    mine = wish(state, seat, int(state.display[seat, place]), names)
    better = 0
    good = 0
    lying = 0
    for other in range(DRAWN):
        if state.display[seat, other] >= 0:
            theirs = wish(state, seat, int(state.display[seat, other]), names)
            better += theirs > mine or (theirs == mine and other < place)
            good += theirs >= poor
            lying += 1
    pickable = min(int(state.picks[seat]), lying)
    if state.step[seat] == DRAFT and good >= pickable:
        return -50.0
    return 50.0 - place if mine < poor or better >= state.picks[seat] else -50.0


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
        return 3.5 - free_seats(state, bench) - 0.01 * float(WORTH[kind])
    return base_power(state, kind) + 0.1 * float(WORTH[kind])


@kernel
def outlook(state: State, out: ChanceList) -> None:
    """Each player's chance at a glance: fans won, and how strong the deck is for the rounds to come; alone (§9.10) the
    Robot has its chance too, and what is left is the player's.
    """
    players = max(2, int(state.seats))
    total = 0.0
    for team in range(players):
        chance = 1.0 if team == state.champion else 0.0
        if state.over == 0 and (state.phase <= MATCH or is_finalist(state, team)):
            chance = math.exp(promise(state, team))
        total += chance
        if team < state.seats:
            out[team] = chance
    for seat in range(state.seats):
        out[seat] /= total


@kernel
def promise(state: State, team: int) -> float:
    """Fans so far, and what a deck of this strength promises for the rounds to come."""
    row = state.round_number - 1
    worth = 0.0
    for kind in range(KINDS):
        worth += WORTH[kind] * state.deck[team, kind]
    names = count_names(state, team)
    fans = total_fans(state, team) if state.phase <= MATCH else 0
    return float(
        PROMISE[row, 0] * state.deck_size[team]
        + PROMISE[row, 1] * worth
        + PROMISE[row, 2] * max(0, names - 5)
        + PROMISE[row, 3] * max(0, names - 7)
        + PROMISE[row, 4] * fans
    )
