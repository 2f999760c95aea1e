"""Splendor: Marvel, and base Splendor as an edition.

Two to four players collect gems, recruit characters whose bonuses make the next ones cheaper, win places, and race to
assemble the Gauntlet. Hidden: the order of the decks, and cards reserved face down.
"""

from __future__ import annotations

import pathlib

from ludoteca.core.game import Game, Option

from . import advice, beliefs, drawing, features, observe, rules, terminal, views, words, written
from .actions import ACTIONS
from .components import FORMS, IN_BOX
from .facts import CHOICES, FACTS
from .state import State

GAME = Game(
    key="splendor",
    title="Splendor: Marvel",
    colour="#1b1446",
    seats=range(2, 5),
    minutes=30,
    version="1",
    folder=pathlib.Path(__file__).parent,
    options=(Option("edition", IN_BOX),),
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
    view=written.view,
    choice=written.choice,
    own=written.own,
    write=written.write,
    write_own=written.write_own,
    offer=written.offer,
    explain=views.explain,
    reasons=views.reasons,
    shuffles=views.shuffles,
    exchange=views.exchange,
    components=views.components,
    spoken=words.SPOKEN,
    things={"recruited": ("card",), "reserved": ("card",), "received": ("place",)},
    picture=terminal.picture,
    board=terminal.board,
    lookup=terminal.lookup,
    draw=drawing.draw,
    forms=FORMS,
    imagine=beliefs.imagine,
    thinking={"exploration": 0.3},
    by_seat=("hand",),
    levels={"master": {"cut": 2, "exploration": 0.2}},  # what was learned judges sooner than `outlook`
)
