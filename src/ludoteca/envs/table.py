"""A game in progress as agents meet it: the part that all environments share."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.canvas import Scene
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, Engine, compiled
from ludoteca.core.errors import BadData, Refusal
from ludoteca.core.facts import Fact
from ludoteca.core.game import Game
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR, Record, States, copied
from ludoteca.core.words import Telling

from .stepping import (
    ASKED,
    CHOSEN,
    DEAL,
    EVERYBODY,
    GAMES,
    LOOKER,
    MADE,
    OVER,
    OWN,
    REFUSED,
    REWARDS,
    SEED,
    SEEN,
    STEPS,
    STREAM,
    TOLD,
    WAITING,
    Floats,
    Masks,
    Turns,
)

Observation = dict[str, npt.NDArray[Any]]
FORMS = ("float", "integer")


MADE_ANEW = ("engine", "turns", "play", "_copies", "_copy_numbers", "_copy_mask")  # where a table was pickled

ILLEGAL = ("raise", "lose", "replace")  # what becomes of an action that is not legal
SEATS_IN = [[seat for seat in range(8) if bits >> seat & 1] for bits in range(256)]


def check_reward(reward: str) -> None:
    """Refuses a reward that there is not."""
    if reward not in REWARDS:
        raise BadData(f"A reward is one of {', '.join(REWARDS)}; not «{reward}».", "no_such_value")


def check_illegal(illegal: str) -> None:
    """Refuses a way with illegal actions that there is not."""
    if illegal not in ILLEGAL:
        raise ValueError(f"«illegal» is one of {', '.join(ILLEGAL)}; not «{illegal}».")


def rewards_of(ranks: list[int], scores: list[int], reward: str = "rank") -> list[float]:
    """The end as rewards.

    `rank`: 1 for the first, -1 for the last, evenly between, shared ranks share; `win`: 1, shared by all who won; `points`;
    `margin`: points ahead of the best of the others. Alone, the points, but for `win`.
    """
    seats = len(ranks)
    if reward == "win":
        return [(rank == 1) / ranks.count(1) for rank in ranks]
    if reward == "points" or seats == 1:
        return [float(score) for score in scores]
    if reward == "margin":
        return [float(score - max(scores[:seat] + scores[seat + 1 :])) for seat, score in enumerate(scores)]
    shared = []
    for rank in ranks:
        places = [rank + k for k in range(ranks.count(rank))]
        mean = sum(places) / len(places)
        shared.append(1.0 - 2.0 * (mean - 1.0) / (seats - 1))
    return shared


def rewards_at_end(engine: Engine, states: States, reward: str = "rank") -> list[float]:
    """The rewards of the game that has ended; alone against the game itself, 1 for beating it and -1 (or 0) for losing."""
    result = engine.result(states)
    if engine.game.rival_alone and len(result.ranks) == 1 and reward in ("rank", "win"):
        chances = np.zeros(engine.game.max_seats)
        engine.call("outlook", states, 0, chances)
        won = float(chances[0])
        return [won if reward == "win" else 2.0 * won - 1.0]
    return rewards_of(result.ranks, result.scores, reward)


class Table:
    """One game: who is asked, what they see, what they may do."""

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        form: str = "float",
        perfect: bool = False,
        reward: str = "rank",
        wait: bool = False,  # masks have one place more, which is 1 while a seat is not asked
        key: str = "observation",  # under which the numbers stand
    ) -> None:
        if form not in FORMS:
            raise ValueError(f"An observation's form is one of {', '.join(FORMS)}; not {form!r}.")
        check_reward(reward)
        self.game: Game = game
        self.engine: CompiledEngine = compiled(game)
        self.seats = min(game.seats) if seats is None else seats
        game.check_seats(self.seats)
        self.options = game.full_options(options or {})
        self.form, self.perfect, self.reward, self.key = form, perfect, reward, key
        self._actions, self._places = len(game.actions), len(game.actions) + wait
        self.agents = [f"seat_{seat}" for seat in range(self.seats)]  # what the libraries call them
        self._deciding = [
            [(CHOSEN + seat, self.agents[seat]) for seat in seats] for seats in SEATS_IN[: 1 << self.seats]
        ]
        self._take(Turns(self.engine, self.seats, perfect))
        self.turns.options[: len(game.options)] = game.read_options(self.options)
        self.play = Play(self.engine, self.engine.new())  # empty until the first deal
        self._happened: list[Fact] = []
        self._happened_at = 0  # after how many decisions that was
        self.dealt = 0  # the seed of this deal
        self._stream = 0
        self._games = 0

    # A game.

    def seed(self, seed: int | None) -> None:
        """Fixes the deals to come; without a number they are made of chance from outside."""
        self._stream = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]) >> 1
        self._games = 0

    def deal(self) -> None:
        """The next game."""
        self._games += 1
        desk = self.turns.desk
        desk[STREAM], desk[GAMES], desk[DEAL], desk[SEED] = self._stream, self._games, self.seats, -1
        self.turns.go()
        self.dealt = desk[SEED]
        self.play = Play(self.engine, copied(self.turns.states))
        self.play.states = self.turns.states
        self._happened, self._happened_at = [], 0

    def seed_of_bot(self, decision: int, seat: int) -> int:
        """Where a bot's chance comes from when it takes that decision of this game."""
        return derive(self._stream, self._games, decision, seat)

    def begin_at(self, states: States) -> None:
        """A game that begins here."""
        self.play = Play(self.engine, states)
        self._stand()

    def _take(self, turns: Turns) -> None:
        """From here on the game is stepped in this tray; what is handed out is copied from its rows."""
        self.turns = turns
        rows: list[tuple[Floats, Masks]] = [
            (turns.numbers[seat], turns.masks[seat, : self._places]) for seat in range(self.seats)
        ]
        self._copies = [
            (1 << seat, self.agents[seat], numbers.copy, mask.copy) for seat, (numbers, mask) in enumerate(rows)
        ]
        self._copy_numbers, self._copy_mask = self._copies[0][2:]

    def _stand(self) -> None:
        """The game as the play has it, in our tray."""
        self.turns.begin_at(self.play.states)
        self.play.states = self.turns.states
        self._happened, self._happened_at = [], self.play.seq

    @property
    def states(self) -> States:
        """The game as it stands."""
        return self.turns.states

    def waiting(self) -> list[int]:
        """The seats that are asked."""
        return self.engine.waiting(self.states)

    def is_over(self) -> bool:
        return self.engine.is_over(self.states)

    def legal(self, seat: int) -> list[int]:
        """What this seat may do."""
        return self.engine.legal(self.turns.states_of(seat), 0, seat)

    def act(self, seat: int, action: int) -> None:
        """Does it, or raises the sentence why not. What the next one sees is made on the way."""
        action = int(action)
        self.do(seat, action, ASKED)
        self.note(seat, action)

    def note(self, seat: int, action: int) -> None:
        """Writes into the game's record what was done last."""
        self.play.note_one(seat, action, self.turns.desk[TOLD])

    def do(self, seat: int, action: int, looker: int) -> None:
        """As `act`, without a note in the game's record; what `looker` sees is made on the way."""
        in_range = 0 <= seat < self.seats and 0 <= action < self._actions
        if not in_range or not self.turns.act(seat, action, looker):
            self.check(seat, action)

    def check(self, seat: int, action: int) -> None:
        """Raises the sentence why this seat may not do that, if it may not, with a note who chose what."""
        try:
            self.engine.check(self.turns.states_of(seat), 0, seat, action)
        except Refusal as refusal:
            refusal.add_note(
                f"(seat {seat} chose action {action}, which its mask does not allow; "
                'with illegal="lose" or illegal="replace" an environment does not raise.)'
            )
            raise

    def act_all(self, actions: Mapping[Any, int]) -> int | None:
        """All who are asked decide at once, each seat's action under its name; everybody sees.

        What stays behind a screen is no part of the game until all have sealed. Returns one whose action is not legal, if
        any: then nothing has happened.
        """
        turns, many = self.turns, self._actions
        desk = turns.desk
        deciding = self._deciding[desk[WAITING]]
        try:
            for place, name in deciding:
                action = actions[name]
                if type(action) is not int:
                    action = int(action)
                desk[place] = action if 0 <= action < many else many  # one that nobody has
        except BaseException:  # one is missing, or no number: nobody decides
            for place, _ in deciding:
                desk[place] = -1
            raise
        desk[LOOKER] = EVERYBODY
        turns.go()
        if desk[REFUSED] >= 0:
            return desk[REFUSED]
        if desk[STEPS]:
            self.play.note(turns.steps(), desk[TOLD])
        return None

    def act_among_uniform(self, own: int, action: int | None, made: int) -> int:
        """One seat decides (or nobody), and all others draw, as the bot `uniform` would, until that one is asked again.

        `made` and what is returned: how many decisions they have drawn in this game.
        """
        turns, desk = self.turns, self.turns.desk
        desk[STREAM], desk[GAMES], desk[MADE] = self._stream, self._games, made
        if action is not None:
            action = int(action)
            if not 0 <= action < self._actions:
                self.check(own, action)
            desk[CHOSEN + own] = action
        while True:
            desk[OWN] = own
            turns.look(own)
            if desk[REFUSED] >= 0:
                assert action is not None
                self.check(own, action)
            self.play.note(turns.steps(), desk[TOLD])
            if desk[OVER] or desk[WAITING] >> own & 1:
                break
        return desk[MADE]

    @property
    def happened(self) -> list[Fact]:
        """What the last decision did."""
        if self._happened_at != self.play.seq:
            self._happened_at, self._happened = self.play.seq, self.game.facts.read(self.turns.log)
        return self._happened

    @property
    def over(self) -> bool:
        """As `is_over`, as it was after the last decision: quicker."""
        return self.turns.desk[OVER] == 1

    @property
    def asked(self) -> list[int]:
        """As `waiting`, as it was after the last decision: quicker."""
        return SEATS_IN[self.turns.desk[WAITING]]

    def legal_instead(self, seat: int) -> int:
        """Any legal action of this seat, in place of one that is not: the same in the same game."""
        actions = self.legal(seat)
        return actions[derive(self._stream, self._games, self.play.seq, seat) % len(actions)]

    def why_not(self, seat: int, action: int) -> str:
        """Why this action is not legal."""
        try:
            self.engine.check(self.turns.states_of(seat), 0, seat, action)
        except Refusal as refusal:
            return refusal.sentence
        return ""

    def rewards(self) -> list[float]:
        """At the end."""
        return rewards_at_end(self.engine, self.states, self.reward)

    # What a seat sees.

    def redacted(self, seat: int) -> States:
        """The record as this seat may see it; the whole one where perfect information was asked for."""
        states = self.turns.states_of(seat)
        return states.copy() if self.perfect else self.game.redact(states, 0, seat)

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each legal action; all 0 while the seat is not asked (or 1 for waiting, where masks have a place for it)."""
        self._look(seat)
        return self._copy_mask()

    def _look(self, seat: int) -> None:
        """What this seat sees, into the first row, unless it lies there."""
        if self.turns.desk[SEEN] != seat:
            self.turns.look(seat)

    def observe(self, seat: int) -> Observation:
        """Numbers and mask."""
        if self.turns.desk[SEEN] != seat:
            self.turns.look(seat)
        seen = self._copy_numbers() if self.form == "float" else integers(self.game, self.redacted(seat))
        return {self.key: seen, "action_mask": self._copy_mask()}

    def observe_all(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """What every seat sees, made in one call, and whether it is asked (`waiting`); both under its name."""
        desk, key = self.turns.desk, self.key
        seen: dict[str, Observation] = {}
        infos: dict[str, dict[str, Any]] = {}
        if self.form != "float":
            seen = {agent: self.observe(seat) for seat, agent in enumerate(self.agents)}
            return seen, {agent: {"waiting": desk[WAITING] & bit != 0} for bit, agent, *_ in self._copies}
        if desk[SEEN] != EVERYBODY:
            self.turns.look(EVERYBODY)
        waiting = desk[WAITING]
        for bit, agent, numbers, mask in self._copies:  # one loop for both: two comprehensions take a fifth longer
            seen[agent] = {key: numbers(), "action_mask": mask()}
            infos[agent] = {"waiting": waiting & bit != 0}
        return seen, infos

    def listed(self) -> list[int]:
        """What the seat that looked last may do."""
        return self.turns.listed()

    def state(self) -> npt.NDArray[np.float32]:
        """Everything about the game, hidden or not, as numbers between -1 and 1: for critics that are told more."""
        return normal(integers(self.game, self.states), self.game)

    # Tools for those who search.

    def clone(self) -> Table:
        """An independent copy."""
        twin = copy.copy(self)
        twin.play = self.play.copy()
        twin._take(self.turns.twin())
        twin.play.states = twin.turns.states
        return twin

    def __copy__(self) -> Table:
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: Any) -> Table:
        return self.clone()  # so that an environment can be copied for a search

    def __getstate__(self) -> dict[str, Any]:
        """The game as it stands, without machine code and what shares memory with it."""
        kept = {name: value for name, value in self.__dict__.items() if name not in MADE_ANEW}
        played = {name: value for name, value in vars(self.play).items() if name not in ("engine", "states")}
        return {**kept, "played": played, "tray": self.turns._tray.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        played, tray = kept.pop("played"), kept.pop("tray")
        self.__dict__.update(kept)
        self.engine = compiled(self.game)
        turns = Turns(self.engine, self.seats, self.perfect)
        turns._tray[:] = np.frombuffer(tray, turns._tray.dtype)
        self._take(turns)
        self.play = Play(self.engine, played["beginning"])
        vars(self.play).update(played)
        self.play.states = turns.states

    def serialise(self) -> bytes:
        """The state as bytes."""
        return self.states.tobytes()

    def restore(self, data: bytes) -> None:
        """The state from bytes."""
        self.begin_at(np.frombuffer(data, self.game.dtype).copy())

    def determinize(self, seat: int, seed: int) -> Table:
        """A copy with everything this seat cannot see guessed anew."""
        twin, guess = copy.copy(self), self.game.redact(self.states, 0, seat)
        self.engine.determinize(guess, seat, seed)
        twin._take(self.turns.twin())
        twin.begin_at(guess)
        return twin

    @property
    def names(self) -> list[str]:
        """What the players are called here."""
        return [f"seat {number}" for number in range(self.seats)]

    def words(self, seat: int, action: int, language: str = "en") -> str:
        """A legal action in words."""
        plain = Record(self.game.redact(self.states, 0, seat))
        arguments = self.game.actions.arguments(action)
        choice = {"kind": self.game.actions.decode(action).kind, **arguments, **self.game.choice(plain, seat, action)}
        return Telling(self.game, plain, self.names, language).choice(choice)

    def picture(self, seat: int | None = None) -> str:
        """The table as text."""
        view = self.engine.view(self.states, 0, SPECTATOR if seat is None else seat)
        if self.game.picture is not None:
            return self.game.picture(view, self.names, "en")
        return "\n".join(f"{key}: {value}" for key, value in view.items())

    def scene(self, seat: int | None = None) -> Scene:
        """What a picture of the table is made of: what this seat sees, or a spectator."""
        view = self.engine.view(self.states, 0, SPECTATOR if seat is None else seat)
        ranks = self.engine.result(self.states).ranks if self.is_over() else []
        return Scene(view, self.names, self.waiting(), ranks)


def integers(game: Game, redacted: States) -> npt.NDArray[np.int32]:
    """Every field but the stream, in declared order, as whole numbers; hidden ones read -1."""
    parts = [np.ravel(redacted[f.name][0]).astype(np.int32) for f in game.fields if f.name != "rng"]
    return np.concatenate(parts)


def integer_bounds(game: Game) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The least and the greatest number in each place of the integer form: what fits into its field."""
    sizes = [(np.iinfo(f.kind), int(np.prod(f.shape or (1,)))) for f in game.fields if f.name != "rng"]
    whole = np.iinfo(np.int32)  # a stream's field is wider, and cut to size
    low = [np.full(size, max(kind.min, whole.min), np.int32) for kind, size in sizes]
    high = [np.full(size, min(kind.max, whole.max), np.int32) for kind, size in sizes]
    return np.concatenate(low), np.concatenate(high)


def normal(numbers: npt.NDArray[np.int32], game: Game) -> npt.NDArray[np.float32]:
    """The integer form between -1 and 1: each number as a part of the greatest that fits into its field."""
    return (numbers / -integer_bounds(game)[0].astype(np.float64)).astype(np.float32)


def state_space(game: Game) -> Any:
    """The space of `Table.state`."""
    from gymnasium.spaces import Box

    return Box(-1.0, 1.0, (len(integer_bounds(game)[0]),), np.float32)


FARTHEST = 128.0  # numbers of an observation are counts divided by what is usual: about 0 to 1, and never near this


def spaces(game: Game, form: str, wait: bool = False, key: str = "observation") -> tuple[Any, Any]:
    """The observation space and the action space."""
    from gymnasium.spaces import Box, Dict, Discrete

    actions = len(game.actions) + wait
    numbers: Box[Any]
    if form == "float":
        numbers = Box(-FARTHEST, FARTHEST, (game.observation,), np.float32)
    else:
        low, high = integer_bounds(game)
        numbers = Box(low, high, dtype=np.int32)
    return Dict({key: numbers, "action_mask": Box(0, 1, (actions,), np.int8)}), Discrete(actions)
