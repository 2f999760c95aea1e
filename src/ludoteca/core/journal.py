"""A journal is a game written down: rules version, options, deck, chance and decisions. Replaying it gives the same bytes.

Chance is a seed (games of one machine, golden games, environments, tables of earlier servers) or keyed (tables).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from .engine import Engine
from .errors import BadData
from .facts import Fact
from .game import Game
from .keyed import Keyed
from .play import Play
from .record import States


@dataclass
class Journal:
    """Everything needed to play a game again."""

    game: str
    version: str
    seats: int
    options: dict[str, str]
    seed: int | None  # of the plain stream; none where chance is keyed
    decisions: list[tuple[int, int]] = field(default_factory=list)  # (seat, action); below 0: see `taken_back_to`
    names: list[str] = field(default_factory=list)
    keyed: Keyed | None = None
    deck: str | None = None  # the whole deck (`Deck.text`), if it was not the printed one; the options have its hash

    def dump(self) -> bytes:
        """As a file."""
        told = {key: value for key, value in vars(self).items() if key != "deck" or value is not None}
        return msgspec.json.format(msgspec.json.encode(told), indent=1)


def load(data: bytes) -> Journal:
    """A journal from a file."""
    try:
        return msgspec.json.decode(data, type=Journal)
    except msgspec.MsgspecError as error:
        raise BadData(f"This is not a game record: {error}.", "bad_journal") from None


def opened(engine: Engine, journal: Journal) -> Play:
    """The game of a journal, set up and not yet played."""
    check_version(engine.game, journal)
    chance = journal.keyed if journal.seed is None else journal.seed
    if chance is None:
        raise BadData("This record does not say where its chance came from.", "bad_journal")
    return Play.deal(engine, journal.seats, journal.options, chance)


def begin(engine: Engine, journal: Journal) -> States:
    """The position of a journal before its first decision."""
    return opened(engine, journal).beginning


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
    play = opened(engine, journal)
    for number, (seat, action) in enumerate(journal.decisions, 1):
        try:
            happened = play.again(seat, action)
        except Exception as error:
            raise BadData(f"Decision {number} of this record is not possible: {error}", "bad_decision") from error
        yield play.states, seat, action, happened


def finish(engine: Engine, journal: Journal) -> States:
    """The state after the last decision."""
    states = begin(engine, journal)
    for states, *_ in replay(engine, journal):  # noqa: B007
        pass
    return states
