"""Builds scenes: a match between two decks whose order is known, or a deck phase with chosen cards, named as players do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.scene import Scene
from ludoteca.core.log import new_log
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import CARDS, LEVEL, A
from ludoteca.games.challengers.rules.match import play_on
from ludoteca.games.challengers.rules.zones import sit_down
from ludoteca.games.challengers.state import MATCH, OPEN, PLAYING, State
from ludoteca.games.challengers.views import bench_view, question

ME, RIVAL = 0, 1


def kind(name: str) -> int:
    """`Talent` is the starting card, `Talent A` the card of level A."""
    found = [n for n, card in enumerate(CARDS) if name in (card.name, f"{card.name} {card.level}")]
    assert found, f"there is no card called {name}"
    return found[0]


def names(kinds: Any) -> list[str]:
    return [CARDS[int(k)].name for k in kinds]


class Table(Scene[State]):
    """A game that can be arranged before it is played."""

    def __init__(self, seats: int = 2, seed: int = 1, **options: str) -> None:
        super().__init__(GAME, State, seats, options, seed)

    def deck(self, team: int, cards: list[str]) -> None:
        """This deck and no other; everything else the team had is out of the scene."""
        s = self.state
        for field in (s.deck, s.by_level, s.shown, s.doubt, s.leaving, s.leaving_by, s.boxed):
            field[team] = 0
        for card in cards:
            s.deck[team, kind(card)] += 1
            s.by_level[team, LEVEL[kind(card)]] += 1
        s.deck_size[team] = len(cards)

    def stack(self, level: str, cards: list[str]) -> None:
        """These are the cards of a level deck, top first; more of the same follow."""
        s, n = self.state, LEVEL[kind(f"Talent {level}") if level == "A" else kind("Dog B")] - A
        for place in range(int(s.stack_size[n])):
            s.stack[n, place] = kind(cards[place % len(cards)])

    def display(self, seat: int, cards: list[str]) -> None:
        """The player has drawn these cards."""
        s = self.state
        for place in range(5):
            s.display[seat, place] = kind(cards[place]) if place < len(cards) else -1
        s.lying[seat] = (1 << len(cards)) - 1

    def own(self, team: int) -> dict[str, int]:
        """A deck by name and number."""
        found: dict[str, int] = {}
        for n, count in enumerate(self.state.deck[team].tolist()):
            if count:
                found[CARDS[n].name] = found.get(CARDS[n].name, 0) + count
        return found

    def play_all(self, choose: Callable[[list[str]], str] = lambda legal: legal[-1]) -> None:
        """To the end of the tournament."""
        while not self.over():
            seat = self.waiting()[0]
            self.do(seat, choose(self.legal(seat)))


class Match(Table):
    """A match: `mine` and `theirs` are the two decks from the top; the rival opens unless said otherwise."""

    def __init__(
        self, mine: list[str], theirs: list[str], *, i_open: bool = False, my_bench: tuple[str, ...] = (),
        their_bench: tuple[str, ...] = (), round_number: int = 1, stack: dict[str, list[str]] | None = None,
        trophies: tuple[int, int] = (0, 0), robot: bool = False, play: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(seats=1 if robot else 2)
        for level, cards in (stack or {}).items():
            self.stack(level, cards)
        s = self.state
        s.waiting[:] = 0
        s.taken[:] = 0
        s.phase, s.round_number = MATCH, round_number
        s.close()
        for team, pile, bench in ((ME, mine, my_bench), (RIVAL, theirs, their_bench)):
            self.deck(team, [*pile, *bench])
            s = self.state
            s.display[team] = -1
            s.lying[team] = 0
            s.park[team], s.rival[team] = 0, 1 - team
            s.trophies[team] = trophies[team]
            for n, card in enumerate(reversed(pile)):
                s.pile[team, n] = kind(card)
            s.pile_left[team] = len(pile)
            for card in bench:
                s.visible[team, kind(card)] += 1
                assert sit_down(s, team, kind(card), new_log())
        opener = ME if i_open else RIVAL
        s.opener[0], s.attacker[0], s.match_on[0], s.stage[0] = opener, 1 - opener, PLAYING, OPEN
        s.close()
        if play:
            self.play()

    def play(self) -> None:
        """As far as it goes without asking; not beyond the match."""
        s, log = self.state, new_log()
        play_on(s, 0, log)
        s.close()
        self.tell(GAME.facts.read(log))

    def sums(self) -> list[tuple[int, int]]:
        """Every comparison: attack against flag."""
        return [(event["attack"], event["flag"]) for event in self.told("compared")]

    def holds(self) -> list[int]:
        """The power of each card that took the flag, in order."""
        return [event["power"] for event in self.told("took_flag")]

    def bench(self, team: int) -> list[str]:
        return [seat["name"] for seat in self.bench_seats(team) if seat]

    def bench_seats(self, team: int) -> list[Any]:
        return bench_view(self.state, team)

    def exhausted(self, team: int) -> list[str]:
        return names(self.state.exhausted[team, : self.state.exhausted_size[team]])

    def pile(self, team: int) -> list[str]:
        """From the top."""
        return names(self.state.pile[team, : self.state.pile_left[team]].tolist()[::-1])

    def question(self) -> Any:
        return question(self.state, 0)

    def won_by(self) -> tuple[int, str] | None:
        won = self.told("match_won")
        return (won[-1]["team"], won[-1]["lost_by"]) if won else None
