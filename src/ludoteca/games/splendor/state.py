"""The state of a game of Splendor: every field, its meaning, and who may see it."""

from __future__ import annotations

from ludoteca.core.record import Record, marked_by, public, secret, stream

from .components import CARDS, DEEPEST, LEVELS, MOST_TILES

SEATS = 4
TOKEN_KINDS = 7  # five colours, grey, green
SLOTS = 4  # face-up cards of each level
HAND = 3  # reserved cards at most
TILES = 5  # tiles on the table at most (four places; in the base edition five nobles)

MAIN, PAY, RETURN, PLACE = range(4)  # what the seat in turn decides now


class State(Record):
    """A game of Splendor."""

    rng = stream("i8", (), "the game's random stream")
    edition = public("i1", (), "0 Marvel, 1 base")
    seats = public("i1", (), "number of players")
    round_number = public("i2", (), "the round, from 1")
    turn = public("i1", (), "the seat in turn")
    phase = public("i1", (), "what it decides: 0 its action, 1 jokers, 2 tokens to return, 3 a place")
    waiting = public("i1", (SEATS,), "1 while this seat owes a decision")
    bank = public("i1", (TOKEN_KINDS,), "tokens left on the table, by kind")
    tokens = public("i1", (SEATS, TOKEN_KINDS), "tokens of each player, by kind")
    bonuses = public("i1", (SEATS, 5), "bonuses of each player, by colour")
    points = public("i2", (SEATS,), "points, tiles included")
    stars = public("i1", (SEATS,), "Avengers symbols")
    recruits = public("i1", (SEATS,), "how many cards each player has recruited")
    owner = public("i1", (CARDS,), "who has recruited the card, or -1")
    avengers = public("i1", (), "who has the Avengers tile, or -1")
    market = public("i1", (LEVELS, SLOTS), "face-up cards, or -1")
    deck_left = public("i1", (LEVELS,), "cards left in each deck")
    deck = secret("i1", (LEVELS, DEEPEST), "the decks; the last of those left is the top")
    in_hand = public("i1", (SEATS,), "how many cards each player has reserved")
    hand = marked_by("hand_seen")("i1", (SEATS, HAND), "reserved cards, or -1")
    hand_seen = public("i4", (SEATS, HAND), "audience bits: who knows the reserved card")
    hand_level = public("i1", (SEATS, HAND), "level of the reserved card (its back shows it), or -1")
    box = public("i1", (MOST_TILES,), "tiles in the order in which they came out of the box")
    tile_count = public("i1", (), "tiles dealt at set-up")
    tiles = public("i1", (TILES,), "the faces on the table, or -1")
    tile_owner = public("i1", (TILES,), "who has taken the tile, or -1")
    buying = public("i1", (), "the card being paid for with chosen jokers: 0-11 market, 12-14 hand, or -1")
    swapped = public("i1", (5,), "jokers chosen so far in place of each colour")
    ending = public("i1", (), "1 while somebody meets the conditions to end the game")
    idle_turns = public("i2", (), "turns in a row without a card recruited or reserved")
    over = public("i1", (), "0 in play, 1 ended by the rules, 2 ended because nothing moves any more")
