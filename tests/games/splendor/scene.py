"""Builds scenes: a table in the position a rule talks about, with the real cards and tokens moved there by name."""

from __future__ import annotations

from typing import Any

from ludoteca.core.engine import interpreted
from ludoteca.core.errors import IllegalAction
from ludoteca.core.record import EVERYONE, SPECTATOR, Plain
from ludoteca.games.splendor import GAME
from ludoteca.games.splendor.components import (
    BONUS,
    CARD_LIST,
    EDITIONS,
    FIRST_OF_LEVEL,
    LEVEL,
    PLACE_LIST,
    POINTS,
    STARS,
    TOKENS,
)
from ludoteca.games.splendor.facts import DEALT, NEW_ROUND


class Table:
    """A game that can be arranged before it is played."""

    def __init__(self, seats: int = 2, edition: str = "marvel", seed: int = 1) -> None:
        self.engine = interpreted(GAME)
        self.states = self.engine.start(seats, {"edition": edition}, seed)
        self.edition = EDITIONS.index(edition)
        self.kinds = TOKENS[self.edition]
        self.events: list[dict[str, Any]] = []

    # Arranging.

    def arrange(self) -> Plain:
        return Plain(self.states)

    def tokens(self, seat: int, **counts: int) -> None:
        """Moves tokens from the table to a player: tokens(0, yellow=2, grey=1)."""
        state = self.arrange()
        for name, count in counts.items():
            kind = self.kinds.index(name)
            state.bank[kind] -= count
            state.tokens[seat, kind] += count
        assert min(state.bank) >= 0, "the box does not hold so many tokens"

    def bank(self, **counts: int) -> None:
        """Leaves exactly so many tokens on the table (the rest is out of the scene)."""
        state = self.arrange()
        for name, count in counts.items():
            state.bank[self.kinds.index(name)] = count

    def bonuses(self, seat: int, **counts: int) -> None:
        """Gives a player bonuses, without the cards they come from."""
        state = self.arrange()
        for name, count in counts.items():
            state.bonuses[seat, self.kinds.index(name)] += count

    def points(self, seat: int, points: int) -> None:
        self.arrange().points[seat] = points

    def stars(self, seat: int, stars: int, tile: bool = False) -> None:
        state = self.arrange()
        state.stars[seat] = stars
        if tile:
            state.avengers = seat
            state.points[seat] += 3
        state.close()

    def recruits(self, seat: int, count: int) -> None:
        self.arrange().recruits[seat] = count

    def ready_to_win(self, seat: int, points: int) -> None:
        """One bonus of every colour, the time gem, and so many points."""
        self.bonuses(seat, **{colour: 1 for colour in self.kinds[:5]})
        self.tokens(seat, green=1)
        self.points(seat, points)

    def turn(self, seat: int) -> None:
        state = self.arrange()
        for other in range(state.seats):
            state.waiting[other] = other == seat
        state.turn = seat
        state.close()

    def card(self, name: str) -> int:
        """A card by name or id."""
        for number, card in enumerate(CARD_LIST[self.edition]):
            if name in (card.name, card.id):
                return number
        raise AssertionError(f"no card is called {name}")

    def fetch(self, name: str) -> int:
        """Takes a card out of its deck, or out of the market (the gap is filled)."""
        state, card = self.arrange(), self.card(name)
        level = int(LEVEL[card])
        if card in state.market[level].tolist():
            slot = state.market[level].tolist().index(card)
            state.deck_left[level] -= 1
            state.market[level, slot] = state.deck[level, state.deck_left[level]]
        else:
            order = [c for c in state.deck[level, : state.deck_left[level]].tolist() if c != card]
            assert len(order) == state.deck_left[level] - 1, f"{name} is neither in its deck nor in the market"
            state.deck[level, : len(order)] = order
            state.deck_left[level] = len(order)
        state.deck[level, state.deck_left[level]] = -1
        return card

    def show(self, name: str, slot: int = 1) -> None:
        """Lays a card face up in its level's slot; what lay there goes under the deck."""
        card = self.card(name)
        level = int(LEVEL[card])
        if self.arrange().market[level, slot - 1] == card:
            return
        self.fetch(name)
        state = self.arrange()
        left = int(state.deck_left[level])
        state.deck[level, 1 : left + 1] = state.deck[level, :left].copy()
        state.deck[level, 0] = state.market[level, slot - 1]
        state.deck_left[level] = left + 1
        state.market[level, slot - 1] = card

    def top(self, name: str) -> None:
        """Puts a card on top of its deck."""
        card = self.fetch(name)
        state, level = self.arrange(), int(LEVEL[card])
        state.deck[level, state.deck_left[level]] = card
        state.deck_left[level] += 1

    def hand(self, seat: int, name: str, secret: bool = False) -> None:
        """Gives a player a reserved card."""
        card, state = self.fetch(name), self.arrange()
        place = int(state.in_hand[seat])
        state.hand[seat, place], state.hand_level[seat, place] = card, LEVEL[card]
        state.hand_seen[seat, place] = 1 << seat if secret else EVERYONE
        state.in_hand[seat] += 1

    def team(self, seat: int, *names: str) -> None:
        """Gives a player recruited cards with their bonus, points and symbols."""
        for name in names:
            card, state = self.fetch(name), self.arrange()
            state.owner[card] = seat
            state.bonuses[seat, BONUS[self.edition, card]] += 1
            state.points[seat] += POINTS[self.edition, card]
            state.stars[seat] += STARS[self.edition, card]
            state.recruits[seat] += 1

    def places(self, *names: str) -> None:
        """Lays out these tiles and no others."""
        state = self.arrange()
        ids = [place.name for place in PLACE_LIST[self.edition]]
        for n in range(5):
            state.tiles[n] = ids.index(names[n]) if n < len(names) else -1
        state.tile_count = len(names)
        state.close()

    def empty_deck(self, level: int) -> None:
        state = self.arrange()
        state.deck[level - 1] = -1
        state.deck_left[level - 1] = 0

    # Playing.

    def legal(self, seat: int) -> list[str]:
        return [GAME.actions.write(a) for a in self.engine.legal(self.states, 0, seat)]

    def may(self, seat: int, action: str) -> bool:
        return action in self.legal(seat)

    def do(self, seat: int, action: str) -> list[str]:
        """Does it; returns the kinds of what happened (without dealing and counting rounds)."""
        happened = self.engine.decide(self.states, 0, seat, GAME.actions.read(action))
        seen = self.arrange()
        self.events = [GAME.event(seen, fact) for fact in happened]
        return [GAME.events[f.kind] for f in happened if f.kind not in (DEALT, NEW_ROUND)]

    def refused(self, seat: int, action: str) -> str:
        """The key of the refusal."""
        try:
            self.do(seat, action)
        except IllegalAction as refusal:
            return refusal.key
        raise AssertionError(f"{action} was not refused")

    def pass_round_to(self, seat: int) -> None:
        """Others do something harmless until it is this seat's turn."""
        while seat not in self.engine.waiting(self.states):
            other = self.engine.waiting(self.states)[0]
            self.do(other, next(a for a in self.legal(other) if a.startswith(("take", "pass"))))

    # Looking.

    def held(self, seat: int) -> dict[str, int]:
        counts = dict(zip(self.kinds, self.arrange().tokens[seat].tolist()))
        return {kind: count for kind, count in counts.items() if count}

    def left(self, kind: str) -> int:
        return int(self.arrange().bank[self.kinds.index(kind)])

    def score(self, seat: int) -> int:
        return int(self.arrange().points[seat])

    def view(self, viewer: int = SPECTATOR) -> dict[str, Any]:
        return self.engine.view(self.states, 0, viewer)

    def face_up(self, level: int) -> list[str | None]:
        cards = CARD_LIST[self.edition]
        return [None if c < 0 else cards[c].name or cards[c].id for c in self.arrange().market[level - 1].tolist()]

    def over(self) -> bool:
        return self.engine.is_over(self.states)

    def ranks(self) -> list[int]:
        return self.engine.result(self.states).ranks


def levels_of(card_numbers: list[int]) -> set[int]:
    return {next(level for level in (3, 2, 1) if n >= FIRST_OF_LEVEL[level - 1]) for n in card_numbers}
