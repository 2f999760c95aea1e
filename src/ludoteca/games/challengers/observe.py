"""The record as numbers for a network: own seat first, then the others in order; about 0 to 1 each."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import NumberList, kernel

from .components import DRAFT_LEVELS, KINDS, LEVELS, ROUNDS
from .rules.power import attack_power, flag_power
from .rules.zones import free_seats
from .state import DRAWN, FINAL_MATCH, MATCH, PLAYING, TEAMS, State

PHASES = 5
STEPS = 7
KNOWN_CARDS = 3  # uppermost cards of the own pile
NUMBERS = 16
TEAM = 2 * KINDS + LEVELS + NUMBERS

OBSERVATION_NAMES = (
    ("phase (5), step (7), round, players, left-out set, difficulty", PHASES + STEPS + 4),
    ("level decks and discards", 2 * DRAFT_LEVELS),
    ("own level (3), picks, redraws, exchange left", DRAFT_LEVELS + 3),
    ("own display: cards by kind; marked", KINDS + DRAWN),
    ("own match: attack, flag, attacking, cards asked for", 4),
    ("the card that asks", KINDS),
    ("own and rival's line-up by kind", 2 * KINDS),
    ("own exhaust pile by kind", KINDS),
    ("own uppermost cards, where known", KNOWN_CARDS * KINDS),
    ("teams, own first: deck known by kind, bench by kind, deck by level (5), numbers (16)", TEAMS * TEAM),
)
OBSERVATION = sum(size for _, size in OBSERVATION_NAMES)
FIXED = OBSERVATION - TEAMS * TEAM  # before the teams
BEFORE_MATCH = PHASES + STEPS + 4 + 2 * DRAFT_LEVELS + DRAFT_LEVELS + 3 + KINDS + DRAWN
# Products instead of divisions; as float32 they are the same numbers.
THIRD, TENTH, TWENTIETH, EIGHTIETH = 1.0 / 3.0, 1.0 / 10.0, 1.0 / 20.0, 1.0 / 80.0
OF_ROUNDS = 1.0 / ROUNDS
SIXTH = 1.0 / 6.0
THREE = np.float32(3.0)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    clear(out)
    out[state.phase] = 1.0
    out[PHASES + state.step[seat]] = 1.0
    n = PHASES + STEPS
    out[n] = state.round_number / ROUNDS
    out[n + 1] = state.seats / TEAMS
    out[n + 2] = state.left_out / 6.0
    out[n + 3] = state.difficulty / 5.0
    n += 4
    for stack in range(DRAFT_LEVELS):
        out[n + stack] = state.stack_size[stack] * EIGHTIETH
        out[n + DRAFT_LEVELS + stack] = state.discards_size[stack] * EIGHTIETH
    n += 2 * DRAFT_LEVELS
    if state.level[seat] >= 0:
        out[n + state.level[seat]] = 1.0
    elif state.wanted[seat] >= 0:  # sealed, while others still choose
        out[n + state.wanted[seat]] = 1.0
    out[n + DRAFT_LEVELS] = state.picks[seat] / 2.0
    out[n + DRAFT_LEVELS + 1] = state.redraws[seat]
    out[n + DRAFT_LEVELS + 2] = state.exchange_left[seat] / 2.0
    n += DRAFT_LEVELS + 3
    for place in range(DRAWN):
        if state.display[seat, place] >= 0:
            out[n + state.display[seat, place]] += 0.5
        out[n + KINDS + place] = state.marked[seat] >> place & 1
    n += KINDS + DRAWN
    n = observe_match(state, seat, n, out)
    for k in range(state.teams):
        observe_team(state, seat, (seat + k) % state.teams, n, out)
        n += TEAM


@kernel
def clear(out: NumberList) -> None:
    """Zeros before the teams, whose numbers are all written; of a match something is left only if one was on."""
    match_was_on = out[MATCH] != 0.0 or out[FINAL_MATCH] != 0.0
    for k in range(BEFORE_MATCH):
        out[k] = 0.0
    if match_was_on:
        for k in range(BEFORE_MATCH, FIXED):
            out[k] = 0.0


@kernel
def observe_match(state: State, seat: int, n: int, out: NumberList) -> int:
    """The own match, if one is being played; returns the number after it."""
    park = int(state.park[seat])
    if park >= 0 and state.match_on[park] == PLAYING:
        attacker = int(state.attacker[park])
        holder = int(state.rival[attacker])
        out[n] = attack_power(state, attacker) * TWENTIETH
        if state.lineup_size[holder] > 0:
            out[n + 1] = flag_power(state, holder) * TWENTIETH
        out[n + 2] = 1.0 if attacker == seat else 0.0
        if state.ask[park] > 0 and state.ask_team[park] == seat:
            out[n + 3] = state.ask_left[park] / 3.0
            out[n + 4 + state.ask_card[park]] = 1.0
        rival = int(state.rival[seat])
        for k in range(state.lineup_size[seat]):
            out[n + 4 + KINDS + state.lineup[seat, k]] += 0.5
        for k in range(state.lineup_size[rival]):
            out[n + 4 + 2 * KINDS + state.lineup[rival, k]] += 0.5
        for k in range(state.exhausted_size[seat]):
            out[n + 4 + 3 * KINDS + state.exhausted[seat, k]] += 0.5
        for k in range(min(KNOWN_CARDS, int(state.pile_left[seat]))):
            kind = state.pile[seat, state.pile_left[seat] - 1 - k]
            if kind >= 0:
                out[n + 4 + (4 + k) * KINDS + kind] = 1.0
    return n + 4 + (4 + KNOWN_CARDS) * KINDS


@kernel
def observe_team(state: State, seat: int, team: int, n: int, out: NumberList) -> None:
    deck, bench = out[n : n + KINDS], out[n + KINDS : n + 2 * KINDS]
    if team == seat:
        for kind in range(KINDS):
            deck[kind] = np.float32(state.deck[team, kind]) / THREE
    else:
        for kind in range(KINDS):
            deck[kind] = np.float32(state.shown[team, kind]) / THREE
    for kind in range(KINDS):
        bench[kind] = np.float32(state.bench[team, kind]) / THREE
    n += 2 * KINDS
    for level in range(LEVELS):
        out[n + level] = state.by_level[team, level] * TENTH
    n += LEVELS
    out[n] = 1.0
    out[n + 1] = 1.0 if team >= state.seats else 0.0
    out[n + 2] = state.deck_size[team] * TWENTIETH
    out[n + 3] = state.fans[team] * TWENTIETH
    out[n + 4] = state.trophies[team] * OF_ROUNDS
    out[n + 5] = state.best_trophy[team] * OF_ROUNDS
    out[n + 6] = state.pile_left[team] * TWENTIETH
    out[n + 7] = state.lineup_size[team] * TENTH
    out[n + 8] = free_seats(state, team) * SIXTH
    out[n + 9] = state.exhausted_size[team] * TENTH
    out[n + 10] = state.cheer[team] / 2.0
    out[n + 11] = state.plan[team] / 8.0
    out[n + 12] = 1.0 if team == state.rival[seat] else 0.0
    out[n + 13] = state.waiting[team]
    out[n + 14] = 1.0 if team == state.finalists[0] or team == state.finalists[1] else 0.0
    out[n + 15] = state.picked[team] * THIRD
