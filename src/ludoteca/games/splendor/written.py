"""Splendor's table as JSON, and what comes with each choice: kernels, because a server writes four views for every move.

Everything is read from the record as its viewer may see it. Cards and places travel by their id; what is printed on them is
in `components/*.csv`, which the browser has too.
"""

from __future__ import annotations

import msgspec
import numpy as np

from ludoteca.core.game import Json
from ludoteca.core.kernel import ActionList, Page, kernel
from ludoteca.core.pen import CLOSE, COMMA, OPEN, Texts, copy, in_json, number, numbers, sign
from ludoteca.core.record import EVERYONE, SPECTATOR

from .actions import ACTIONS, CHOOSE_PAYMENT, MARKET_CARDS, PAY_NOW, RECRUIT, RESERVE, RESERVE_TOP, SWAP
from .components import CARDS, EDITIONS, GOAL, GREEN, GREY, LEVELS, MARVEL, MOST_TILES
from .facts import CARD_IDS, PLACE_IDS
from .rules.decisions import TOKEN_LIMIT, card_at, price, qualifies
from .state import HAND, SLOTS, TILES, State

PHASES = ("main", "pay", "return", "place")
COLOURS = 5
COLON = ord(":")

TEXTS = Texts()
CARD_TEXTS = TEXTS.add_all(in_json(id) for ids in CARD_IDS for id in (*ids, *[""] * (CARDS - len(ids))))
PLACE_TEXTS = TEXTS.add_all(in_json(id) for ids in PLACE_IDS for id in (*ids, *[""] * (MOST_TILES - len(ids))))
EDITION_TEXTS = TEXTS.add_all(
    f'{{"edition":"{name}","goal":{goal},"token_limit":{TOKEN_LIMIT},"hand_limit":{HAND},"round":'
    for name, goal in zip(EDITIONS, GOAL)
)
PHASE_TEXTS = TEXTS.add_all(f',"phase":"{name}","final_round":' for name in PHASES)
FLAGS = TEXTS.add_all(("false", "true"))
NULL = TEXTS.add("null")
TURN, OVER, BANK = TEXTS.add(',"turn":'), TEXTS.add(',"over":'), TEXTS.add(',"bank":')
DECKS, AVENGERS, MARKET = TEXTS.add(',"decks":'), TEXTS.add(',"avengers":'), TEXTS.add(',"market":[')
TILE_LIST, TILE, OWNER = TEXTS.add('],"tiles":['), TEXTS.add('{"id":'), TEXTS.add(',"owner":')
PLAYERS, POINTS, END_OF_PLAYER = TEXTS.add('],"players":['), TEXTS.add('{"points":'), TEXTS.add("]}")
TOKENS, BONUSES, STARS = TEXTS.add(',"tokens":'), TEXTS.add(',"bonuses":'), TEXTS.add(',"stars":')
MISSING, NO_BONUS, NO_TIME = TEXTS.add(',"missing":{"points":'), TEXTS.add(',"bonuses":['), TEXTS.add('],"time":')
QUALIFIES, RECRUITED = TEXTS.add('},"qualifies":'), TEXTS.add(',"cards":[')
RESERVED, ITS_LEVEL, ITS_CARD = TEXTS.add('],"hand":['), TEXTS.add('{"level":'), TEXTS.add(',"card":')
SECRET, NO_MORE, YOU = TEXTS.add(',"secret":'), TEXTS.add("]}"), TEXTS.add('{"seat":')
LACKS, IN_ALL = TEXTS.add(',"lacks":{'), TEXTS.add('},"jokers":')
EXCESS, PAYING, PAID_FOR = TEXTS.add(',"excess":'), TEXTS.add(',"paying":'), TEXTS.add('{"card":')
SWAPPED, COLOURED = TEXTS.add(',"swapped":'), TEXTS.add(',"coloured":[')
JOKERS, SPARE, THEN = TEXTS.add('],"jokers":'), TEXTS.add(',"spare":'), TEXTS.add(',"then":[')
END, NEXT_STEP, END_OF_STEPS = TEXTS.add("}"), TEXTS.add("},"), TEXTS.add("}]")
DESCRIBED = TEXTS.add_all(in_json(ACTIONS.described(action))[:-1] for action in range(len(ACTIONS)))  # still open
TEXT, STARTS = TEXTS.bytes()


@kernel
def say(page: Page, text: int) -> None:
    """One of the texts above."""
    copy(page, TEXT, STARTS[text], STARTS[text + 1])


@kernel
def say_card(state: State, page: Page, card: int) -> None:
    """The id of a card; null where none lies or who looks does not know it."""
    say(page, NULL if card < 0 else CARD_TEXTS + state.edition * CARDS + card)


@kernel
def say_seat(page: Page, seat: int) -> None:
    """A seat; null for nobody."""
    if seat < 0:
        say(page, NULL)
    else:
        number(page, seat)


@kernel
def between(page: Page, place: int) -> None:
    """What stands between the elements of a list, before the one in this place."""
    if place:
        sign(page, COMMA)


# ── The table ────────────────────────────────────────────────


@kernel
def write(state: State, page: Page) -> None:
    """All of it that is the same for whoever sees this record."""
    write_state_of_play(state, page)
    write_market(state, page)
    write_tiles(state, page)
    say(page, PLAYERS)
    for seat in range(state.seats):
        between(page, seat)
        write_panel(state, seat, page)
        write_recruited(state, seat, page)
        write_hand(state, seat, page)
    say(page, NO_MORE)


@kernel
def write_own(state: State, seat: int, page: Page) -> None:
    """What a view has under `you`: what each card in sight lacks for this seat, and how it pays."""
    write_lacking(state, seat, page)
    write_paying(state, seat, page)


@kernel
def write_state_of_play(state: State, page: Page) -> None:
    """Whose turn it is, and what is left of everything."""
    say(page, EDITION_TEXTS + state.edition)
    number(page, state.round_number)
    say(page, TURN)
    number(page, state.turn)
    say(page, PHASE_TEXTS + state.phase)
    say(page, FLAGS + (state.ending != 0))
    say(page, OVER)
    number(page, state.over)
    say(page, BANK)
    numbers(page, state.bank)
    say(page, DECKS)
    numbers(page, state.deck_left)
    say(page, AVENGERS)
    say_seat(page, state.avengers)


@kernel
def write_market(state: State, page: Page) -> None:
    """The face-up cards, level by level."""
    say(page, MARKET)
    for level in range(LEVELS):
        between(page, level)
        sign(page, OPEN)
        for slot in range(SLOTS):
            between(page, slot)
            say_card(state, page, state.market[level, slot])
        sign(page, CLOSE)


@kernel
def write_tiles(state: State, page: Page) -> None:
    """The places on the table, and who has taken them."""
    say(page, TILE_LIST)
    listed = 0
    for tile in range(TILES):
        face = state.tiles[tile]
        if face >= 0:
            between(page, listed)
            say(page, TILE)
            say(page, PLACE_TEXTS + state.edition * MOST_TILES + face)
            say(page, OWNER)
            say_seat(page, state.tile_owner[tile])
            say(page, END)
            listed += 1


@kernel
def write_panel(state: State, seat: int, page: Page) -> None:
    """What lies in front of one player, but for cards; whoever misses nothing qualifies for the end."""
    say(page, POINTS)
    number(page, state.points[seat])
    say(page, TOKENS)
    numbers(page, state.tokens[seat])
    say(page, BONUSES)
    numbers(page, state.bonuses[seat])
    say(page, STARS)
    number(page, state.stars[seat])
    write_missing(state, seat, page)


@kernel
def write_missing(state: State, seat: int, page: Page) -> None:
    """§9.1, §10.3 What a player still misses for the end: points and, in Marvel, bonuses and the green gem."""
    points = max(0, GOAL[state.edition] - state.points[seat])
    say(page, MISSING)
    number(page, points)
    say(page, NO_BONUS)
    marvel = state.edition == MARVEL
    listed = 0
    for colour in range(COLOURS):
        if marvel and state.bonuses[seat, colour] == 0:
            between(page, listed)
            number(page, colour)
            listed += 1
    time = marvel and state.tokens[seat, GREEN] == 0
    say(page, NO_TIME)
    say(page, FLAGS + time)
    say(page, QUALIFIES)
    say(page, FLAGS + qualifies(state, seat))


@kernel
def write_recruited(state: State, seat: int, page: Page) -> None:
    """The cards that one player has recruited."""
    say(page, RECRUITED)
    listed = 0
    for card in range(CARDS):
        if state.owner[card] == seat:
            between(page, listed)
            say_card(state, page, card)
            listed += 1


@kernel
def write_hand(state: State, seat: int, page: Page) -> None:
    """The cards that one player has reserved; the back of one shows its level."""
    say(page, RESERVED)
    listed = 0
    for place in range(HAND):
        if state.hand_level[seat, place] >= 0:
            between(page, listed)
            say(page, ITS_LEVEL)
            number(page, state.hand_level[seat, place] + 1)
            say(page, ITS_CARD)
            say_card(state, page, state.hand[seat, place])
            say(page, SECRET)
            say(page, FLAGS + (state.hand_seen[seat, place] != EVERYONE))
            say(page, END)
            listed += 1
    say(page, END_OF_PLAYER)


# ── What is a seat's own ─────────────────────────────────────


@kernel
def write_lacking(state: State, seat: int, page: Page) -> None:
    """What each card in sight still lacks, by colour."""
    say(page, YOU)
    number(page, seat)
    say(page, LACKS)
    listed = 0
    for which in range(MARKET_CARDS + HAND):
        card = card_at(state, seat, which)
        if card >= 0:
            between(page, listed)
            say_card(state, page, card)
            sign(page, COLON)
            sign(page, OPEN)
            for colour in range(COLOURS):
                between(page, colour)
                number(page, max(0, price(state, seat, card, colour) - state.tokens[seat, colour]))
            sign(page, CLOSE)
            listed += 1
    say(page, IN_ALL)
    number(page, state.tokens[seat, GREY])
    say(page, EXCESS)
    number(page, max(0, state.tokens[seat].sum() - TOKEN_LIMIT))


@kernel
def write_paying(state: State, seat: int, page: Page) -> None:
    """While a card is paid for, how."""
    say(page, PAYING)
    if state.buying < 0 or state.waiting[seat] == 0:
        say(page, NULL)
    else:
        card = card_at(state, seat, state.buying)
        say(page, PAID_FOR)
        say_card(state, page, card)
        say(page, SWAPPED)
        numbers(page, state.swapped)
        write_payment(state, seat, card, page)
        say(page, END)
    say(page, END)


@kernel
def due_in_tokens(state: State, seat: int, card: int, colour: int) -> int:
    """Coloured tokens that would be paid for it."""
    return min(price(state, seat, card, colour), int(state.tokens[seat, colour]))


@kernel
def write_payment(state: State, seat: int, card: int, page: Page) -> None:
    """How a card would be paid: coloured tokens and jokers, and how many jokers could save a coloured token."""
    say(page, COLOURED)
    jokers = 0
    for colour in range(COLOURS):
        coloured = due_in_tokens(state, seat, card, colour)
        jokers += price(state, seat, card, colour) - coloured
        between(page, colour)
        number(page, coloured)
    say(page, JOKERS)
    number(page, jokers)
    say(page, SPARE)
    number(page, state.tokens[seat, GREY] - jokers)


# ── Choices ──────────────────────────────────────────────────


@kernel
def offer(state: State, seat: int, actions: ActionList, count: int, page: Page) -> None:
    """These actions, each with the facts a page needs to offer it."""
    sign(page, OPEN)
    for k in range(count):
        action = int(actions[k])
        between(page, k)
        say(page, DESCRIBED + action)
        if RESERVE <= action < RESERVE_TOP:
            say(page, ITS_CARD)
            say_card(state, page, card_at(state, seat, action - RESERVE))
        elif RECRUIT <= action < SWAP:
            named = action >= CHOOSE_PAYMENT
            card = card_at(state, seat, action - (CHOOSE_PAYMENT if named else RECRUIT))
            say(page, ITS_CARD)
            say_card(state, page, card)
            write_payment(state, seat, card, page)
            if named:
                write_jokers_after(state, seat, card, page)
        elif SWAP <= action < PAY_NOW:
            say(page, THEN)
            say(page, DESCRIBED + PAY_NOW)
            say(page, END_OF_STEPS)
        say(page, END)
    sign(page, CLOSE)


@kernel
def write_jokers_after(state: State, seat: int, card: int, page: Page) -> None:
    """The steps that follow in the same message when jokers are named: those that save a token, and to pay."""
    say(page, THEN)
    for colour in range(COLOURS):
        if due_in_tokens(state, seat, card, colour) > 0:
            say(page, DESCRIBED + SWAP + colour)
            say(page, NEXT_STEP)
    say(page, DESCRIBED + PAY_NOW)
    say(page, END_OF_STEPS)


# ── Read again, as plain Python has it ───────────────────────


def view(state: State, viewer: int) -> Json:
    """The table as this viewer may see it."""
    page = Page()
    write(state, page)
    found: Json = msgspec.json.decode(page.taken())
    return found | {"you": None if viewer == SPECTATOR else own(state, viewer)}


def own(state: State, seat: int) -> Json:
    """What is this seat's own of it."""
    page = Page()
    write_own(state, seat, page)
    found: Json = msgspec.json.decode(page.taken())
    return found


def choice(state: State, seat: int, action: int) -> Json:
    """The facts a page needs to offer this action, beside its description."""
    page = Page()
    offer(state, seat, np.array([action], np.int16), 1, page)
    (found,) = msgspec.json.decode(page.taken())
    return {key: value for key, value in found.items() if key not in ACTIONS.described(action)}
