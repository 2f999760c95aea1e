"""The state of a tournament: every field, its meaning, and who may see it.

A *team* is a player's deck or the Robot's: teams 0 to seats - 1 are the players, with an odd number the Robot is the team
after them. Cards are counted by *kind* (title and level), because copies cannot be told apart.
"""

from __future__ import annotations

from typing import Any

from ludoteca.core.record import Field, See

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

FIELDS = (
    Field("rng", "i8", (), See.NOBODY, "the game's random stream"),
    Field(
        "streams", "i8", (TEAMS,), See.NOBODY, "a stream for each team, so that nobody's pace touches anybody's luck"
    ),
    Field("seats", "i1", (), See.PUBLIC, "number of players"),
    Field("teams", "i1", (), See.PUBLIC, "players, and the Robot if their number is odd"),
    Field("parks", "i1", (), See.PUBLIC, "parks in play"),
    Field("left_out", "i1", (), See.PUBLIC, "the set that stays in the box"),
    Field("random_set", "i1", (), See.PUBLIC, "1 if chance chose it"),
    Field("difficulty", "i1", (), See.PUBLIC, "of the Robot, 1 to 5; 0 without it"),
    Field("solo_cards", "i1", (), See.PUBLIC, "1 if the SOLO cards are among the Robot's"),
    Field("round_number", "i1", (), See.PUBLIC, "the round, 1 to 7"),
    Field("phase", "i1", (), See.PUBLIC, "0 deck, 1 matches, 2 trimming before the final, 3 the final, 4 over"),
    Field("waiting", "i1", (TEAMS,), See.PUBLIC, "1 while this seat owes a decision"),
    Field("plan", "i1", (TEAMS,), See.PUBLIC, "the tournament plan of each team, from 0"),
    # Decks between matches.
    Field(
        "deck", "i1", (TEAMS, KINDS), See.OWNER, "cards of each kind in the deck (what came unseen in a match: not yet)"
    ),
    Field("deck_size", "i1", (TEAMS,), See.PUBLIC, "cards in the deck, unseen ones too"),
    Field("by_level", "i1", (TEAMS, LEVELS), See.PUBLIC, "cards in the deck by level: P, A, B, C, R"),
    Field("shown", "i1", (TEAMS, KINDS), See.PUBLIC, "copies that everybody has seen in this deck"),
    Field(
        "doubt", "i1", (TEAMS, LEVELS), See.PUBLIC, "cards of the level removed since: so many of `shown` may be gone"
    ),
    Field("boxed", "i1", (TEAMS, P_KINDS), See.OWNER, "starting cards removed for good, by kind"),
    Field(
        "leaving",
        "i1",
        (TEAMS, KINDS),
        See.OWNER,
        "cards on their way to the discards",
    ),
    Field("leaving_by", "i1", (TEAMS, DRAFT_LEVELS), See.PUBLIC, "how many of them are of level A, B, C"),
    # The level decks.
    Field(
        "stack",
        "i1",
        (DRAFT_LEVELS, STACK),
        See.NOBODY,
        "the decks of levels A, B, C, top first; -1: just drawn",
    ),
    Field("stack_size", "i1", (DRAFT_LEVELS,), See.PUBLIC, "their sizes at the start of this phase"),
    Field(
        "taken",
        "i1",
        (DRAFT_LEVELS, TEAMS),
        See.PUBLIC,
        "cards drawn in this phase from each share (of a player or park)",
    ),
    Field("discards", "i1", (DRAFT_LEVELS, STACK), See.MARKED, "discarded cards, oldest first", marks="discards_seen"),
    Field("discards_seen", "i2", (DRAFT_LEVELS, STACK), See.PUBLIC, "audience bits: who knows the discarded card"),
    Field("discards_size", "i1", (DRAFT_LEVELS,), See.PUBLIC, "how many"),
    # The deck phase.
    Field(
        "step",
        "i1",
        (TEAMS,),
        See.PUBLIC,
        "0 ready, 1 level, 2 picking, 3 redrawing, 4 exchanging, 5 removing, 6 new cards are to come",
    ),
    Field("wanted", "i1", (TEAMS,), See.OWNER, "the level chosen while others still choose, or -1"),
    Field("level", "i1", (TEAMS,), See.PUBLIC, "the level drawn from: 0 A, 1 B, 2 C, or -1"),
    Field("display", "i1", (TEAMS, DRAWN), See.OWNER, "the cards drawn, or -1"),
    Field("lying", "i1", (TEAMS,), See.PUBLIC, "bits: places of the display where a card lies"),
    Field("marked", "i1", (TEAMS,), See.PUBLIC, "bits: places of the display to be redrawn"),
    Field("picks", "i1", (TEAMS,), See.PUBLIC, "cards that may still be picked"),
    Field("picked", "i1", (TEAMS,), See.PUBLIC, "cards picked in this phase"),
    Field("redraws", "i1", (TEAMS,), See.PUBLIC, "1 while the redraw is not used"),
    Field("exchange", "i1", (TEAMS,), See.PUBLIC, "the card that offers an exchange, or -1"),
    Field("exchange_left", "i1", (TEAMS,), See.PUBLIC, "cards still to be removed for it"),
    # Matches, by park.
    Field("match_on", "i1", (PARKS,), See.PUBLIC, "0 none, 1 being played, 2 decided"),
    Field("stage", "i1", (PARKS,), See.PUBLIC, "where the match goes on"),
    Field("opener", "i1", (PARKS,), See.PUBLIC, "the team that began, or -1"),
    Field("tossed", "i1", (PARKS,), See.PUBLIC, "1 if the flag was tossed for it"),
    Field("attacker", "i1", (PARKS,), See.PUBLIC, "the attacking team"),
    Field("ask", "i1", (PARKS,), See.PUBLIC, "the effect that asks, or 0"),
    Field("ask_team", "i1", (PARKS,), See.PUBLIC, "who is asked"),
    Field("ask_card", "i1", (PARKS,), See.PUBLIC, "the card that asks"),
    Field("ask_left", "i1", (PARKS,), See.PUBLIC, "cards it may still be about"),
    # Matches, by team. They stay as they ended until the next match begins.
    Field("park", "i1", (TEAMS,), See.PUBLIC, "where the team plays, or -1"),
    Field("rival", "i1", (TEAMS,), See.PUBLIC, "against whom, or -1"),
    Field("pile", "i1", (TEAMS, LARGEST_DECK), See.MARKED, "the shuffled deck, bottom first", marks="pile_seen"),
    Field("pile_seen", "i2", (TEAMS, LARGEST_DECK), See.PUBLIC, "audience bits: who knows the card in this place"),
    Field(
        "pile_new",
        "i1",
        (TEAMS, LARGEST_DECK),
        See.PUBLIC,
        "1, 2: a card of level A, B that nobody has seen",
    ),
    Field("pile_left", "i1", (TEAMS,), See.PUBLIC, "cards in the pile"),
    Field("visible", "i1", (TEAMS, KINDS), See.PUBLIC, "cards lying open in the match being played, by kind"),
    Field(
        "lineup", "i1", (TEAMS, LARGEST_DECK), See.PUBLIC, "cards in the park, oldest first; the last holds the flag"
    ),
    Field("kept", "i1", (TEAMS, LARGEST_DECK), See.PUBLIC, "power that each of them gained at once and keeps"),
    Field("lineup_size", "i1", (TEAMS,), See.PUBLIC, "how many"),
    Field("cheer", "i1", (TEAMS,), See.PUBLIC, "power added to the first card of the next or present attack"),
    Field("bench", "i1", (TEAMS, KINDS), See.PUBLIC, "cards on the bench, by kind"),
    Field("bench_name", "i1", (TEAMS, SEATS_ON_BENCH), See.PUBLIC, "the name that sits on each seat, or -1"),
    Field("helpers", "i1", (TEAMS,), See.PUBLIC, "cards on the bench that help from there"),
    Field("exhausted", "i1", (TEAMS, LARGEST_DECK), See.PUBLIC, "the exhaust pile, oldest first"),
    Field("exhausted_size", "i1", (TEAMS,), See.PUBLIC, "how many"),
    Field(
        "flags_taken", "i1", (TEAMS, KINDS), See.PUBLIC, "how often cards of each kind have taken the flag (up to 100)"
    ),
    # Trophies and the end.
    Field("fans", "i2", (TEAMS,), See.PUBLIC, "fan tokens"),
    Field("trophies", "i1", (TEAMS,), See.PUBLIC, "trophies won"),
    Field("best_trophy", "i1", (TEAMS,), See.PUBLIC, "the latest round a trophy was won in, or 0"),
    Field(
        "winner", "i1", (ROUNDS + 1, PARKS), See.PUBLIC, "who won the match, by round (then the final) and park, or -1"
    ),
    Field("lost_by", "i1", (ROUNDS + 1, PARKS), See.PUBLIC, "why it was lost: 1 power, 2 seats"),
    Field("trophy", "i1", (ROUNDS, PARKS), See.MARKED, "fans on the back of each trophy", marks="trophy_seen"),
    Field("trophy_seen", "i2", (ROUNDS, PARKS), See.PUBLIC, "audience bits: who has seen the back"),
    Field(
        "lots", "i1", (TEAMS,), See.PUBLIC, "the order of equals for the final, lower first: seats, or 8 to 15 by lot"
    ),
    Field("finalists", "i1", (2,), See.PUBLIC, "the best two, or -1"),
    Field("champion", "i1", (), See.PUBLIC, "who has won the tournament, or -1"),
    Field("over", "i1", (), See.PUBLIC, "0 in play, 1 after round 7, 2 by a lead of eleven, 3 by the final"),
)


class State:
    """For readers and type checkers: a record with the fields above."""

    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
