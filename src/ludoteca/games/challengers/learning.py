"""Learns how to draft, by playing: the numbers of `experience.json`.

    ludoteca learn challengers        # lab/learn_experience.py; some quarter of an hour of one core

A player draws what it does in the deck phase, what it likes better the more often (softmax), and plays for two against
itself or against who takes what looks best (`greedy`). What it did in games that went better than expected becomes likelier
(REINFORCE). What was expected is learned beside it: when a round begins from fans, decks and their cards, and when decks are
ready by a small network (deck_worth.py), which tells a good draft from the luck that comes after it. Steps are as long as
what was seen allows (the diagonal of Fisher's information), and become shorter. What a card is worth is learned for each
round, for all rounds, and as a slope over them; what two cards are worth together for each pair, and for a card with every
set, power and level, and as a slope as well. As many games with the same seed give the same numbers on one machine.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.chance import below_from, mixed
from ludoteca.core.engine import compiled
from ludoteca.core.kernel import kernel
from ludoteca.core.rules import apply, appraise, is_over, legal, ranks, setup

from . import GAME
from .actions import CHOOSE_LEVEL, DECLINE, GET_READY, MARK, PICK, REDRAW_NOW, REMOVE, STOP
from .advice import copies_of_name, count_names, promise
from .components import CARDS, DRAFT_LEVELS, KINDS, LEVEL_NAMES, ROUNDS, SETS
from .deck_worth import HIDDEN, MOST_HEARD, RATE, SLOWEST, Weights, first_weights, foresee, learn_worth
from .experience import ALL as ALL_NUMBERS
from .experience import (
    CARD,
    EXCHANGED,
    LATER,
    LEVEL,
    MIDDLE,
    NAME,
    NAMES,
    PAIR,
    PICKED,
    REDRAWN,
    SIZE,
    SIZES,
    Numbers,
    beginners_numbers,
    list_kinds,
    losing,
    order_display,
    redraw_worth,
)
from .rules.drafting import may_redraw
from .rules.tournament import total_fans
from .state import DECK, DRAFT, DRAWN, EXCHANGE_STEP, LEVEL_STEP, REDRAW

GREEDY, LEARNING, LEARNED = range(3)  # how a seat plays; who has learned does what it likes best
SEATS = 2
SIGNS = 3 + KINDS  # of how it stands: `promise`, fans, cards, and each kind of card
NOTES = 80_000  # of a seat in a game: which number would have made a decision likelier, and by how much
FAINT = 0.004  # less than that is not noted
BATCH = 3000  # games between two steps …
PARTS = 4  # … played in so many jobs
TRUST = 0.5  # in what comes after decks are ready: luck, and what is not foreseen; at first it is all there is
FORESEEN = 0.1  # of the learning is over when that little is trusted
AGAINST_GREEDY = 0.3
LONG, SHORT = 3.0, 0.1  # steps, the first and the last
DOUBT = 0.02  # as if so much had been seen of everything without effect, in each game
FORGETTING = 0.001  # of pairs, with each step
FINE = 1 << 40


def play(
    states: Any, games: Any, options: Any, seed: Any, players: Any, numbers: Any, expecting: Any, slopes: Any, seen: Any,
    surprises: Any, wins: Any, trust: Any, foreseeing: Any, decks: Any, names: Any, leads: Any, rows: Any, came: Any,
    logs: Any,
) -> int:  # fmt: skip
    """Plays games, seats exchanged after each; adds up what makes likelier what went well, and how much was seen."""
    stream = np.empty(1, np.int64)
    stream[0] = seed
    log = logs[0]
    actions = np.empty(400, np.int16)
    ranking = np.empty(8, np.int64)
    masks = np.zeros(SEATS, np.int64)
    used = np.zeros(SEATS, np.int64)
    which = np.empty((SEATS, NOTES), np.int64)
    change = np.empty((SEATS, NOTES), np.float64)
    when = np.empty((SEATS, NOTES), np.int64)
    signs = np.zeros((ROUNDS, SEATS, SIGNS), np.float64)
    worth = np.zeros((ROUNDS, SEATS), np.float64)
    ready = np.zeros(ROUNDS, np.float64)
    hidden = np.zeros((SEATS, HIDDEN), np.float32)
    heard = np.zeros((SEATS, MOST_HEARD), np.int64)
    copies = np.zeros((SEATS, MOST_HEARD), np.float32)
    counts = np.zeros(SEATS, np.int64)
    at = 0
    for number in range(games):
        states[0] = states[1]
        state = states[0]
        setup(state, SEATS, options, mixed(seed + number // SEATS))
        rounds = 0
        used[:] = 0
        while not is_over(state):
            if state.round_number > rounds:
                expect(state, rounds, expecting, signs, worth)
                rounds = int(state.round_number)
            seat = 0
            while state.waiting[seat] == 0:
                seat += 1
            count = legal(state, seat, actions)
            action = int(actions[0])
            player = players[(seat + number) % SEATS]
            if count > 1 and (player == GREEDY or state.phase != DECK):
                action = looks_best(state, seat, actions, count)
            elif count > 1:
                action = draft(
                    state, seat, actions, count, numbers, player == LEARNING, masks, used, which, change, when, stream
                )
            if action == GET_READY:
                for kind in range(KINDS):
                    decks[at, seat, kind] = state.deck[seat, kind]
                names[at, seat] = count_names(state, seat)
                if state.waiting[1 - seat] == 0:
                    leads[at] = total_fans(state, 0) - total_fans(state, 1)
                    rows[at] = rounds - 1
                    ready[rounds - 1] = foresee(
                        decks[at], names[at], leads[at], rounds - 1, foreseeing, hidden, heard, copies, counts
                    )
                    at += 1
            apply(state, seat, action, log)
        ranks(state, ranking)
        ahead = 1.0 if ranking[0] == 1 else 0.0
        for row in range(rounds - 1, -1, -1):
            came[at - rounds + row] = ahead
            ahead = trust * ahead + (1.0 - trust) * ready[row]
        for seat in range(SEATS):
            result = 1.0 if ranking[seat] == 1 else 0.0
            wins[(seat + number) % SEATS] += result
            if players[(seat + number) % SEATS] == LEARNING:
                credit(result, rounds, seat, signs, worth, surprises, trust, ready)
                for n in range(used[seat]):
                    slopes[which[seat, n]] += change[seat, n] * worth[when[seat, n], seat]
                    seen[which[seat, n]] += change[seat, n] ** 2
    return at


@kernel
def looks_best(state: Any, seat: Any, actions: Any, count: Any) -> int:
    """As `greedy` plays."""
    best = int(actions[0])
    highest = appraise(state, seat, best)
    for k in range(1, count):
        worth = appraise(state, seat, int(actions[k]))
        if worth > highest:
            highest = worth
            best = int(actions[k])
    return best


# What was expected.


@kernel
def expect(state: Any, row: Any, expecting: Any, signs: Any, worth: Any) -> None:
    """How it stands when a round begins, and the chance to win that this promises."""
    for seat in range(SEATS):
        other = 1 - seat
        signs[row, seat, 0] = promise(state, seat) - promise(state, other)
        signs[row, seat, 1] = (total_fans(state, seat) - total_fans(state, other)) / 5.0
        signs[row, seat, 2] = (state.deck_size[seat] - state.deck_size[other]) / 3.0
        for kind in range(KINDS):
            signs[row, seat, 3 + kind] = state.deck[seat, kind] - state.deck[other, kind]
        odds = 0.0
        for n in range(SIGNS):
            odds += expecting[row, n] * signs[row, seat, n]
        worth[row, seat] = 1.0 / (1.0 + math.exp(-odds))


@kernel
def credit(result: Any, rounds: Any, seat: Any, signs: Any, worth: Any, surprises: Any, trust: Any, ready: Any) -> None:
    """Puts in place of what was expected of each round how much better it went, and adds up what that teaches.

    What the decks promise when they are ready counts in full, what came after that less: the luck of the match is in it.
    """
    ahead = result
    better = 0.0
    for row in range(rounds - 1, -1, -1):
        expected = worth[row, seat]
        foreseen = ready[row] if seat == 0 else 1.0 - ready[row]
        better = foreseen - expected + trust * (ahead - foreseen + better)
        ahead = expected
        worth[row, seat] = better
        for n in range(SIGNS):
            surprises[row, n] += (result - expected) * signs[row, seat, n]


# Drafting.


@kernel
def draft(
    state: Any, seat: Any, actions: Any, count: Any, numbers: Any, learning: Any, masks: Any, used: Any, which: Any,
    change: Any, when: Any, stream: Any,
) -> int:  # fmt: skip
    """What it does in the deck phase; notes what would make that likelier."""
    row = int(state.round_number) - 1
    step = state.step[seat]
    worth = np.empty(count + PICKED, np.float64)
    if step == REDRAW:
        return go_on_redrawing(actions, count, int(masks[seat]))
    if step == LEVEL_STEP:
        at = LEVEL + row * DRAFT_LEVELS - CHOOSE_LEVEL
        for k in range(count):
            worth[k] = numbers[at + actions[k]]
        chosen = drawn(worth, count, learning, stream)
        for k in range(count):
            note(seat, at + actions[k], (k == chosen) - worth[k], row, used, which, change, when)
        return int(actions[chosen])
    kinds = np.empty(KINDS, np.int64)
    deck = list_kinds(state, seat, kinds)
    names = count_names(state, seat)
    size = int(state.deck_size[seat])
    if step == DRAFT:
        wishes = np.empty(DRAWN, np.float64)
        order = np.empty(DRAWN, np.int64)
        lying = order_display(state, seat, kinds, deck, names, numbers, wishes, order)
        if may_redraw(state, seat):
            action = redraw(
                state, seat, numbers, learning, lying, wishes, order, masks, used, which, change, when, stream
            )
            if action >= 0:
                return action
        for n in range(lying):
            worth[n] = wishes[order[n]]
        worth[lying] = 0.0
        chosen = drawn(worth, lying + 1, learning, stream)
        for n in range(lying):
            kind = int(state.display[seat, order[n]])
            note_card(
                state, seat, kind, 0, kinds, deck, names, size, (n == chosen) - worth[n], used, which, change, when
            )
        return PICK + order[chosen] if chosen < lying else STOP
    for k in range(count):
        worth[k] = 0.0
        if REMOVE <= actions[k] < DECLINE:
            worth[k] = -losing(state, seat, actions[k] - REMOVE, kinds, deck, names, numbers)
            if step == EXCHANGE_STEP:
                worth[k] += numbers[EXCHANGED + row]
    chosen = drawn(worth, count, learning, stream)
    for k in range(count):
        if REMOVE <= actions[k] < DECLINE:
            kind = actions[k] - REMOVE
            by = (k == chosen) - worth[k]
            if step == EXCHANGE_STEP:
                note(seat, EXCHANGED + row, by, row, used, which, change, when)
            last = copies_of_name(state, seat, kind) == 1
            note_card(state, seat, kind, 1, kinds, deck, names - last, size - 1, -by, used, which, change, when)
    return int(actions[chosen])


@kernel
def redraw(
    state: Any, seat: Any, numbers: Any, learning: Any, lying: Any, wishes: Any, order: Any, masks: Any, used: Any,
    which: Any, change: Any, when: Any, stream: Any,
) -> int:  # fmt: skip
    """Whether all but the best few cards are redrawn, and how many are kept: the first mark, or -1."""
    row = int(state.round_number) - 1
    picks = min(int(state.picks[seat]), PICKED - 1)
    ways = min(picks, lying - 1) + 1
    at = REDRAWN + ((row * DRAFT_LEVELS + int(state.level[seat])) * PICKED + picks) * PICKED
    worth = np.empty(PICKED + 1, np.float64)
    for kept in range(ways):
        worth[kept], _ = redraw_worth(state, seat, kept, picks, numbers, lying, wishes, order)
    worth[ways] = 0.0  # no redraw
    for n in range(min(picks, lying)):
        worth[ways] += max(0.0, wishes[order[n]])
    chosen = drawn(worth, ways + 1, learning, stream)
    for kept in range(ways):
        note(seat, at + kept, (kept == chosen) - worth[kept], row, used, which, change, when)
    if chosen == ways:
        return -1
    masks[seat] = 0
    for n in range(chosen, lying):
        masks[seat] |= 1 << order[n]
    place = 0
    while masks[seat] >> place & 1 == 0:
        place += 1
    return MARK + place


@kernel
def go_on_redrawing(actions: Any, count: Any, mask: Any) -> int:
    """The next mark, or the redraw."""
    for k in range(count):
        if actions[k] < REDRAW_NOW and mask >> (actions[k] - MARK) & 1:
            return int(actions[k])
    return REDRAW_NOW


@kernel
def drawn(worth: Any, count: Any, learning: Any, stream: Any) -> int:
    """Draws one of them and puts how likely each was in place of its worth; who has learned takes the best, for sure."""
    best = 0
    for k in range(1, count):
        if worth[k] > worth[best]:
            best = k
    highest = worth[best]
    if not learning:
        for k in range(count):
            worth[k] = 1.0 if k == best else 0.0
        return best
    total = 0.0
    for k in range(count):
        worth[k] = math.exp(worth[k] - highest)
        total += worth[k]
    left = below_from(stream, FINE) / FINE * total
    chosen = -1
    for k in range(count):
        left -= worth[k]
        if chosen < 0 and left < 0.0:
            chosen = k
        worth[k] /= total
    return chosen if chosen >= 0 else best


@kernel
def note(seat: Any, number: Any, by: Any, row: Any, used: Any, which: Any, change: Any, when: Any) -> None:
    """This number would have made what was done likelier, by so much."""
    n = used[seat]
    if abs(by) > FAINT and n < NOTES:
        which[seat, n] = number
        change[seat, n] = by
        when[seat, n] = row
        used[seat] = n + 1


@kernel
def note_card(
    state: Any, seat: Any, kind: Any, itself: Any, kinds: Any, deck: Any, names: Any, size: Any, by: Any, used: Any,
    which: Any, change: Any, when: Any,
) -> None:  # fmt: skip
    """As `note`, for all that a card is worth to a deck of so many cards and names; `itself`: 1 if it lies in it already."""
    if abs(by) <= FAINT:
        return
    row = int(state.round_number) - 1
    note(seat, CARD + row * KINDS + kind, by, row, used, which, change, when)
    note(seat, SIZE + row * SIZES + min(size, SIZES - 1), by, row, used, which, change, when)
    if copies_of_name(state, seat, kind) == itself:
        note(seat, NAME + row * NAMES + min(names, NAMES - 1), by, row, used, which, change, when)
    for n in range(deck):
        beside = int(state.deck[seat, kinds[n]]) - (itself if kinds[n] == kind else 0)
        at = kind * KINDS + kinds[n]
        note(seat, PAIR + at, by * beside, row, used, which, change, when)
        note(seat, LATER + at, by * beside * ((row - MIDDLE) / MIDDLE), row, used, which, change, when)


# Learning.


@dataclass(frozen=True)
class Job:
    """Some games to be played by one worker: who plays, and what is thought so far."""

    games: int
    players: tuple[int, int]
    sets: str
    seed: int
    numbers: Numbers
    expecting: Numbers
    trust: float
    foreseeing: Weights


@dataclass(frozen=True)
class Found:
    """What games brought."""

    slopes: Numbers
    seen: Numbers
    surprises: Numbers
    wins: Numbers  # of each player
    met: tuple[npt.NDArray[Any], ...]  # decks that were ready together, names, leads, rounds, and what came of it

    def __add__(self, other: Found) -> Found:
        met = tuple(np.concatenate(pair) for pair in zip(self.met, other.met, strict=True))
        return Found(
            self.slopes + other.slopes, self.seen + other.seen, self.surprises + other.surprises, self.wins + other.wins,
            met,
        )  # fmt: skip


def play_games(job: Job) -> Found:
    """Plays them."""
    engine, most = compiled(GAME), ROUNDS * job.games
    slopes, seen, wins = np.zeros(ALL_NUMBERS), np.zeros(ALL_NUMBERS), np.zeros(SEATS)
    surprises = np.zeros_like(job.expecting)
    met = (
        np.zeros((most, SEATS, KINDS), np.int8), np.zeros((most, SEATS), np.int8), np.zeros(most, np.int16),
        np.zeros(most, np.int8), np.zeros(most, np.float32),
    )  # fmt: skip
    arguments = (
        engine.new(2), job.games, GAME.read_options({"sets": job.sets}), job.seed, np.array(job.players, np.int64),
        job.numbers, job.expecting, slopes, seen, surprises, wins, job.trust, job.foreseeing, *met, engine.no_log,
    )  # fmt: skip
    count = engine.bind(play, arguments=arguments)(*arguments)
    return Found(slopes, seen, surprises, wins, tuple(part[:count] for part in met))


class Learner:
    """The numbers so far, and what is expected, foreseen and was seen beside them; `chance` is a generator of numpy's."""

    batch = BATCH

    def __init__(self, chance: Any) -> None:
        self.numbers = beginners_numbers()
        self.expecting = np.zeros((ROUNDS, SIGNS))
        self.expecting[:, 0] = 1.0
        self.seen = np.zeros(0)
        self.foreseeing = first_weights(chance)
        self.means, self.squares = np.zeros_like(self.foreseeing), np.zeros_like(self.foreseeing)
        self.looks = np.zeros(1, np.int64)

    def jobs(self, chance: Any, done: float) -> list[Job]:
        """The games before the next step: against itself or against `greedy`, with one choice of sets."""
        sets = "first_game" if chance.random() < 0.5 else "random"
        other = GREEDY if chance.random() < AGAINST_GREEDY else LEARNING
        trust = max(TRUST, 1.0 - (1.0 - TRUST) * done / FORESEEN)
        seeds = [int(chance.integers(FINE)) for _ in range(PARTS)]
        return [self.job(BATCH // PARTS, (LEARNING, other), sets, seed, self.numbers, trust) for seed in seeds]

    def job(
        self, games: int, players: tuple[int, int], sets: str, seed: int, numbers: Numbers, trust: float = 1.0
    ) -> Job:
        """Some games, by what is thought so far."""
        return Job(games, players, sets, seed, numbers, self.expecting, trust, self.foreseeing)

    def learn(self, jobs: list[Job], parts: Iterable[Found], done: float, chance: Any) -> None:
        """A step by what these games brought; how much of the learning is done, 0 to 1, says how long it is."""
        found = functools.reduce(operator.add, parts)
        length = LONG * (SHORT / LONG) ** done
        sides = BATCH * jobs[0].players.count(LEARNING)
        self.expecting = self.expecting + np.where(np.arange(SIGNS) < 3, 0.3, 0.5) * found.surprises / sides
        self.seen = 0.98 * self.seen + 0.02 * found.seen / sides if len(self.seen) else found.seen / sides
        self.numbers = self.numbers + length * direction(found.slopes / sides, self.seen)
        self.numbers[PAIR:] *= 1.0 - length * FORGETTING
        self.foresee(found, done, chance)

    def foresee(self, found: Found, done: float, chance: Any) -> None:
        """Looks once at the decks that met, in any order."""
        order = chance.permutation(len(found.met[0]))
        self.foreseeing = self.foreseeing.copy()  # jobs have the old one
        arguments = (
            *(np.ascontiguousarray(part[order]) for part in found.met), self.foreseeing, self.means, self.squares,
            int(self.looks[0]), RATE * (1.0 - (1.0 - SLOWEST) * done),
        )  # fmt: skip
        self.looks[0] = compiled(GAME).bind(learn_worth, arguments=arguments)(*arguments)

    def measuring(self, games: int, seed: int, numbers: Numbers) -> list[Job]:
        """Games at sight against `greedy`, of which the first player's wins are counted."""
        return [
            self.job(games // PARTS, (LEARNED, GREEDY), "first_game", seed + n * games, numbers) for n in range(PARTS)
        ]

    KEPT = ("numbers", "expecting", "seen", "foreseeing", "means", "squares", "looks")

    def kept(self) -> dict[str, npt.NDArray[Any]]:
        """All that is needed to go on from here."""
        return {name: getattr(self, name) for name in self.KEPT}

    def take_up(self, kept: Mapping[str, npt.NDArray[Any]]) -> None:
        """Goes on from there."""
        for name in self.KEPT:
            setattr(self, name, kept[name])


def direction(slopes: Numbers, seen: Numbers) -> Numbers:
    """Where to: each number by itself, and those that belong together by what they have in common."""
    way = slopes / (seen + 0.3 * DOUBT)
    slope, much = (part[CARD:NAME].reshape(ROUNDS, KINDS) for part in (slopes, seen))
    later = ((np.arange(ROUNDS) - 3) / 3)[:, None]
    way[CARD:NAME] += (
        slope.sum(0) / (much.sum(0) + DOUBT) + later * (slope * later).sum(0) / ((much * later**2).sum(0) + DOUBT)
    ).ravel()
    for part in (slice(PAIR, LATER), slice(LATER, None)):
        slope, much = (both_ways(of[part].reshape(KINDS, KINDS)) for of in (slopes, seen))
        common = (slope @ TRAITS) / (2 * much @ TRAITS + DOUBT)
        way[part] = (slope / (much + DOUBT) + 0.5 * both_ways(common @ TRAITS.T)).ravel()
    return way


def both_ways(table: Numbers) -> Numbers:
    """A pair is the same in both orders."""
    return table + table.T


def traits() -> Numbers:
    """What cards have in common: set, power, level."""
    powers = sorted({card.power for card in CARDS})
    rows = [
        [
            *(card.set == one for one in SETS),
            *(card.power == one for one in powers),
            *(card.level == one for one in LEVEL_NAMES),
        ]
        for card in CARDS
    ]
    return np.array(rows, np.float64)


TRAITS = traits()
