"""Everybody's sign: a symbol in a colour, chosen or, until then, always the same."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from .wire import COLOURS, SYMBOLS, Symbol


class Sign(NamedTuple):
    """One of our symbols in one of our colours."""

    symbol: Symbol
    colour: int


def sign_of(guest: str, symbol: str | None = None, colour: int | None = None) -> Sign:
    """What this guest has chosen, as it is stored; some sign, always the same, while they have not."""
    if symbol in SYMBOLS and colour is not None:
        return Sign(symbol, colour)
    first = hashlib.blake2b(guest.encode(), digest_size=2).digest()
    return Sign(SYMBOLS[first[0] % len(SYMBOLS)], first[1] % COLOURS)
