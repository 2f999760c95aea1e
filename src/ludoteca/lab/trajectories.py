"""Games kept for learning from: who decided what, from which deal, and how it ended.

    arena.run("pig", ["club", "expert"], games=1000, keep=kept)       # or: ludoteca arena … --keep games.npz
    kept.save("games.npz")

    kept = trajectories.load("games.npz")
    for step in kept.steps(episode=0): step.observation, step.mask, step.seat, step.action
    numbers = kept.arrays()                                           # everything at once, for a learner
    kept.to_minari("ludoteca/pig-club-v0")                            # a dataset as Minari has them: an episode a seat

A game follows from its seed and its decisions, so that is all the file holds (some hundred bytes a game). Observations and
masks are made by the rules when they are read: the same to the last bit, and in whichever form. The file (.npz, numpy's
own) has these arrays:

| array | type | |
|---|---|---|
| `format` | text | `ludoteca-trajectories-1` |
| `about` | text | JSON: key of the game, version of its rules, options |
| `bots` | text | JSON: for each game who sat on each seat; empty where nobody was named |
| `seed` | int64, one a game | what the deal was made of |
| `seats` | int8, one a game | how many played |
| `start` | int64, one a game and one more | where each game's decisions begin in the next two |
| `seat`, `action` | int8 and int16, one a decision | who decided what |
| `rank`, `score` | int8 and int64, eight a game | how it ended, by seat; rank 0: nobody there, or not ended |
"""

from __future__ import annotations

import json
import pathlib
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ludoteca import catalogue
from ludoteca.core.engine import compiled
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game

if TYPE_CHECKING:
    from ludoteca.envs.table import Table  # at run time only where it is needed: the arena does without environments

FORMAT = "ludoteca-trajectories-1"


@dataclass(frozen=True)
class Episode:
    """One game: its deal, its decisions (seat, action, seat, action …) and its end."""

    seed: int
    seats: int
    decisions: list[int]
    ranks: list[int]  # empty: it was not played to its end
    scores: list[int]
    bots: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Step:
    """A decision, with what its seat saw."""

    seat: int
    observation: npt.NDArray[Any]
    mask: npt.NDArray[np.int8]
    action: int


@dataclass
class Trajectories:
    """Games of one kind, with the same options."""

    game: Game
    options: dict[str, str] = field(default_factory=dict)
    episodes: list[Episode] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.options = self.game.full_options(self.options)

    def __len__(self) -> int:
        return len(self.episodes)

    def add(self, table: Table, bots: Sequence[str] = ()) -> None:
        """The game of an environment, as far as it has come: `kept.add(env.table)`, or `env.unwrapped.table`."""
        if table.game is not self.game or dict(table.options) != self.options:
            raise BadData("These trajectories are of another game or other options.", "other_game")
        flat = [number for decision in table.play.decisions() for number in decision]
        result = table.engine.result(table.states) if table.is_over() else None
        ends = (result.ranks, result.scores) if result else ([], [])
        self.episodes.append(Episode(table.dealt, table.seats, flat, *ends, list(bots)))

    # Reading.

    def steps(self, episode: int, form: str = "float") -> Iterator[Step]:
        """The decisions of one game, each with what its seat saw then."""
        found = self.episodes[episode]
        table = self._dealt(found, form)
        for seat, action in zip(found.decisions[::2], found.decisions[1::2], strict=True):
            seen = table.observe(seat)
            yield Step(seat, seen["observation"], seen["action_mask"], action)
            table.act(seat, action)

    def _dealt(self, episode: Episode, form: str, reward: str = "rank") -> Table:
        from ludoteca.envs.table import Table

        table = Table(self.game, episode.seats, self.options, form, reward=reward)
        table.begin_at(compiled(self.game).start(episode.seats, self.options, episode.seed))
        return table

    def rewards(self, episode: int, reward: str = "rank") -> list[float]:
        """What each seat got at the end, as an environment would have said; zeros if there was none."""
        from ludoteca.envs.table import rewards_of

        found = self.episodes[episode]
        if not found.ranks:
            return [0.0] * found.seats
        if found.seats > 1 or not self.game.rival_alone:
            return rewards_of(found.ranks, found.scores, reward)
        table = self._dealt(found, "float", reward)  # whether the rival was beaten is known to the game alone
        for seat, action in zip(found.decisions[::2], found.decisions[1::2], strict=True):
            table.act(seat, action)
        return table.rewards()

    def arrays(self, form: str = "float", reward: str = "rank") -> dict[str, npt.NDArray[Any]]:
        """All decisions one after the other: `observation`, `mask`, `action`, `seat`, `reward`, `last`, `episode`.

        The reward is what the deciding seat got in the end, with its last decision of the game (`last`); 0 before.
        """
        from ludoteca.envs.table import check_reward

        check_reward(reward)
        steps, rewards, last, of = list[Step](), list[float](), list[bool](), list[int]()
        for number in range(len(self)):
            made = list(self.steps(number, form))
            ends = self.rewards(number, reward)
            final = {step.seat: place for place, step in enumerate(made)}
            steps += made
            last += [final[step.seat] == place for place, step in enumerate(made)]
            rewards += [ends[step.seat] * (final[step.seat] == place) for place, step in enumerate(made)]
            of += [number] * len(made)
        return {
            "observation": np.array([step.observation for step in steps]),
            "mask": np.array([step.mask for step in steps]),
            "action": np.array([step.action for step in steps], np.int16),
            "seat": np.array([step.seat for step in steps], np.int8),
            "reward": np.array(rewards, np.float32),
            "last": np.array(last, np.bool_),
            "episode": np.array(of, np.int64),
        }

    # Files.

    def save(self, path: pathlib.Path | str) -> None:
        """Writes the file."""
        ends = np.zeros((len(self), 8), np.int64), np.zeros((len(self), 8), np.int64)
        for number, episode in enumerate(self.episodes):
            ends[0][number, : len(episode.ranks)] = episode.ranks
            ends[1][number, : len(episode.scores)] = episode.scores
        about = {"game": self.game.key, "version": self.game.version, "options": self.options}
        if self.game.deck is not None:
            about["deck"] = self.game.deck.text
        flat = np.array([number for episode in self.episodes for number in episode.decisions], np.int16)
        counts = [len(episode.decisions) // 2 for episode in self.episodes]
        with open(path, "wb") as file:
            np.savez_compressed(
                file, format=np.array(FORMAT), about=np.array(json.dumps(about)),
                bots=np.array(json.dumps([episode.bots for episode in self.episodes])),
                seed=np.array([episode.seed for episode in self.episodes], np.int64),
                seats=np.array([episode.seats for episode in self.episodes], np.int8),
                start=np.cumsum([0, *counts]).astype(np.int64), seat=flat[::2].astype(np.int8), action=flat[1::2],
                rank=ends[0].astype(np.int8), score=ends[1],
            )  # fmt: skip

    def to_minari(self, dataset_id: str, reward: str = "rank", **more: Any) -> Any:
        """A Minari dataset: an episode for each seat of each game that was played to its end.

        It needs `pip install "minari[hdf5]"`; `more` is what Minari wants to know besides, such as `author`.
        """
        import minari
        from minari.data_collector import EpisodeBuffer

        from ludoteca.envs.table import check_reward, spaces

        check_reward(reward)
        buffers = list[Any]()
        for number, episode in enumerate(self.episodes):
            if not episode.ranks:
                continue
            made, ends = list(self.steps(number)), self.rewards(number, reward)
            for seat in range(episode.seats):
                own = [step for step in made if step.seat == seat]
                seen = [*own, own[-1]]  # Minari wants what was seen after the last decision: nothing new
                buffers.append(
                    EpisodeBuffer(
                        id=len(buffers),
                        seed=number,
                        observations={
                            "observation": np.array([step.observation for step in seen]),
                            "action_mask": np.array([step.mask for step in seen]),
                        },
                        actions=np.array([step.action for step in own], np.int64),
                        rewards=[0.0] * (len(own) - 1) + [ends[seat]],
                        terminations=[False] * (len(own) - 1) + [True],
                        truncations=[False] * len(own),
                    )
                )
        observation_space, action_space = spaces(self.game, "float")
        return minari.create_dataset_from_buffers(
            dataset_id, buffers, observation_space=observation_space, action_space=action_space, **more
        )


def load(path: pathlib.Path | str, which: catalogue.Which | None = None) -> Trajectories:
    """What is in a file; `which`: the game, if it is not an installed one."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as found:
            if str(found["format"]) != FORMAT:
                raise ValueError
            about, bots = json.loads(str(found["about"])), json.loads(str(found["bots"]))
            arrays = {name: found[name] for name in ("seed", "seats", "start", "seat", "action", "rank", "score")}
    except FileNotFoundError:
        raise BadData(f"There is no file {path} of trajectories.", "bad_trajectories") from None
    except OSError as error:
        raise BadData(f"{path} cannot be read: {error.strerror}.", "bad_trajectories") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadData(f"{path} is no file of trajectories.", "bad_trajectories") from None
    game = catalogue.with_text(catalogue.game(which if which is not None else about["game"]), about.get("deck"))
    if about["version"] != game.version:
        raise BadData(
            f"{path} was played by rules {about['version']} of {game.title}, here are {game.version}.", "other_version"
        )
    episodes = []
    for number, seats in enumerate(arrays["seats"].tolist()):
        first, last = arrays["start"][number : number + 2].tolist()
        flat = np.stack([arrays["seat"][first:last].astype(np.int16), arrays["action"][first:last]], axis=1)
        ranks, scores = arrays["rank"][number, :seats].tolist(), arrays["score"][number, :seats].tolist()
        ended = any(ranks)
        episodes.append(
            Episode(
                int(arrays["seed"][number]),
                seats,
                flat.ravel().tolist(),
                ranks if ended else [],
                scores if ended else [],
                bots[number],
            )
        )
    return Trajectories(game, about["options"], episodes)
