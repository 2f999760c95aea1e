"""The numbered actions of Loot. Rows and columns are 1 to 7 from the top left."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from ludoteca.core.actions import Actions
from ludoteca.core.record import Grid

from .components import BORDER, DIRECTIONS, SIDE, SQUARES

ACTIONS = Actions()

_ORDERS = list(permutations(range(1, 4)))

START = ACTIONS.kind("start", ("row", "column"), [(s // SIDE + 1, s % SIDE + 1) for s in BORDER.tolist()])
ORDER = ACTIONS.kind("order", ("first", "second", "third"), _ORDERS)  # places of the rolled dice
WALK = ACTIONS.kind("walk", ("direction",), [(d,) for d in DIRECTIONS])
WALK_WRAP = ACTIONS.kind("walk_wrap", ("direction",), [(d,) for d in DIRECTIONS])
WALK_MINUS = ACTIONS.kind("walk_minus", ("direction",), [(d,) for d in DIRECTIONS])
WALK_PLUS = ACTIONS.kind("walk_plus", ("direction",), [(d,) for d in DIRECTIONS])
RELOCATE = ACTIONS.kind("relocate", ("row", "column"), product(range(1, SIDE + 1), repeat=2))
STAY = ACTIONS.kind("stay")

SEALED = tuple(kind for kind in ACTIONS.names if kind != "order")  # decided by everybody at once

ORDERS: Grid = np.array(_ORDERS) - 1
assert STAY - RELOCATE == SQUARES
