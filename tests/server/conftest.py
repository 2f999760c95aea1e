"""For all tests of the server: bots that need no machine code, unless a test asks for the real ones."""

from __future__ import annotations

import pytest

from ludoteca.catalogue import game
from ludoteca.core.engine import interpreted
from ludoteca.server import bots, sockets
from server.house import first_legal


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "choose", first_legal)
    monkeypatch.setattr(bots, "engine_of", lambda key: interpreted(game(key)))


@pytest.fixture
def fast_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """People of this test may decide as fast as they can."""
    monkeypatch.setattr(sockets, "LIMITS", ((10**6, 1.0),))
