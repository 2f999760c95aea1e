"""Golden journals: games that were played, and the traces they left. Rules that play otherwise need a new version.

Whoever updates a house relies on that: a running game of the same version is taken to go on. Change `version` of the game,
say so in the changelog, and write the journals anew with `LUDOTECA_GOLDEN=write pytest tests/games/test_journals.py`. (If
the version has not been released yet, nobody has played it: delete the file first.)
"""

import os
import pathlib
from typing import Any

import msgspec
import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.core import chance, traces
from ludoteca.core.engine import compiled
from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game
from ludoteca.core.play import Play

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"
WRITE = os.environ.get("LUDOTECA_GOLDEN") == "write"

Journal = dict[str, Any]


def path(key: str) -> pathlib.Path:
    return GOLDEN / f"{key}-journals.json"


def left_by(game: Game, journal: Journal) -> str:
    """The trace that this game leaves by today's rules, or which decision they do not allow."""
    play = Play(compiled(game), compiled(game).start(journal["seats"], journal["options"], journal["seed"]))
    trace = traces.of_the_deal(play)
    for n, (seat, action) in enumerate(journal["decisions"], 1):
        try:
            trace = traces.of_a_step(trace, play, play.decide(seat, [action]))
        except Refusal as refusal:
            return f"decision {n}: {refusal.sentence}"
    return trace.hex()


def played(game: Game, seats: int, options: dict[str, str], seed: int) -> Journal:
    """A whole game by chance."""
    engine, stream = compiled(game), np.array([seed])
    play = Play(engine, engine.start(seats, options, seed))
    while not play.is_over():
        waiting = play.waiting()
        seat = waiting[chance.below_from(stream, len(waiting))]
        legal = engine.legal(play.states, 0, seat)
        play.decide(seat, [legal[chance.below_from(stream, len(legal))]])
    journal: Journal = {"seats": seats, "options": options, "seed": seed, "decisions": play.decisions()}
    return journal | {"trace": left_by(game, journal)}


def tables(game: Game) -> list[tuple[int, dict[str, str]]]:
    """Every number of seats, and every value of every option."""
    found: list[tuple[int, dict[str, str]]] = [(seats, {}) for seats in game.seats]
    return found + [(max(game.seats), {o.key: value}) for o in game.options for value in o.values[1:]]


def write(game: Game) -> None:
    journals = [played(game, *table, seed) for seed, table in enumerate(tables(game), 1)]
    lines = ",\n".join(msgspec.json.encode(journal).decode() for journal in journals)
    path(game.key).write_text(f'{{"version": "{game.version}", "journals": [\n{lines}\n]}}\n', "utf-8")


def changed(game: Game, golden: Journal) -> list[str]:
    return [
        f"{journal['seats']} seats, {journal['options']}: {left}"
        for journal in golden["journals"]
        if (left := left_by(game, journal)) != journal["trace"]
    ]


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_rules_that_play_otherwise_have_another_version(key: str) -> None:
    game = catalogue.game(key)
    if WRITE and not path(key).exists():
        write(game)
    golden = msgspec.json.decode(path(key).read_bytes())
    if golden["version"] == game.version:
        assert not changed(game, golden), (
            f"{game.title} plays otherwise than version {game.version} did: bump its version"
        )
        assert len(golden["journals"]) == len(tables(game)), "an option is new: bump the version"
        return
    if WRITE:
        write(game)
    assert msgspec.json.decode(path(key).read_bytes())["version"] == game.version, "write the golden journals anew"


def test_a_change_of_play_is_noticed() -> None:
    key = catalogue.keys(catalogue.HOUSE)[0]
    golden = msgspec.json.decode(path(key).read_bytes())
    golden["journals"][0]["seed"] += 1
    assert len(changed(catalogue.game(key), golden)) == 1
