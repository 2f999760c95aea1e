"""How Python enters the compiled rules: as (states, i, …), the record being element i of an array.

Handing a record itself from Python to machine code takes 5 µs, an array and an index 0.7 µs. Each rule has its entry but
`imagine`, which only searches call; `decide_at` does at once what a player of random games needs, and `write_all_at` what a
server needs for everybody at a table. They are compiled for a game as any algorithm is (rules.py).
"""

from __future__ import annotations

from .kernel import ActionList, ChanceList, Logs, NumberList, OptionList, Pages, ScoreList
from .record import States
from .rules import (
    apply,
    appraise,
    determinize,
    features,
    is_over,
    legal,
    observe,
    offer,
    outlook,
    ranks,
    scores,
    setup,
    write,
    write_own,
)


def setup_at(states: States, i: int, seats: int, options: OptionList, seed: int) -> None:
    setup(states[i], seats, options, seed)


def legal_at(states: States, i: int, seat: int, actions: ActionList) -> int:
    return legal(states[i], seat, actions)


def apply_at(states: States, i: int, seat: int, action: int, logs: Logs) -> None:
    apply(states[i], seat, action, logs[0])


def is_over_at(states: States, i: int) -> bool:
    return is_over(states[i])


def scores_at(states: States, i: int, out: ScoreList) -> None:
    scores(states[i], out)


def ranks_at(states: States, i: int, out: ScoreList) -> None:
    ranks(states[i], out)


def determinize_at(states: States, i: int, seat: int, seed: int) -> None:
    determinize(states[i], seat, seed)


def observe_at(states: States, i: int, seat: int, out: NumberList) -> None:
    observe(states[i], seat, out)


def appraise_at(states: States, i: int, seat: int, action: int) -> float:
    return appraise(states[i], seat, action)


def outlook_at(states: States, i: int, out: ChanceList) -> None:
    outlook(states[i], out)


def features_at(states: States, i: int, seat: int, out: NumberList) -> None:
    features(states[i], seat, out)


def write_at(states: States, i: int, pages: Pages) -> None:
    write(states[i], pages[0])


def write_own_at(states: States, i: int, seat: int, pages: Pages) -> None:
    write_own(states[i], seat, pages[0])


def offer_at(states: States, i: int, seat: int, actions: ActionList, count: int, pages: Pages) -> None:
    offer(states[i], seat, actions, count, pages[0])


def write_all_at(
    states: States, i: int, records: int, looks: ScoreList, actions: ActionList, pages: Pages, ends: ScoreList
) -> None:
    """Writes the views of `records` redacted records from states[i] on, and then what else each viewer is sent.

    `looks` has three numbers for each viewer: the seat (-1: none), which of the records it sees, and whether it is offered
    choices. `ends` is told where each piece ends on the page: every view, then for every viewer what is their own, their
    choices, and how many these are.
    """
    page = pages[0]
    page.used = 0
    n = 0
    for k in range(records):
        write(states[i + k], page)
        ends[n] = page.used
        n += 1
    for k in range(0, looks.shape[0], 3):
        seat = looks[k]
        state = states[i + looks[k + 1]]
        count = 0
        if seat >= 0:
            write_own(state, seat, page)
        ends[n] = page.used
        if looks[k + 2] != 0:
            if state.waiting[seat] != 0:
                count = legal(state, seat, actions)
            offer(state, seat, actions, count, page)
        ends[n + 1] = page.used
        ends[n + 2] = count
        n += 3


def decide_at(states: States, i: int, logs: Logs, asked: ActionList, action: int) -> int:
    """The seat that is asked does it (nothing, if -1); returns how many actions the next one has, 0 at the end.

    `asked` holds those actions, and in its last place who is asked.
    """
    state = states[i]
    last = asked.shape[0] - 1
    if action >= 0:
        apply(state, asked[last], action, logs[0])
    if is_over(state):
        return 0
    seat = 0
    while state.waiting[seat] == 0:
        seat += 1
    count = legal(state, seat, asked)
    asked[last] = seat
    return count
