"""The rules of Challengers!, a module for each chapter of docs/games/challengers.md.

set_up       §1  parks, plans, trophies, decks, the Robot's deck
tournament   §2, §7, §8  rounds, parks and pairings, trophies and fans, the final, the end
drafting     §3, §4  the deck phase: level, display, redraw, picks, exchanges, removal
match        §5  a match: opening, attack, capture, bench, who wins
effects      §6  what the cards do
power        §6  how strong a card is
zones        cards that move from one place to another
"""

from .decisions import apply, legal
from .set_up import setup
from .tournament import is_over, ranks, scores

__all__ = ["apply", "is_over", "legal", "ranks", "scores", "setup"]
