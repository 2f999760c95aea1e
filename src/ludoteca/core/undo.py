"""What may be taken back: found from the records, for every game, without a word from it.

A decision can be taken back, without asking anybody, as long as nobody has learnt anything by it and nobody else has
decided since:

    verdict = judged(play, seat)
    if verdict.may: play.follow(seat, [back_to(verdict.to)])
    else: verdict.why                     # the key of a sentence, `why.<key>`

Nobody has learnt anything if no chance was drawn, if no part of the record that was hidden from anybody is open to them
now, and if no world that they could not tell from the true one before can be told from it now: the decider sees the same
in all of them, and in each of them somebody else might have seen the decider do what they saw. What they see of the
decision itself is what is taken back. A card that goes from a covered stack to the open table is found by the worlds alone:
nobody may look at the stack, before or after, and everybody might look at the place on the table. A few dozen worlds
are guessed, so what nearly all of them have in common may pass: that an effect did not come which one card in a hundred
has tells next to nothing.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from .play import WORLDS, Decided, Outcome, Play, back_to, guessed, outcome
from .record import SPECTATOR, States, copied

MOST_ALIKE = 64  # steps that are tried, to find one that looks like another
MANY_WORLDS = 24  # of spectators, who stand for all: an effect that one card in five has is missed once in 200

NOTHING_TO_TAKE_BACK = "back_nothing"
OTHERS_MOVED = "back_moved"  # `seat` has
SCREENS_UP = "back_screens"
CHANCE_DRAWN = "back_chance"
SEEN = "back_seen"

_DEAL = (0, (SPECTATOR, 0, 0))  # before the first step


@dataclass(frozen=True)
class Verdict:
    """Whether a seat may take its last decision back."""

    to: int | None  # the step after which the game would stand again; None: there is no decision
    why: str = ""  # why not: the key of a sentence
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def may(self) -> bool:
        """Whether it may, without asking anybody."""
        return not self.why

    @property
    def action(self) -> int:
        """The action that takes it back."""
        assert self.to is not None
        return back_to(self.to)


def judged(play: Play, seat: int) -> Verdict:
    """Whether this seat may take its last decision back, by information."""
    judging = judge(play, seat)
    while True:
        try:
            next(judging)
        except StopIteration as end:
            verdict: Verdict = end.value
            return verdict


def judge(play: Play, seat: int) -> Generator[None, None, Verdict]:
    """As `judged`, little by little, for whoever has other things to do between two worlds."""
    for to in before_decisions(play, seat):
        steps = steps_after(play, to)
        if covered(play, steps[0][1]):
            return Verdict(to, SCREENS_UP)
        for other, _, _ in steps:
            if other != seat:
                return Verdict(to, OTHERS_MOVED, {"seat": other})
        if _had_a_choice(play, seat, to):
            return Verdict(to, (yield from _learnt(play, to, seat, [action for _, action, _ in steps])))
    return Verdict(None, NOTHING_TO_TAKE_BACK)


def at_once(play: Play, seat: int) -> Verdict | None:
    """As `judged`, where no world has to be looked into: somebody else has decided since, or there is nothing."""
    others, line = SPECTATOR, play.line()
    for _, (decider, action, further) in line:
        if decider != seat:
            others = decider
        elif not further:
            if covered(play, action):
                return judged(play, seat)
            if others == SPECTATOR:
                return None
            return Verdict(next(line, _DEAL)[0], OTHERS_MOVED, {"seat": others})
    return Verdict(None, NOTHING_TO_TAKE_BACK)


def before_decisions(play: Play, seat: int) -> Iterator[int]:
    """The step before each of this seat's decisions that stand, the last first.

    What is decided behind screens goes back for all who decided then.
    """
    line = _Backwards(play.line())
    for place in itertools.count():
        step = line.at(place)
        if step is None:
            return
        _, (decider, action, further) = step
        if decider == seat and not further:
            first = _screens_before(play, line, place) if covered(play, action) else place
            before = line.at(first + 1)
            yield before[0] if before else 0


class _Backwards:
    """The steps of a game, the last first, looked at only as far back as somebody asks: most ask for the last few."""

    def __init__(self, steps: Iterator[tuple[int, Decided]]) -> None:
        self._steps, self._seen = steps, list[tuple[int, Decided]]()

    def at(self, place: int) -> tuple[int, Decided] | None:
        """The step at this place; None before the first."""
        self._seen += itertools.islice(self._steps, max(0, place + 1 - len(self._seen)))
        return self._seen[place] if place < len(self._seen) else None


def _had_a_choice(play: Play, seat: int, before: int) -> bool:
    """Whether this seat could do several things then. Where it could not, that goes back with the decision before it."""
    return len(play.engine.legal(play.record_after(before), 0, seat)) > 1


def _screens_before(play: Play, line: _Backwards, place: int) -> int:
    """The first of the steps that were made behind the same screens: a seat seals once, and seats go up in order."""
    sealing = play.game.behind_screen
    while (this := line.at(place)) and (before := line.at(place + 1)):
        (_, (seat, _, _)), (_, (other, action, _)) = this, before
        seals = sealing.get(play.game.actions.decode(action).kind)
        if seals is None or other > seat or (other == seat and seals):
            break
        place += 1
    return place


def steps_after(play: Play, to: int) -> list[Decided]:
    """The steps after that one which stand, in order."""
    return [decided for _, decided in itertools.takewhile(lambda step: step[0] > to, play.line())][::-1]


def covered(play: Play, action: int) -> bool:
    """Whether this is decided behind a screen."""
    return bool(play.game.behind_screen) and play.game.actions.decode(action).kind in play.game.behind_screen


def _learnt(play: Play, to: int, seat: int, actions: list[int]) -> Generator[None, None, str]:
    """What somebody has learnt by these steps of a seat after step `to`: the key of a reason, or nothing."""
    before, now = play.record_after(to), play.states
    drawn = play.drawn and play.drawn[-1].number > play.depth - len(actions)
    if drawn or any(before[name].tobytes() != now[name].tobytes() for name in play.game.streams):
        return CHANCE_DRAWN
    raw, hides = (before.tobytes(), now.tobytes()), play.game.redact.mask
    if any(hides(raw[0], viewer) & ~hides(raw[1], viewer) for viewer in (*range(play.seats), SPECTATOR)):
        return SEEN
    others = [other for other in range(play.seats) if other != seat]
    apart = [other for other in others if _apart(play, before, other) != _apart(play, now, other)]
    for viewer in (seat, SPECTATOR, *apart):
        sight = _Sight(play, before, viewer, seat, actions)
        for number in range(MANY_WORLDS if viewer == SPECTATOR else WORLDS):
            if not sight.possible_in(number):
                return SEEN
            yield
    return ""


def _apart(play: Play, states: States, seat: int) -> int:
    """What a seat sees and spectators do not."""
    own, public = (play.game.redact(states, 0, viewer).tobytes() for viewer in (seat, SPECTATOR))
    return int.from_bytes(own, "little") ^ int.from_bytes(public, "little")


class _Sight:
    """What one viewer saw of some steps of a seat, and whether that might have been seen in another world too.

    Of a seat that did not decide, only what it sees more than spectators counts: what all can see is found with the eyes of
    spectators, to whom more worlds are possible than to anybody.
    """

    def __init__(self, play: Play, before: States, viewer: int, seat: int, actions: list[int]) -> None:
        self._play, self._viewer, self._seat, self._actions = play, viewer, seat, actions
        self._redacted = play.game.redact(before, 0, viewer)
        # Which worlds are guessed depends on nothing that the decider cannot see, so the verdict tells them nothing.
        known = hashlib.blake2b(play.game.redact(before, 0, seat).tobytes(), digest_size=7)
        self._seed = int.from_bytes(known.digest(), "big")
        world = copied(before)
        self._seen = [self._step(world, action) for action in actions]

    def possible_in(self, number: int) -> bool:
        """Whether the same might have been seen in the guessed world of this number."""
        world: States | None = guessed(self._play.engine, self._redacted, self._viewer, self._seed, number)
        for action, seen in zip(self._actions, self._seen, strict=True):
            world = self._alike(world, action, seen)
            if world is None or seen is None:
                return False
        return True

    def _alike(self, world: States | None, action: int, seen: Outcome | None) -> States | None:
        """This world after the same step; to others than its decider, after one that looks the same."""
        assert world is not None
        for other in itertools.islice(self._candidates(world, action), MOST_ALIKE):
            after = copied(world)
            if self._step(after, other) == seen:
                return after
        return None

    def _candidates(self, world: States, action: int) -> Iterator[int]:
        """What the decider might have done there: the same, mostly; or something else of its kind."""
        if self._viewer == self._seat:
            yield action
            return
        legal = self._play.engine.legal(world, 0, self._seat)
        if action in legal:
            yield action
        kind_of = self._play.game.actions.decode
        kind = kind_of(action).kind
        yield from (other for other in legal if other != action and kind_of(other).kind == kind)

    def _step(self, world: States, action: int) -> Outcome | None:
        found = outcome(self._play.engine, world, self._viewer, self._seat, action)
        if found is None or self._viewer in (self._seat, SPECTATOR):
            return found
        told = tuple(fact for fact in found[1] if fact.seen_by(SPECTATOR) != fact)
        more = _apart(self._play, world, self._viewer)
        return more.to_bytes(world.dtype.itemsize, "little"), told
