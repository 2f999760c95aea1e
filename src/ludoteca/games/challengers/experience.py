"""How an experienced player drafts: what a card is worth in a round, and beside the cards that the deck has already.

The numbers in `experience.json` were learned by a player that drafts against itself and against who takes what looks best,
and makes likelier what won (`learning.py`, docs/performance.md). They are in no unit: a difference of 1 made an
action e times as likely while it learned. In a match, which asks little, what looks best is done.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.kernel import ActionList, ChanceList, kernel

from .actions import DECLINE, MARK, PICK, REDRAW_NOW, REMOVE, STOP
from .advice import CROWD, EXTRA_PICK, FEW_CARDS, KEPT, LEAST, WORTH_BY_ROUND, appraise, copies_of_name, count_names
from .components import CARDS, DRAFT_LEVELS, KIND, KINDS, ROUNDS
from .rules.drafting import may_redraw
from .state import DECK, DRAFT, DRAWN, EXCHANGE_STEP, FINAL_TRIM, LEVEL_STEP, REDRAW, State

FILE = pathlib.Path(__file__).parent / "experience.json"
Numbers = npt.NDArray[np.float64]

# Where each part of the numbers begins. All but the pairs are by round.
NAMES, SIZES, PICKED = 16, 40, 3  # names and cards of a deck that are told apart; 0, 1 or 2 cards to pick, or kept
CARD = 0  # what a card is worth
NAME = CARD + ROUNDS * KINDS  # … and if its name is new, by how many names there are
SIZE = NAME + ROUNDS * NAMES  # … by how many cards the deck has
LEVEL = SIZE + ROUNDS * SIZES  # a level
REDRAWN = LEVEL + ROUNDS * DRAFT_LEVELS  # a redraw that keeps so many cards, by level and cards to pick
EXCHANGED = REDRAWN + ROUNDS * DRAFT_LEVELS * PICKED * PICKED  # the card that comes for one that goes
PAIR = EXCHANGED + ROUNDS  # what a card is worth more beside another in round 4: the same for both …
LATER = PAIR + KINDS * KINDS  # … and how much more in round 7 than in round 4
ALL = LATER + KINDS * KINDS

MIDDLE = 3.0  # the row of round 4
STRICTNESS = 3.0  # how much surer it is than a point of power, before it has learned anything
HIGH_LEVELS = 2.0
FREE_REDRAW = 0.3
NEVER = -1000.0


def beginners_numbers() -> Numbers:
    """What is thought before anything was learned, and of cards that were not there to learn: the beginner's advice."""
    numbers = np.zeros(ALL)
    numbers[CARD:NAME] = STRICTNESS * (WORTH_BY_ROUND - LEAST[:, None]).ravel()
    crowd = np.append(CROWD, np.full(NAMES - len(CROWD), CROWD[-1]))
    numbers[NAME:SIZE] = np.tile(-STRICTNESS * np.maximum(0.0, crowd), ROUNDS)  # not that a seventh name must be had
    numbers[SIZE:LEVEL] = np.tile(3.0 * STRICTNESS * (np.arange(SIZES) < FEW_CARDS), ROUNDS)
    numbers[LEVEL:REDRAWN] = np.tile(HIGH_LEVELS * np.arange(DRAFT_LEVELS), ROUNDS)
    redrawn = numbers[REDRAWN:EXCHANGED].reshape(ROUNDS, DRAFT_LEVELS, PICKED, PICKED)
    poor = STRICTNESS * np.maximum(0.0, KEPT - LEAST[:, None])
    for picks in range(PICKED):
        for kept in range(picks + 1):
            redrawn[:, :, picks, kept] = poor * (picks - kept) + FREE_REDRAW * (kept == picks)
    numbers[EXCHANGED:PAIR] = STRICTNESS * EXTRA_PICK
    return numbers


def read_numbers(path: pathlib.Path = FILE) -> Numbers:
    """The numbers of a file, for the cards of this deck."""
    numbers, found = beginners_numbers(), json.loads(path.read_text("utf-8"))
    cards, pairs = numbers[CARD:NAME].reshape(ROUNDS, KINDS), numbers[PAIR:].reshape(2, KINDS, KINDS)
    for one, by_round in found["cards"].items():
        if one in KIND:
            cards[:, KIND[one]] = by_round
    for one, others in found["pairs"].items():
        for other, worth in others.items():
            if one in KIND and other in KIND:
                both = worth if isinstance(worth, list) else (worth, 0.0)
                pairs[:, KIND[one], KIND[other]] = pairs[:, KIND[other], KIND[one]] = both
    numbers[NAME:PAIR] = found["decks"]
    return numbers


def written_numbers(numbers: Numbers, record: dict[str, Any]) -> str:
    """The file that holds these numbers, and how they were made; what two cards hardly change is left out."""
    rounded = np.round(numbers, 2)
    cards, pairs = rounded[CARD:NAME].reshape(ROUNDS, KINDS), rounded[PAIR:].reshape(2, KINDS, KINDS)
    ids = [card.id for card in CARDS]
    beside = {
        one: {ids[k]: pairs[:, n, k].tolist() for k in range(n, KINDS) if np.abs(pairs[:, n, k]).max() >= HARDLY}
        for n, one in enumerate(ids)
    }
    found = {
        "record": record,
        "cards": {one: cards[:, n].tolist() for n, one in enumerate(ids)},
        "decks": rounded[NAME:PAIR].tolist(),
        "pairs": {one: others for one, others in beside.items() if others},
    }
    return json.dumps(found, indent=None, separators=(",", ":")).replace('},"', '},\n"').replace('],"', '],\n"') + "\n"


HARDLY = 0.1
LEARNED = read_numbers()


@kernel
def experience(state: State, seat: int, actions: ActionList, count: int, out: ChanceList) -> None:
    """How good each of these actions is."""
    if state.phase == DECK or state.phase == FINAL_TRIM:
        draft_worth(state, seat, actions, count, LEARNED, out)
    else:
        for k in range(count):
            out[k] = appraise(state, seat, int(actions[k]))


@kernel
def draft_worth(state: Any, seat: Any, actions: Any, count: Any, numbers: Any, out: Any) -> None:
    """How good each action of the deck phase is by these numbers; to do no more is worth 0."""
    row = int(state.round_number) - 1
    if state.step[seat] == LEVEL_STEP:
        for k in range(count):
            out[k] = numbers[LEVEL + row * DRAFT_LEVELS + actions[k]]
        return
    kinds = np.empty(KINDS, np.int64)
    deck = list_kinds(state, seat, kinds)
    names = count_names(state, seat)
    if state.step[seat] == DRAFT or state.step[seat] == REDRAW:
        wishes = np.empty(DRAWN, np.float64)
        order = np.empty(DRAWN, np.int64)
        lying = order_display(state, seat, kinds, deck, names, numbers, wishes, order)
        picking_worth(state, seat, actions, count, numbers, lying, wishes, order, out)
        return
    for k in range(count):
        out[k] = 0.0
        if REMOVE <= actions[k] < DECLINE:
            out[k] = -losing(state, seat, actions[k] - REMOVE, kinds, deck, names, numbers)
            if state.step[seat] == EXCHANGE_STEP:
                out[k] += numbers[EXCHANGED + row]


@kernel
def list_kinds(state: Any, seat: Any, kinds: Any) -> int:
    """Lists the kinds of card in the deck; returns how many."""
    count = 0
    for kind in range(KINDS):
        if state.deck[seat, kind] > 0:
            kinds[count] = kind
            count += 1
    return count


@kernel
def beside_deck(
    state: Any, seat: Any, kind: Any, new: Any, kinds: Any, deck: Any, names: Any, size: Any, numbers: Any
) -> float:
    """What a card is worth to a deck of so many cards and names, beside all that lies in it."""
    row = int(state.round_number) - 1
    worth = numbers[CARD + row * KINDS + kind] + numbers[SIZE + row * SIZES + min(size, SIZES - 1)]
    if new:
        worth += numbers[NAME + row * NAMES + min(names, NAMES - 1)]
    later = (row - MIDDLE) / MIDDLE
    for n in range(deck):
        at = kind * KINDS + kinds[n]
        worth += (numbers[PAIR + at] + later * numbers[LATER + at]) * state.deck[seat, kinds[n]]
    return float(worth)


@kernel
def gaining(state: Any, seat: Any, kind: Any, kinds: Any, deck: Any, names: Any, numbers: Any) -> float:
    """What the deck would gain by a card of this kind."""
    new = copies_of_name(state, seat, kind) == 0
    return beside_deck(state, seat, kind, new, kinds, deck, names, int(state.deck_size[seat]), numbers)


@kernel
def losing(state: Any, seat: Any, kind: Any, kinds: Any, deck: Any, names: Any, numbers: Any) -> float:
    """What the deck would lose with one of its cards of this kind."""
    new = copies_of_name(state, seat, kind) == 1
    size = int(state.deck_size[seat]) - 1
    worth = beside_deck(state, seat, kind, new, kinds, deck, names - new, size, numbers)
    later = (int(state.round_number) - 1 - MIDDLE) / MIDDLE
    itself = kind * KINDS + kind
    return float(worth - numbers[PAIR + itself] - later * numbers[LATER + itself])  # it does not lie beside itself


@kernel
def order_display(
    state: Any, seat: Any, kinds: Any, deck: Any, names: Any, numbers: Any, wishes: Any, order: Any
) -> int:
    """Puts the places of the display in the order in which their cards are wished for; returns how many cards lie there."""
    lying = 0
    for place in range(DRAWN):
        if state.display[seat, place] >= 0:
            wishes[place] = gaining(state, seat, int(state.display[seat, place]), kinds, deck, names, numbers)
            at = lying
            while at > 0 and wishes[order[at - 1]] < wishes[place]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = place
            lying += 1
    return lying


@kernel
def picking_worth(
    state: Any, seat: Any, actions: Any, count: Any, numbers: Any, lying: Any, wishes: Any, order: Any, out: Any
) -> None:
    """Picks by what they bring with the next best, redraws by the cards that are kept and what may come for the others."""
    picks = min(int(state.picks[seat]), PICKED - 1)
    others = 0.0
    for n in range(1, min(picks, lying)):
        others += max(0.0, wishes[order[n]])
    for k in range(count):
        action = actions[k]
        if action < MARK:
            out[k] = wishes[action - PICK] + others
        elif action == STOP:
            out[k] = 0.0
        else:
            out[k] = NEVER + (action == REDRAW_NOW)
    if state.step[seat] == REDRAW or may_redraw(state, seat):
        for kept in range(min(picks, lying - 1) + 1):
            worth, action = redraw_worth(state, seat, kept, picks, numbers, lying, wishes, order)
            for k in range(count):
                if actions[k] == action:
                    out[k] = max(out[k], worth)


@kernel
def redraw_worth(
    state: Any, seat: Any, kept: Any, picks: Any, numbers: Any, lying: Any, wishes: Any, order: Any
) -> tuple[float, int]:
    """What it is worth to redraw all but the best so many, and the next action to that end; -1, if it is too late."""
    row = (int(state.round_number) - 1) * DRAFT_LEVELS + int(state.level[seat])
    worth = numbers[REDRAWN + (row * PICKED + picks) * PICKED + kept]
    for n in range(kept):
        worth += max(0.0, wishes[order[n]])
    bits = 0
    for n in range(kept, lying):
        bits |= 1 << order[n]
    marked = int(state.marked[seat]) if state.step[seat] == REDRAW else 0
    left = bits & ~marked
    if marked & ~bits != 0 or (left != 0 and marked >> lowest_of(left) != 0):
        return 2 * NEVER, -1
    return worth, MARK + lowest_of(left) if left != 0 else REDRAW_NOW


@kernel
def lowest_of(bits: Any) -> int:
    """The lowest place among these."""
    place = 0
    while bits >> place & 1 == 0:
        place += 1
    return place
