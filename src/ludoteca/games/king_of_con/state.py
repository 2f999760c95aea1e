"""The state of a game of King of Con: every field, its meaning, and who may see it.

Tokens are in exactly one place: the pool, a supply, a Trash, an Item, a Booth's marker, or (while a tie over Items is
being settled) an offer in `shown` whose Item has it in `claims`. Tokens on a Quadrant behind its screen still belong to the
supply.
"""

from __future__ import annotations

from ludoteca.core.record import Record, marked_by, private, public, secret, stream

from .components import BOOTHS, ITEMS, PASSIONS

SEATS = 5
DRAWN = 3  # Passions drawn at most

# What is being decided or settled.
CHOOSING, HYPE, BIDDING, BUYING, LOOTING, SPOILS, SHOW_OFF, FINISHED = range(8)
NO_WORD, CLAIMED, CONCEDED = range(3)  # what the player asked about a tie has said

IN_DECK, ON_STALL, ON_BOOTH = -1, 5, 6  # where an Item is, when it is in nobody's Collection


class State(Record):
    """A game of King of Con."""

    rng = stream("i8", (), "the game's random stream")
    seats = public("i1", (), "number of players")
    drawn = public("i1", (), "option: Passions each player draws, 3 or 2")
    monkey_control = public("i1", (), "option: 1 if a tie may be conceded")
    mistakes = public("i1", (), "option: 1 if tokens may be put where they are wasted")
    scenario = public("i1", (), "option: a named variant of the rules; 0 is none")
    round_number = public("i1", (), "the round, 1 to 6")
    phase = public("i1", (), "0 Passions, 1 Hype, 2 hid-bid, 3 buying, 4 looting, 5 spoils, 6 Show Off, 7 over")
    hid_bid = public("i1", (), "the hid-bid, 1 to 3; 0 before and after")
    step = public("i1", (), "the Booth being sold (0-3) or the dominance being settled (0-14)")
    contenders = public("i1", (), "bits of the seats still in the tie for it; 0 when not yet looked at")
    word = public("i1", (), "0, or what was just said about a tie: 1 claimed, 2 conceded")
    picked = public("i1", (), "the tied Item it was said about")
    waiting = public("i1", (SEATS,), "1 while this seat owes a decision")
    monkeys = public("i1", (SEATS,), "Monkey of each player, from 1; the lower wins ties")
    pool = public("i1", (), "tokens in the common pool")
    supply = marked_by("supply_seen")("i1", (SEATS,), "tokens behind the screen")
    supply_seen = public("i4", (SEATS,), "audience bits: its own seat; all at the end, or if it is empty")
    trash = public("i1", (SEATS,), "tokens wasted this round")
    levied = public("i1", (SEATS,), "tokens given in whip-rounds this round")
    deck = secret("i1", (ITEMS,), "the Items deck; the last of those left is the top")
    deck_left = public("i1", (), "Items left in the deck")
    booths = public("i1", (BOOTHS,), "the Item on each Booth, or -1")
    markers = public("i1", (BOOTHS, SEATS), "tokens each player has offered at each Booth")
    location = public("i1", (ITEMS,), "-1 deck, 0-4 that seat's Collection, 5 Stall, 6-9 Booth")
    worth = public("i1", (ITEMS,), "tokens on the Item")
    quadrant = private("i1", (SEATS, ITEMS), "tokens behind the screen, by slot, this hid-bid or looting")
    shown = public("i1", (SEATS, ITEMS), "the Quadrants as they were last revealed")
    claims = public("i1", (ITEMS,), "bits of the seats whose offer may win this Item, while spoils are settled")
    passions = marked_by("passions_seen")("i1", (SEATS, DRAWN), "Passions; once chosen, the third went back")
    passions_seen = public("i4", (SEATS, DRAWN), "audience bits: its own seat, everyone at the end")
    box = secret("i1", (PASSIONS,), "Passions nobody drew, or -1")
    over = public("i1", (), "0 in play, 1 after six rounds, 2 by an Epic Collection")
