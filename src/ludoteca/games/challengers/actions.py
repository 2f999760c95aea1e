"""The numbered actions of Challengers!: deck phase first, then the questions that cards ask in a match."""

from __future__ import annotations

from ludoteca.core.actions import Actions

from .components import CARDS, DRAFT_LEVELS
from .state import DRAWN, LARGEST_DECK

ACTIONS = Actions()

_CARDS = [(card.id,) for card in CARDS]
_PLACES = [(n,) for n in range(1, DRAWN + 1)]

CHOOSE_LEVEL = ACTIONS.kind("choose_level", ("level",), [(level,) for level in "ABC"[:DRAFT_LEVELS]])
PICK = ACTIONS.kind("pick", ("place",), _PLACES)
MARK = ACTIONS.kind("mark", ("place",), _PLACES)
REDRAW_NOW = ACTIONS.kind("redraw")
STOP = ACTIONS.kind("stop")
REMOVE = ACTIONS.kind("remove", ("card",), _CARDS)
DECLINE = ACTIONS.kind("decline")
GET_READY = ACTIONS.kind("ready")

CHOOSE = ACTIONS.kind("choose", ("card",), _CARDS)
ENOUGH = ACTIONS.kind("enough")
NEXT = ACTIONS.kind("next", ("place",), [(n,) for n in range(1, 4)])
TO_BOTTOM = ACTIONS.kind("to_bottom", ("place",), [(n,) for n in range(1, 3)])
FIND = ACTIONS.kind("find", ("place",), [(n,) for n in range(1, LARGEST_DECK + 1)])
