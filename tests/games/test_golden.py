"""Whole games written down: they change only when a rule changes, and the changelog then says which.

`LUDOTECA_GOLDEN=write pytest tests/games/test_golden.py` writes them anew.
"""

import hashlib
import os
import pathlib
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.core import chance
from ludoteca.core.engine import compiled
from ludoteca.core.record import SPECTATOR, Record
from ludoteca.core.words import LANGUAGES
from ludoteca.terminal import event_sentence, ranking

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"
NAMES = ["Ana", "Bea", "Carlo", "Dino", "Eva", "Furio", "Gaia", "Ugo"]
TABLES = [
    (key, option)
    for key in catalogue.keys(catalogue.HOUSE)
    for option in [None, *(option for option in catalogue.game(key).options if len(option.values) > 1)]
]


def playthrough(key: str, options: dict[Any, Any], language: str) -> str:
    engine = compiled(catalogue.game(key))
    game, seats = engine.game, min(3, max(engine.game.seats))
    states = engine.start(seats, options, 2024)
    stream = np.array([2024])
    lines = [f"{game.title} · version {game.version} · {game.full_options(options)}"]
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        legal = engine.legal(states, 0, seat)
        action = legal[chance.below_from(stream, len(legal))]
        happened = engine.decide(states, 0, seat, action)
        lines.append(f"{NAMES[seat]}: {game.actions.write(action)}")
        seen = Record(game.redact(states, 0, SPECTATOR))
        for fact in happened:
            lines.append("    " + event_sentence(game, seen, fact.seen_by(SPECTATOR), NAMES, language))
    lines.append(ranking(engine, states, NAMES[:seats], "The end"))
    lines.append(hashlib.sha256(states.tobytes()).hexdigest())
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "option"), TABLES, ids=lambda v: getattr(v, "key", v) or "default")
def test_a_whole_game_is_told_as_before(key: str, option: Any, language: str) -> None:
    options = {} if option is None else {option.key: option.values[-1]}
    name = "-".join([key, *(f"{option}-{value}" for option, value in options.items()), language])
    told = playthrough(key, options, language)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("LUDOTECA_GOLDEN") == "write":
        path.write_text(told, "utf-8")
    assert told == path.read_text("utf-8"), "a rule or a sentence has changed"
    for line in told.splitlines()[1:]:
        assert "{" not in line and "event." not in line, f"a fact is missing in: {line}"
