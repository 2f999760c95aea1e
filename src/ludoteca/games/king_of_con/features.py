"""What a learned judgement looks at in a seat's position where a round begins: there the strongest level judges."""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .advice import rounds_left
from .components import BOOTHS, ITEMS, PASSIONS, SHARED_BY, SHARING, TOKENS, TRAITS
from .rules.ending import EPIC_SIZE, KEPT, final_standing
from .rules.looting import value
from .rules.show_off import EIGHTS, ONES, collected, items_among
from .state import ON_BOOTH, ON_STALL, SEATS, State

FEATURE_NAMES = (
    ("seats", 4),
    ("rounds left", 6),
    ("if this were the end: points beside the best rival, the same with fewer rounds left, ahead", 3),
    ("tokens: supply, with fewer rounds left, many, more than the richest rival", 4),
    ("Monkey, pool", 2),
    ("Items: how many, tokens on them, the first three of those, none, one, in reach of a rival", 6),
    ("characteristics: most Items, clearly, tied, two Items, three, four or more", 6),
    ("Epic Collections completed by an Item on a Booth, on the Stall, with others, there in reach", 4),
    ("Passions met: now, the same with fewer rounds left, by Items in reach of a rival", 3),
    ("Passions: on Booths, on the Stall, with others, in the deck", 4),
    ("characteristics on Booths of which one would have most Items, or as many", 2),
    ("where somebody may complete an Epic Collection: points beside the best rival, ahead", 2),
)
FEATURES = sum(size for _, size in FEATURE_NAMES)
LEAD, SUPPLY, MONKEY, OWNED, MAJORITIES, EPICS, MET, PASSION, NEARER, DECIDED = 10, 13, 17, 19, 25, 31, 35, 38, 42, 44
assert FEATURES == DECIDED + 2

BITS = 4  # of a characteristic in `collected`
ONLY = (1 << BITS) - 1
A_POINT = SEATS * (TOKENS + 1)  # in `final_standing`
SO_MANY = 6.0  # points, rounds: most numbers lie between -1 and 1


@kernel
def features(state: State, seat: int, out: NumberList) -> None:
    """Fills in the features of a seat; `out` is all zero before."""
    left = rounds_left(state)
    late = 1.0 - left / SO_MANY
    out[state.seats - 2] = 1.0
    out[4 + min(left, 5)] = 1.0
    mine = collected(state, seat)
    supply = int(state.supply[seat])
    richest, best, most, near = 0, 0, 0, 0
    for other in range(state.seats):
        if other != seat:
            theirs = collected(state, other)
            richest = max(richest, int(state.supply[other]))
            best = max(best, final_standing(state, other))
            near += completing(state, other, theirs)
            most = at_most(most, theirs)
    standing = final_standing(state, seat)
    ahead = standing > best
    # Half a point where only tokens on Items or Monkeys decide.
    lead = (standing // A_POINT - best // A_POINT + (0.5 if ahead else -0.5)) / SO_MANY
    out[LEAD] = lead
    out[LEAD + 1] = lead * late
    out[LEAD + 2] = 1.0 if ahead else 0.0
    out[SUPPLY] = supply / 15.0
    out[SUPPLY + 1] = supply / 15.0 * late
    out[SUPPLY + 2] = max(0, supply - 10) / 10.0
    out[SUPPLY + 3] = (supply - richest) / 15.0
    out[MONKEY] = state.monkeys[seat] / state.seats
    out[MONKEY + 1] = state.pool / 60.0
    near += completing(state, seat, mine)
    if near > 0:
        out[DECIDED] = lead
        out[DECIDED + 1] = 1.0 if ahead else 0.0
    out[OWNED] = items_among(mine) / 8.0
    count_tokens(state, seat, richest, out)
    count_majorities(mine, most, out)
    count_epics(state, seat, mine, out)
    for place in range(KEPT):
        if state.passions[seat, place] >= 0:
            count_passion(state, seat, int(state.passions[seat, place]), richest, out)
    out[MET + 1] = out[MET] * late
    count_booths(state, mine, most, out)


@kernel
def at_most(most: int, theirs: int) -> int:
    """The larger number of each characteristic: all are five at most, so eight more than one less another tells."""
    more = (theirs | EIGHTS) - most - ONES & EIGHTS
    return most ^ (most ^ theirs) & (more >> 3) * ONLY


@kernel
def completing(state: State, seat: int, counts: int) -> int:
    """How many Items in a seat's reach would complete an Epic Collection."""
    found = 0
    if one_short(counts) == 0:
        return 0
    for trait in range(PASSIONS):
        if counts >> BITS * trait & ONLY == EPIC_SIZE - 1:
            for n in range(SHARING):
                item = SHARED_BY[trait, n]
                place = int(state.location[item])
                if place >= 0 and place != seat:
                    found += place >= ON_BOOTH or state.supply[seat] > value(state, item)
    return found


@kernel
def one_short(counts: int) -> int:
    """Not 0 if three Items, or more, share a characteristic."""
    return counts + (5 * ONES) & EIGHTS


@kernel
def count_tokens(state: State, seat: int, richest: int, out: NumberList) -> None:
    """What lies on one's own Items."""
    tokens, three, bare, one, reached = 0, 0, 0, 0, 0
    for item in range(ITEMS):
        mine = int(state.location[item] == seat)
        worth = int(state.worth[item])
        tokens += mine * worth
        three += mine * min(worth, 3)
        bare += mine * (worth == 0)
        one += mine * (worth == 1)
        reached += mine * (richest > worth)
    out[OWNED + 1] = tokens / 10.0
    out[OWNED + 2] = three / 10.0
    out[OWNED + 3] = bare / 5.0
    out[OWNED + 4] = one / 5.0
    out[OWNED + 5] = reached / 5.0


@kernel
def count_majorities(mine: int, most: int, out: NumberList) -> None:
    """Of each characteristic, how many Items beside the rival who has most."""
    ahead, clearly, tied, two, three, epic = 0, 0, 0, 0, 0, 0
    for trait in range(PASSIONS):
        have = mine >> BITS * trait & ONLY
        theirs = most >> BITS * trait & ONLY
        ahead += have > theirs
        clearly += have > theirs + 1
        tied += have == theirs and have > 0
        two += have == EPIC_SIZE - 2
        three += have == EPIC_SIZE - 1
        epic += have >= EPIC_SIZE
    out[MAJORITIES] = 0.15 * ahead
    out[MAJORITIES + 1] = 0.15 * clearly
    out[MAJORITIES + 2] = 0.15 * tied
    out[MAJORITIES + 3] = 0.2 * two
    out[MAJORITIES + 4] = 0.3 * three
    out[MAJORITIES + 5] = 0.5 * epic


@kernel
def count_epics(state: State, seat: int, mine: int, out: NumberList) -> None:
    """Where the fourth Item of an Epic Collection is."""
    if one_short(mine) == 0:
        return
    for trait in range(PASSIONS):
        if mine >> BITS * trait & ONLY == EPIC_SIZE - 1:
            for n in range(SHARING):
                item = SHARED_BY[trait, n]
                place = int(state.location[item])
                if place >= ON_BOOTH:
                    out[EPICS] += 0.5
                elif place == ON_STALL:
                    out[EPICS + 1] += 0.5
                elif place >= 0 and place != seat:
                    out[EPICS + 2] += 0.5
                    out[EPICS + 3] += 0.5 if state.supply[seat] > state.worth[item] else 0.0


@kernel
def count_passion(state: State, seat: int, passion: int, richest: int, out: NumberList) -> None:
    """Where the Items are that meet a Passion."""
    for n in range(SHARING):
        item = SHARED_BY[passion, n]
        place = int(state.location[item])
        if place == seat:
            out[MET] += 0.25
            out[MET + 2] += 0.25 if richest > state.worth[item] else 0.0
        elif place >= ON_BOOTH:
            out[PASSION] += 0.25
        elif place == ON_STALL:
            out[PASSION + 1] += 0.25
        elif place >= 0:
            out[PASSION + 2] += 0.25
        else:
            out[PASSION + 3] += 0.25


@kernel
def count_booths(state: State, mine: int, most: int, out: NumberList) -> None:
    """What the Items to be sold would bring in a Show Off."""
    more, tied = 0, 0
    for booth in range(BOOTHS):
        item = int(state.booths[booth])
        if item >= 0:
            for n in range(3):
                have = mine >> BITS * TRAITS[item, n] & ONLY
                theirs = most >> BITS * TRAITS[item, n] & ONLY
                more += have == theirs
                tied += have + 1 == theirs
    out[NEARER] = 0.2 * more
    out[NEARER + 1] = 0.2 * tied
