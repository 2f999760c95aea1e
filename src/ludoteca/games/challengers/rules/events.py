"""What can happen. The seat of a fact is the team it happens to; the Robot is the team after the players."""

from __future__ import annotations

EVENTS = (
    # the tournament
    "round_began", "match_began", "match_won", "trophy_won", "trophy_boxed", "trophies_opened", "lots_drawn",
    "finalist", "ended",
    # the deck phase
    "level_chosen", "drew", "redrew", "picked", "stopped", "removed", "declined", "ready",
    # a match
    "revealed", "bonus", "compared", "took_flag", "benched", "no_seat", "exhausted", "recalled", "looked", "reordered",
    "sank", "searched", "gained_card", "left_deck", "cheered", "gained_fans", "asked", "passed",
)  # fmt: skip
(
    ROUND_BEGAN, MATCH_BEGAN, MATCH_WON, TROPHY_WON, TROPHY_BOXED, TROPHIES_OPENED, LOTS_DRAWN,
    FINALIST, ENDED,
    LEVEL_CHOSEN, DREW, REDREW, PICKED, STOPPED, REMOVED, DECLINED, BECAME_READY,
    REVEALED, BONUS, COMPARED, TOOK_FLAG, BENCHED, NO_SEAT, EXHAUSTED, RECALLED, LOOKED, REORDERED,
    SANK, SEARCHED, GAINED_CARD, LEFT_DECK, CHEERED, GAINED_FANS, ASKED, PASSED,
) = range(len(EVENTS))  # fmt: skip

# Why a card has more power than is printed on it: the third number of a BONUS.
KEPT, ATTACKING, FROM_THE_BENCH, HOLDING, CHEERING = range(5)
REASONS = ("kept", "attacking", "bench", "holding", "cheer")

# Where a card comes from or goes to.
FROM_TOP, FROM_BOTTOM, FROM_BENCH_SEAT, FROM_PARK, TO_EXHAUST = range(5)
PLACES = ("top", "bottom", "bench", "park", "exhausted")
