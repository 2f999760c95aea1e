"""The rules of Splendor: Marvel and base Splendor, by the § of docs/en.md.

setup        §1  decks, location tiles, tokens
decisions    §2 to §9  a turn: what may be done, doing it, what follows, the end

Edition 0 is Marvel, edition 1 is base Splendor (§10); the few rules that differ ask `state.edition`.
"""

from .decisions import apply, is_over, legal, ranks, scores
from .setup import setup

__all__ = ["apply", "is_over", "legal", "ranks", "scores", "setup"]
