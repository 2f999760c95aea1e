"""The kinds of fact the rules tell, and what their numbers mean (a and b, then c and d; `who` is the fact's seat)."""

from __future__ import annotations

EVENTS = (
    "sealed",  # who; a: phase; c: tokens in all or the Passion put back, for the seat only
    "new_round",  # a: round
    "exposed",  # a: Booth, b: Item
    "screens_up",  # a: hid-bid 1-3, or 0 for looting
    "offered",  # who; a: Item, b: tokens; c: Booth or -1; d: the player's total there
    "passed",  # who; a: hid-bid, or 0 for looting
    "nobody_offered",  # a: hid-bid
    "wasted",  # who; a: Item, b: tokens, c: why (BEATEN …)
    "unsold",  # a: Item, b: Booth
    "bought",  # who; a: Item, b: value, c: Booth
    "reinforced",  # who; a: Item, b: tokens, c: new value
    "looted",  # who; a: Item, b: offer, c: former owner, d: tokens the pool added
    "bought_stall",  # who; a: Item, b: offer
    "tied",  # a: Item, or 25 + characteristic; b: bits of the tied; c: tokens offered or on the Items; d: Monkeys
    "claimed",  # who; a: as above; b: the Monkey that won
    "conceded",  # who; a: as above; b: bits of those still tied
    "swapped",  # who won; a: as above; b: bits of the tied; c: Monkeys before, d: Monkeys after
    "whip_round",  # a: tokens missing, b: tokens in the pool
    "gave",  # who; one token
    "fell_short",  # a: tokens that nobody could give
    "devalued",  # who; a: Item, b: new value
    "recovered",  # who; a: tokens recovered, b: tokens to the pool
    "dominated",  # who; a: characteristic, b: Items; c: how (BY_ITEMS …), d: tokens on those Items
    "undominated",  # a: characteristic
    "consoled",  # who
    "epic",  # who; a: characteristic, b: Items
    "ended",  # a: 1 after six rounds, 2 by an Epic Collection
    "uncovered",  # who; a and b: Passions; c: supply
    "scored",  # who; a: points, b: rank; c: Items, matches, Epics and token points, eight bits each; d: tokens on Items
    "no_tokens",  # who; a: phase: nothing to offer, so the seat is not asked
)
(
    SEALED, NEW_ROUND, EXPOSED, SCREENS_UP, OFFERED, PASSED, NOBODY_OFFERED, WASTED, UNSOLD, BOUGHT,
    REINFORCED, LOOTED, BOUGHT_STALL, TIED, TOOK_TIE, LEFT_TIE, SWAPPED, WHIP_ROUND, GAVE, FELL_SHORT,
    DEVALUED, RECOVERED, DOMINATED, UNDOMINATED, CONSOLED, EPIC, ENDED, UNCOVERED, SCORED,
    NO_TOKENS,
) = range(len(EVENTS))  # fmt: skip

WASTES = ("beaten", "not_enough", "two_booths", "not_in_play")
BEATEN, NOT_ENOUGH, TWO_BOOTHS, NOT_IN_PLAY = range(len(WASTES))

DECIDED_BY = ("items", "tokens", "monkeys", "concession")  # how a dominance was decided
BY_ITEMS, BY_TOKENS, BY_MONKEYS, BY_CONCESSION = range(len(DECIDED_BY))
