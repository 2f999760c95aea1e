"""The numbered actions of King of Con.

A hid-bid is one action (`bid 2 5`: five tokens at Booth 2) and seals at once. Looting is a chain: `place I05 4`,
`place I18 2`, `seal`, the Items in the order of the Quadrant, so that every set of offers can be made in one way.
"""

from __future__ import annotations

from itertools import product

from ludoteca.core.actions import Actions

from .components import BOOTHS, ITEM_LIST, PASSIONS, TOKENS

ACTIONS = Actions()

_IDS = [(item.id,) for item in ITEM_LIST]
_AMOUNTS = range(1, TOKENS + 1)
_CHARACTERISTICS = [(number,) for number in range(1, PASSIONS + 1)]

PUT_BACK = ACTIONS.kind("put_back", ("passion",), _CHARACTERISTICS)
BID = ACTIONS.kind("bid", ("booth", "tokens"), product(range(1, BOOTHS + 1), _AMOUNTS))
PASS = ACTIONS.kind("pass")
PLACE = ACTIONS.kind("place", ("item", "tokens"), [(item, n) for (item,), n in product(_IDS, _AMOUNTS)])
SEAL = ACTIONS.kind("seal")
CLAIM = ACTIONS.kind("claim", ("item",), _IDS)
CONCEDE = ACTIONS.kind("concede", ("item",), _IDS)
CLAIM_DOMINANCE = ACTIONS.kind("claim_dominance", ("characteristic",), _CHARACTERISTICS)
CONCEDE_DOMINANCE = ACTIONS.kind("concede_dominance", ("characteristic",), _CHARACTERISTICS)
