"""What can happen in Challengers!, and what comes with the choices; the rules tell it, everything else is made from it.

A fact happens to a team: a player, or the Robot, which is the team after the players and sits nowhere.
"""

from __future__ import annotations

from dataclasses import replace

from ludoteca.core.facts import (
    FLAG,
    NUMBER,
    Choices,
    Facts,
    Json,
    counted,
    names,
    number,
    optional,
    secret,
    several,
    up_to,
)
from ludoteca.core.record import Plain

from .actions import ACTIONS
from .components import CARDS, DRAFT_LEVELS, LEVEL_NAMES, PARK_NAMES, PARKS, A
from .state import DRAWN, FINAL, FINAL_MATCH, LARGEST_DECK, SEATS_ON_BENCH, TEAMS

# Why a card has more power than is printed on it.
KEPT, ATTACKING, FROM_THE_BENCH, HOLDING, CHEERING = range(5)
REASONS = ("kept", "attacking", "bench", "holding", "cheer")

# Where a card comes from or goes to.
FROM_TOP, FROM_BOTTOM, FROM_BENCH_SEAT, FROM_PARK, TO_EXHAUST = range(5)
PLACES = ("top", "bottom", "bench", "park", "exhausted")

LOOKED_AT = 3  # cards at most
IDS = tuple(card.id for card in CARDS)


def final_is_on(state: Plain) -> bool:
    """Whether the final is being played, or has been."""
    return bool(state.phase == FINAL_MATCH or state.winner[FINAL, 0] >= 0)


def team(state: Plain, team: int) -> Json:
    """The team a fact happens to, and the seat of its player: the Robot has none."""
    return {"seat": team if 0 <= team < state.seats else None, "team": None if team < 0 else team}


CARD = names("card", IDS, meaning={"en": "the id of a card", "it": "l'id di una carta"})
LEVEL = names("level", LEVEL_NAMES)
TEAM = number("team", most=TEAMS - 1)
PARK = names("park", PARK_NAMES, words="park")
PARK_OR_FINAL = replace(
    names("park_or_final", (*PARK_NAMES, "final"), words="park"),
    write=lambda state, park: "final" if final_is_on(state) else PARK_NAMES[park],
    holds=lambda park: 0 <= park < PARKS,
)
PLACE = counted("place", LARGEST_DECK)  # in a line-up or a deck
BENCH_SEAT = counted("bench_seat", SEATS_ON_BENCH)
WHERE = names("where", PLACES)
REASON = names("reason", REASONS, words="bonus")
LOST_BY = names("lost_by", ("power", "seats"), first=1)
HOW_OVER = names("how_over", ("rounds", "lead", "final"), first=1)
SIGNED = number("signed", least=-99)

FACTS = Facts(team, doers={"seat": "number | null", "team": "number"})

# The tournament
ROUND_BEGAN = FACTS.of_the_table("round_began", round=NUMBER)
MATCH_BEGAN = FACTS.kind("match_began", park=PARK_OR_FINAL, rival=TEAM, tossed=FLAG, decks=several(NUMBER, 2))
MATCH_WON = FACTS.kind("match_won", loser=TEAM, lost_by=LOST_BY, park=PARK_OR_FINAL)
TROPHY_WON = FACTS.kind("trophy_won", round=NUMBER, park=PARK, fans=secret(NUMBER))
TROPHY_BOXED = FACTS.kind("trophy_boxed", round=NUMBER, park=PARK)
TROPHIES_OPENED = FACTS.kind("trophies_opened", fans=NUMBER, trophies=NUMBER, best_trophy=NUMBER)
LOTS_DRAWN = FACTS.of_the_table("lots_drawn")
FINALIST = FACTS.kind("finalist", place=NUMBER, fans=NUMBER)
ENDED = FACTS.kind("ended", how=HOW_OVER, fans=NUMBER)

# The deck phase
LEVEL_CHOSEN = FACTS.kind("level_chosen", level=LEVEL, picks=NUMBER)
_DISPLAY = secret(several(optional(CARD), DRAWN))
DREW = FACTS.kind("drew", count=NUMBER, level=LEVEL, cards=_DISPLAY)
REDREW = FACTS.kind("redrew", count=NUMBER, level=LEVEL, cards=_DISPLAY)
PICKED = FACTS.kind("picked", picked=NUMBER, level=LEVEL, card=secret(CARD), place=secret(PLACE))
STOPPED = FACTS.kind("stopped", picked=NUMBER)
REMOVED = FACTS.kind("removed", level=LEVEL, deck=NUMBER, card=secret(CARD))
DECLINED = FACTS.kind("declined", card=CARD)
BECAME_READY = FACTS.kind("ready", deck=NUMBER, picked=NUMBER)

# A match
REVEALED = FACTS.kind("revealed", card=CARD, base=NUMBER, place=PLACE, opening=FLAG)
BONUS = FACTS.kind("bonus", card=CARD, amount=SIGNED, why=REASON, place=PLACE)
COMPARED = FACTS.kind("compared", attack=NUMBER, flag=NUMBER, cards=NUMBER)
TOOK_FLAG = FACTS.kind("took_flag", card=CARD, power=NUMBER, place=PLACE)
BENCHED = FACTS.kind("benched", card=CARD, place=BENCH_SEAT, count=NUMBER)
NO_SEAT = FACTS.kind("no_seat", card=CARD)
EXHAUSTED = FACTS.kind("exhausted", card=CARD, from_=WHERE, cause=CARD)
RECALLED = FACTS.kind("recalled", card=CARD, cause=CARD)
LOOKED = FACTS.kind("looked", count=NUMBER, cause=CARD, cards=secret(up_to(CARD, LOOKED_AT)))
REORDERED = FACTS.kind("reordered", count=NUMBER, cause=CARD, cards=secret(up_to(CARD, LOOKED_AT)))
SANK = FACTS.kind("sank", cause=CARD, to=WHERE, card=secret(CARD), place=secret(PLACE))
SEARCHED = FACTS.kind("searched", count=NUMBER, cause=CARD)
GAINED_CARD = FACTS.kind("gained_card", level=LEVEL, to=WHERE, cause=CARD, card=optional(CARD))
LEFT_DECK = FACTS.kind("left_deck", card=CARD)
CHEERED = FACTS.kind("cheered", card=CARD, amount=NUMBER)
GAINED_FANS = FACTS.kind("gained_fans", fans=NUMBER, cause=CARD, total=NUMBER)
ASKED = FACTS.kind("asked", card=CARD, left=NUMBER)
PASSED = FACTS.kind("passed", card=CARD)

CHOICES = Choices(
    ACTIONS,
    {"card": CARD, "level": names("draft_level", LEVEL_NAMES[A : A + DRAFT_LEVELS])},
    choose_level={"picks": NUMBER},
    pick={"card": CARD},
    mark={"card": CARD},
    next={"card": CARD, "turn": NUMBER},
    to_bottom={"card": CARD},
    find={"card": CARD, "where": names("end_of_deck", ("top", "bottom"))},
)
