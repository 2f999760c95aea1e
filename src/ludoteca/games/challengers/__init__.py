"""Challengers!: a tournament of capture the flag, played by decks that everybody improves between matches.

One to eight players draft cards for seven rounds, all at once; in each round their decks fight in the parks, by themselves
but for the few questions that cards ask. The two with most fans meet in the final. Hidden: decks, their order, the backs
of trophies.
"""

from __future__ import annotations

import pathlib

from ludoteca.core.game import Game, Option

from . import advice, beliefs, drawing, experience, features, observe, rules, terminal, views, words
from .actions import ACTIONS
from .components import FORM, MOMENTS
from .facts import CHOICES, FACTS
from .rules.setup import SETS_OPTION
from .state import State

GAME = Game(
    key="challengers",
    title="Challengers!",
    colour="#2a9d4e",
    seats=range(1, 9),
    minutes=45,
    version="2",
    folder=pathlib.Path(__file__).parent,
    options=(
        Option("sets", SETS_OPTION),
        Option("robot", ("1", "2", "3", "4", "5")),
        Option("solo_cards", ("without", "with")),
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
    experience=experience.experience,
    view=views.view,
    own=views.own_view,
    choice=views.choice,
    spoken=words.SPOKEN,
    things={"picked": ("card",)},
    picture=terminal.picture,
    board=terminal.board,
    lookup=terminal.lookup,
    draw=drawing.draw,
    forms=(FORM,),
    fitting={"effect": {effect: {"timing": moments} for effect, moments in MOMENTS.items()}},
    explain=views.explain,
    reasons=views.reasons,
    shuffles=views.shuffles,
    components=views.components,
    by_seat=("pile",),
    behind_screen={"choose_level": True},
    teams=lambda seats: seats + seats % 2,  # §9.1 the Robot makes the number even
    rival_alone=True,  # §9.10 the Robot
    # Each against the next: docs/performance.md. Matches are chancy: what thinks longest is not far above what looks best.
    levels={
        "newcomer": {"kind": "glance", "looks": 2, "noise": 0.7},
        "novice": {"kind": "glance", "looks": 4},
        "club": {"kind": "glance", "looks": 6, "noise": 0.12},
        "expert": {"kind": "search", "iterations": 40, "rounds": 2, "looks": 0, "candidates": 4, "weights": "-"},
        "master": {"iterations": 16000, "rounds": 2, "looks": -1, "candidates": 8, "faith": 64},
    },
    judging={"looks": 0},  # reviews were calibrated with what looks best, which is quicker too
    log_rows=8192,
    dealt_face_down=("trophy",),
)
