"""The bot that does anything allowed."""

from __future__ import annotations

from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.record import States


def choose(engine: Engine, redacted: States, seat: int, seed: int) -> int:
    """Any legal action, each as likely as any other."""
    actions = engine.legal(redacted, 0, seat)
    return actions[derive(seed) % len(actions)]
