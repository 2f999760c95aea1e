"""A trace says in eight bytes what was dealt and told so far: two sets of rules that leave the same traces play alike.

Traces form a chain: the deal's is made of what was drawn for it, a step's of the one before, of what happened and of who
is asked now. They do not depend on how a record is laid out or on who may see what, so rules can be mended around a game in
play.
"""

from __future__ import annotations

import hashlib

from .facts import Fact
from .play import Play

TRACE_BYTES = 8


def of_the_deal(play: Play) -> bytes:
    """The trace of a game's beginning."""
    game, drawn = play.game, [draws.drawn for draws in play.drawn[:1]]
    return _hashed(repr((game.key, play.seats, game.shuffles(game.state(play.beginning)), drawn)).encode())


def of_a_step(before: bytes, play: Play, happened: list[Fact]) -> bytes:
    """The trace after a step, in which this happened; `play` stands after it."""
    facts = play.game.facts
    told = [(facts.name_of(fact), fact.seat, fact.values) for fact in happened]
    return _hashed(before + repr((play.waiting(), told)).encode())


def _hashed(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=TRACE_BYTES).digest()
