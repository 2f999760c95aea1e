"""Games that bots have played, for reviews to be tried on."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from ludoteca import catalogue
from ludoteca.bots.levels import prepare, read_bot
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.journal import Journal
from ludoteca.core.play import Play
from ludoteca.core.record import States, copied


@functools.cache
def engine(key: str) -> CompiledEngine:
    return prepare(catalogue.game(key))


@functools.cache
def played(key: str, seed: int = 1, bot: str = "greedy") -> Play:
    """A game of two such bots, to its end."""
    play = Play.deal(engine(key), 2, {}, seed)
    while not play.is_over():
        seat = play.waiting()[0]
        seen = play.game.redact(play.states, 0, seat)
        play.decide(seat, [read_bot(key, bot).choose(engine(key), seen, seat, derive(seed, play.seq))])
    return play


def journal(play: Play, seed: int = 1) -> Journal:
    return Journal(play.game.key, play.game.version, play.seats, {}, seed, play.decisions())


def positions(play: Play) -> Iterator[tuple[States, int, int]]:
    """Every position of a game, with who decided and what."""
    again = play.from_the_start()
    for seat, action in play.decisions():
        yield copied(again.states), seat, action
        again.follow(seat, [action])
