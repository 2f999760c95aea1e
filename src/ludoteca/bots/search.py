"""Information-set Monte Carlo tree search over any game, written once for all of them.

The bot knows only the record as its seat may see it. Every iteration guesses what is hidden (`imagine`, or else
`determinize`), goes down one tree that all guesses share, adds one node, plays on for a few decisions, and judges the
position with the game's `outlook`, corrected by what was learned (judgement.py), or by the ranks, if the game ended; both
ways half of a position's worth is to win, half to leave others behind. A node's worth is what it brought to the seat that
moved into it.

- **Availability.** An action that is possible only under some guesses is compared by how often it was possible.
- **Widening.** A node tries the most promising actions first (`appraise`), and more of them the more often it is
  visited, so thousands of possible actions do no harm. Children are linked lists: nothing is as wide as all actions.
- **Prior.** With `prior`, how promising an action looks goes on to count: curiosity goes in the first place where
  `appraise` points (PUCT), instead of equally to all that were tried (UCB).
- **Bounds.** So many iterations, or so many seconds if those end first; `threads` search trees of their own, each on a
  core (the machine code holds no lock), and what they found of the first move is added up.
- **Simultaneous decisions.** Choices made together hang from the same node, so nobody answers a choice not yet
  revealed; afterwards the tree goes on from the searching seat's own choice. Who always plays the favourite is
  foreseen: with `mixing` the choice is drawn among the best.
- **Alone at the table** there are no ranks: games are played on to their end and judged by points, between the fewest and
  the most seen (points on the way say little: who takes them soonest often ends with fewer); or by `outlook`, where the
  game itself is the rival.
- **Forced moves** are made without a node.
- **Every decision begins anew.** What happened since is where the last tree has least: a twentieth of its visits, where that
  was measured (docs/performance.md), in guesses that have come out otherwise.
- **Without a tree.** Where one's best looking action is nearly always right and chance is loud (a deck that is improved by
  one card), a tree drowns in the noise. With `candidates`, that many of the best looking actions are played out in the
  same guesses, side by side, and one leaves the first only for an action that did clearly better. With `until` one's own
  turn is played on and judged before what it leads to: no luck of the others' in it, where the judgement is good enough.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.chance import below_from, derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.kernel import (
    ActionList,
    ChanceList,
    ChanceTable,
    Log,
    Logs,
    NumberList,
    NumberTable,
    PlaceList,
    ScoreList,
    kernel,
)
from ludoteca.core.record import States
from ludoteca.core.rules import State, apply, appraise, experience, imagine, is_over, legal, outlook, ranks, scores

from .judgement import NOT_LEARNED, correct, room_for, weights_of

NEVER = 1 << 30
FOLLY = -1e6  # `appraise` below this: surely good for nothing, and not tried while there is something else
BY_EXPERIENCE = -1  # instead of a number of looks
MOST_APART = 20.0  # what looks worse than the best by so many temperatures has a prior of nearly nothing
RARE = 1e-9  # a chance that is hardly one
BETWEEN_CLOCKS = 128  # iterations, where time is what ends the search

# How far a search has come, for where it goes on after a look at the clock: nodes used, whether the first decision is made
# together, iterations done; without a tree guesses played and candidates left, and then the candidates.
NODES, TOGETHER, DONE, GUESSES, LEFT, GOING = range(6)

# A node is a decision that `mover` made at its parent; node 0 is the root. 0 is also «no child»: the root is nobody's.
NODE = np.dtype(
    [
        ("parent", "i4"),
        ("first", "i4"),  # child
        ("following", "i4"),  # child of the same parent
        ("action", "i4"),
        ("mover", "i4"),
        ("visits", "i4"),
        ("available", "i4"),  # how often the action was possible when its parent was visited
        ("closed", "i4"),  # bits of the seats that have nothing sensible left to try here
        ("worth", "f8"),  # sum of what the visits brought to the mover
        ("appeal", "f8"),  # how promising the action looked when it was first tried
    ],
    align=True,
)
Nodes = npt.NDArray[Any]  # the tree: an array of nodes
RECORDS = {"Node": NODE}  # what kernels here are annotated with, beside the game's own records


@dataclass(frozen=True)
class Settings:
    """How hard the search thinks."""

    iterations: int = 1000
    cut: int = 8  # decisions played on below the tree before `outlook` judges
    looks: int = 3  # in those, the best looking of so many random actions is played; 1 is pure chance, 0 looks at all,
    # -1 asks experience instead, also which candidates are compared
    exploration: float = 0.6  # how curious it is about actions that did badly so far
    widening: float = 0.5  # a node visited n times tries about widening × √n actions
    mixing: float = 0.0  # deciding together, draws among the actions that had at least 1 - mixing of the most visits
    rounds: int = 0  # if not 0, `outlook` judges when so many rounds have ended, however many decisions that takes
    candidates: int = 0  # if not 0, no tree: so many actions are compared in the same guesses
    faith: int = 0  # comparing by experience (`looks` -1): what it expects of a candidate counts as so many guesses
    scale: float = 0.01  # … where a difference of 1 is worth so much, shared by the seats
    until: str = ""  # comparing so, one's own turn is enough: it is judged where an action of this kind would end it
    prior: float = 0.0  # if not 0, PUCT with this weight: curiosity goes where `appraise` points
    temperature: float = 1.0  # differences of `appraise` by which a prior is e times as great
    seconds: float = 0.0  # if not 0, it decides after so many seconds, even if there are iterations left
    threads: int = 1  # trees searched side by side
    weights: str = ""  # a file of learned weights; the game's own if empty, none if «-»


@dataclass(frozen=True)
class Tried:
    """What the search found of one of its actions."""

    action: int
    visits: int
    worth: float  # what it brought on average: 0 to 1, half for winning and half for the seats left behind


@dataclass(frozen=True)
class Thought:
    """What came of a search: every action tried, the most visited first, and which one is played."""

    action: int
    tried: tuple[Tried, ...]


def choose(engine: CompiledEngine, redacted: States, seat: int, seed: int, settings: Settings | None = None) -> int:
    """The action that the search likes best."""
    actions = engine.legal(redacted, 0, seat)
    if len(actions) == 1:
        return actions[0]
    return think(engine, redacted, seat, seed, settings or Settings()).action


def think(
    engine: CompiledEngine,
    redacted: States,
    seat: int,
    seed: int,
    settings: Settings,
    weights: NumberList | None = None,
) -> Thought:
    """Searches, and says what it found; there must be something to choose. `weights` may be given instead of their file."""
    machine = bound(engine, settings)
    if weights is None:
        weights = weights_of(engine.game, settings.weights)
    seeds = [seed, *(derive(seed, number) for number in range(1, settings.threads))]
    lines = [Line(engine, redacted, seat, number, settings, weights) for number in seeds]
    if len(lines) == 1:
        lines[0].search(machine)
    else:
        with ThreadPoolExecutor(len(lines)) as pool:
            list(pool.map(lambda line: line.search(machine), lines))
    tried = added_up([line.tried() for line in lines])
    if len(lines) == 1 and lines[0].action >= 0:
        return Thought(lines[0].action, tried)
    mixing = settings.mixing if lines[0].together else 0.0
    return Thought(favourite(tried, mixing, derive(seed, 0)), tried)


class Line:
    """One tree and the guesses it is searched in; several can be searched side by side."""

    def __init__(
        self, engine: CompiledEngine, redacted: States, seat: int, seed: int, settings: Settings, weights: NumberList
    ) -> None:
        self.settings, self.seat, self.weights = settings, seat, weights
        self.states = np.empty(3, redacted.dtype)
        self.states[0] = redacted[0]
        self.tree = np.zeros(settings.iterations + settings.candidates + 1, NODE)
        self.stream = np.array([seed], np.int64)
        self.going = np.zeros(GOING + settings.candidates, np.int64)
        self.going[NODES] = 1
        # More than the first: the sum, the sum of squares, and what experience expects of one guess.
        self.gained = np.zeros((3, settings.candidates), np.float64)
        self.extremes = np.zeros(2, np.float64)
        self.game = int(engine.game.rival_alone), len(engine.game.actions), engine.no_log
        self.until = engine.game.actions.read(settings.until) if settings.until else -1
        self.faith = settings.faith if settings.looks == BY_EXPERIENCE else 0
        self.action = -1  # the choice, where no tree was grown
        alone = int(redacted["seats"][0]) == 1 and not engine.game.rival_alone
        self.cut, self.rounds = (NEVER, 0) if alone else (settings.cut, settings.rounds)

    def search(self, machine: Any) -> None:
        """All iterations, or as many as there is time for."""
        settings, done = self.settings, -1
        ends = time.perf_counter() + settings.seconds
        while done < self.going[DONE] < settings.iterations:
            done = int(self.going[DONE])
            some = min(settings.iterations - done, BETWEEN_CLOCKS if settings.seconds > 0.0 else NEVER)
            self.action = int(
                machine(
                    self.states, self.seat, self.stream, self.tree, self.going, self.gained, self.extremes, some, self.cut,
                    settings.looks, settings.exploration, settings.widening, self.rounds, settings.candidates,
                    self.faith, settings.scale, self.until, settings.prior, settings.temperature, self.weights, *self.game,
                )
            )  # fmt: skip
            if settings.seconds > 0.0 and time.perf_counter() >= ends:
                break

    @property
    def together(self) -> bool:
        """Whether others decide at the same time."""
        return bool(self.going[TOGETHER])

    def tried(self) -> dict[int, tuple[int, float]]:
        """The searching seat's first actions: visits, and the sum of what they brought."""
        found, child = {}, int(self.tree["first"][0])
        while child != 0:
            node = self.tree[child]
            if int(node["mover"]) == self.seat:
                found[int(node["action"])] = int(node["visits"]), float(node["worth"])
            child = int(node["following"])
        return found


def added_up(lines: Sequence[dict[int, tuple[int, float]]]) -> tuple[Tried, ...]:
    """What several trees found, as if it were one; the most visited first."""
    total: dict[int, tuple[int, float]] = {}
    for line in lines:
        for action, (visits, worth) in line.items():
            before = total.get(action, (0, 0.0))
            total[action] = before[0] + visits, before[1] + worth
    tried = [Tried(action, visits, worth / visits) for action, (visits, worth) in total.items()]
    return tuple(sorted(tried, key=lambda one: (-one.visits, -one.worth, one.action)))


def favourite(tried: Sequence[Tried], mixing: float, seed: int) -> int:
    """The most visited action, or with mixing one of those nearly as often visited, each as likely as it was visited."""
    best = [one for one in tried if one.visits >= (1.0 - mixing) * tried[0].visits]
    if mixing == 0.0:
        return max(best, key=lambda one: one.worth).action
    place = seed % sum(one.visits for one in best)
    for one in best:
        place -= one.visits
        if place < 0:
            return one.action
    raise AssertionError("the place lies within the visits")


def algorithm(settings: Settings) -> Any:
    """What searches with these settings: a tree, or without one the comparison of candidates. Each is compiled by itself."""
    return compare if settings.candidates > 0 else search


def bound(engine: CompiledEngine, settings: Settings) -> Any:
    """The search with these settings, compiled for this game."""
    return engine.bind(algorithm(settings), records=RECORDS)


def search(
    states: States, me: int, stream: ScoreList, tree: Nodes, going: ScoreList, gained: ChanceTable,
    extremes: ChanceList, iterations: int, cut: int, looks: int, exploration: float, widening: float, rounds: int,
    candidates: int, faith: int, scale: float, until: int, prior: float, temperature: float, weights: NumberList,
    rival_alone: int, all_actions: int, logs: Logs,
) -> int:  # fmt: skip
    """Searches on for seat `me` in states[0], its own redacted record; guesses are played in states[1].

    What was found hangs from the root of the tree. Returns -1: which action is played is for `favourite` to say.
    """
    seats = int(states[0].seats)
    log = logs[0]
    actions = np.empty(all_actions, np.int16)
    child_of = np.zeros(all_actions, np.int32)
    ranking = np.empty(8, np.int64)
    value = np.empty(8, np.float64)
    room = room_for(seats, weights)
    horizon = int(states[0].round_number) + rounds if rounds > 0 else NEVER
    if rounds > 0:
        cut = NEVER
    path = np.empty(tree.shape[0] + 2, np.int32)
    place = np.empty(8, np.int32)  # the node each seat decides from: they differ while choices are made together
    used = int(going[NODES])
    for _ in range(iterations):
        states[1] = states[0]
        state = states[1]
        imagine(state, me, below_from(stream, 1 << 62))

        # Down the tree, until a node is added.
        for seat in range(seats):
            place[seat] = 0
        path[0] = 0
        depth = 1
        together = False
        leader = -1
        added = False
        while not added and not is_over(state) and state.round_number < horizon:
            seat = next_to_decide(state, me)
            owing = count_owing(state, seats)
            if owing > 1 and not together:
                together = True
                leader = seat
                if depth == 1:
                    going[TOGETHER] = 1
            count = legal(state, seat, actions)
            action = int(actions[0])
            if count > 1:
                node = int(place[seat])
                child, tried = best_child(tree, node, seat, actions, count, exploration, prior, temperature, child_of)
                if may_try_another(tree, node, seat, tried, count, widening):
                    action, worth = most_promising(state, seat, actions, count, tree, node, child_of, stream)
                    if worth > FOLLY or tried == 0:
                        child = used
                        add_child(tree, child, node, seat, action)
                        tree[child].appeal = worth
                        used += 1
                        added = True
                    else:
                        tree[node].closed |= 1 << seat
                action = int(tree[child].action)
                path[depth] = child
                depth += 1
                place[seat] = child
            apply(state, seat, action, log)
            if owing == 1:  # everybody has decided: the tree goes on from one place
                goes_on = place[leader] if together else place[seat]
                for other in range(seats):
                    place[other] = goes_on
                together = False

        play_on(state, me, cut, horizon, looks, -1, actions, stream, log)
        judge(state, seats, rival_alone, ranking, extremes, value, weights, room)
        for k in range(depth):
            tree[path[k]].visits += 1
            tree[path[k]].worth += value[tree[path[k]].mover]
    going[NODES] = used
    going[DONE] += iterations
    return -1


@kernel
def next_to_decide(state: State, me: int) -> int:
    """The lowest waiting seat; of those who decide together, the searching one first: others hang from its node too."""
    if state.waiting[me] != 0:
        return me
    seat = 0
    while state.waiting[seat] == 0:
        seat += 1
    return seat


@kernel
def count_owing(state: State, seats: int) -> int:
    owing = 0
    for seat in range(seats):
        owing += state.waiting[seat] != 0
    return owing


@kernel
def best_child(
    tree: Nodes, node: int, seat: int, actions: ActionList, count: int, exploration: float, prior: float,
    temperature: float, child_of: PlaceList,
) -> tuple[int, int]:  # fmt: skip
    """The possible child with the highest upper bound, and how many of the possible actions have a child.

    Notes the children in `child_of`, where entries of other nodes may linger: `is_child` tells.
    """
    top = -np.inf
    child = tree[node].first
    while child != 0:
        if tree[child].mover == seat:
            child_of[tree[child].action] = child
            top = max(top, tree[child].appeal)
        child = tree[child].following
    best = 0
    highest = -np.inf
    tried = 0
    total = 0.0
    if prior > 0.0:
        for k in range(count):
            child = child_of[actions[k]]
            if is_child(tree, child, node, seat):
                total += appeal(tree, child, top, temperature)
    for k in range(count):
        child = child_of[actions[k]]
        if is_child(tree, child, node, seat):
            tried += 1
            tree[child].available += 1
            visits = tree[child].visits
            bound = tree[child].worth / visits
            if prior > 0.0:
                odds = appeal(tree, child, top, temperature) / total
                bound += prior * odds * math.sqrt(tree[child].available) / (1.0 + visits)
            else:
                bound += exploration * math.sqrt(math.log(tree[child].available) / visits)
            if bound > highest:
                highest = bound
                best = child
    return best, tried


@kernel
def appeal(tree: Nodes, child: int, top: float, temperature: float) -> float:
    """How likely an action looked to be the best, beside the best looking of those tried."""
    return math.exp(max(-MOST_APART, (tree[child].appeal - top) / temperature))


@kernel
def is_child(tree: Nodes, child: int, node: int, seat: int) -> bool:
    return bool(child != 0 and tree[child].parent == node and tree[child].mover == seat)


@kernel
def may_try_another(tree: Nodes, node: int, seat: int, tried: int, count: int, widening: float) -> bool:
    """Whether a node takes a child more: the more of them the more often it is visited, until only folly is left."""
    if tried == 0:  # then something must be tried: a node closed in one guess is open in another with other actions
        return True
    closed = tree[node].closed >> seat & 1 == 1
    return bool(not closed and tried < count and tried < 1 + widening * math.sqrt(tree[node].visits))


@kernel
def most_promising(
    state: State, seat: int, actions: ActionList, count: int,
    tree: Nodes, node: int, child_of: PlaceList, stream: ScoreList,
) -> tuple[int, float]:  # fmt: skip
    """The best looking action that has no child yet, and its worth; chance decides among equals."""
    best = -1
    highest = 0.0
    equals = 0
    for k in range(count):
        action = int(actions[k])
        if not is_child(tree, child_of[action], node, seat):
            worth = appraise(state, seat, action)
            if best < 0 or worth > highest:
                best = action
                highest = worth
                equals = 1
            elif worth == highest:
                equals += 1
                if below_from(stream, equals) == 0:
                    best = action
    return best, highest


@kernel
def add_child(tree: Nodes, child: int, node: int, seat: int, action: int) -> None:
    tree[child].parent = node
    tree[child].mover = seat
    tree[child].action = action
    tree[child].available = 1
    tree[child].following = tree[node].first
    tree[node].first = child


@kernel
def play_on(
    state: State, me: int,
    cut: int, horizon: int, looks: int, until: int, actions: ActionList, stream: ScoreList, log: Log,
) -> None:  # fmt: skip
    """A few decisions more, each the best looking of some drawn at random, or of all; not the one that would end a turn."""
    for _ in range(cut):
        if is_over(state) or state.round_number >= horizon:
            return
        seat = next_to_decide(state, me)
        count = legal(state, seat, actions)
        action = int(actions[below_from(stream, count)])
        if count > 1 and looks == BY_EXPERIENCE:
            action = most_experienced(state, seat, actions, count)
        elif count > 1 and looks != 1:
            highest = appraise(state, seat, action)
            for k in range(looks - 1 if looks > 0 else count):
                other = int(actions[below_from(stream, count) if looks > 0 else k])
                if other != action:
                    worth = appraise(state, seat, other)
                    if worth > highest:
                        action = other
                        highest = worth
        if action == until and seat == me:
            return
        apply(state, seat, action, log)


@kernel
def most_experienced(state: State, seat: int, actions: ActionList, count: int) -> int:
    """What many games have shown to be best."""
    worth = np.empty(count, np.float64)
    experience(state, seat, actions, count, worth)
    best = 0
    for k in range(1, count):
        if worth[k] > worth[best]:
            best = k
    return int(actions[best])


@kernel
def judge(
    state: State, seats: int, rival_alone: int,
    ranking: ScoreList, extremes: ChanceList, value: ChanceList, weights: NumberList, room: NumberTable,
) -> None:  # fmt: skip
    """What the position is worth to each seat."""
    if seats == 1 and not rival_alone:
        judge_alone(state, ranking, extremes, value)
    elif is_over(state) and seats > 1:
        ranks(state, ranking)
        judge_ranks(seats, ranking, value)
    else:
        outlook(state, value)
        if weights.shape[0] > NOT_LEARNED and seats > 1:
            correct(state, seats, weights, room, value)
        elif seats > 2:
            count_ranks_too(seats, value)


@kernel
def judge_ranks(seats: int, ranking: ScoreList, value: ChanceList) -> None:
    """What the end is worth to each seat, 0 to 1: half for winning, half for the seats left behind."""
    firsts = 0
    for seat in range(seats):
        firsts += ranking[seat] == 1
    for seat in range(seats):
        behind = 0.0
        for other in range(seats):
            if ranking[other] > ranking[seat]:
                behind += 1.0
            elif other != seat and ranking[other] == ranking[seat]:
                behind += 0.5
        won = 1.0 / firsts if ranking[seat] == 1 else 0.0
        value[seat] = 0.5 * won + 0.5 * behind / (seats - 1)


@kernel
def count_ranks_too(seats: int, value: ChanceList) -> None:
    """Of each seat's chance to win, what the position is worth to it, as the end would be: by `judge_ranks`.

    Whoever is twice as likely to win as another is taken to be twice as likely to come before them.
    """
    chance = value.copy()
    for seat in range(seats):
        behind = 0.0
        for other in range(seats):
            if other != seat:
                behind += (chance[seat] + RARE) / (chance[seat] + chance[other] + 2.0 * RARE)
        value[seat] = 0.5 * chance[seat] + 0.5 * behind / (seats - 1)


@kernel
def judge_alone(state: State, points: ScoreList, extremes: ChanceList, value: ChanceList) -> None:
    """Where the points lie between the fewest and the most seen so far."""
    scores(state, points)
    if extremes[0] == extremes[1] == 0.0:
        extremes[0] = points[0] - 1.0
        extremes[1] = points[0] + 1.0
    extremes[0] = min(extremes[0], float(points[0]))
    extremes[1] = max(extremes[1], float(points[0]))
    value[0] = (points[0] - extremes[0]) / (extremes[1] - extremes[0])


# Without a tree.

BLOCK = 16  # guesses after which candidates may drop out
SLIGHT = 0.006  # shared by the seats: a gain that is not worth finding out
SURE = 2.0  # standard errors: a candidate that is below a slight gain even with them drops out
LOUD = 0.56  # shared by the seats: how much a guess differs from another in what a candidate gains, where that is not known
CLEAR = 1.0  # standard errors above nothing: the gain must be more to leave the best looking action


def compare(
    states: States, me: int, stream: ScoreList, tree: Nodes, going: ScoreList, gained: ChanceTable,
    extremes: ChanceList, iterations: int, cut: int, looks: int, exploration: float, widening: float, rounds: int,
    candidates: int, faith: int, scale: float, until: int, prior: float, temperature: float, weights: NumberList,
    rival_alone: int, all_actions: int, logs: Logs,
) -> int:  # fmt: skip
    """Called as `search` is; returns the best looking action, or one that did clearly better in the same guesses."""
    seats = int(states[0].seats)
    log = logs[0]
    actions = np.empty(all_actions, np.int16)
    ranking = np.empty(8, np.int64)
    value = np.empty(8, np.float64)
    room = room_for(seats, weights)
    horizon = int(states[0].round_number) + rounds if rounds > 0 else NEVER
    if rounds > 0:
        cut = NEVER
    tried = going[GOING:]
    guesses = int(going[GUESSES])
    if guesses == 0:
        count = legal(states[0], me, actions)
        going[LEFT] = min(candidates, count)
        choose_candidates(states[0], me, actions, count, looks, tried[: going[LEFT]])
        if faith > 0:
            expect(states[0], me, tried[: going[LEFT]], scale / seats, gained[2])
            going[LEFT] = drop_losers(gained, tried, int(going[LEFT]), 0, faith, seats)
        for k in range(going[LEFT]):
            add_child(tree, k + 1, 0, me, tried[k])
    most = int(going[LEFT])
    ends = going[DONE] + iterations
    while going[DONE] < ends and (most > 1 or guesses == 0):
        states[2] = states[0]
        imagine(states[2], me, below_from(stream, 1 << 62))
        first = 0.0
        for k in range(most):
            states[1] = states[2]
            state = states[1]
            if tried[k] != until:
                apply(state, me, tried[k], log)
                play_on(state, me, cut, horizon, looks, until, actions, stream, log)
            judge(state, seats, rival_alone, ranking, extremes, value, weights, room)
            if k == 0:
                first = value[me]
            gained[0, k] += value[me] - first
            gained[1, k] += (value[me] - first) ** 2
            note(tree, tried[k], value[me])
        going[DONE] += most
        guesses += 1
        if guesses % BLOCK == 0:
            most = drop_losers(gained, tried, most, guesses, faith, seats)
    going[GUESSES] = guesses
    going[LEFT] = most
    return clear_winner(gained, tried, most, guesses, faith, seats)


@kernel
def note(tree: Nodes, action: int, worth: float) -> None:
    """What a guess brought with this first action."""
    child = tree[0].first
    while tree[child].action != action:
        child = tree[child].following
    tree[child].visits += 1
    tree[child].worth += worth


@kernel
def choose_candidates(
    state: State, me: int, actions: ActionList, count: int, looks: int, tried: ScoreList
) -> None:  # fmt: skip
    """The best looking actions, or those that experience likes, best first."""
    worth = np.empty(count, np.float64)
    if looks == BY_EXPERIENCE:
        experience(state, me, actions, count, worth)
    else:
        for k in range(count):
            worth[k] = appraise(state, me, int(actions[k]))
    for n in range(tried.shape[0]):
        best = 0
        for k in range(count):
            if worth[k] > worth[best]:
                best = k
        tried[n] = actions[best]
        worth[best] = -np.inf


@kernel
def expect(state: State, me: int, tried: ScoreList, scale: float, expected: ChanceList) -> None:
    """How much more than the first candidate each brings by experience."""
    actions = np.empty(tried.shape[0], np.int16)
    worth = np.empty(tried.shape[0], np.float64)
    for k in range(tried.shape[0]):
        actions[k] = tried[k]
    experience(state, me, actions, tried.shape[0], worth)
    for k in range(tried.shape[0]):
        expected[k] = scale * (worth[k] - worth[0])


@kernel
def gain(gained: ChanceTable, k: int, guesses: int, faith: int, seats: int, errors: float) -> float:
    """What a candidate brings more than the first, give or take so many standard errors.

    What experience expects is as good as so many guesses; before there are any, they are taken to be as loud as usual.
    """
    spread = (LOUD / seats) ** 2
    if guesses > 0:
        mean = gained[0, k] / guesses
        spread = max(gained[1, k] / guesses - mean * mean, 0.0)
    mean = (gained[0, k] + faith * gained[2, k]) / (guesses + faith)
    return float(mean + errors * math.sqrt(spread / (guesses + faith)))


@kernel
def drop_losers(gained: ChanceTable, tried: ScoreList, most: int, guesses: int, faith: int, seats: int) -> int:
    """Closes the ranks of the candidates that may still be better than the first; returns how many stay, with it."""
    stay = 1
    for k in range(1, most):
        if gain(gained, k, guesses, faith, seats, SURE) > SLIGHT / seats:
            tried[stay] = tried[k]
            gained[:, stay] = gained[:, k]
            stay += 1
    return stay


@kernel
def clear_winner(gained: ChanceTable, tried: ScoreList, most: int, guesses: int, faith: int, seats: int) -> int:
    """The candidate that gained most, if it is clearly better than the first; where experience counts, simply the best."""
    best = 0
    clear = CLEAR if faith == 0 else 0.0
    for k in range(1, most):
        more = gain(gained, k, guesses, faith, seats, 0.0) > gain(gained, best, guesses, faith, seats, 0.0)
        if more and gain(gained, k, guesses, faith, seats, -clear) > 0.0:
            best = k
    return int(tried[best])
