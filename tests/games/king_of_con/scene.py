"""Builds scenes: a table in the position a rule talks about, with Items and tokens moved there by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.scene import Scene
from ludoteca.core.engine import interpreted
from ludoteca.core.record import Row
from ludoteca.games.king_of_con import GAME
from ludoteca.games.king_of_con.components import CHARACTERISTICS
from ludoteca.games.king_of_con.facts import IDS
from ludoteca.games.king_of_con.state import CHOOSING, IN_DECK, LOOTING, ON_BOOTH, ON_STALL, State

ROBOT, SWORD, BOOK, GAME_BOX = "I18", "I15", "I01", "I24"  # the four Items of the books' example
DIRK, LULU, GREG, TODD, ZAK = range(5)
ENGINE = interpreted(GAME)


def item(name: str) -> int:
    return IDS.index(name)


def replace(cards: Row, old: int, new: int) -> None:
    """Wherever one card was, there is the other."""
    cards[:] = [new if card == old else card for card in cards]


class Table(Scene[State]):
    """A game that can be arranged before it is played."""

    def __init__(self, seats: int = 2, seed: int = 1, choose: bool = True, **options: str) -> None:
        super().__init__(GAME, State, seats, options, seed)
        if choose and self.state.phase == CHOOSING:
            for seat in range(seats):
                self.do(seat, f"put_back {min(self.state.passions[seat].tolist()) + 1}")
        self.events.clear()

    # Arranging: tokens come from the pool, Items from the deck or a Booth.

    def pool_gives(self, tokens: int) -> None:
        self.set(pool=self.state.pool - tokens)
        assert 0 <= self.state.pool <= 100, "there are 100 tokens"

    def supplies(self, *tokens: int) -> None:
        """Gives each player exactly so many tokens."""
        for seat, count in enumerate(tokens):
            self.pool_gives(count - self.state.supply[seat])
            self.state.supply[seat] = count

    def pool(self, tokens: int) -> None:
        """Leaves so many tokens in the pool; the rest lies on a Collection's Item that no rule of the scene looks at."""
        spare = self.state.pool - tokens
        self.pool_gives(spare)
        self.state.worth[self._parking()] += spare

    def _parking(self) -> int:
        """An Item of the last seat, worth so much that nobody loots it."""
        owned = [i for i in range(25) if self.state.location[i] == self.seats - 1]
        assert owned, "own() an Item for the last seat first"
        return owned[0]

    def monkeys(self, *numbers: int) -> None:
        self.state.monkeys[: self.seats] = numbers

    def trash(self, *tokens: int) -> None:
        for seat, count in enumerate(tokens):
            self.pool_gives(count - self.state.trash[seat])
            self.state.trash[seat] = count

    def passions(self, seat: int, *names: str) -> None:
        """The Passions a player has kept (whoever drew them before gets the others in exchange)."""
        state = self.state
        for place, name in enumerate(names):
            wanted = CHARACTERISTICS.index(name)
            for cards in (state.box, *state.passions):
                replace(cards, wanted, state.passions[seat, place])
            state.passions[seat, place] = wanted

    def booths(self, *names: str) -> None:
        """Puts these Items on Booths 1 to 4."""
        state = self.state
        for booth, name in enumerate(names):
            new, old = item(name), state.booths[booth]
            if new == old:
                continue
            if state.location[new] >= ON_BOOTH:  # two Booths swap
                other = state.location[new] - ON_BOOTH
                state.booths[other] = old
                state.location[old] = ON_BOOTH + other
            else:
                assert state.location[new] == IN_DECK
                replace(state.deck, new, old)
                state.location[old] = IN_DECK
            state.booths[booth] = new
            state.location[new] = ON_BOOTH + booth

    def _take_from_deck(self, name: str) -> int:
        state, wanted = self.state, item(name)
        if state.location[wanted] >= ON_BOOTH:  # something else goes on that Booth
            booth = state.location[wanted] - ON_BOOTH
            other = next(i for i in range(25) if state.location[i] == IN_DECK)
            replace(state.deck, other, wanted)
            state.location[wanted] = IN_DECK
            state.booths[booth] = other
            state.location[other] = ON_BOOTH + booth
        assert state.location[wanted] == IN_DECK, f"{name} is not in the deck"
        kept = [i for i in state.deck.tolist() if i not in (wanted, -1)]
        state.deck[:] = kept + [-1] * (25 - len(kept))
        state.deck_left = len(kept)
        state.close()
        return wanted

    def own(self, seat: int, **values: int) -> None:
        """Items in a player's Collection: own(0, I18=5)."""
        for name, worth in values.items():
            wanted = self._take_from_deck(name)
            self.state.location[wanted] = seat
            self.state.worth[wanted] = worth
            self.pool_gives(worth)

    def stall(self, *names: str) -> None:
        for name in names:
            self.state.location[self._take_from_deck(name)] = ON_STALL

    def looting(self) -> None:
        """Straight to the looting; the Items of the Booths go back under the deck."""
        state = self.state
        shown = [i for i in state.booths.tolist() if i >= 0]
        kept = shown + [i for i in state.deck.tolist() if i >= 0]
        state.deck[:] = kept + [-1] * (25 - len(kept))
        for i in shown:
            state.location[i] = IN_DECK
        state.booths[:] = -1
        self.set(deck_left=len(kept), phase=LOOTING, hid_bid=0)
        self.state.waiting[: self.seats] = 1

    # Playing.

    def refuses(self, seat: int, action: str) -> str:
        """The sentence with which the action is refused."""
        return self.refusal(seat, action).sentence

    def bid(self, *offers: tuple[int, int] | None) -> None:
        """One hid-bid: (Booth, tokens) or None for each seat; who has no tokens is not asked (§5.12)."""
        asked = self.waiting()
        for seat, offer in enumerate(offers):
            if seat in asked:
                self.do(seat, "pass" if offer is None else f"bid {offer[0]} {offer[1]}")

    def loot(self, *offers: dict[str, int]) -> None:
        """Everybody's offers, seat by seat; who has no tokens is not asked (§5.12)."""
        asked = self.waiting()
        for seat, mine in enumerate(offers):
            if seat not in asked:
                continue
            for name, tokens in sorted(mine.items()):
                self.do(seat, f"place {name} {tokens}")
            self.do(seat, "seal")

    def nobody_bids(self) -> None:
        self.bid(*[None] * self.seats)

    def nobody_loots(self) -> None:
        self.loot(*[{}] * self.seats)

    def show_off(self) -> None:
        """Straight through an empty looting, so that the next thing is the Show Off."""
        self.looting()
        self.nobody_loots()

    # Looking.

    def forget_from(self, kind: str) -> None:
        """Forgets what was told from the first fact of that kind on."""
        first = next(n for n, e in enumerate(self.events) if e["kind"] == kind)
        del self.events[first:]

    def supply(self) -> list[int]:
        return self.state.supply[: self.seats].tolist()

    def trashes(self) -> list[int]:
        return self.state.trash[: self.seats].tolist()

    def monkey(self) -> list[int]:
        return self.state.monkeys[: self.seats].tolist()

    def owner(self, name: str) -> int:
        return self.state.location[item(name)]

    def worth(self, name: str) -> int:
        return self.state.worth[item(name)]

    def on_stall(self) -> list[str]:
        return list(self.view()["stall"])

    def phase(self) -> str:
        return str(self.view()["phase"])

    def tokens(self) -> int:
        return int(GAME.components(self.state)["tokens"])


def items_of(characteristic: str) -> list[str]:
    """The five Items that share a characteristic."""
    from ludoteca.games.king_of_con.components import ITEM_LIST

    return [i.id for i in ITEM_LIST if characteristic in i.characteristics]


def all_tables(**options: Any) -> Iterable[Table]:
    return (Table(seats, **options) for seats in range(2, 6))
