"""OpenSpiel: every installed game as `python_ludoteca_<game>`, known to OpenSpiel as soon as this module is imported.

Chance is *explicit* and made once: the root is a chance node with `deals` equally likely outcomes, each of which seeds the
game's own stream, and with it every later draw (another `seed` gives another family of deals). So a state is its history.
With `simultaneous=True` every decision is a joint node: seats that are not asked have one action, to wait, the last of all;
otherwise they decide one after the other, without seeing each other's choice.

A game can be made *small enough to be solved*: `after=` begins so many decisions into it; `width=` leaves each seat only so
many of its actions, those that look best to it; `decisions=` ends the game after so many, and what everybody gets is the
outlook then; `common=True` makes the deals look alike to a spectator, so that they differ in what is hidden alone.

These are Python games: OpenSpiel's algorithms and bots written in Python take them, those in C++ do not.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ludoteca import catalogue
from ludoteca.bots import greedy
from ludoteca.core.chance import derive
from ludoteca.core.decks import SHORT
from ludoteca.core.engine import CompiledEngine, compiled
from ludoteca.core.errors import BadData
from ludoteca.core.facts import Fact
from ludoteca.core.game import DECK, Game
from ludoteca.core.kernel import Log
from ludoteca.core.log import COLUMNS, new_log
from ludoteca.core.record import SPECTATOR, States

from .stepping import ASKED, BARE, DEAL, FIRST, NOBODY, OVER, REWARDS, SEED, SEEN, TOLD, WAITING, Turns
from .table import SEATS_IN, Table, check_reward, rewards_at_end

DEALS = 4096
FINGERPRINT = 64  # bits of what a seat has learnt, at the end of an information state's numbers
NUMBERS = {
    "seed": 0,
    "deals": DEALS,
    "after": 0,
    "width": 0,
    "decisions": 0,
}  # parameters besides players, reward and options
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)
_registered: dict[str, Game] = {}


def name_of(game: Game, simultaneous: bool) -> str:
    """As `python_ludoteca_pig`, or `python_ludoteca_pig_at_once`; with a deck, its hash comes after the key."""
    deck = f"_{game.variant[:SHORT]}" if game.variant else ""
    return f"python_ludoteca_{game.key}{deck}" + ("_at_once" if simultaneous else "")


def load(
    which: catalogue.Which,
    seats: int | None = None,
    simultaneous: bool = False,
    seed: int = 0,
    deals: int = DEALS,
    options: Mapping[str, Any] | None = None,
    reward: str = "rank",
    after: int = 0,
    width: int = 0,
    decisions: int = 0,
    common: bool = False,
) -> Any:
    """The game, registered with OpenSpiel if it is not yet."""
    game, options = catalogue.with_options(which, options)
    register(game, simultaneous)
    parameters: dict[str, Any] = {"players": seats or min(game.seats), "seed": seed, "deals": deals, "reward": reward}
    parameters |= {"after": after, "width": width, "decisions": decisions, "common": bool(common)}
    parameters |= {option: worded(value) for option, value in game.full_options(options).items() if option != DECK}
    check(game, parameters)
    return pyspiel.load_game(name_of(game, simultaneous), parameters)


def worded(value: str) -> str:
    """An option's value as OpenSpiel keeps it: one made of digits would come back as a number."""
    return f"value_{value}" if value.isdigit() else value


def chosen_options(game: Game, params: Mapping[str, Any]) -> dict[str, str]:
    """The options among the parameters, or a sentence."""
    meant = {option.key: {worded(value): value for value in option.values} for option in game.options}
    return game.full_options({key: values.get(params[key], str(params[key])) for key, values in meant.items()})


def check(game: Game, params: Mapping[str, Any]) -> None:
    """Refuses parameters with which nobody can play."""
    for name in ("players", *NUMBERS):
        if not isinstance(params[name], int):
            raise BadData(f"«{name}» is a whole number, not «{params[name]}».", "no_such_value")
    game.check_seats(params["players"])
    chosen_options(game, params)
    check_reward(params["reward"])
    for name, least in (("deals", 1), ("after", 0), ("width", 0), ("decisions", 0)):
        if params[name] < least:
            raise BadData(f"«{name}» is at least {least}, not {params[name]}.", "no_such_value")


def register(game: Game, simultaneous: bool) -> None:
    """Makes the game known to OpenSpiel by its name."""
    name = name_of(game, simultaneous)
    if name in _registered:
        if _registered[name] is not game:
            raise BadData(f"OpenSpiel has another game of this process as {name} already.", "bad_game")
        return
    parameters: dict[str, Any] = {"players": min(game.seats), "reward": REWARDS[0], "common": False, **NUMBERS}
    parameters |= {option.key: worded(option.values[0]) for option in game.options}
    kind = game_type(game, simultaneous, min(game.seats) > 1, parameters)

    def make(params: dict[str, Any] | None = None) -> SpielGame:
        return SpielGame(game, simultaneous, {**parameters, **(params or {})})

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))  # OpenSpiel lets go of it after Python has gone
    pyspiel.register_game(kind, make)
    _registered[name] = game


def game_type(game: Game, simultaneous: bool, zero_sum: bool, parameters: Mapping[str, Any]) -> Any:
    """What OpenSpiel wants to know of a game before it is played."""
    dynamics, utility = pyspiel.GameType.Dynamics, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=name_of(game, simultaneous),
        long_name=f"Ludoteca {game.title}",
        dynamics=dynamics.SIMULTANEOUS if simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(parameters),
        default_loadable=True,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours as OpenSpiel knows games."""

    def __init__(self, game: Game, simultaneous: bool, params: dict[str, Any]) -> None:
        check(game, params)
        self.ours, self.simultaneous = game, simultaneous
        self.seats, self.reward, self.common = int(params["players"]), str(params["reward"]), bool(params["common"])
        self.seed, self.deals, self.after, self.width, self.decisions = (int(params[name]) for name in NUMBERS)
        self.options = chosen_options(game, params)
        self.wait = len(game.actions)  # the action of a seat that is not asked, in joint nodes
        zero_sum = self.seats > 1 and self.reward == "rank"
        bounded = zero_sum or self.reward == "win" or (game.rival_alone and self.reward == "rank")
        information = pyspiel.GameInfo(
            num_distinct_actions=len(game.actions) + simultaneous,
            max_chance_outcomes=self.deals,
            num_players=self.seats,
            min_utility=-1.0 if bounded else -1e6,  # points may be anything
            max_utility=1.0 if bounded else 1e6,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=min(game.longest, self.decisions or game.longest),
        )
        super().__init__(game_type(game, simultaneous, zero_sum, params), information, params)

    @functools.cached_property
    def bench(self) -> Turns:
        """Where all states of this game are stepped, one at a time: see `Moment`."""
        bench = Turns(compiled(self.ours), self.seats)
        bench.desk[BARE] = 1  # numbers are made when somebody asks for them
        bench.options[: len(self.ours.options)] = self.ours.read_options(self.options)
        return bench

    @functools.cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        return [(deal, 1.0 / self.deals) for deal in range(self.deals)]

    @functools.cached_property
    def all_deals(self) -> list[int]:
        """Their numbers. Not to be changed."""
        return list(range(self.deals))

    @property
    def engine(self) -> CompiledEngine:
        return self.bench.engine

    def __deepcopy__(self, memo: Any) -> SpielGame:
        return self  # a game never changes; a state that is copied shares it

    def __reduce__(self) -> tuple[Any, ...]:
        return load_by_name, (self.ours, self.simultaneous, str(self))

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self, recall=iig_obs_type is not None and iig_obs_type.perfect_recall)

    def observation_tensor_shape(self) -> list[int]:
        return [self.ours.observation]

    def information_state_tensor_shape(self) -> list[int]:
        return [self.ours.observation + FINGERPRINT]


def load_by_name(ours: Game, simultaneous: bool, name: str) -> SpielGame:
    """A game as it was written down, also in another process."""
    register(ours, simultaneous)
    game: SpielGame = pyspiel.load_game(name)
    return game


class Moment:
    """A position, and how it came about; it never changes, so states that are cloned share it.

    OpenSpiel clones a state at every step of a search. So a position is kept as bytes, and stepped on the game's one bench:
    a state that goes on from the position that lies there already need not be put there again.
    """

    __slots__ = ("action", "actions", "before", "data", "decided", "player", "rows", "seat", "told", "waiting")

    def __init__(self, game: SpielGame, before: Moment | None, seat: int, action: int) -> None:
        """The position on the bench."""
        bench, desk = game.bench, game.bench.desk
        self.before, self.seat, self.action = before, seat, action
        self.decided: int = 0 if before is None else before.decided + 1
        self.data: bytes = bench.data()
        told = 0 if before is None else desk[TOLD]
        self.rows: bytes = bench.log.rows[:told].tobytes() if told else b""
        cut = 0 < game.decisions <= self.decided
        self.waiting: int = 0 if cut else desk[WAITING]
        self.player: int = TERMINAL if desk[OVER] or cut else SIMULTANEOUS if game.simultaneous else desk[FIRST]
        self.actions: list[int] = bench.listed()
        if game.width and self.player >= 0:
            self.actions = best_looking(game, self.data, self.player, self.actions)
        self.told: dict[int, bytes] = {}

    def __deepcopy__(self, memo: Any) -> Moment:
        return self


def best_looking(game: SpielGame, data: bytes, seat: int, actions: list[int]) -> list[int]:
    """As many of these actions as the game's width, by how they look to the seat; ascending, as they were."""
    redacted = game.ours.redact(np.frombuffer(data, game.ours.dtype), 0, seat)
    appraised = {action: -game.engine.appraise(redacted, seat, action) for action in actions}
    return sorted(sorted(actions, key=lambda action: (appraised[action], action))[: game.width])


def begun(game: SpielGame, seed: int) -> States:
    """A deal, and after it as many decisions as the game begins with; not to its end."""
    engine = game.engine
    states = engine.start(game.seats, game.options, seed)
    for number in range(game.after):
        before, seat = states.copy(), engine.waiting(states)[0]
        redacted = game.ours.redact(states, 0, seat)
        engine.decide(states, 0, seat, greedy.choose(engine, redacted, seat, derive(seed, number)))
        if engine.is_over(states):
            return before
    return states


def dealt_small(game: SpielGame, seed: int) -> States:
    """A deal of a game that begins later, or whose deals look alike to a spectator."""
    if not game.common:
        return begun(game, seed)
    dealt = game.ours.redact(begun(game, derive(game.seed)), 0, SPECTATOR)
    game.engine.determinize(dealt, SPECTATOR, seed)  # what nobody sees, or only its owner, is guessed anew
    return dealt


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A game in progress."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.spiel = game
        self.moment: Moment | None = None  # before the deal

    @property
    def engine(self) -> CompiledEngine:
        return self.spiel.engine

    @property
    def states(self) -> States:
        """The record."""
        assert self.moment is not None, "before the deal there is none"
        return np.frombuffer(bytearray(self.moment.data), self.spiel.ours.dtype)

    # Who is asked, and what they may do.

    def current_player(self) -> int:
        return CHANCE if self.moment is None else self.moment.player

    def _legal_actions(self, player: int) -> list[int]:
        moment = self.moment
        assert moment is not None
        if player == moment.player:
            return moment.actions
        if moment.player != SIMULTANEOUS:
            return []
        if not moment.waiting >> player & 1:
            return [self.spiel.wait]
        bench = self._on_bench()
        bench.look(player)
        actions = bench.listed()
        return best_looking(self.spiel, moment.data, player, actions) if self.spiel.width else actions

    def legal_actions(self, player: int | None = None) -> list[int]:
        """As OpenSpiel has it, without the way through C++ and back."""
        if self.moment is None:
            return self.spiel.all_deals.copy() if player in (None, CHANCE) else []
        asked = self.moment.player if player is None else player
        return [*self._legal_actions(asked)] if asked >= 0 else []

    def is_simultaneous_node(self) -> bool:
        return self.moment is not None and self.moment.player == SIMULTANEOUS

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.spiel.outcomes

    def _apply_action(self, action: int) -> None:
        if self.moment is None:
            self._deal(action)
            return
        player = self.moment.player
        bench = self._on_bench()
        bench.desk[BARE], bench.watched = not bench.watched, False  # whoever looked at this position will at the next
        if not bench.act(player, action, ASKED):
            self.engine.check(self.states, 0, player, action)
        self._stands(Moment(self.spiel, self.moment, player, action))

    def _apply_actions(self, actions: list[int]) -> None:
        moment = self.moment
        assert moment is not None
        for seat in SEATS_IN[moment.waiting]:
            bench = self._on_bench()
            if not bench.act(seat, actions[seat], NOBODY):
                self.engine.check(self.states, 0, seat, actions[seat])
            self._stands(Moment(self.spiel, self.moment, seat, actions[seat]))

    def _deal(self, deal: int) -> None:
        game, bench = self.spiel, self.spiel.bench
        seed = derive(game.seed, deal)
        if game.common or game.after:
            bench.place(dealt_small(game, seed).tobytes())
        else:
            bench.desk[DEAL], bench.desk[SEED] = game.seats, seed
        bench.look(ASKED)
        self._stands(Moment(game, None, CHANCE, deal))

    def _stands(self, moment: Moment) -> None:
        """The position on the bench is ours."""
        self.moment = self.spiel.bench.lies = moment

    def _on_bench(self) -> Turns:
        """The bench, with our position on it."""
        bench = self.spiel.bench
        if bench.lies is not self.moment:
            assert self.moment is not None
            bench.place(self.moment.data)
            bench.lies = self.moment
        return bench

    # The end.

    def is_terminal(self) -> bool:
        return self.moment is not None and self.moment.player == TERMINAL

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.spiel.seats
        if not self.engine.is_over(self.states):
            return self._outlooks()
        return rewards_at_end(self.engine, self.states, self.spiel.reward)

    def _outlooks(self) -> list[float]:
        """Where a game is cut short: everybody's chance to win, less an equal share; together 0."""
        out = np.zeros(self.spiel.ours.max_seats)
        self.engine.call("outlook", self.states, 0, out)
        chances = out[: self.spiel.seats]
        return [float(chance) for chance in chances - chances.mean()]

    def rewards(self) -> list[float]:
        return self.returns()

    # What a seat knows.

    def _told(self, player: int) -> bytes:
        """What a seat has learnt and done so far, in order, in short."""
        since, moment = [], self.moment
        while moment is not None and player not in moment.told:
            since.append(moment)
            moment = moment.before
        digest = b"" if moment is None else moment.told[player]
        for later in reversed(since):
            learnt = repr([fact.seen_by(player) for fact in facts(self.spiel.ours, later.rows)]).encode()
            own = bytes(f"{later.action};", "ascii") if later.seat == player else b""
            digest = later.told[player] = hashlib.sha256(digest + learnt + own).digest()
        return digest

    def information_state_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        return f"{self.observation_string(player)} {self._told(player).hex()[:16]}"

    def observation_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        if self.moment is None:
            return "before the deal"
        return hashlib.sha256(self.spiel.ours.redact(self.states, 0, player).tobytes()).hexdigest()[:32]

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """The observation, and a fingerprint of all that the seat has learnt and done: no two share it."""
        player = self.current_player() if player is None else player
        return [*self.observation_tensor(player), *self.fingerprint(player)]

    def fingerprint(self, player: int) -> list[float]:
        """64 bits."""
        bits = np.unpackbits(np.frombuffer(self._told(player)[: FINGERPRINT // 8] or bytes(FINGERPRINT // 8), np.uint8))
        found: list[float] = bits.astype(np.float64).tolist()
        return found

    def observation_tensor(self, player: int | None = None) -> list[float]:
        player = self.current_player() if player is None else player
        numbers = np.zeros(self.spiel.ours.observation, np.float32)
        self.see(player, numbers)
        found: list[float] = numbers.tolist()
        return found

    def see(self, player: int, numbers: npt.NDArray[np.float32]) -> None:
        """Writes the observation of a player over an earlier one, or zeros."""
        if self.moment is None:
            numbers[:] = 0.0
        else:
            bench = self._on_bench()
            if bench.desk[SEEN] != player or bench.desk[BARE]:
                bench.desk[BARE] = 0
                bench.look(player)
            bench.watched = True
            numbers[:] = bench.numbers[0]

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> SpielState:
        """Another state this player cannot tell from this one."""
        twin: SpielState = self.clone()
        moment = self.moment
        assert moment is not None
        guess = self.spiel.ours.redact(self.states, 0, player)
        self.engine.determinize(guess, player, int(probability_sampler() * (1 << 62)))
        bench = self.spiel.bench
        bench.place(guess.tobytes())
        bench.look(ASKED)
        other = Moment(self.spiel, None, moment.seat, moment.action)
        other.before, other.decided, other.rows = moment.before, moment.decided, moment.rows
        other.waiting, other.player = moment.waiting, moment.player
        if player == moment.player:
            other.actions = moment.actions
        twin._stands(other)
        return twin

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"deal {action}"
        return "wait" if action == self.spiel.wait else self.spiel.ours.actions.write(action)

    def __str__(self) -> str:
        if self.moment is None:
            return "before the deal"
        table = Table(self.spiel.ours, self.spiel.seats, self.spiel.options)
        table.begin_at(self.states)
        return table.picture()


def facts(game: Game, rows: bytes) -> list[Fact]:
    """What rows of a log say."""
    log = _scratch(game.log_rows)
    written = np.frombuffer(rows, np.int32).reshape(-1, COLUMNS)
    log.rows[: len(written)] = written
    log.used = len(written)
    return game.facts.read(log)


@functools.cache
def _scratch(rows: int) -> Log:
    return new_log(rows)


class SpielObserver:
    """Numbers and a short name for what a player sees; with perfect recall also of what it has learnt."""

    def __init__(self, game: SpielGame, recall: bool) -> None:
        seen = game.ours.observation
        self.tensor = np.zeros(seen + FINGERPRINT * recall, np.float32)
        self._recall = recall
        self.dict = {"observation": self.tensor[:seen]}
        if recall:
            self.dict["learnt"] = self.tensor[seen:]

    def set_from(self, state: SpielState, player: int) -> None:
        state.see(player, self.dict["observation"])
        if self._recall:
            self.dict["learnt"][:] = state.fingerprint(player)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.information_state_string(player) if self._recall else state.observation_string(player)


for _game in catalogue.games().values():
    register(_game, simultaneous=False)
    register(_game, simultaneous=True)
