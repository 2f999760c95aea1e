"""King of Con: two to five nerds at a convention, sealed offers and bluff.

Six rounds: four Items come up, three hid-bids sell them, then everybody may loot everybody, and the best Collections
bring new tokens. Hidden: the supplies, the Passions, and what is offered until all screens go up.
"""

from __future__ import annotations

import pathlib

from ludoteca.core.game import Game, Option

from . import advice, beliefs, drawing, features, observe, rules, terminal, views, words
from .actions import ACTIONS
from .components import FORM
from .facts import CHOICES, FACTS
from .state import State

# Offers are simultaneous: play-outs long enough for all screens to go up, and a choice drawn among the best.
THINKING = {"exploration": 0.3, "widening": 1.0, "cut": 10, "looks": 6, "mixing": 0.3}

GAME = Game(
    key="king_of_con",
    title="King of Con",
    colour="#ee4a78",
    seats=range(2, 6),
    minutes=60,
    version="2",
    folder=pathlib.Path(__file__).parent,
    options=(
        Option("passions", ("three_keep_two", "two_first_game")),
        Option("monkey_control", ("off", "on")),
        Option("bluffing_by_mistake", ("off", "on")),
        Option("scenario", ("none",)),  # the place for named variants: none is described in the rulebooks (§1.8)
    ),
    state=State,
    actions=ACTIONS,
    facts=FACTS,
    choices=CHOICES,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    is_over=rules.is_over,
    scores=rules.scores,
    ranks=rules.ranks,
    determinize=beliefs.determinize,
    observe=observe.observe,
    observation=observe.OBSERVATION,
    observation_names=observe.OBSERVATION_NAMES,
    appraise=advice.appraise,
    outlook=advice.outlook,
    features=features.features,
    feature_names=features.FEATURE_NAMES,
    view=views.VIEW.view,
    parts=views.VIEW,
    choice=views.choice,
    explain=views.explain,
    reasons=views.reasons,
    shuffles=views.shuffles,
    exchange=views.exchange,
    components=views.components,
    spoken=words.SPOKEN,
    things={"bought": ("item",), "looted": ("item",), "epic": ("characteristic",)},
    picture=terminal.picture,
    board=terminal.board,
    lookup=terminal.lookup,
    draw=drawing.draw,
    forms=(FORM,),
    by_seat=("supply", "passions"),
    behind_screen={"put_back": True, "bid": True, "pass": True, "place": False, "seal": True},
    imagine=beliefs.imagine,
    stays_secret=views.stays_secret,
    thinking=THINKING,
    levels={  # each against the next: docs/performance.md
        "newcomer": {"kind": "glance", "looks": 2},
        "novice": {"kind": "greedy"},
        "club": {"iterations": 80},
        "expert": {"iterations": 400},
        # Plays on to the end of the round, when all is open and settled: a surer judgement, in half the time. Everybody
        # makes the best looking offer of all meanwhile: of a few drawn at random, five players' are too foolish.
        "master": {"rounds": 1, "exploration": 0.15, "looks": 0},
    },
    judging={"looks": 6},  # reviews look at far more positions: there the quicker way serves as well
    trust={2: 0.7},  # of 2,000 games for two; with more players what they hide makes a judge doubt by itself
    log_rows=2048,  # the longest answer to one decision: a looting with 120 offers, and whip-rounds after it
)
