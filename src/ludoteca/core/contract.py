"""The tests every game passes. For a game of your own, in a file that pytest collects:

    from ludoteca.core.contract import GameContract

    class TestMyGame(GameContract):
        where = "my_package.my_game:GAME"

It plays random games at every number of seats and with every option, and checks at each step what the rest of the house
relies on: that games end, that bad input changes nothing, that components are conserved, that a journal replays to the
same bytes, that compiled and plain rules agree, and that nobody learns what they may not see.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import os
import random
import subprocess
import sys
import unittest
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import chance, journal, undo
from .engine import NOWHERE, Engine, Sent, compiled, interpreted
from .errors import BadData, IllegalAction, NotYourTurn, Refusal
from .facts import Fact
from .game import Game, game_at
from .kernel import NumberList
from .keyed import Keyed, SeededStream, orders
from .log import NOBODY
from .play import Play
from .record import EVERYONE, HIDDEN, SPECTATOR, Record, See, States
from .view_parts import Memory, Writer
from .words import LANGUAGES, catalogue, placeholders, sentence

SOME_STEPS = 150  # of a game played with keyed chance
MALFORMED = (-1, 10**30, True, None, "1", 1.5, [3])  # and one past the last action


@dataclass
class Moment:
    """A game in progress, just before `action` of `seat`."""

    states: States
    seats: int
    seat: int
    action: int
    legal: list[int]


def tables(game: Game) -> list[tuple[int, dict[str, str]]]:
    """Every number of seats with the defaults; each other value of each option with the fewest and with the most seats."""
    found: list[tuple[int, dict[str, str]]] = [(seats, {}) for seats in game.seats]
    for option in game.options:
        for value in option.values[1:]:
            found += [(seats, {option.key: value}) for seats in sorted({min(game.seats), max(game.seats)})]
    return found


def moments(engine: Engine, seats: int, options: dict[str, str], seed: int) -> Iterator[Moment]:
    """A random game, stopped before each decision; the seat is chosen at random among those waiting."""
    luck = random.Random(seed)
    states = engine.start(seats, options, chance.derive(seed, seats))
    for _ in range(engine.game.longest):
        if engine.is_over(states):
            return
        seat = luck.choice(engine.waiting(states))
        legal = engine.legal(states, 0, seat)
        action = luck.choice(legal)
        yield Moment(states, seats, seat, action, legal)
        engine.apply(states, 0, seat, action)
    raise AssertionError(f"a random game of {engine.game.key} with {seats} seats did not end: seed {seed}")


def viewers(seats: int) -> list[int]:
    """Everyone who looks at the table."""
    return [*range(seats), SPECTATOR]


class GameContract:
    """Subclass it with `where`; pytest does the rest."""

    where: str | Game  # the game, or its place `module:NAME`
    games = 4  # random games at each table
    not_uniform: frozenset[str] = frozenset()  # hidden fields whose fair guess is not uniform; say why beside it

    @functools.cached_property
    def game(self) -> Game:
        return game_at(self.where) if isinstance(self.where, str) else self.where

    @functools.cached_property
    def engine(self) -> Engine:
        return compiled(self.game)

    def random_games(self, games: int | None = None) -> Iterator[Iterator[Moment]]:
        for table, (seats, options) in enumerate(tables(self.game)):
            for number in range(self.games if games is None else games):
                yield moments(self.engine, seats, options, 1000 * table + number)

    def some_moments(self, every: int, games: int = 1) -> Iterator[Moment]:
        """About one moment in `every`, of all tables."""
        luck = random.Random(every)
        for game in self.random_games(games):
            for moment in game:
                if luck.randrange(every) == 0:
                    yield moment

    # The course of a game.

    def test_random_games_end_with_ranks_for_everybody(self) -> None:
        for game in self.random_games():
            last = list(game)[-1]
            assert self.engine.waiting(last.states) == [], "somebody is still asked after the end"
            result = self.engine.result(last.states)
            assert len(result.ranks) == len(result.scores) == last.seats
            for rank in result.ranks:  # as in sports: 1, 1, 3
                assert rank == 1 + sum(other < rank for other in result.ranks)
            assert len(self.game.reasons(Record(last.states))) == last.seats

    def test_exactly_the_waiting_seats_have_legal_actions(self) -> None:
        for moment in self.some_moments(every=1):
            waiting = self.engine.waiting(moment.states)
            assert waiting and max(waiting) < moment.seats
            for seat in range(moment.seats):
                legal = self.engine.legal(moment.states, 0, seat)
                assert bool(legal) == (seat in waiting)
                assert legal == sorted(set(legal)), "legal actions are listed once, ascending"
                assert all(0 <= action < len(self.game.actions) for action in legal)
                assert legal == self.engine.legal(self.game.redact(moment.states, 0, seat), 0, seat), "needs a secret"

    def test_illegal_and_malformed_actions_are_refused_and_change_nothing(self) -> None:
        luck = random.Random(5)
        for moment in self.some_moments(every=15):
            before = moment.states.tobytes()
            illegal = sorted(set(range(len(self.game.actions))) - set(moment.legal))
            for action in luck.sample(illegal, min(25, len(illegal))):
                refusal = self.refusal(moment.states, moment.seat, action)
                assert isinstance(refusal, IllegalAction)
                assert " " in refusal.sentence and refusal.sentence.endswith((".", "!")), refusal.sentence
                for language in LANGUAGES:
                    words = sentence(self.game, language, f"why.{refusal.key}", refusal.facts)
                    assert not words.startswith("why."), f"no words for {refusal.key} in {language}"
            for malformed in (*MALFORMED, len(self.game.actions)):
                assert isinstance(self.refusal(moment.states, moment.seat, malformed), BadData)
            for seat in set(range(moment.seats)) - set(self.engine.waiting(moment.states)):
                assert isinstance(self.refusal(moment.states, seat, moment.action), NotYourTurn)
            assert isinstance(self.refusal(moment.states, moment.seats, moment.action), BadData)
            assert moment.states.tobytes() == before

    def refusal(self, states: States, seat: Any, action: Any) -> Refusal:
        try:
            self.engine.decide(states, 0, seat, action)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"action {action} of seat {seat} was not refused")

    def test_components_are_conserved_at_every_step(self) -> None:
        for game in self.random_games(1):
            counted = None
            for moment in game:
                now = self.game.components(Record(moment.states))
                assert counted is None or now == counted
                counted = now

    def test_journal_replay_gives_identical_bytes(self) -> None:
        for seats, options in tables(self.game):
            written = journal.Journal(
                self.game.key, self.game.version, seats, self.game.full_options(options), chance.derive(9, seats)
            )
            last = None
            for last in moments(self.engine, seats, options, 9):
                written.decisions.append((last.seat, last.action))
            assert last is not None
            again = journal.finish(self.engine, journal.load(written.dump()))
            assert again.tobytes() == last.states.tobytes()

    def test_order_of_simultaneous_decisions_does_not_matter(self) -> None:
        luck = random.Random(7)
        for moment in self.some_moments(every=2):
            waiting = self.engine.waiting(moment.states)
            if len(waiting) < 2:
                continue
            chosen = {seat: luck.choice(self.engine.legal(moment.states, 0, seat)) for seat in waiting}
            ends = []
            for order in (waiting, waiting[::-1], luck.sample(waiting, len(waiting))):
                states = moment.states.copy()
                for seat in order:
                    self.engine.decide(states, 0, seat, chosen[seat])
                ends.append(states.tobytes())
            assert ends[0] == ends[1] == ends[2], f"the order of {chosen} matters"

    # Decisions of several steps.

    def test_a_refused_decision_tells_nothing(self) -> None:
        """In two worlds that a seat cannot tell apart, two steps in one message are refused alike, or not at all."""
        luck = random.Random(11)
        refused = 0
        for number, moment in enumerate(self.some_moments(every=6)):
            other = self.game.redact(moment.states, 0, moment.seat)
            self.engine.determinize(other, moment.seat, number)
            after = moment.states.copy()
            self.engine.apply(after, 0, moment.seat, moment.action)
            further = {luck.randrange(len(self.game.actions)) for _ in range(3)}
            further |= set(self.engine.legal(after, 0, moment.seat)[:3])
            for action in sorted(further):
                outcomes = [
                    self.refused_as(states, moment.seat, [moment.action, action]) for states in (moment.states, other)
                ]
                assert outcomes[0] == outcomes[1], f"{self.game.actions.write(moment.action)} and then {action}"
                refused += outcomes[0] is not None
        assert refused > 0

    def refused_as(self, states: States, seat: int, actions: list[int]) -> tuple[str, dict[str, object]] | None:
        """How a decision is refused, if it is."""
        try:
            Play(self.engine, states).check(seat, actions)
        except Refusal as refusal:
            return refusal.key, refusal.facts
        return None

    # Taking back.

    def test_what_may_be_taken_back_has_told_nobody_anything(self) -> None:
        """In other worlds too, whoever looks sees the same of it; and whether it may be is no news to who decided."""
        for number, (play, before, seat, action) in enumerate(self.decided_at_random(every=60)):
            verdict = undo.judged(play, seat)
            other = self.other_world(before, seat, number)
            again = Play(self.engine, other)
            again.follow(seat, [action])
            assert undo.judged(again, seat).why == verdict.why, f"{action}: the answer tells a secret"
            for viewer in viewers(play.seats) if verdict.may else ():
                guesses = [self.other_world(before, viewer, 1000 * number + world) for world in range(4)]
                possible = [self.possible_there(play, guess, viewer, seat, action) for guess in guesses]
                # One in many may be ruled out: that an effect did not come which few cards have.
                assert sum(possible) > 1, f"viewer {viewer} has learnt something by {action} of seat {seat}"
            if verdict.may:
                play.follow(seat, [verdict.action])
                assert play.states.tobytes() == before.tobytes()

    def possible_there(self, play: Play, world: States, viewer: int, seat: int, action: int) -> bool:
        """Whether a viewer who sees the game as it is now might still be in that world; who has decided knows what."""
        decode, seen = self.game.actions.decode, self.game.redact(play.states, 0, viewer).tobytes()
        for other in [action] if viewer == seat else self.engine.legal(world, 0, seat):
            if decode(other).kind == decode(action).kind:
                after = world.copy()
                self.engine.apply(after, 0, seat, other)
                if self.game.redact(after, 0, viewer).tobytes() == seen:
                    return True
        return False

    def decided_at_random(self, every: int) -> Iterator[tuple[Play, States, int, int]]:
        """Games just after a decision of a seat that had a choice: the game, the record before, who and what."""
        for moment in self.some_moments(every):
            if len(moment.legal) > 1:
                play = Play(self.engine, moment.states)
                play.follow(moment.seat, [moment.action])
                yield play, moment.states.copy(), moment.seat, moment.action

    def test_rows_of_seats_that_nobody_has_hold_nothing(self) -> None:
        empty = dict[tuple[str, int], bytes]()
        for moment in self.some_moments(every=7) if self.game.by_seat else ():
            teams = self.game.teams(int(moment.states["seats"][0]))
            for name in self.game.by_seat:
                unused = moment.states[name][0, teams:].tobytes()
                assert empty.setdefault((name, teams), unused) == unused, f"{name}: its rows are not the seats'"

    # The two speeds.

    def test_behind_screens_are_all_who_are_asked_or_nobody(self) -> None:
        screened = self.game.behind_screen
        for moment in self.some_moments(every=1) if screened else ():
            asked = [
                a for seat in self.engine.waiting(moment.states) for a in self.engine.legal(moment.states, 0, seat)
            ]
            covered = {self.game.actions.decode(action).kind in screened for action in asked}
            assert len(covered) == 1, "some would wait for a seal, others not"

    def test_compiled_equals_interpreted_byte_for_byte(self) -> None:
        plain = interpreted(self.game)
        for seed, (seats, options) in enumerate(tables(self.game), 1):
            states = plain.start(seats, options, chance.derive(seed, seats))
            seen = np.zeros(self.game.observation, np.float32)
            for moment in moments(self.engine, seats, options, seed):
                assert states.tobytes() == moment.states.tobytes()
                assert plain.legal(states, 0, moment.seat) == moment.legal
                fast = moment.states.copy()
                assert plain.apply(states, 0, moment.seat, moment.action) == self.engine.apply(
                    fast, 0, moment.seat, moment.action
                )
                assert states.tobytes() == fast.tobytes()
                if moment.action % 8 == 0:
                    self.compare_kernels(plain, fast, moment, seen)
            assert plain.result(states) == self.engine.result(states)

    def compare_kernels(self, plain: Engine, states: States, moment: Moment, seen: NumberList) -> None:
        redacted = self.game.redact(states, 0, moment.seat)
        guesses = []
        for engine in (plain, self.engine):
            guess = redacted.copy()
            engine.determinize(guess, moment.seat, 77)
            guesses.append(guess.tobytes())
            chances = np.zeros(self.game.max_seats)
            engine.call("outlook", states, 0, chances)
            assert np.isfinite(chances).all() and (chances >= 0.0).all()
            alone = self.game.rival_alone and moment.seats == 1  # the rest is the chance of the game itself
            assert abs(chances[: moment.seats].sum() - 1.0) < 1e-6 or (alone and chances[0] <= 1.0)
        assert guesses[0] == guesses[1]
        observed, untouched = plain.observe(redacted, moment.seat), redacted.tobytes()
        assert np.array_equal(observed, self.engine.observe(redacted, moment.seat))
        self.engine.call("observe", redacted, 0, moment.seat, seen)  # over an earlier observation of the same table
        assert np.array_equal(observed, seen)
        assert redacted.tobytes() == untouched, "who looks changes nothing"
        known = [engine.features(states, moment.seat) for engine in (plain, self.engine)]
        assert np.isfinite(known[0]).all() and np.allclose(known[0], known[1], atol=1e-5)
        before = self.game.redact(moment.states, 0, moment.seat)
        for action in moment.legal[:10]:
            slow, fast = (engine.appraise(before, moment.seat, action) for engine in (plain, self.engine))
            assert math.isfinite(slow) and math.isclose(slow, fast, rel_tol=1e-9, abs_tol=1e-9)

    def test_no_kernel_reads_beyond_an_array(self) -> None:
        if not os.environ.get("LUDOTECA_BOUNDS"):
            raise unittest.SkipTest("compiles all rules once more, for minutes: LUDOTECA_BOUNDS=1, as make soak does")
        run = subprocess.run(
            [sys.executable, "-m", "ludoteca.core.contract", self.game.place],
            env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr[-2000:]

    # Words and pictures.

    def test_actions_can_be_decoded_encoded_written_and_read(self) -> None:
        actions = self.game.actions
        for number in range(len(actions)):
            action = actions.decode(number)
            assert actions.encode(action.kind, *action.arguments) == number
            assert actions.read(actions.write(number)) == number
        for kind in actions.names:
            for language in LANGUAGES:
                assert f"action.{kind}" in catalogue(self.game.folder, language), f"no words for {kind} in {language}"

    def test_sentences_say_only_what_is_declared(self) -> None:
        facts, choices = self.game.facts, self.game.choices
        declared = {f"event.{kind}": {"who", "name", *facts.values_of(kind)} for kind in facts.names}
        for kind in self.game.actions.names:
            declared |= {key: {*choices.values_of(kind)} for key in (f"action.{kind}", f"rival.{kind}")}
        for (key, known), language in itertools.product(declared.items(), LANGUAGES):
            template = catalogue(self.game.folder, language).get(key)
            assert template is not None or key.startswith("rival."), f"no words for {key} in {language}"
            unknown = placeholders(template or "") - known
            assert not unknown, f"{key} says {', '.join(unknown)} in {language}, which is not declared"

    def test_facts_and_choices_are_as_declared(self) -> None:
        names, choices = self.game.actions.names, self.game.choices
        for moment in self.some_moments(every=3):
            states = moment.states.copy()
            for choice in self.engine.choices(states, 0, moment.seat):
                kind = choice["kind"]
                assert list(choice) == ["action", "kind", *names[kind], *choices.carried[kind]], f"{kind} is {choice}"
            for fact in self.engine.apply(states, 0, moment.seat, moment.action):
                self.check_fact(states, moment.seats, fact)

    def check_fact(self, states: States, seats: int, fact: Fact) -> None:
        kind = self.game.facts.kinds[fact.kind]
        assert (fact.seat == NOBODY) == kind.of_the_table, f"{kind.name} was told of seat {fact.seat}"
        for name, value in kind.values.items():
            assert value.holds(*fact.values[kind.columns[name]]), f"{kind.name} has {fact.values} for {name}"
        assert fact.audience == EVERYONE or kind.secrets, f"{kind.name} has an audience and nothing secret"
        for viewer in viewers(seats):
            redacted = Record(self.game.redact(states, 0, viewer))
            event = self.game.event(redacted, fact.seen_by(viewer))
            for name, value in kind.values.items():
                if value.is_secret and not fact.audience >> viewer & 1:
                    assert event[name] is None, f"{kind.name} tells {name} to {viewer}"

    def test_views_choices_and_events_are_json(self) -> None:
        for moment in self.some_moments(every=10):
            happened = self.engine.apply(moment.states.copy(), 0, moment.seat, moment.action)
            for viewer in viewers(moment.seats):
                redacted = Record(self.game.redact(moment.states, 0, viewer))
                public = Record(self.game.redact(moment.states, 0, SPECTATOR))
                events = [self.game.event(redacted, fact.seen_by(viewer)) for fact in happened]
                assert events == [self.game.event(public, fact.seen_by(viewer)) for fact in happened], (
                    "a fact says it all: nothing of it is looked up where only some may look"
                )
                choices = self.engine.choices(moment.states, 0, viewer)
                told = [self.engine.view(moment.states, 0, viewer), choices, events]
                assert json.loads(json.dumps(told, allow_nan=False)) == told

    def test_only_its_own_part_of_a_view_depends_on_whose_it_is(self) -> None:
        if self.game.own is None:
            return
        for moment in self.some_moments(every=10):
            for viewer in range(moment.seats):
                redacted = self.game.redact(moment.states, 0, viewer)
                common = self.game.view(Record(redacted), SPECTATOR)
                own = {"you": self.game.own(Record(redacted), viewer)}
                assert common["you"] is None
                assert common | own == self.game.view(Record(redacted), viewer)

    def test_what_machine_code_writes_is_what_plain_python_sees(self) -> None:
        if self.game.write is None:
            return
        plain = interpreted(self.game)
        for moment in self.some_moments(every=10):
            for viewer in viewers(moment.seats):
                redacted = self.game.redact(moment.states, 0, viewer)
                assert self.engine.view(moment.states, 0, viewer) == self.game.view(Record(redacted), viewer)
                choices = self.engine.choices(moment.states, 0, viewer)
                assert choices == plain.choices(moment.states, 0, viewer)
                assert choices == [
                    self.game.actions.described(action) | self.game.choice(Record(redacted), viewer, action)
                    for action in (self.engine.legal(redacted, 0, viewer) if viewer != SPECTATOR else ())
                ]

    def test_machine_code_writes_for_all_what_it_writes_for_each(self) -> None:
        if self.game.write is None:
            return
        for moment in self.some_moments(every=10):
            seen = list[States]()
            looks, expected = list[int](), list[Sent]()
            for number, viewer in enumerate(viewers(moment.seats)):
                redacted, nowhere = self.game.redact(moment.states, 0, viewer), viewer == SPECTATOR
                seen.append(redacted)
                looks += NOWHERE if nowhere else viewer, number, not nowhere
                choices = (0, b"") if nowhere else self.engine.written_choices(redacted, viewer)
                expected.append(Sent(self.engine.written_own(redacted, viewer), *choices))
            for engine in (self.engine, interpreted(self.game)):
                views, sent = engine.written_for_all([redacted.tobytes() for redacted in seen], looks)
                assert views == [self.engine.written(redacted) for redacted in seen]
                assert sent == expected

    def test_a_view_in_parts_is_the_view_whatever_was_written_before(self) -> None:
        parts = self.game.parts
        if parts is None:
            return
        for game in self.random_games():
            memory = Memory()
            for moment in itertools.islice(game, 60):
                writer = Writer(parts, memory)
                for viewer in viewers(moment.seats):
                    redacted = self.game.redact(moment.states, 0, viewer)
                    written = json.loads(writer.view(int.from_bytes(redacted.tobytes(), "little"), viewer))
                    assert written == self.game.view(Record(redacted), viewer)

    def test_set_up_begins_with_the_shuffles_it_names(self) -> None:
        for seats, options in tables(self.game):
            seed = chance.derive(3, seats)
            stream = SeededStream(seed)
            states = self.engine.new()
            self.engine.setup(states, 0, seats, options, seed, stream)
            plain = self.engine.start(seats, options, seed)
            for name in self.game.streams:  # they do not move where another stream is drawn from
                plain[name] = states[name]
            assert states.tobytes() == plain.tobytes(), "another stream with the same numbers deals otherwise"
            for name, order in orders(self.game.shuffles(Record(states)), stream.drawn):
                assert sorted(order) == list(range(len(order))), name

    def test_keyed_chance_is_the_same_from_both_engines_and_stays_out_of_the_record(self) -> None:
        for seats, options in tables(self.game):
            engines = (
                self.engine,
                interpreted(self.game),
            )  # each with its own: keyed chance remembers what came of a step
            plays = [Play.deal(engine, seats, options, Keyed(b"secret", ("a",) * seats)) for engine in engines]
            number = 0
            while not plays[0].is_over() and number < SOME_STEPS:
                seat = plays[0].waiting()[0]
                legal = plays[0].engine.legal(plays[0].states, 0, seat)
                action = legal[chance.derive(7, seats, number) % len(legal)]
                told = [play.follow(seat, [action]) for play in plays]
                assert told[0] == told[1]
                assert plays[0].states.tobytes() == plays[1].states.tobytes()
                assert plays[0].drawn == plays[1].drawn
                for name in self.game.streams:
                    assert not plays[0].states[name].any(), f"{name}: the record knows what is to come"
                number += 1

    # Secrets.

    def test_two_worlds_that_differ_in_secrets_look_the_same(self) -> None:
        luck = random.Random(11)
        for moment in self.some_moments(every=12):
            for viewer in viewers(moment.seats):
                other = self.other_world(moment.states, viewer, luck.getrandbits(60))
                assert self.seen(moment.states, viewer) == self.seen(other, viewer)
                if viewer != SPECTATOR:
                    illegal = luck.randrange(len(self.game.actions))
                    assert self.answer(moment.states, viewer, illegal) == self.answer(other, viewer, illegal)
                self.compare_events(moment, viewer, luck)

    def other_world(self, states: States, viewer: int, seed: int) -> States:
        """A world that this viewer cannot tell from the true one."""
        guess = self.game.redact(states, 0, viewer)
        self.engine.determinize(guess, viewer, seed)
        return guess

    def seen(self, states: States, viewer: int) -> Any:
        told: list[Any] = [self.game.redact(states, 0, viewer).tobytes(), self.engine.view(states, 0, viewer)]
        if viewer != SPECTATOR:
            redacted = self.game.redact(states, 0, viewer)
            told += [self.engine.choices(states, 0, viewer), self.engine.observe(redacted, viewer).tobytes()]
        return told

    def answer(self, states: States, seat: int, action: int) -> Any:
        try:
            self.engine.check(states, 0, seat, action)
        except Refusal as refusal:
            return (type(refusal).__name__, refusal.key, refusal.facts, refusal.sentence)
        return "legal"

    def compare_events(self, moment: Moment, viewer: int, luck: random.Random) -> None:
        """If an action leads to the same sight in both worlds, it is told in the same words."""
        told = self.outcome(moment.states, moment, viewer)
        for _ in range(4):
            other = self.other_world(moment.states, viewer, luck.getrandbits(60))
            if moment.action not in self.engine.legal(other, 0, moment.seat):
                continue  # the other seat could not have done this there
            sight, words = self.outcome(other, moment, viewer)
            if sight == told[0]:
                assert words == told[1], "the events tell a secret"

    def outcome(self, states: States, moment: Moment, viewer: int) -> tuple[bytes, list[Fact]]:
        after = states.copy()
        happened = self.engine.apply(after, 0, moment.seat, moment.action)
        return self.game.redact(after, 0, viewer).tobytes(), [fact.seen_by(viewer) for fact in happened]

    def test_determinize_changes_nothing_visible_and_conserves_components(self) -> None:
        for moment in self.some_moments(every=8):
            counted = self.game.components(Record(moment.states))
            for viewer in viewers(moment.seats):
                redacted = self.game.redact(moment.states, 0, viewer)
                guess = self.other_world(moment.states, viewer, moment.action)
                assert self.game.redact(guess, 0, viewer).tobytes() == redacted.tobytes()
                assert self.game.components(Record(guess)) == counted
                assert guess["rng"][0] != moment.states["rng"][0], "the true stream is known"

    def test_determinize_is_uniform_over_what_is_possible(self) -> None:
        guesses = 2500
        for moment in self.some_moments(every=120):
            viewer = moment.seat
            redacted = self.game.redact(moment.states, 0, viewer)
            worlds = np.repeat(redacted, guesses)
            for i in range(guesses):
                self.engine.determinize(worlds, viewer, chance.derive(i, 5), i)
            for field in self.game.fields:
                if field.see is See.PUBLIC or field.name == "rng" or field.name in self.not_uniform:
                    continue
                hidden = np.atleast_1d(redacted[field.name][0] == HIDDEN)
                for cell in zip(*np.nonzero(hidden), strict=True):
                    found = Counter(worlds[(field.name)][(slice(None), *cell)].tolist())
                    truth = int(moment.states[field.name][0][cell])
                    assert truth in found, f"{field.name}{cell} is never guessed right"
                    assert looks_uniform(found), f"{field.name}{cell} is guessed unevenly: {found}"


def looks_uniform(found: Counter[Any]) -> bool:
    """Chi-square against equal chances, far in the tail (Wilson and Hilferty's approximation)."""
    if len(found) == 1:
        return True
    expected = sum(found.values()) / len(found)
    statistic = sum((count - expected) ** 2 / expected for count in found.values())
    degrees = len(found) - 1
    z = ((statistic / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / math.sqrt(2 / (9 * degrees))
    return bool(z < 6)


def play_with_checked_bounds(where: str) -> None:
    """Random games at every table; meant for a process with NUMBA_BOUNDSCHECK=1."""
    game = game_at(where)
    engine = compiled(game)
    for number, (seats, options) in enumerate(tables(game)):
        for moment in moments(engine, seats, options, 50 + number):
            redacted = game.redact(moment.states, 0, moment.seat)
            for action in moment.legal:
                engine.appraise(redacted, moment.seat, action)
            engine.observe(redacted, moment.seat)
            engine.call("outlook", moment.states, 0, np.zeros(game.max_seats))
            for viewer in (moment.seat, SPECTATOR):
                guess = game.redact(moment.states, 0, viewer)
                engine.determinize(guess, viewer, 1)
        engine.result(moment.states)


if __name__ == "__main__":
    play_with_checked_bounds(sys.argv[1])
