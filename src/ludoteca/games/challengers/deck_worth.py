"""What decks that meet promise: a small network that learns beside who drafts, and says what came of a deck phase.

    odds = worth(a deck) - worth(the other deck) + what a lead in fans is worth in this round

It hears the cards of a deck, how many they are and how many names they have; what each of its units says depends on the
round. It is asked when both decks are ready, before luck has its say in the match: so it tells a good draft from a lucky
one. Nothing at play asks it; it is thrown away when the learning ends.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.kernel import in_any_order, kernel

from .components import KINDS, ROUNDS

SEATS = 2
NAMES, SIZES, LEAD = 16, 40, 22  # names and cards of a deck, and fans ahead, that are told apart
HEARD = KINDS + NAMES + SIZES
HIDDEN = 32
PLAINLY = 0  # what each thing heard is worth in each round …
FANS = PLAINLY + ROUNDS * HEARD  # … and a lead
FIRST = FANS + ROUNDS * (2 * LEAD + 1)  # what a hidden unit makes of it …
BIAS = FIRST + HEARD * HIDDEN  # … beside what it thinks of the round …
SAID = BIAS + ROUNDS * HIDDEN  # … and what it says in it
ALL = SAID + ROUNDS * HIDDEN
RATE, SLOWEST = 1.5e-3, 0.15  # of Adam, at first and the part of it in the end
LOT = 256  # positions in one of its steps
MOST_HEARD = 64

Weights = npt.NDArray[np.float32]


def first_weights(chance: Any) -> Weights:
    """It begins by saying nothing; `chance` is a generator of numpy's."""
    weights = np.zeros(ALL, np.float32)
    weights[FIRST:SAID] = chance.normal(0.0, 0.15, SAID - FIRST)
    return weights


@in_any_order
def worth(deck: Any, names: Any, row: Any, weights: Any, hidden: Any, heard: Any, copies: Any) -> tuple[float, int]:
    """What a deck is worth (logarithmic odds), and how many things were heard; notes these and the hidden units."""
    count = 0
    size = 0
    for kind in range(KINDS):
        if deck[kind] > 0:
            heard[count] = kind
            copies[count] = deck[kind]
            size += deck[kind]
            count += 1
    heard[count] = KINDS + min(int(names), NAMES - 1)
    copies[count] = 1.0
    heard[count + 1] = KINDS + NAMES + min(size, SIZES - 1)
    copies[count + 1] = 1.0
    count += 2
    total = 0.0
    bias = weights[BIAS + row * HIDDEN : BIAS + (row + 1) * HIDDEN]
    for j in range(HIDDEN):
        hidden[j] = bias[j]
    for n in range(count):
        number = copies[n]
        total += weights[PLAINLY + row * HEARD + heard[n]] * number
        its = weights[FIRST + heard[n] * HIDDEN : FIRST + (heard[n] + 1) * HIDDEN]
        for j in range(HIDDEN):
            hidden[j] += number * its[j]
    said = weights[SAID + row * HIDDEN : SAID + (row + 1) * HIDDEN]
    for j in range(HIDDEN):
        total += max(hidden[j], np.float32(0.0)) * said[j]
    return total, count


@kernel
def foresee(
    decks: Any, names: Any, lead: Any, row: Any, weights: Any, hidden: Any, heard: Any, copies: Any, counts: Any
) -> float:
    """The first seat's chance to win when these two decks are ready."""
    mine, counts[0] = worth(decks[0], names[0], row, weights, hidden[0], heard[0], copies[0])
    theirs, counts[1] = worth(decks[1], names[1], row, weights, hidden[1], heard[1], copies[1])
    ahead = max(-LEAD, min(LEAD, int(lead)))
    at = FANS + row * (2 * LEAD + 1) + LEAD
    odds = mine - theirs + weights[at + ahead] - weights[at - ahead]
    return 1.0 / (1.0 + math.exp(-odds))


def learn_worth(
    decks: Any,
    names: Any,
    leads: Any,
    rows: Any,
    came: Any,
    weights: Any,
    means: Any,
    squares: Any,
    steps: Any,
    rate: Any,
) -> int:
    """Looks at positions once, with a step of Adam for each lot; returns how many steps there were in all."""
    hidden = np.zeros((SEATS, HIDDEN), np.float32)
    heard = np.zeros((SEATS, MOST_HEARD), np.int64)
    copies = np.zeros((SEATS, MOST_HEARD), np.float32)
    counts = np.zeros(SEATS, np.int64)
    slopes = np.zeros(ALL, np.float32)
    into = np.zeros(HIDDEN, np.float32)
    done = int(steps)
    for n in range(rows.shape[0]):
        row = int(rows[n])
        chance = foresee(decks[n], names[n], leads[n], row, weights, hidden, heard, copies, counts)
        wrong = np.float32(chance - came[n])
        ahead = max(-LEAD, min(LEAD, int(leads[n])))
        at = FANS + row * (2 * LEAD + 1) + LEAD
        slopes[at + ahead] += wrong
        slopes[at - ahead] -= wrong
        for seat in range(SEATS):
            blame(row, wrong, weights, hidden[seat], heard[seat], copies[seat], counts[seat], slopes, into)
            wrong = -wrong
        if (n + 1) % LOT == 0:
            done += 1
            step_of_adam(weights, means, squares, slopes, rate * math.sqrt(1.0 - 0.999**done) / (1.0 - 0.9**done))
    return done


@kernel
def blame(
    row: Any, wrong: Any, weights: Any, hidden: Any, heard: Any, copies: Any, count: Any, slopes: Any, into: Any
) -> None:
    """Adds up how the loss changes with each weight, for one deck."""
    said = SAID + row * HIDDEN
    bias = BIAS + row * HIDDEN
    for j in range(HIDDEN):
        on = hidden[j] > 0.0
        slopes[said + j] += wrong * hidden[j] if on else 0.0
        into[j] = wrong * weights[said + j] if on else 0.0
        slopes[bias + j] += into[j]
    for n in range(count):
        slopes[PLAINLY + row * HEARD + heard[n]] += wrong * copies[n]
        at = FIRST + heard[n] * HIDDEN
        for j in range(HIDDEN):
            slopes[at + j] += copies[n] * into[j]


@in_any_order
def step_of_adam(weights: Any, means: Any, squares: Any, slopes: Any, rate: Any) -> None:
    """One step; the slopes begin anew."""
    for n in range(ALL):
        slope = slopes[n] / np.float32(LOT)
        means[n] += np.float32(0.1) * (slope - means[n])
        squares[n] += np.float32(0.001) * (slope * slope - squares[n])
        weights[n] -= np.float32(rate) * means[n] / (math.sqrt(squares[n]) + np.float32(1e-6))
        slopes[n] = 0.0
