"""What a player can think is hidden: only the dice to come, so a stream of one's own is a fair guess."""

from __future__ import annotations

from ludoteca.core.chance import seed_stream
from ludoteca.core.kernel import kernel

from .state import State


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    """Dice that have not been rolled can fall anyhow."""
    seed_stream(state, seed)
