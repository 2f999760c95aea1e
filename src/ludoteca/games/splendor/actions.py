"""The numbered actions of Splendor.

Tokens and slots are written by number, so that both editions share them: colours 1 to 5 in the order of the edition, 6 is
the joker; levels 1 to 3; slots 1 to 4.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from ludoteca.core.actions import Actions
from ludoteca.core.record import Grid, Row

ACTIONS = Actions()

_TRIPLES = list(combinations(range(1, 6), 3))
_PAIRS = list(combinations(range(1, 6), 2))
_SLOTS = list(product(range(1, 4), range(1, 5)))
_HAND = [(n,) for n in range(1, 4)]

TAKE_THREE = ACTIONS.kind("take_three", ("one", "two", "three"), _TRIPLES)
TAKE_TWO = ACTIONS.kind("take_two", ("one", "two"), _PAIRS)
TAKE_ONE = ACTIONS.kind("take_one", ("colour",), [(c,) for c in range(1, 6)])
TAKE_ALIKE = ACTIONS.kind("take_alike", ("colour",), [(c,) for c in range(1, 6)])
RESERVE = ACTIONS.kind("reserve", ("level", "slot"), _SLOTS)
RESERVE_TOP = ACTIONS.kind("reserve_top", ("level",), [(level,) for level in range(1, 4)])
RECRUIT = ACTIONS.kind("recruit", ("level", "slot"), _SLOTS)
RECRUIT_HAND = ACTIONS.kind("recruit_hand", ("slot",), _HAND)
CHOOSE_PAYMENT = ACTIONS.kind("choose_payment", ("level", "slot"), _SLOTS)
CHOOSE_PAYMENT_HAND = ACTIONS.kind("choose_payment_hand", ("slot",), _HAND)
SWAP = ACTIONS.kind("swap", ("colour",), [(c,) for c in range(1, 6)])
PAY_NOW = ACTIONS.kind("pay")
GIVE_BACK = ACTIONS.kind("give_back", ("colour",), [(c,) for c in range(1, 7)])
TAKE_PLACE = ACTIONS.kind("take_place", ("tile",), [(n,) for n in range(1, 6)])
PASS = ACTIONS.kind("pass")

TRIPLES: Grid = np.array(_TRIPLES) - 1
PAIRS: Grid = np.array(_PAIRS) - 1
TRIPLE_BITS: Row = (1 << np.asarray(TRIPLES)).sum(axis=1)  # the same, as a bit for each colour
PAIR_BITS: Row = (1 << np.asarray(PAIRS)).sum(axis=1)
MARKET_CARDS = 12  # a card that can be recruited is 0-11 in the market (level × 4 + slot) or 12-14 in the hand
