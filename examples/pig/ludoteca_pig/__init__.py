"""Pig: roll as often as you dare. Two to four players, one die, and a 1 that takes it all back."""

import pathlib

from ludoteca.core.game import Game, Option

from . import rules, views

GAME = Game(
    key="pig", title="Pig", colour="#c2577a", seats=range(2, 5), minutes=10, version="1",
    folder=pathlib.Path(__file__).parent, options=(Option("goal", tuple(map(str, rules.GOALS))),),
    state=rules.State, actions=rules.ACTIONS, facts=rules.FACTS, choices=rules.CHOICES,
    setup=rules.setup, legal=rules.legal, apply=rules.apply,
    is_over=rules.is_over, scores=rules.scores, ranks=rules.ranks,
    observe=rules.observe, observation=rules.OBSERVATION, appraise=rules.appraise, outlook=rules.outlook,
    view=views.view, choice=views.choice, explain=views.explain,
)  # fmt: skip
