"""Advice for a seat that is to decide, from nothing but what it may see; in three strengths.

1. **What may I do?** The kinds of things that can be done now, how many of each, with an example.
2. **What matters here?** Facts found by playing on in several guesses: what each of the others is likely to do next, and
   whether the game may end before one's next turn.
3. **What would the bot do?** Its choice, with the chances of the best options and what it costs to do otherwise.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import numpy as np

from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, Engine
from ludoteca.core.record import Record, States, copied
from ludoteca.core.words import LANGUAGES, Telling

from .judging import Effort, Judge
from .pieces import HintFact, ReviewOption, Words

GUESSES = 24
LIKELY = 0.4  # part of the guesses in which somebody does the same, to be worth saying
APART = 25  # in a hundred guesses: what comes so much more or less often after another move is worth telling
END, NEXT, THEN = "end", "next", "then"  # kinds of facts
MOST_DECISIONS = 60  # that are played on in one guess
EFFORT = Effort(options=6, refine=8)


class HintMay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of thing that can be done: how many there are, and one of them in words."""

    kind: str
    count: int
    words: Words


class HintMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option with its chance, and what it costs to choose it instead of the best."""

    option: ReviewOption
    choice: dict[str, Any]
    words: Words


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told at a strength."""

    strength: int
    may: list[HintMay] = []
    facts: list[HintFact] = []
    moves: list[HintMove] = []
    both_fine: bool = False  # the best two are within the error


def advise(engine: Engine, redacted: States, seat: int, strength: int, seed: int) -> Advice:
    """The advice of this strength."""
    if strength == 1:
        return Advice(1, may=what_may_be_done(engine, redacted, seat))
    if strength == 2:
        return Advice(2, facts=what_matters(engine, redacted, seat, seed))
    assert isinstance(engine, CompiledEngine)
    return what_the_bot_would_do(engine, redacted, seat, seed)


def in_words(
    engine: Engine, redacted: States, seat: int, action: int, names: list[str] | None = None, rival: bool = False
) -> Words:
    """An action of a seat in every language, as whoever has this record sees it; without names seats have numbers.

    What a rival may do reads as it stands after «can».
    """
    game = engine.game
    seen: Any = Record(redacted)
    choice = game.actions.described(action) | game.choice(seen, seat, action)
    names = names or [str(number) for number in range(1, int(redacted["seats"][0]) + 1)]
    told = {language: Telling(game, seen, names, language, seat) for language in LANGUAGES}
    return {language: one.rival(choice) if rival else one.choice(choice) for language, one in told.items()}


def what_may_be_done(engine: Engine, redacted: States, seat: int) -> list[HintMay]:
    """Kinds of actions in the order of the rules."""
    kinds: dict[str, list[int]] = {}
    for action in engine.legal(redacted, 0, seat):
        kinds.setdefault(engine.game.actions.decode(action).kind, []).append(action)
    return [
        HintMay(kind, len(actions), in_words(engine, redacted, seat, actions[0])) for kind, actions in kinds.items()
    ]


def what_matters(engine: Engine, redacted: States, seat: int, seed: int) -> list[HintFact]:
    """What the others are likely to do before one's next turn, and whether there will be one."""
    return [fact for fact in played_on(engine, redacted, seat, seed) if fact.kind != THEN]


def what_follows(
    engine: Engine, redacted: States, seat: int, action: int, seed: int, names: list[str] | None = None
) -> list[HintFact]:
    """What this decision leads to: as `what_matters`, and what the seat itself is likely to do next."""
    return played_on(engine, redacted, seat, seed, action, names)


def apart(facts: list[HintFact], others: list[HintFact]) -> list[HintFact]:
    """The facts of a move that do not hold of another just as well."""
    known = {(fact.kind, fact.seat, fact.words.get(LANGUAGES[0])): fact.times for fact in others}
    return [
        fact
        for fact in facts
        if abs(fact.times - known.get((fact.kind, fact.seat, fact.words.get(LANGUAGES[0])), 0)) >= APART
    ]


def played_on(
    engine: Engine, redacted: States, seat: int, seed: int, first: int | None = None, names: list[str] | None = None
) -> list[HintFact]:
    """Played on in several guesses, everybody doing what looks best, until the seat's next turn: what comes often."""
    done: dict[int, Counter[int]] = {}
    said: dict[tuple[int, int], Words] = {}
    ended = 0
    for guess in range(GUESSES):
        world = copied(redacted)
        engine.determinize(world, seat, derive(seed, guess))
        acted, counted = set[int](), set[int]()  # whose turn is over; whose first decision is known
        for step in range(MOST_DECISIONS):
            if engine.is_over(world):
                ended += 1
                break
            mover = next((other for other in engine.waiting(world) if other != seat or seat not in acted), seat)
            if first is not None and step == 0:
                mover, action = seat, first
            else:
                action = best_looking(engine, world, mover, derive(seed, guess, step))
            again = mover == seat and seat in acted  # its next turn
            if again or (mover != seat and mover not in counted):
                counted.add(mover)
                done.setdefault(mover, Counter())[action] += 1
                if (mover, action) not in said:
                    seen = engine.game.redact(world, 0, mover)
                    said[mover, action] = in_words(engine, seen, mover, action, names, rival=mover != seat)
            if again:
                break
            engine.apply(world, 0, mover, action)
            if mover not in engine.waiting(world):
                acted.add(mover)
    facts = [HintFact(END, None, round(100 * ended / GUESSES), {})] if ended >= LIKELY * GUESSES else []
    for other, actions in sorted(done.items()):
        action, times = actions.most_common(1)[0]
        if times >= LIKELY * GUESSES:
            kind = THEN if other == seat else NEXT
            facts.append(HintFact(kind, other, round(100 * times / GUESSES), said[other, action]))
    return facts


def best_looking(engine: Engine, world: States, seat: int, seed: int) -> int:
    """What looks best to this seat, from what it sees; among equals the seed decides."""
    redacted = engine.game.redact(world, 0, seat)
    legal = engine.legal(redacted, 0, seat)
    worth = np.array([engine.appraise(redacted, seat, action) for action in legal])
    best = np.flatnonzero(worth == worth.max())
    return legal[int(best[seed % len(best)])]


def what_the_bot_would_do(engine: CompiledEngine, redacted: States, seat: int, seed: int) -> Advice:
    """The best option and the next, with what they are worth."""
    judge = Judge(engine, EFFORT)
    legal = engine.legal(redacted, 0, seat)
    if len(legal) == 1:
        return Advice(3, moves=[_move(engine, redacted, seat, ReviewOption(legal[0], 0.0, 0.0, 0.0, 0.0))])
    likely = best_looking(engine, redacted, seat, seed)
    decision = judge.options(redacted, seat, likely, seed)
    moves = [_move(engine, redacted, seat, option) for option in decision.options[:4]]
    close = len(moves) > 1 and moves[1].option.loss <= 2 * moves[1].option.loss_error
    return Advice(3, moves=moves, both_fine=close)


def _move(engine: Engine, redacted: States, seat: int, option: ReviewOption) -> HintMove:
    seen: Any = Record(redacted)
    choice = engine.game.actions.described(option.action) | engine.game.choice(seen, seat, option.action)
    return HintMove(option, choice, in_words(engine, redacted, seat, option.action))
