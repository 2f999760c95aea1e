"""Hundreds of random games of each kind, at all tables: they change only when a rule changes.

`LUDOTECA_GOLDEN=write pytest tests/games/test_fingerprints.py` writes them anew. Golden games (test_golden.py) are to be
read; these are to notice, and `make mutants` measures how well they do.
"""

import os
import pathlib
from typing import Any

import pytest

from games.fingerprint import fingerprints
from ludoteca import catalogue
from ludoteca.core.engine import compiled

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"


def write(path: Any, engine: Any) -> None:
    """A line a table: its fingerprints in the order of its games."""
    found: dict[str, list[str]] = {}
    for place, fingerprint in fingerprints(engine):
        found.setdefault(place, []).append(fingerprint)
    path.write_text("".join(f"{place}: {' '.join(letters)}\n" for place, letters in found.items()), "utf-8")


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_random_games_go_as_before(key: str) -> None:
    engine = compiled(catalogue.game(key))
    path = GOLDEN / f"{key}-fingerprints.txt"
    if os.environ.get("LUDOTECA_GOLDEN") == "write":
        write(path, engine)
    lines = [line.split(": ") for line in path.read_text("utf-8").splitlines()]
    known = {place: iter(letters.split()) for place, letters in lines}
    for place, fingerprint in fingerprints(engine):
        assert fingerprint == next(known[place]), f"a rule has changed; seen with {place}"
    assert not any(list(rest) for rest in known.values())
