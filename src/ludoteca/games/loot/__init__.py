"""Loot, the roll-and-write of the SPIEL fair in Essen.

One to four players walk the same fair, each on a sheet of their own: three dice lie in a queue, everybody walks the
number of the first one at once, marks the stand and circles what it completes. Hidden: the dice to come, and moves until
all have moved.
"""

from __future__ import annotations

import pathlib

from ludoteca.core.game import Game, Option

from . import advice, beliefs, drawing, features, observe, rules, terminal, views, words
from .actions import ACTIONS, SEALED
from .components import FORM, SHEET_NAMES, SHEET_TITLES
from .facts import CHOICES, FACTS
from .state import State

GAME = Game(
    key="loot",
    title="Loot",
    colour="#0f7f86",
    seats=range(1, 5),
    minutes=20,
    version="2",
    folder=pathlib.Path(__file__).parent,
    options=(Option("sheet", SHEET_NAMES, SHEET_TITLES), Option("first_dice", ("ordered", "rolled"))),
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
    imagine=beliefs.imagine,
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
    components=views.components,
    behind_screen=dict.fromkeys(SEALED, True),
    spoken=words.SPOKEN,
    things={"hall": ("colour", "size"), "combo": ("line",), "gained": ("ability",)},
    picture=terminal.picture,
    board=terminal.board,
    lookup=terminal.lookup,
    draw=drawing.draw,
    forms=(FORM,),
    thinking={"exploration": 0.15, "cut": 0, "looks": 8},
    levels={  # each against the next: docs/performance.md
        "newcomer": {"kind": "glance", "looks": 2, "noise": 0.7},
        "novice": {"kind": "glance", "looks": 3},
        "club": {"kind": "glance", "looks": 6},
        "expert": {"kind": "search", "iterations": 50, "weights": "-"},
        # Dice are loud: candidates are compared in the same ones, played on by what looks best for eight rounds.
        "master": {"iterations": 12000, "rounds": 8, "looks": 0, "candidates": 8},
    },
    # Near the end one's own best answers count, which a tree finds and the best looking move may miss.
    judging={"candidates": 0, "rounds": 0, "looks": 8, "exploration": 0.08},
    log_rows=64,
    longest=40_000,  # four seats, 98 marks each, never 20 rounds without one
)
