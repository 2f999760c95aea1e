"""OpenSpiel: every game as `python_ludoteca_<game>`.

Chance is *explicit* and made once: the root is a chance node with `deals` equally likely outcomes, each of which seeds the
game's own stream, and with it every later draw (another `seed` gives another family of deals). So a state is its history.
With `simultaneous=True` all seats that are asked decide in one joint node (seats that are not have the single action 0,
which does nothing); otherwise they decide one after the other, without seeing each other's choice.
"""

from __future__ import annotations

import ctypes
import hashlib
from typing import Any

import numpy as np
import pyspiel

from ludoteca import catalogue
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, compiled
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.core.record import States

from .table import Table, rewards_at_end

DEALS = 4096
_registered: dict[str, Game] = {}


def name_of(key: str, simultaneous: bool) -> str:
    """As `python_ludoteca_pig`, or `python_ludoteca_pig_at_once`."""
    return f"python_ludoteca_{key}" + ("_at_once" if simultaneous else "")


def load(
    which: catalogue.Which, seats: int | None = None, simultaneous: bool = False, seed: int = 0, **options: str
) -> Any:
    """The game, registered with OpenSpiel if it is not yet."""
    game = catalogue.game(which)
    register(game, simultaneous)
    parameters: dict[str, Any] = {"players": seats or min(game.seats), "seed": seed, "deals": DEALS}
    parameters |= {option: worded(value) for option, value in game.full_options(options).items()}
    return pyspiel.load_game(name_of(game.key, simultaneous), parameters)


def worded(value: str) -> str:
    """An option's value as OpenSpiel keeps it: one made of digits would come back as a number."""
    return f"value_{value}" if value.isdigit() else value


def register(game: Game, simultaneous: bool) -> None:
    """Makes the game known to OpenSpiel by its name."""
    name = name_of(game.key, simultaneous)
    if name in _registered:
        if _registered[name] is not game:
            raise BadData(f"OpenSpiel has another game of this process as {name} already.", "bad_game")
        return
    dynamics = pyspiel.GameType.Dynamics
    parameters: dict[str, Any] = {"players": min(game.seats), "seed": 0, "deals": DEALS}
    parameters |= {option.key: worded(option.values[0]) for option in game.options}
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"Ludoteca {game.title}",
        dynamics=dynamics.SIMULTANEOUS if simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
        default_loadable=True,
    )

    def make(params: dict[str, Any] | None = None) -> SpielGame:
        return SpielGame(game, kind, simultaneous, {**parameters, **(params or {})})

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))  # OpenSpiel lets go of it after Python has gone
    pyspiel.register_game(kind, make)
    _registered[name] = game


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours as OpenSpiel knows games."""

    def __init__(self, game: Game, kind: Any, simultaneous: bool, params: dict[str, Any]) -> None:
        self.ours, self.simultaneous = game, simultaneous
        self.seats, self.seed, self.deals = (int(params[name]) for name in ("players", "seed", "deals"))
        game.check_seats(self.seats)
        self.options = {o.key: next(v for v in o.values if worded(v) == params[o.key]) for o in game.options}
        against = self.seats > 1 or game.rival_alone
        best = 1.0 if against else 1e6  # alone, the points are the reward
        information = pyspiel.GameInfo(
            num_distinct_actions=len(game.actions),
            max_chance_outcomes=self.deals,
            num_players=self.seats,
            min_utility=-1.0 if against else 0.0,
            max_utility=best,
            utility_sum=None,
            max_game_length=game.longest,
        )
        super().__init__(kind, information, params)

    def __deepcopy__(self, memo: Any) -> SpielGame:
        return self  # a game never changes; a state that is copied shares it

    def __reduce__(self) -> tuple[Any, ...]:
        return load_by_name, (self.ours, self.simultaneous, str(self))

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.ours)

    def observation_tensor_shape(self) -> list[int]:
        return [self.ours.observation]

    def information_state_tensor_shape(self) -> list[int]:
        return [self.ours.observation]


def load_by_name(ours: Game, simultaneous: bool, name: str) -> SpielGame:
    """A game as it was written down, also in another process."""
    register(ours, simultaneous)
    game: SpielGame = pyspiel.load_game(name)
    return game


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A game in progress.

    Not a `core.play.Play`: OpenSpiel keeps the history itself and clones a state at every step of a search, and `Play` would
    copy the decisions a second time with each.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.spiel = game
        self.states: States | None = None  # before the deal
        self.told = [b""] * game.seats  # what each seat has learnt so far, in short: the memory of an information state

    @property
    def engine(self) -> CompiledEngine:
        return compiled(self.spiel.ours)

    # Who is asked, and what they may do.

    def current_player(self) -> int:
        if self.states is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.engine.is_over(self.states):
            return int(pyspiel.PlayerId.TERMINAL)
        waiting = self.engine.waiting(self.states)
        if self.spiel.simultaneous and len(waiting) > 1:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return waiting[0]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.states is not None
        legal = self.engine.legal(self.states, 0, player)
        if not legal and self.current_player() == int(pyspiel.PlayerId.SIMULTANEOUS):
            return [0]  # not asked: a joint node wants an action of everybody
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1.0 / self.spiel.deals) for deal in range(self.spiel.deals)]

    def _apply_action(self, action: int) -> None:
        if self.states is None:
            seed = derive(self.spiel.seed, action)
            self.states = self.engine.start(self.spiel.seats, self.spiel.options, seed)
            return
        self._decide(self.current_player(), action)

    def _apply_actions(self, actions: list[int]) -> None:
        assert self.states is not None
        for seat in self.engine.waiting(self.states):
            self._decide(seat, actions[seat])

    def _decide(self, seat: int, action: int) -> None:
        assert self.states is not None
        happened = self.engine.decide(self.states, 0, seat, action)
        for viewer in range(self.spiel.seats):
            learnt = repr([fact.seen_by(viewer) for fact in happened]).encode()
            own = bytes(f"{action};", "ascii") if viewer == seat else b""
            self.told[viewer] = hashlib.sha256(self.told[viewer] + learnt + own).digest()

    # The end.

    def is_terminal(self) -> bool:
        return self.states is not None and self.engine.is_over(self.states)

    def returns(self) -> list[float]:
        if self.states is None or not self.is_terminal():
            return [0.0] * self.spiel.seats
        return rewards_at_end(self.engine, self.states)

    def rewards(self) -> list[float]:
        return self.returns()

    # What a seat knows.

    def _seen(self, player: int) -> States:
        assert self.states is not None
        return self.spiel.ours.redact(self.states, 0, player)

    def information_state_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        return f"{self.observation_string(player)} {self.told[player].hex()[:16]}"

    def observation_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        if self.states is None:
            return "before the deal"
        return hashlib.sha256(self._seen(player).tobytes()).hexdigest()[:32]

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        return self.observation_tensor(player)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        player = self.current_player() if player is None else player
        if self.states is None:
            return [0.0] * self.spiel.ours.observation
        numbers: list[float] = self.engine.observe(self._seen(player), player).tolist()
        return numbers

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> SpielState:
        """Another state this player cannot tell from this one."""
        twin: SpielState = self.clone()
        twin.states = self._seen(player)
        self.engine.determinize(twin.states, player, int(probability_sampler() * (1 << 62)))
        return twin

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"deal {action}"
        return self.spiel.ours.actions.write(action)

    def __str__(self) -> str:
        if self.states is None:
            return "before the deal"
        table = Table(self.spiel.ours, self.spiel.seats, self.spiel.options)
        table.begin_at(self.states)
        return table.picture()


class SpielObserver:
    """Numbers and a short name for what a player sees."""

    def __init__(self, game: Game) -> None:
        self.tensor = np.zeros(game.observation, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = state.observation_tensor(player)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.observation_string(player)
