"""The state of a game of King of Con: every field, its meaning, and who may see it.

Tokens are in exactly one place: the pool, a supply, a Trash, an Item, a Booth's marker, or (while a tie over Items is
being settled) an offer in `shown` whose Item has it in `claims`. Tokens on a Quadrant behind its screen still belong to the
supply.
"""

from __future__ import annotations

from typing import Any

from ludoteca.core.record import Field, See

from .components import BOOTHS, ITEMS, PASSIONS

SEATS = 5
DRAWN = 3  # Passions drawn at most

# What is being decided or settled.
CHOOSING, HYPE, BIDDING, BUYING, LOOTING, SPOILS, SHOW_OFF, FINISHED = range(8)
NO_WORD, CLAIMED, CONCEDED = range(3)  # what the player asked about a tie has said

IN_DECK, ON_STALL, ON_BOOTH = -1, 5, 6  # where an Item is, when it is in nobody's Collection

FIELDS = (
    Field("rng", "i8", (), See.NOBODY, "the game's random stream"),
    Field("seats", "i1", (), See.PUBLIC, "number of players"),
    Field("drawn", "i1", (), See.PUBLIC, "option: Passions each player draws, 3 or 2"),
    Field("monkey_control", "i1", (), See.PUBLIC, "option: 1 if a tie may be conceded"),
    Field("mistakes", "i1", (), See.PUBLIC, "option: 1 if tokens may be put where they are wasted"),
    Field("scenario", "i1", (), See.PUBLIC, "option: a named variant of the rules; 0 is none"),
    Field("round_number", "i1", (), See.PUBLIC, "the round, 1 to 6"),
    Field("phase", "i1", (), See.PUBLIC, "0 Passions, 1 Hype, 2 hid-bid, 3 buying, 4 looting, 5 spoils, 6 Show Off, 7 over"),
    Field("hid_bid", "i1", (), See.PUBLIC, "the hid-bid, 1 to 3; 0 before and after"),
    Field("step", "i1", (), See.PUBLIC, "the Booth being sold (0-3) or the dominance being settled (0-14)"),
    Field("contenders", "i1", (), See.PUBLIC, "bits of the seats still in the tie for it; 0 when not yet looked at"),
    Field("word", "i1", (), See.PUBLIC, "0, or what was just said about a tie: 1 claimed, 2 conceded"),
    Field("picked", "i1", (), See.PUBLIC, "the tied Item it was said about"),
    Field("waiting", "i1", (SEATS,), See.PUBLIC, "1 while this seat owes a decision"),
    Field("monkeys", "i1", (SEATS,), See.PUBLIC, "Monkey of each player, from 1; the lower wins ties"),
    Field("pool", "i1", (), See.PUBLIC, "tokens in the common pool"),
    Field("supply", "i1", (SEATS,), See.MARKED, "tokens behind the screen", marks="supply_seen"),
    Field("supply_seen", "i4", (SEATS,), See.PUBLIC, "audience bits: its own seat; all at the end, or if it is empty"),
    Field("trash", "i1", (SEATS,), See.PUBLIC, "tokens wasted this round"),
    Field("levied", "i1", (SEATS,), See.PUBLIC, "tokens given in whip-rounds this round"),
    Field("deck", "i1", (ITEMS,), See.NOBODY, "the Items deck; the last of those left is the top"),
    Field("deck_left", "i1", (), See.PUBLIC, "Items left in the deck"),
    Field("booths", "i1", (BOOTHS,), See.PUBLIC, "the Item on each Booth, or -1"),
    Field("markers", "i1", (BOOTHS, SEATS), See.PUBLIC, "tokens each player has offered at each Booth"),
    Field("location", "i1", (ITEMS,), See.PUBLIC, "-1 deck, 0-4 that seat's Collection, 5 Stall, 6-9 Booth"),
    Field("worth", "i1", (ITEMS,), See.PUBLIC, "tokens on the Item"),
    Field("quadrant", "i1", (SEATS, ITEMS), See.OWNER, "tokens behind the screen, by slot, this hid-bid or looting"),
    Field("shown", "i1", (SEATS, ITEMS), See.PUBLIC, "the Quadrants as they were last revealed"),
    Field("claims", "i1", (ITEMS,), See.PUBLIC, "bits of the seats whose offer may win this Item, while spoils are settled"),
    Field("passions", "i1", (SEATS, DRAWN), See.MARKED, "Passions; once chosen, the third went back", "passions_seen"),
    Field("passions_seen", "i4", (SEATS, DRAWN), See.PUBLIC, "audience bits: its own seat, everyone at the end"),
    Field("box", "i1", (PASSIONS,), See.NOBODY, "Passions nobody drew, or -1"),
    Field("over", "i1", (), See.PUBLIC, "0 in play, 1 after six rounds, 2 by an Epic Collection"),
)  # fmt: skip


class State:
    """For readers and type checkers: a record with the fields above."""

    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
