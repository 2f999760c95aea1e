"""§6 What the cards do.

`resolve` does the effect of a card whose moment has come: its row in `components/cards.csv` says which of the small
functions below that is, how much, and of which cards it speaks. Power that counts while attacking, while holding the flag
or from the bench is arithmetic and lives in `power.py`; exchanges (when chosen) belong to the deck phase and live in
`drafting.py`.

A card that asks sets `ask` and lets its player wait; `answer` takes the decision, and the match goes on where it stopped.
The Robot is never asked: it declines what it may and leaves to chance what it must (§9.7).
"""

from __future__ import annotations

from ludoteca.core.chance import below_own
from ludoteca.core.kernel import ActionList, Log, kernel
from ludoteca.core.log import NOTHING, tell
from ludoteca.core.record import EVERYONE

from ..actions import CHOOSE, ENOUGH, FIND, NEXT, TO_BOTTOM
from ..components import (
    AMOUNT,
    BENCH_RIVAL_TOP,
    CHEER,
    EFFECT,
    EXHAUST,
    EXHAUST_BOTTOM,
    EXHAUST_RIVAL,
    EXHAUST_RIVAL_TOP,
    FANS,
    GAIN_BOTTOM,
    GAIN_TOP,
    KINDS,
    LEVEL,
    LOWEST,
    MUST,
    POWER_BONUS,
    RECALL,
    REORDER,
    REPLACE,
    RETIRE,
    RIVAL_EXHAUSTS,
    RIVAL_FANS,
    RIVAL_GAINS_TOP,
    RIVAL_RECALLS,
    SEARCH_BOTTOM,
    SEARCH_TOP,
    SINK,
    A,
)
from ..facts import (
    ASKED,
    CHEERED,
    FROM_BENCH_SEAT,
    FROM_BOTTOM,
    FROM_PARK,
    FROM_TOP,
    GAINED_CARD,
    LEFT_DECK,
    LOOKED,
    PASSED,
    RECALLED,
    REORDERED,
    SANK,
    SEARCHED,
    TO_EXHAUST,
)
from ..state import PLAYING, State
from .power import fits, fitting_on_bench, measured
from .trophies import gain_fans
from .zones import (
    draw_share,
    exhaust,
    has_room,
    know,
    leave,
    open_bottom,
    open_top,
    own,
    put_into_pile,
    return_to_top,
    sit_down,
    stand_up,
    take_from_pile,
)


@kernel
def resolve(state: State, team: int, kind: int, log: Log) -> bool:
    """Does what the card says, as far as possible (§6.1); False when it leaves the rival without a seat."""
    effect = EFFECT[kind]
    rival = int(state.rival[team])
    if effect == POWER_BONUS:
        state.kept[team, state.lineup_size[team] - 1] += AMOUNT[kind] * measured(state, team, kind)
    elif effect == FANS:
        gain_fans(state, team, AMOUNT[kind] * measured(state, team, kind), kind, log)
    elif effect == RIVAL_FANS:
        gain_fans(state, rival, AMOUNT[kind] * measured(state, team, kind), kind, log)
    elif effect in (EXHAUST, RECALL):
        ask_bench(state, team, team, kind, log)
    elif effect == EXHAUST_RIVAL:
        ask_bench(state, team, rival, kind, log)
    elif effect in (RIVAL_EXHAUSTS, RIVAL_RECALLS):
        ask_bench(state, rival, rival, kind, log)
    elif effect == SINK:
        ask_sink(state, team, kind, log)
    elif effect == REORDER:
        ask_order(state, team, kind, log)
    elif effect in (SEARCH_TOP, SEARCH_BOTTOM):
        ask_search(state, team, kind, log)
    elif effect == EXHAUST_RIVAL_TOP:
        if state.pile_left[rival] > 0:
            exhaust(state, rival, open_top(state, rival), FROM_TOP, kind, log)
    elif effect == EXHAUST_BOTTOM:
        if state.pile_left[team] > 0:
            exhaust(state, team, open_bottom(state, team), FROM_BOTTOM, kind, log)
    elif effect == GAIN_TOP:
        gain_cards(state, team, kind, FROM_TOP, log)
    elif effect == GAIN_BOTTOM:
        gain_cards(state, team, kind, FROM_BOTTOM, log)
    elif effect == RIVAL_GAINS_TOP:
        gain_cards(state, rival, kind, FROM_TOP, log)
    elif effect == BENCH_RIVAL_TOP:
        if state.pile_left[rival] > 0:
            return sit_down(state, rival, open_top(state, rival), log)
    elif effect == RETIRE:
        state.lineup_size[team] -= 1
        exhaust(state, team, kind, FROM_PARK, kind, log)
    elif effect == CHEER:
        state.cheer[team] = AMOUNT[kind]
        tell(log, CHEERED, team, EVERYONE, kind, AMOUNT[kind])
    elif effect == REPLACE:
        replace(state, team, kind, log)
    return True


# Cards from the level decks


@kernel
def gain_cards(state: State, team: int, kind: int, where: int, log: Log) -> None:
    """Cards of a level deck join the pile unseen; they stay in the deck (§6.19). Each park has its share (§6.20)."""
    for _ in range(AMOUNT[kind]):
        if not has_room(state, team):
            return
        new = draw_share(state, LOWEST[kind] - A, state.park[team], state.parks)
        if new < 0:
            return
        state.deck_size[team] += 1
        put_into_pile(state, team, state.pile_left[team] if where == FROM_TOP else 0, new, 0, LEVEL[new])
        tell(log, GAINED_CARD, team, EVERYONE, LOWEST[kind], where, kind, NOTHING)


@kernel
def replace(state: State, team: int, kind: int, log: Log) -> None:
    """The card in the park leaves the deck for good; one of a level deck comes, face up, to the exhaust pile."""
    new = draw_share(state, LOWEST[kind] - A, state.park[team], state.parks)
    if new < 0 and state.deck_size[team] == 1:
        return  # §4.3 the last card stays when none comes for it
    state.lineup_size[team] -= 1
    state.visible[team, kind] -= 1
    state.deck[team, kind] -= 1
    state.by_level[team, LEVEL[kind]] -= 1
    state.deck_size[team] -= 1
    if state.shown[team, kind] > 0:
        state.shown[team, kind] -= 1
    leave(state, team, kind)
    tell(log, LEFT_DECK, team, EVERYONE, kind)
    if new >= 0:
        own(state, team, new)
        state.deck_size[team] += 1
        state.visible[team, new] += 1
        tell(log, GAINED_CARD, team, EVERYONE, LEVEL[new], TO_EXHAUST, kind, new)
        exhaust(state, team, new, TO_EXHAUST, kind, log)


# Asking


@kernel
def ask_player(state: State, team: int, kind: int, left: int, log: Log) -> None:
    """The match stops until this player has decided."""
    park = state.park[team]
    state.ask[park] = EFFECT[kind]
    state.ask_team[park] = team
    state.ask_card[park] = kind
    state.ask_left[park] = left
    state.waiting[team] = 1
    tell(log, ASKED, team, EVERYONE, kind, left)


@kernel
def end_question(state: State, park: int) -> None:
    state.waiting[state.ask_team[park]] = 0
    state.ask[park] = 0
    state.ask_left[park] = 0


@kernel
def legal_answers(state: State, park: int, actions: ActionList) -> int:
    """What may be answered to the card that asks."""
    effect = int(state.ask[park])
    kind = int(state.ask_card[park])
    left = int(state.ask_left[park])
    team = int(state.ask_team[park])
    n = 0
    if effect == SINK:
        for place in range(2):
            actions[place] = TO_BOTTOM + place
        return 2
    if effect == REORDER:
        for place in range(left):
            actions[place] = NEXT + place
        return left
    if effect in (SEARCH_TOP, SEARCH_BOTTOM):
        for place in range(state.pile_left[team]):
            actions[place] = FIND + place
        return int(state.pile_left[team])
    bench = bench_asked(state, park)
    for card in range(KINDS):
        if state.bench[bench, card] > 0:
            actions[n] = CHOOSE + card
            n += fits(state, kind, card)
    if not MUST[kind]:
        actions[n] = ENOUGH
        n += 1
    return n


@kernel
def answer(state: State, park: int, action: int, log: Log) -> None:
    """Takes the decision of the player who is asked."""
    team = int(state.ask_team[park])
    kind = int(state.ask_card[park])
    if action < ENOUGH:
        choose_on_bench(state, park, action - CHOOSE, log)
    elif action < NEXT:
        tell(log, PASSED, team, EVERYONE, kind)
        end_question(state, park)
    elif action < TO_BOTTOM:
        put_next(state, park, action - NEXT, log)
    elif action < FIND:
        end_question(state, park)
        sink(state, team, kind, action - TO_BOTTOM, log)
    else:
        end_question(state, park)
        found(state, team, kind, action - FIND, log)


@kernel
def only_owner(state: State, team: int) -> int:
    """Audience bits of what only the owner of a deck may know; of the Robot's deck nobody."""
    return (1 << team) if team < state.seats else 0


# Cards of a bench


@kernel
def bench_asked(state: State, park: int) -> int:
    """The bench of which the question speaks."""
    team = int(state.ask_team[park])
    return int(state.rival[team]) if state.ask[park] == EXHAUST_RIVAL else team


@kernel
def ask_bench(state: State, team: int, bench: int, kind: int, log: Log) -> None:
    """`team` chooses among the cards of `bench` that the card speaks of; nobody is asked when nothing is to choose."""
    fitting = fitting_on_bench(state, bench, kind)
    if fitting == 0:
        return
    if team >= state.seats:
        if MUST[kind]:  # §9.7
            move_from_bench(
                state,
                bench,
                any_on_bench(state, bench, kind, below_own(state, state.streams, team, fitting)),
                kind,
                log,
            )
        return
    first = any_on_bench(state, bench, kind, 0)
    if MUST[kind] and state.bench[bench, first] == fitting:
        move_from_bench(state, bench, first, kind, log)
        return
    ask_player(state, team, kind, AMOUNT[kind], log)


@kernel
def any_on_bench(state: State, bench: int, kind: int, number: int) -> int:
    """The fitting card number `number` of a bench."""
    for card in range(KINDS):
        if state.bench[bench, card] > 0 and fits(state, kind, card):
            number -= state.bench[bench, card]
            if number < 0:
                return card
    return -1


@kernel
def choose_on_bench(state: State, park: int, card: int, log: Log) -> None:
    bench = bench_asked(state, park)
    kind = int(state.ask_card[park])
    move_from_bench(state, bench, card, kind, log)
    state.ask_left[park] -= 1
    if state.ask_left[park] == 0 or fitting_on_bench(state, bench, kind) == 0:
        end_question(state, park)


@kernel
def move_from_bench(state: State, bench: int, card: int, cause: int, log: Log) -> None:
    """§6.3 to the exhaust pile, or §6.4 back onto the deck."""
    stand_up(state, bench, card)
    if EFFECT[cause] == RECALL or EFFECT[cause] == RIVAL_RECALLS:
        return_to_top(state, bench, card)
        tell(log, RECALLED, bench, EVERYONE, card, cause)
    else:
        exhaust(state, bench, card, FROM_BENCH_SEAT, cause, log)


# Two cards from the top: one goes to the bottom


@kernel
def ask_sink(state: State, team: int, kind: int, log: Log) -> None:
    """§6.6 With fewer than two cards nothing happens."""
    if state.pile_left[team] < 2:
        return
    if team >= state.seats:
        sink(state, team, kind, below_own(state, state.streams, team, 2), log)
        return
    look(state, team, 2, kind, log)
    ask_player(state, team, kind, 1, log)


@kernel
def look(state: State, team: int, count: int, cause: int, log: Log) -> None:
    """The owner looks at the uppermost cards, and the record remembers it."""
    top = state.pile_left[team] - 1
    for n in range(count):
        know(state, team, top - n)
    tell_uppermost(state, team, LOOKED, count, cause, log)


@kernel
def tell_uppermost(state: State, team: int, event: int, count: int, cause: int, log: Log) -> None:
    """That the owner knows the uppermost cards now; which ones is only for the owner."""
    top = state.pile_left[team] - 1
    first = state.pile[team, top]
    second = state.pile[team, top - 1] if count > 1 else NOTHING
    third = state.pile[team, top - 2] if count > 2 else NOTHING
    tell(log, event, team, only_owner(state, team), count, cause, first, second, third)


@kernel
def sink(state: State, team: int, kind: int, place: int, log: Log) -> None:
    """One of the two goes to the bottom; others do not know which."""
    top = state.pile_left[team] - 1
    know(state, team, top)
    know(state, team, top - 1)
    card = take_from_pile(state, team, top - place)
    state.pile_seen[team, top - 1] = only_owner(state, team)
    put_into_pile(state, team, 0, card, only_owner(state, team), 0)
    tell(log, SANK, team, only_owner(state, team), kind, FROM_BOTTOM, card, place)


# The uppermost cards in any order


@kernel
def window(state: State, team: int, kind: int) -> int:
    """§6.5 How many cards are put in order: fewer if the deck has fewer."""
    return min(AMOUNT[kind], int(state.pile_left[team]))


@kernel
def ask_order(state: State, team: int, kind: int, log: Log) -> None:
    count = window(state, team, kind)
    if count == 0 or team >= state.seats:
        return
    look(state, team, count, kind, log)
    if count > 1:
        ask_player(state, team, kind, count, log)


@kernel
def put_next(state: State, park: int, place: int, log: Log) -> None:
    """The order is said card by card: the one to be revealed next, then the one after it; the last place is left over."""
    team = int(state.ask_team[park])
    kind = int(state.ask_card[park])
    count = window(state, team, kind)
    left = int(state.ask_left[park])
    upper = state.pile_left[team] - 1 - (count - left)
    for n in range(count):  # what others knew of these places is no longer certain, from the first card on
        state.pile_seen[team, state.pile_left[team] - 1 - n] = only_owner(state, team)
    card = int(state.pile[team, upper - place])
    for n in range(upper - place, upper):
        state.pile[team, n] = state.pile[team, n + 1]
    state.pile[team, upper] = card
    state.ask_left[park] = left - 1
    if left > 2:
        return
    tell_uppermost(state, team, REORDERED, count, kind, log)
    end_question(state, park)


# Searching the deck


@kernel
def ask_search(state: State, team: int, kind: int, log: Log) -> None:
    """§6.7 The owner goes through the whole deck."""
    count = int(state.pile_left[team])
    if count == 0:
        return
    for place in range(count):
        know(state, team, place)
    tell(log, SEARCHED, team, EVERYONE, count, kind)
    if count == 1:
        return
    if team >= state.seats:
        found(state, team, kind, below_own(state, state.streams, team, count), log)
    else:
        ask_player(state, team, kind, 1, log)


@kernel
def found(state: State, team: int, kind: int, place: int, log: Log) -> None:
    """The card found goes to the top or to the bottom; the others keep their order (§6.7)."""
    top = state.pile_left[team] - 1
    card = take_from_pile(state, team, top - place)
    to_top = EFFECT[kind] == SEARCH_TOP
    put_into_pile(state, team, state.pile_left[team] if to_top else 0, card, 0, 0)
    for n in range(state.pile_left[team]):
        state.pile_seen[team, n] = only_owner(state, team)
    tell(log, SANK, team, only_owner(state, team), kind, FROM_TOP if to_top else FROM_BOTTOM, card, place)


@kernel
def goes_on(state: State, park: int) -> bool:
    """Whether the match can go on without asking anybody."""
    return state.match_on[park] == PLAYING and state.ask[park] == 0
