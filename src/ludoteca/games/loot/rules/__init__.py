"""The rules of Loot, by the § of docs/en.md.

setup        §1  sheets and pawns
decisions    §1.2 to §7  where to start, the order of the dice, walking, what it pays, the end
"""

from .decisions import apply, is_over, legal, ranks, scores
from .setup import setup

__all__ = ["apply", "is_over", "legal", "ranks", "scores", "setup"]
