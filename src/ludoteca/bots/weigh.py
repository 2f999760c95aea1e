"""What a seat's options are worth: the search of `search.py`, made to look at each of them equally often.

A bot's search asks which action is best and hardly looks at the others. Here every option is tried in the *same* guesses
with the same chance below it, so that the difference of two options is known far better than either of them; and what
comes out is the chance to win, of every seat. A tree is kept from call to call: who wants to know better goes on.

- **Settled.** While a tree grows, everybody in it tries out what is not the best, and so the means are those of careless
  players. Once it is settled, everybody takes what did best so far, and goes on learning only from that.

- **Deciding together.** What the others choose is drawn from what the search itself would have them choose, or from what one
  expects of them (`expect`), and the same for every option of a guess: nobody answers a choice that is still sealed. What
  a mixture of one's own is worth can be weighed beside the options (`DRAWN`). Afterwards everybody goes on from the own
  choice: whoever looks knows what they have done, and so do the others.
- **No options** (`count` 0): the position itself is judged, everybody choosing as in the search; what was only tried out by
  whoever is to decide does not count.
- **Without a tree** (`candidates`), options are played out side by side, as that search does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.chance import below_from
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.kernel import ActionList, ChanceList, Logs, NumberList, ScoreList, kernel
from ludoteca.core.record import States
from ludoteca.core.rules import apply, appraise, imagine, is_over, legal, outlook, ranks

from .judgement import NOT_LEARNED, correct, room_for, weights_of
from .search import (
    FOLLY,
    NEVER,
    NODE,
    Nodes,
    Settings,
    add_child,
    best_child,
    count_owing,
    is_child,
    may_try_another,
    most_promising,
    next_to_decide,
    play_on,
)

MOST_SEATS = 8
DRAWN = -2  # instead of an option: in each guess one of the `played` actions
CERTAINTY = 1_000_000  # visits that stand for what one expects of a seat: what a tree finds beside them weighs nothing
Table = npt.NDArray[np.float64]
Mixture = dict[int, dict[int, float]]  # for each seat that decides together: its actions, and how likely each is


@dataclass
class Scales:
    """One seat's options on the scales, to be weighed in as many guesses as one likes."""

    engine: CompiledEngine
    redacted: States
    seat: int
    seed: int
    settings: Settings
    options: list[int]
    room: int  # guesses at most

    def __post_init__(self) -> None:
        self._states = np.empty(3, self.redacted.dtype)
        self._states[0] = self.redacted[0]
        self._tree = np.zeros(2 + len(self.options) + self.room * (len(self.options) + 1), NODE)
        self._weights = weights_of(self.engine.game, self.settings.weights)
        self._played = np.zeros(1, np.int16)
        self._kept = np.array([self.seed, 1, 0, 0], np.int64)  # stream, nodes used, guesses that counted last, expected

    def expect(self, mixture: Mixture, played: list[int]) -> None:
        """Before anything is weighed: what the others choose who decide with this seat, and what it plays itself."""
        self._played = np.array(played, np.int16)
        likely = [(other, *one) for other in mixture if other != self.seat for one in mixture[other].items()]
        self._tree = np.concatenate([self._tree, np.zeros(len(likely), NODE)])
        for number, (other, action, chance) in enumerate(likely, int(self._kept[1])):
            visits = max(1, round(CERTAINTY * chance))
            node = (0, 0, int(self._tree["first"][0]), action, other, visits, visits, 0, 0.0, 0.0)
            self._tree[number] = node
            self._tree["first"][0] = number
        self._kept[1] += len(likely)
        self._kept[3] = 1

    def weigh(self, guesses: int, options: list[int] | None = None, settled: bool = False) -> Table:
        """So many guesses more: for each of these options the mean chance of every seat, or of the position itself."""
        chosen = self.options if options is None else options
        exploration, widening, prior = self.settings.exploration, self.settings.widening, self.settings.prior
        if settled:
            exploration = widening = prior = 0.0
        seats = int(self._states[0]["seats"])
        out = np.zeros(max(1, len(chosen)) * MOST_SEATS)
        bound(self.engine)(
            self._states, self.seat, np.array(chosen, np.int16), len(chosen), self._played, guesses, self._tree, self._kept,
            self.settings.cut, self.settings.looks, exploration, widening, self.settings.rounds,
            self.settings.candidates, prior, self.settings.temperature, int(settled), self._weights,
            self.engine.game.trust.get(seats, 1.0), len(self.engine.game.actions), out, self.engine.no_log,
        )  # fmt: skip
        means: Table = out.reshape(-1, MOST_SEATS)[:, :seats] / int(self._kept[2])
        return means


def bound(engine: CompiledEngine) -> Any:
    """The scales, compiled for this game."""
    return engine.bind(weigh, records={"Node": NODE})


def weigh(
    states: States, me: int, options: ActionList, count: int, played: ActionList, guesses: int, tree: Nodes, kept: ScoreList,
    cut: int, looks: int, exploration: float, widening: float, rounds: int, candidates: int, prior: float,
    temperature: float, settled: int, weights: NumberList, trust: float, all_actions: int, out: ChanceList, logs: Logs,
) -> int:  # fmt: skip
    """Adds up in `out` what each option of seat `me` in states[0], its redacted record, brings to every seat."""
    seats = int(states[0].seats)
    log = logs[0]
    stream = np.empty(1, np.int64)
    below = np.empty(1, np.int64)
    actions = np.empty(all_actions, np.int16)
    child_of = np.zeros(all_actions, np.int32)
    ranking = np.empty(8, np.int64)
    value = np.zeros(8, np.float64)
    room = room_for(seats, weights)
    place = np.empty(8, np.int32)
    path = np.empty(tree.shape[0] + 2, np.int32)
    horizon = int(states[0].round_number) + rounds if rounds > 0 else NEVER
    if rounds > 0:
        cut = NEVER
    stream[0] = kept[0]
    used = int(kept[1])
    counted = 0
    for _ in range(guesses):
        states[2] = states[0]
        imagine(states[2], me, below_from(stream, 1 << 62))
        chance = below_from(stream, 1 << 62)
        mine = int(played[below_from(stream, played.shape[0])]) if kept[3] != 0 else -1
        together = count_owing(states[2], seats) > 1
        aside = together and settled == 0 and kept[3] == 0  # what the others choose is learned apart from the options
        for k in range(-1 if aside or count == 0 else 0, count):  # -1: as the search itself would choose
            states[1] = states[2]
            below[0] = chance
            forced = int(options[k]) if k >= 0 else -1
            if forced == DRAWN:
                forced = mine
            if candidates > 0:
                if k >= 0:
                    apply(states[1], me, forced, log)
                elif count > 0:
                    continue
            else:
                used = go_down(
                    states[1], me, forced, tree, used, horizon, exploration, widening, prior,
                    temperature, seats, actions, child_of, place, path, below, log,
                )  # fmt: skip
            play_on(states[1], me, cut, horizon, looks, -1, actions, below, log)
            judge_win(states[1], seats, trust, ranking, value, weights, room)
            if candidates == 0:
                depth = 1
                while path[depth] >= 0:
                    node = path[depth]
                    mover = int(tree[node].mover)
                    if k < 0 or tree[node].parent != 0 or mover == me or tree[node].visits == 0:
                        tree[node].visits += 1
                        tree[node].worth += value[mover]
                    depth += 1
                tree[0].visits += 1
            if k >= 0 or (count == 0 and (candidates > 0 or settled != 0 or is_favourite(tree, path, me))):
                counted += max(k, 0) == 0
                for seat in range(seats):
                    out[max(k, 0) * 8 + seat] += value[seat]
    kept[0] = stream[0]
    kept[1] = used
    kept[2] = max(counted, 1)
    return used


@kernel
def is_favourite(tree: Any, path: Any, me: Any) -> bool:
    """Whether the way down began with what the search likes best, or with no choice at all."""
    first = path[1]
    if first < 0 or tree[first].parent != 0 or tree[first].mover != me:
        return True
    return bool(tree[first].visits >= most_visits(tree, me))


@kernel
def most_visits(tree: Any, me: Any) -> int:
    """How often the favourite of the first choice was visited."""
    most = 0
    child = tree[0].first
    while child != 0:
        if tree[child].mover == me:
            most = max(most, tree[child].visits)
        child = tree[child].following
    return int(most)


@kernel
def go_down(
    state: Any, me: Any, forced: Any, tree: Any, used: Any, horizon: Any, exploration: Any, widening: Any, prior: Any,
    temperature: Any, seats: Any, actions: Any, child_of: Any, place: Any, path: Any, stream: Any, log: Any,
) -> Any:  # fmt: skip
    """Down the tree until a node is added, the first choice of `me` being the forced one; the way is noted in `path`."""
    for seat in range(seats):
        place[seat] = 0
    depth = 1
    together = False
    added = False
    first = forced >= 0
    while not added and not is_over(state) and state.round_number < horizon:
        seat = next_to_decide(state, me)
        owing = count_owing(state, seats)
        if owing > 1:
            together = True
        count = legal(state, seat, actions)
        action = int(actions[0])
        node = int(place[seat])
        if first and seat == me:
            action = forced
            child = child_with(tree, node, seat, action)
            if child == 0:
                child = used
                add_child(tree, child, node, seat, action)
                tree[child].appeal = appraise(state, seat, action)
                used += 1
            path[depth] = child
            depth += 1
            place[seat] = child
            first = False
        elif count > 1:
            child, tried = best_child(tree, node, seat, actions, count, exploration, prior, temperature, child_of)
            if forced >= 0 and node == 0 and tried > 0:
                child = drawn(tree, node, seat, actions, count, child_of, stream)  # decides together with `me`
            elif used < tree.shape[0] and may_try_another(tree, node, seat, tried, count, widening):
                action, worth = most_promising(state, seat, actions, count, tree, node, child_of, stream)
                if worth > FOLLY or tried == 0:
                    child = used
                    add_child(tree, child, node, seat, action)
                    tree[child].appeal = worth
                    used += 1
                    added = True
                else:
                    tree[node].closed |= 1 << seat
            if child == 0:
                break  # there is no room for another node
            action = int(tree[child].action)
            path[depth] = child
            depth += 1
            place[seat] = child
        apply(state, seat, action, log)
        if owing == 1:  # everybody has decided: who decided together with others goes on from the own choice
            if not together:
                for other in range(seats):
                    place[other] = place[seat]
            together = False
    path[depth] = -1
    return used


@kernel
def child_with(tree: Any, node: Any, seat: Any, action: Any) -> int:
    """The child of a node that stands for this action, or 0."""
    child = int(tree[node].first)
    while child != 0 and not (tree[child].mover == seat and tree[child].action == action):
        child = int(tree[child].following)
    return child


@kernel
def drawn(tree: Any, node: Any, seat: Any, actions: Any, count: Any, child_of: Any, stream: Any) -> int:
    """One of the possible children, each as likely as it was visited often: the mixture that the search plays."""
    total = 0
    chosen = 0
    for k in range(count):
        child = int(child_of[actions[k]])
        if is_child(tree, child, node, seat):
            visits = int(tree[child].visits)
            total += visits
            if visits > 0 and below_from(stream, total) < visits:
                chosen = child
    return chosen


@kernel
def judge_win(state: Any, seats: Any, trust: Any, ranking: Any, value: Any, weights: Any, room: Any) -> None:
    """Each seat's chance to win: at the end who has won, shared wins in parts; before, what was learned of it.

    Where nothing was learned it is `outlook`, as far as one trusts that.
    """
    if is_over(state) and seats > 1:
        ranks(state, ranking)
        firsts = 0
        for seat in range(seats):
            firsts += ranking[seat] == 1
        for seat in range(seats):
            value[seat] = 1.0 / firsts if ranking[seat] == 1 else 0.0
    else:
        outlook(state, value)
        if seats > 1 and not is_over(state):
            if weights.shape[0] > NOT_LEARNED:
                correct(state, seats, weights, room, value)
            else:
                for seat in range(seats):
                    value[seat] = value[seat] ** trust
            total = 0.0
            for seat in range(seats):
                total += value[seat]
            for seat in range(seats):
                value[seat] /= total
