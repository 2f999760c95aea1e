"""What a player can think of the hidden cards: possible, conserved, and in the right proportions."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.challengers.scene import ME, RIVAL, Match, Table, kind, names
from ludoteca.core.record import SPECTATOR, Record
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import COPIES, IN_LEVEL, KINDS, SET


def worlds(table: Any, viewer: int, count: int) -> Iterator[Any]:
    for seed in range(count):
        guess = GAME.redact(table.states, 0, viewer)
        table.engine.determinize(guess, viewer, seed)
        yield Record(guess)


def test_each_unseen_copy_is_as_likely_as_any_other() -> None:
    """The top card of level B: nobody has seen one, so kinds come as often as they have copies."""
    table = Table(2)
    found = Counter(int(world.stack[1, 0]) for world in worlds(table, ME, 1500))
    in_play = [k for k in range(KINDS) if IN_LEVEL[1, k] and SET[k] != table.state.left_out]
    total = sum(int(COPIES[k]) for k in in_play)
    assert set(found) <= set(in_play)
    for k in in_play:
        expected = 1500 * int(COPIES[k]) / total
        assert abs(found[k] - expected) < 6 * expected**0.5


def test_own_pile_is_any_order_of_what_is_left() -> None:
    match = Match(["Reporter", "Newcomer", "Talent", "Dog", "Champion"], ["Dragon"])
    tops = Counter[str]()
    for world in worlds(match, ME, 300):
        pile = names(world.pile[ME, :4].tolist()[::-1])
        assert pile[:2] == ["Newcomer", "Talent"]  # looked at
        tops[pile[2]] += 1
    assert set(tops) == {"Dog", "Champion"}
    assert min(tops.values()) > 100


def test_the_rival_knows_only_what_was_shown() -> None:
    match = Match(["Reporter", "Newcomer", "Talent", "Dog"], ["Dragon"])
    state = match.state
    state.shown[ME] = 0
    state.shown[ME, kind("Dog")] = 1
    decks = [match_deck(world) for world in worlds(match, RIVAL, 30)]
    assert all(deck[kind("Dog")] == 1 for deck in decks)  # seen, and nothing of that level removed since


def match_deck(world: Any) -> Any:
    return Counter({k: int(n) for k, n in enumerate(world.deck[ME].tolist()) if n})


def test_seen_cards_are_certain_until_a_card_of_their_level_is_removed() -> None:
    table = Table(3, seed=2)
    table.deck(ME, ["Pig", "Cat", "Jester"])
    state = table.state
    for card in ("Pig", "Cat", "Jester"):
        state.shown[ME, kind(card)] = 1
    assert all(world.deck[ME, kind("Pig")] >= 1 for world in worlds(table, 1, 40))
    table.do(ME, "stop", "remove castle-jester-a")
    kept = Counter[str]()
    for world in worlds(table, 1, 600):
        left = [card for card in ("Pig", "Cat", "Jester") if world.deck[ME, kind(card)] > 0]
        assert len(left) == 2  # only one was removed
        kept.update(left)
    assert all(340 < kept[card] < 460 for card in ("Pig", "Cat", "Jester"))  # each two times in three


def test_starting_cards_are_in_the_deck_or_in_the_box() -> None:
    table = Table(2)
    table.do(ME, "stop", "remove city-newcomer-p", "remove city-newcomer-p")
    boxed = Counter[Any]()
    for world in worlds(table, RIVAL, 300):
        assert (world.deck[ME, :4] + world.boxed[ME]).tolist() == [3, 1, 1, 1]
        boxed.update(k for k, n in enumerate(world.boxed[ME].tolist()) for _ in range(n))
    assert boxed[0] > boxed[1] > 30  # three Newcomers, one of the others


def test_cards_that_came_unseen_are_of_their_level() -> None:
    match = Match(["UFO", "Reporter", "Newcomer", "Dog"], ["Dragon"], stack={"A": ["Spider"]})
    for viewer in (ME, RIVAL):
        found = {int(world.pile[ME, 0]) for world in worlds(match, viewer, 60)}
        assert len(found) > 8
        assert all(IN_LEVEL[0, k] for k in found)


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_backs_of_trophies_are_those_of_the_round(viewer: Any) -> None:
    table = Table(4)
    table.state.trophy_seen[0, 2] = 1  # seat 0 has seen this one
    truth = int(table.state.trophy[0, 2])
    values = Counter[Any]()
    for world in worlds(table, viewer, 400):
        assert sorted(world.trophy[0].tolist()) == [2, 2, 2, 3]
        values[int(world.trophy[0, 2])] += 1
    if viewer == 0:
        assert set(values) == {truth}
    else:
        assert 60 < values[3] < 145  # one in four


def test_the_robots_cards_are_any_that_were_not_shown() -> None:
    table = Table(1, robot="3")
    pairs = Counter(
        tuple(sorted(k for k in range(KINDS) if w.deck[1, k] and w.shown[1, k] == 0)) for w in worlds(table, 0, 300)
    )
    assert len(pairs) == 15  # two of six
