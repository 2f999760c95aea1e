"""A game in play: where it stands, every decision that led there, who is asked since when, how much was told.

    play = Play.deal(engine, seats, options, seed)
    happened = play.decide(seat, [action])        # or a sentence, and nothing has changed
    play.position(viewer).view()

The referee, looking back, an environment's window and the replay of a journal all go through this class. It knows no
clock and no store: whoever must not be ahead of a store decides on a `copy`, and keeps that once it is stored.

Taking back is a step too, with a number of its own: its action says after which step the game stands again
(`taken_back_to`). Nothing that was written is lost, and the steps that were taken back are not part of the game any more:
the next one has the same chance as the first of them had. `undo.py` says what may be taken back.
"""

from __future__ import annotations

import hashlib
import itertools
from array import array
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from .chance import derive
from .engine import Engine, Result
from .errors import BadData, IllegalAction
from .facts import Fact, taken_back
from .game import Game, Json
from .keyed import Draws, Keyed
from .record import SPECTATOR, Record, States, copied

MOST_STEPS = 64  # of one decision
WORLDS = 6  # that are compared: a step that opens one of two cards passes unnoticed once in 2^6
RECENT = (
    8  # positions that are kept, so that taking back, or telling what was missed, needs no replay; further back it does
)

Decided = tuple[int, int, int]  # seat, action, and 0 if a decision begins with it; otherwise which further step it is

Outcome = tuple[bytes, tuple[Fact, ...]]  # what somebody sees, and what they are told


def back_to(step: int) -> int:
    """The action that takes back everything after that step (0: after the deal)."""
    return -1 - step


def taken_back_to(action: int) -> int | None:
    """The step after which the game stands again by this action; None if it is one of the game's own."""
    return -1 - action if action < 0 else None


class Play:
    """One game from its beginning to where it stands."""

    def __init__(
        self, engine: Engine, beginning: States, keyed: Keyed | None = None, drawn: Sequence[Draws] = ()
    ) -> None:
        self.engine = engine
        self.beginning = beginning  # never changed
        self.keyed = keyed  # at a table: where chance comes from; otherwise from the record's own stream
        self.drawn = list(drawn)  # at a table: what chance said, step by step
        self.states = copied(beginning)  # the game as it stands; changed by `decide` and `follow` alone
        self.told = 0  # facts so far
        self.depth = 0  # steps that stand: those taken, without those taken back
        self._asked_at = [0] * self.seats
        self._decided = array("i")  # seat, action and step, in turn
        self._told_after = array("i", [0])  # facts after each step
        self._recent: list[
            tuple[int, States]
        ] = []  # the last positions on the way here: after which step, and the record

    @classmethod
    def deal(cls, engine: Engine, seats: int, options: Mapping[str, str], chance: int | Keyed) -> Play:
        """A game at its beginning, from a seed or from keyed chance."""
        if not isinstance(chance, Keyed):
            return cls(engine, engine.start(seats, options, chance))
        beginning, drawn = chance.deal(engine, seats, options)
        return cls(engine, beginning, chance, [drawn])

    @property
    def game(self) -> Game:
        """Which game it is."""
        return self.engine.game

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.beginning["seats"][0])

    @property
    def seq(self) -> int:
        """The number of the last step taken; 0 at the beginning."""
        return len(self._decided) // 3

    @property
    def stands_after(self) -> int:
        """The step that led to the game as it stands: the last one, or an earlier one if those after it were taken back."""
        return self._leading(self.seq)

    def _leading(self, step: int) -> int:
        action = self._decided[3 * step - 2] if step else 0
        return step if action >= 0 else -1 - action  # `taken_back_to`, once for every step of a line

    def copy(self, engine: Engine | None = None) -> Play:
        """The same game once more, to go on by itself (and by another engine)."""
        twin = Play.__new__(Play)  # field by field: `copy.copy` takes as long as a step of the game
        twin.engine, twin.beginning = engine or self.engine, self.beginning
        twin.states, twin.told = copied(self.states), self.told
        twin._asked_at, twin._decided = self._asked_at.copy(), self._decided[:]
        twin.depth, twin._told_after, twin._recent = self.depth, self._told_after[:], self._recent
        twin.keyed, twin.drawn = self.keyed, self.drawn.copy()
        return twin

    def from_the_start(self, engine: Engine | None = None) -> Play:
        """The same game at its beginning, to be played again."""
        return Play(engine or self.engine, self.beginning, self.keyed, self.drawn[:1])

    def as_after(self, step: int, engine: Engine | None = None) -> Play:
        """The same game as it stood after one of its steps, to have what came then told again, and for nothing else."""
        standing = {number for number, _ in self.line()} | {0}
        if step not in standing:  # taken back since, or such a step itself
            again = self.from_the_start(engine)
            for seat, action, number in itertools.islice(self.decided(), step):
                again.follow(seat, [action], number)
            return again
        twin = self.copy(engine)
        twin.states, twin.depth = copied(self.record_after(step)), sum(0 < number <= step for number in standing)
        twin._decided, twin._told_after = self._decided[: 3 * step], self._told_after[: step + 1]
        twin.told, twin._recent = twin._told_after[-1], [known for known in self._recent if known[0] < step]
        twin.drawn = [draws for draws in self.drawn if draws.number <= twin.depth]
        return twin

    # How it stands.

    def waiting(self) -> list[int]:
        """The seats that owe a decision."""
        return self.engine.waiting(self.states)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.engine.is_over(self.states)

    def result(self) -> Result:
        """Ranks and points at the end (or as they would be now)."""
        return self.engine.result(self.states)

    def outlook(self) -> list[float]:
        """Everybody's chance to win, at a glance; alone against a rival of the game's own, at the end: 1 or 0."""
        out = np.zeros(self.game.max_seats)
        self.engine.call("outlook", self.states, 0, out)
        return [float(chance) for chance in out[: self.seats]]

    def asked_at(self, seat: int) -> int:
        """The step after which this seat has had its present choices."""
        return self._asked_at[seat]

    def decided(self, after: int = 0) -> Iterator[Decided]:
        """Every step taken after that one, also those that are taken while one reads."""
        at = 3 * after
        while at < len(self._decided):
            yield self._decided[at], self._decided[at + 1], self._decided[at + 2]
            at += 3

    def decisions(self) -> list[tuple[int, int]]:
        """Seat and action of every step, as a journal has them."""
        return list(zip(self._decided[::3], self._decided[1::3], strict=True))

    def line(self) -> Iterator[tuple[int, Decided]]:
        """The steps that stand, the last first: the number of each, and what was decided."""
        step, decided = self.stands_after, self._decided
        while step:
            at = 3 * step
            yield step, (decided[at - 3], decided[at - 2], decided[at - 1])
            step = self._leading(step - 1)

    def record_after(self, step: int) -> States:
        """The record as it stood after one of the steps that stand. Not to be changed."""
        if step == self.stands_after:
            return self.states
        for known, states in self._recent:
            if known == step:
                return states
        again = self.from_the_start()
        for _, (seat, action, number) in reversed([*itertools.dropwhile(lambda found: found[0] > step, self.line())]):
            again.follow(seat, [action], number)
        return again.states

    def position(self, viewer: int) -> Position:
        """The game as this viewer may see it."""
        return Position(self.engine, self.raw(), viewer)

    def raw(self) -> bytes:
        """The bytes of the record as it stands."""
        return self.states[:1].tobytes()

    # Going on.

    def decide(self, seat: int, actions: list[int]) -> list[Fact]:
        """One decision, in as many steps as the rules make of it: all of them, or a sentence and none."""
        self.check(seat, actions)
        return self.follow(seat, actions)

    def follow(self, seat: int, actions: list[int], step: int = 0) -> list[Fact]:
        """As `decide` without a question: a decision that was checked before. `step`: of that decision, the first is."""
        happened: list[Fact] = []
        waiting = self.waiting()
        for number, action in enumerate(actions, step):
            before, to = waiting, taken_back_to(action)
            told = self._apply(seat, action) if to is None else self._go_back(seat, to)
            self._decided.extend((seat, action, number))
            self.told += len(told)
            self._told_after.append(self.told)
            happened += told
            waiting = self.waiting()
            for asked in waiting:
                again = to is not None and self._asked_at[asked] > to
                if asked == seat or asked not in before or again:
                    self._asked_at[asked] = self.seq
        return happened

    def note(self, steps: bytes | memoryview, told: int) -> None:
        """Steps that were made in the record already; so much was told.

        Seat, action and 0 (a decision begins) of each are bytes of C's int: so they need not become numbers in between.
        """
        self._decided.frombytes(steps)
        self.told += told

    def note_one(self, seat: int, action: int, told: int) -> None:
        """As `note`, of one step."""
        self._decided.extend((seat, action, 0))
        self.told += told

    def _apply(self, seat: int, action: int) -> list[Fact]:
        before = copied(self.states)
        self._recent = [*self._recent[1 - RECENT :], (self.stands_after, before)]
        self.depth += 1
        if self.keyed is None:
            return self.engine.apply(self.states, 0, seat, action)
        happened, drawn = self.keyed.apply(self.engine, self.states, self.depth, seat, action, before)
        if drawn is not None:
            self.drawn.append(drawn)
        return happened

    def _go_back(self, seat: int, to: int) -> list[Fact]:
        """The game as it stood after step `to`, with the chance that it had then."""
        self.depth -= sum(1 for _ in itertools.takewhile(lambda found: found[0] > to, self.line()))
        self.states = copied(self.record_after(to))
        self._recent = [(step, states) for step, states in self._recent if step < to]
        self.drawn = [draws for draws in self.drawn if draws.number <= self.depth]
        return [taken_back(seat, self._told_after[to])]

    def again(self, seat: int, action: int, step: int = 0) -> list[Fact]:
        """One step of a journal: it is played again, or there is a sentence why that is not possible."""
        to = taken_back_to(action)
        if to is None:
            self.engine.check(self.states, 0, seat, action)
        elif not 0 <= seat < self.seats or to not in self._before():
            raise IllegalAction("There is no such step to go back to.", "no_way_back")
        return self.follow(seat, [action], step)

    def _before(self) -> set[int]:
        """The steps that stand before the last one, and the deal."""
        return {step for step, _ in itertools.islice(self.line(), 1, None)} | ({0} if self.depth else set())

    def check(self, seat: int, actions: list[int]) -> None:
        """Raises a sentence if this seat may not decide this now.

        Nothing happens when a decision is refused, so a refusal must tell nothing: each further step may only be asked for
        while the seat could have foretold everything it saw of the steps before.
        """
        self.engine.check(self.states, 0, seat, actions[0])
        if len(actions) == 1:
            return
        if len(actions) > MOST_STEPS:
            raise BadData(f"A decision has at most {MOST_STEPS} steps.", "too_many_steps", most=MOST_STEPS)
        seed = int.from_bytes(hashlib.blake2b(self.states.tobytes(), digest_size=7).digest(), "big")
        worlds = Worlds(self.engine, self.game.redact(self.states, 0, seat), seat, seed, self.states)
        for before, action in itertools.pairwise(actions):
            if not may_follow(self.game, before, action):
                raise IllegalAction("These steps are not one decision: send them one by one.", "one_by_one")
            if not worlds.foretell(before):
                raise IllegalAction("Something new comes to light on the way: look at it first.", "look_first")
            self.engine.check(worlds.first, 0, seat, action)


class Position:
    """A game as one viewer may see it: made from the redacted record and nothing else."""

    def __init__(self, engine: Engine, raw: bytes, viewer: int, truth: int | None = None) -> None:
        """`truth`: the bytes as one whole number, for whoever has it."""
        self.viewer = viewer
        self._engine = engine
        truth = int.from_bytes(raw, "little") if truth is None else truth
        self.bits = truth | engine.game.redact.mask(raw, viewer)  # as a `Redactor` does
        self._size = len(raw)
        self._opened: Record | None = None
        self._redacted: States | None = None

    @property
    def seen(self) -> bytes:
        """The bytes of the record as this viewer may see it: whoever has the same sees the same."""
        return self.bits.to_bytes(self._size, "little")

    @property
    def redacted(self) -> States:
        """The record as this viewer may see it; made when it is first asked for."""
        if self._redacted is None:
            self._redacted = np.frombuffer(bytearray(self.seen), self._engine.game.dtype)
        return self._redacted

    @property
    def _plain(self) -> Record:
        if self._opened is None:
            self._opened = Record(self.redacted)
        return self._opened

    def view(self) -> Json:
        """Everything in sight."""
        return self._engine.view_of(self.redacted, self.viewer, self._opened)

    def in_common(self) -> Json:
        """Everything in sight but `you`: the same for all who see the same record, where the game names what is `own`."""
        found = dict(self._engine.game.view(self._plain, SPECTATOR))
        del found["you"]
        return found

    def own(self) -> Json | None:
        """What a view has under `you`, where the game names it."""
        own = self._engine.game.own
        return None if own is None or self.viewer == SPECTATOR else own(self._plain, self.viewer)

    def choices(self) -> list[Json]:
        """What this seat may do now, with the facts a page needs to offer it."""
        return [] if self.viewer == SPECTATOR else self._engine.choices_from(self.redacted, self.viewer, self._plain)

    def offers(self) -> list[tuple[int, Json]]:
        """As `choices`: the actions, each with what a page needs beside its description."""
        return [] if self.viewer == SPECTATOR else self._engine.offers(self.redacted, self.viewer, self._plain)

    def facts(self, happened: list[Fact], told: int) -> list[Json]:
        """What happened, as this viewer may know it; `told` facts were told in all, these included."""
        return self.named([fact.seen_by(self.viewer) for fact in happened], told)

    def named(self, heard: list[Fact], told: int) -> list[Json]:
        """As `facts`, of facts as this viewer may know them already."""
        event, first = self._engine.game.event, told - len(heard) + 1
        return [{"n": n, **event(self._plain, fact)} for n, fact in enumerate(heard, first)]


def may_follow(game: Game, before: int, action: int) -> bool:
    """Whether these steps may be of one decision: all behind the screen, up to the seal, or all in the open."""
    if not game.behind_screen:
        return True
    hidden = [game.behind_screen.get(game.actions.decode(step).kind) for step in (before, action)]
    return hidden[0] is not True and (hidden[0] is None) == (hidden[1] is None)


class Worlds:
    """Several worlds that one seat cannot tell apart, gone through side by side.

    What shows alike in all of them the seat could have foretold; where they part, chance or a secret has spoken. The worlds
    are guessed with `determinize`, so this holds for every game without a word from it.
    """

    def __init__(self, engine: Engine, redacted: States, seat: int, seed: int, true: States | None = None) -> None:
        self._engine, self._seat = engine, seat
        self._worlds = [] if true is None else [copied(true)]
        self._worlds += [guessed(engine, redacted, seat, seed, number) for number in range(WORLDS)]

    @property
    def first(self) -> States:
        """One of them: the true one, if it is known."""
        return self._worlds[0]

    def seen(self) -> States:
        """What the seat sees now."""
        return self._engine.game.redact(self.first, 0, self._seat)

    def foretell(self, action: int) -> bool:
        """The seat's next step in every world; whether it could have known all that it sees of it."""
        outcomes = {outcome(self._engine, world, self._seat, self._seat, action) for world in self._worlds}
        return None not in outcomes and len(outcomes) == 1


def guessed(engine: Engine, redacted: States, viewer: int, seed: int, number: int) -> States:
    """One of the worlds that this viewer cannot tell from the true one."""
    guess = copied(redacted)
    engine.determinize(guess, viewer, derive(seed, number))
    return guess


def outcome(engine: Engine, world: States, viewer: int, seat: int, action: int) -> Outcome | None:
    """A seat's step in this world, in place: what a viewer sees and hears of it; None where a stream was drawn from."""
    streams = engine.game.streams
    chance = [world[name].tobytes() for name in streams]
    happened = engine.apply(world, 0, seat, action)
    if [world[name].tobytes() for name in streams] != chance:
        return None
    told = tuple(fact.seen_by(viewer) for fact in happened)
    return engine.game.redact(world, 0, viewer).tobytes(), told
