"""The rows of a game's decisions are linked: each carries a hash of itself and of the one before.

A row that was changed, lost or put in by anything but the server is found when the game is read, and where. Who decided
(`decider`) stands beside the chain: the game does not depend on it, and rows of earlier versions keep their hashes.
"""

from __future__ import annotations

import hashlib

HASH_BYTES = 16
FIRST = b""  # before the first row


def chained(
    before: bytes, table: str, seq: int, seat: int, action: int, command: str | None, at: float, step: int,
    trace: bytes | None,
) -> bytes:  # fmt: skip
    """The hash of a row."""
    row = repr((table, int(seq), int(seat), int(action), command, float(at), int(step), trace))
    return hashlib.blake2b(before + row.encode(), digest_size=HASH_BYTES).digest()
