"""The state of a tournament: every field, its meaning, and who may see it.

A *team* is a player's deck or the Robot's: teams 0 to seats - 1 are the players, with an odd number the Robot is the team
after them. Cards are counted by *kind* (title and level), because copies cannot be told apart.
"""

from __future__ import annotations

from ludoteca.core.record import Record, marked_by, private, public, secret, stream

from .components import DRAFT_LEVELS, KINDS, LEVELS, PARKS, ROUNDS, STACK

TEAMS = 8
DRAWN = 5  # §3.3 cards drawn
SHARE = 2 * DRAWN  # §3.8 at most this many cards of a level deck come to one player in a deck phase
PARK_SHARE = 8  # §6.20 a level deck with fewer cards for each park takes its discards back before the matches
SEATS_ON_BENCH = 6  # §5.1
LARGEST_DECK = 64  # §6.21
FINAL = ROUNDS  # the row of the final where rounds are rows

DECK, MATCH, FINAL_TRIM, FINAL_MATCH, OVER = range(5)  # phases
READY, LEVEL_STEP, DRAFT, REDRAW, EXCHANGE_STEP, TRIM, AWAITING = range(7)  # what a player decides in the deck phase
NO_MATCH, PLAYING, DECIDED = range(3)
OPEN, OPENED, ATTACK, COMPARE, TAKE, TAKEN, SIT = range(7)  # where a match goes on
BY_POWER, BY_SEATS = range(1, 3)  # why a match was lost

P_KINDS = 4  # the starting cards of a player are the first kinds of the card file


class State(Record):
    """A tournament."""

    rng = stream("i8", (), "the game's random stream")
    streams = stream("i8", (TEAMS,), "a stream for each team, so that nobody's pace touches anybody's luck")
    seats = public("i1", (), "number of players")
    teams = public("i1", (), "players, and the Robot if their number is odd")
    parks = public("i1", (), "parks in play")
    left_out = public("i1", (), "the set that stays in the box")
    random_set = public("i1", (), "1 if chance chose it")
    difficulty = public("i1", (), "of the Robot, 1 to 5; 0 without it")
    solo_cards = public("i1", (), "1 if the SOLO cards are among the Robot's")
    round_number = public("i1", (), "the round, 1 to 7")
    phase = public("i1", (), "0 deck, 1 matches, 2 trimming before the final, 3 the final, 4 over")
    waiting = public("i1", (TEAMS,), "1 while this seat owes a decision")
    plan = public("i1", (TEAMS,), "the tournament plan of each team, from 0")
    # Decks between matches.
    deck = private("i1", (TEAMS, KINDS), "cards of each kind in the deck (what came unseen in a match: not yet)")
    deck_size = public("i1", (TEAMS,), "cards in the deck, unseen ones too")
    by_level = public("i1", (TEAMS, LEVELS), "cards in the deck by level: P, A, B, C, R")
    shown = public("i1", (TEAMS, KINDS), "copies that everybody has seen in this deck")
    doubt = public("i1", (TEAMS, LEVELS), "cards of the level removed since: so many of `shown` may be gone")
    boxed = private("i1", (TEAMS, P_KINDS), "starting cards removed for good, by kind")
    leaving = private("i1", (TEAMS, KINDS), "cards on their way to the discards")
    leaving_by = public("i1", (TEAMS, DRAFT_LEVELS), "how many of them are of level A, B, C")
    # The level decks.
    stack = secret("i1", (DRAFT_LEVELS, STACK), "the decks of levels A, B, C, top first; -1: just drawn")
    stack_size = public("i1", (DRAFT_LEVELS,), "their sizes at the start of this phase")
    taken = public("i1", (DRAFT_LEVELS, TEAMS), "cards drawn in this phase from each share (of a player or park)")
    discards = marked_by("discards_seen")("i1", (DRAFT_LEVELS, STACK), "discarded cards, oldest first")
    discards_seen = public("i2", (DRAFT_LEVELS, STACK), "audience bits: who knows the discarded card")
    discards_size = public("i1", (DRAFT_LEVELS,), "how many")
    # The deck phase.
    step = public(
        "i1", (TEAMS,), "0 ready, 1 level, 2 picking, 3 redrawing, 4 exchanging, 5 removing, 6 new cards are to come"
    )
    wanted = private("i1", (TEAMS,), "the level chosen while others still choose, or -1")
    level = public("i1", (TEAMS,), "the level drawn from: 0 A, 1 B, 2 C, or -1")
    display = private("i1", (TEAMS, DRAWN), "the cards drawn, or -1")
    lying = public("i1", (TEAMS,), "bits: places of the display where a card lies")
    marked = public("i1", (TEAMS,), "bits: places of the display to be redrawn")
    picks = public("i1", (TEAMS,), "cards that may still be picked")
    picked = public("i1", (TEAMS,), "cards picked in this phase")
    redraws = public("i1", (TEAMS,), "1 while the redraw is not used")
    exchange = public("i1", (TEAMS,), "the card that offers an exchange, or -1")
    exchange_left = public("i1", (TEAMS,), "cards still to be removed for it")
    # Matches, by park.
    match_on = public("i1", (PARKS,), "0 none, 1 being played, 2 decided")
    stage = public("i1", (PARKS,), "where the match goes on")
    opener = public("i1", (PARKS,), "the team that began, or -1")
    tossed = public("i1", (PARKS,), "1 if the flag was tossed for it")
    attacker = public("i1", (PARKS,), "the attacking team")
    ask = public("i1", (PARKS,), "the effect that asks, or 0")
    ask_team = public("i1", (PARKS,), "who is asked")
    ask_card = public("i1", (PARKS,), "the card that asks")
    ask_left = public("i1", (PARKS,), "cards it may still be about")
    # Matches, by team. They stay as they ended until the next match begins.
    park = public("i1", (TEAMS,), "where the team plays, or -1")
    rival = public("i1", (TEAMS,), "against whom, or -1")
    pile = marked_by("pile_seen")("i1", (TEAMS, LARGEST_DECK), "the shuffled deck, bottom first")
    pile_seen = public("i2", (TEAMS, LARGEST_DECK), "audience bits: who knows the card in this place")
    pile_new = public("i1", (TEAMS, LARGEST_DECK), "1, 2: a card of level A, B that nobody has seen")
    pile_left = public("i1", (TEAMS,), "cards in the pile")
    visible = public("i1", (TEAMS, KINDS), "cards lying open in the match being played, by kind")
    lineup = public("i1", (TEAMS, LARGEST_DECK), "cards in the park, oldest first; the last holds the flag")
    kept = public("i1", (TEAMS, LARGEST_DECK), "power that each of them gained at once and keeps")
    lineup_size = public("i1", (TEAMS,), "how many")
    cheer = public("i1", (TEAMS,), "power added to the first card of the next or present attack")
    bench = public("i1", (TEAMS, KINDS), "cards on the bench, by kind")
    bench_name = public("i1", (TEAMS, SEATS_ON_BENCH), "the name that sits on each seat, or -1")
    helpers = public("i1", (TEAMS,), "cards on the bench that help from there")
    exhausted = public("i1", (TEAMS, LARGEST_DECK), "the exhaust pile, oldest first")
    exhausted_size = public("i1", (TEAMS,), "how many")
    flags_taken = public("i1", (TEAMS, KINDS), "how often cards of each kind have taken the flag (up to 100)")
    # Trophies and the end.
    fans = public("i2", (TEAMS,), "fan tokens")
    trophies = public("i1", (TEAMS,), "trophies won")
    best_trophy = public("i1", (TEAMS,), "the latest round a trophy was won in, or 0")
    winner = public("i1", (ROUNDS + 1, PARKS), "who won the match, by round (then the final) and park, or -1")
    lost_by = public("i1", (ROUNDS + 1, PARKS), "why it was lost: 1 power, 2 seats")
    trophy = marked_by("trophy_seen")("i1", (ROUNDS, PARKS), "fans on the back of each trophy")
    trophy_seen = public("i2", (ROUNDS, PARKS), "audience bits: who has seen the back")
    lots = public("i1", (TEAMS,), "the order of equals for the final, lower first: seats, or 8 to 15 by lot")
    finalists = public("i1", (2,), "the best two, or -1")
    champion = public("i1", (), "who has won the tournament, or -1")
    over = public("i1", (), "0 in play, 1 after round 7, 2 by a lead of eleven, 3 by the final")
