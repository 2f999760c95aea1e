"""The rules of King of Con, a module for each chapter of docs/en.md.

setup        §1  Items, Passions, supplies
tokens       §2  where tokens go, whip-rounds
monkeys      §3  ties
buying       §4, §5  the round, hid-bids, the Booths sold
looting      §6  offers for other Collections and the Stall
show_off     §7  dominances and what they bring
ending       §8  Epic Collections, points, ranks
decisions    who may do what when, and how the game goes on
"""

from .decisions import apply, legal
from .ending import is_over, ranks, scores
from .setup import setup

__all__ = ["apply", "is_over", "legal", "ranks", "scores", "setup"]
