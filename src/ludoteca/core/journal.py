"""A journal is a game written down: rules version, options, seed and decisions. Replaying it gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from .engine import Engine
from .errors import BadData
from .facts import Fact
from .game import Game
from .record import States


@dataclass
class Journal:
    """Everything needed to play a game again."""

    game: str
    version: str
    seats: int
    options: dict[str, str]
    seed: int
    decisions: list[tuple[int, int]] = field(default_factory=list)  # (seat, action)
    names: list[str] = field(default_factory=list)

    def dump(self) -> bytes:
        """As a file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)


def load(data: bytes) -> Journal:
    """A journal from a file."""
    try:
        return msgspec.json.decode(data, type=Journal)
    except msgspec.MsgspecError as error:
        raise BadData(f"This is not a game record: {error}.", "bad_journal") from None


def begin(engine: Engine, journal: Journal) -> States:
    """The game of a journal, set up and not yet played."""
    check_version(engine.game, journal)
    return engine.start(journal.seats, journal.options, journal.seed)


def check_version(game: Game, journal: Journal) -> None:
    """Refuses a journal of other rules."""
    if journal.game != game.key:
        raise BadData(f"This record is of {journal.game}, not of {game.key}.", "other_game")
    if journal.version != game.version:
        raise BadData(
            f"This game was played by version {journal.version} of the rules; these are version {game.version}.",
            "other_version",
            theirs=journal.version,
            ours=game.version,
        )


def replay(engine: Engine, journal: Journal) -> Iterator[tuple[States, int, int, list[Fact]]]:
    """Plays a journal again: after each decision the state, the seat, the action and what happened."""
    states = begin(engine, journal)
    for number, (seat, action) in enumerate(journal.decisions, 1):
        try:
            happened = engine.decide(states, 0, seat, action)
        except Exception as error:
            raise BadData(f"Decision {number} of this record is not possible: {error}", "bad_decision") from error
        yield states, seat, action, happened


def finish(engine: Engine, journal: Journal) -> States:
    """The state after the last decision."""
    states = begin(engine, journal)
    for states, *_ in replay(engine, journal):  # noqa: B007
        pass
    return states
