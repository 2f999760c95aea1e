"""The state of a game of Splendor: every field, its meaning, and who may see it."""

from __future__ import annotations

from ludoteca.core.record import Field, Plain, See

from .components import CARDS, LEVELS, MOST_TILES

SEATS = 4
TOKEN_KINDS = 7  # five colours, grey, green
SLOTS = 4  # face-up cards of each level
HAND = 3  # reserved cards at most
TILES = 5  # tiles on the table at most (four places; in the base edition five nobles)

MAIN, PAY, RETURN, PLACE = range(4)  # what the seat in turn decides now

FIELDS = (
    Field("rng", "i8", (), See.NOBODY, "the game's random stream"),
    Field("edition", "i1", (), See.PUBLIC, "0 Marvel, 1 base"),
    Field("seats", "i1", (), See.PUBLIC, "number of players"),
    Field("round_number", "i2", (), See.PUBLIC, "the round, from 1"),
    Field("turn", "i1", (), See.PUBLIC, "the seat in turn"),
    Field("phase", "i1", (), See.PUBLIC, "what it decides: 0 its action, 1 jokers, 2 tokens to return, 3 a place"),
    Field("waiting", "i1", (SEATS,), See.PUBLIC, "1 while this seat owes a decision"),
    Field("bank", "i1", (TOKEN_KINDS,), See.PUBLIC, "tokens left on the table, by kind"),
    Field("tokens", "i1", (SEATS, TOKEN_KINDS), See.PUBLIC, "tokens of each player, by kind"),
    Field("bonuses", "i1", (SEATS, 5), See.PUBLIC, "bonuses of each player, by colour"),
    Field("points", "i2", (SEATS,), See.PUBLIC, "points, tiles included"),
    Field("stars", "i1", (SEATS,), See.PUBLIC, "Avengers symbols"),
    Field("recruits", "i1", (SEATS,), See.PUBLIC, "how many cards each player has recruited"),
    Field("owner", "i1", (CARDS,), See.PUBLIC, "who has recruited the card, or -1"),
    Field("avengers", "i1", (), See.PUBLIC, "who has the Avengers tile, or -1"),
    Field("market", "i1", (LEVELS, SLOTS), See.PUBLIC, "face-up cards, or -1"),
    Field("deck_left", "i1", (LEVELS,), See.PUBLIC, "cards left in each deck"),
    Field("deck", "i1", (LEVELS, 40), See.NOBODY, "the decks; the last of those left is the top"),
    Field("in_hand", "i1", (SEATS,), See.PUBLIC, "how many cards each player has reserved"),
    Field("hand", "i1", (SEATS, HAND), See.MARKED, "reserved cards, or -1", marks="hand_seen"),
    Field("hand_seen", "i4", (SEATS, HAND), See.PUBLIC, "audience bits: who knows the reserved card"),
    Field("hand_level", "i1", (SEATS, HAND), See.PUBLIC, "level of the reserved card (its back shows it), or -1"),
    Field("box", "i1", (MOST_TILES,), See.PUBLIC, "tiles in the order in which they came out of the box"),
    Field("tile_count", "i1", (), See.PUBLIC, "tiles dealt at set-up"),
    Field("tiles", "i1", (TILES,), See.PUBLIC, "the faces on the table, or -1"),
    Field("tile_owner", "i1", (TILES,), See.PUBLIC, "who has taken the tile, or -1"),
    Field("buying", "i1", (), See.PUBLIC, "the card being paid for with chosen jokers: 0-11 market, 12-14 hand, or -1"),
    Field("swapped", "i1", (5,), See.PUBLIC, "jokers chosen so far in place of each colour"),
    Field("ending", "i1", (), See.PUBLIC, "1 while somebody meets the conditions to end the game"),
    Field("idle_turns", "i2", (), See.PUBLIC, "turns in a row without a card recruited or reserved"),
    Field("over", "i1", (), See.PUBLIC, "0 in play, 1 ended by the rules, 2 ended because nothing moves any more"),
)


State = Plain  # in kernels: a record with the fields above, plain or compiled
