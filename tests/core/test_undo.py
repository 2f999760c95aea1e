"""Taking back: what may be, what is left of it, and that nobody has seen more than without it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca import catalogue
from ludoteca.core import journal, undo
from ludoteca.core.contract import GameContract, viewers
from ludoteca.core.engine import compiled
from ludoteca.core.errors import BadData, IllegalAction
from ludoteca.core.keyed import Keyed
from ludoteca.core.play import RECENT, Play, back_to
from ludoteca.core.record import SPECTATOR, States, copied
from ludoteca.games.splendor import GAME as SPLENDOR

GAMES = catalogue.keys(of=catalogue.HOUSE)
STEPS = 40


def dealt(key: str, seats: int | None = None, secret: bytes = b"secret") -> Play:
    game = catalogue.listed(key)
    seats = seats or min(game.seats)
    return Play.deal(compiled(game), seats, {}, Keyed(secret, ("a",) * seats))


def choices(play: Play, seat: int, kind: str = "") -> list[int]:
    legal = play.engine.legal(play.states, 0, seat)
    return [action for action in legal if not kind or play.game.actions.decode(action).kind == kind]


def sights(play: Play) -> list[object]:
    """What everybody sees, and may do."""
    positions = [play.position(viewer) for viewer in viewers(play.seats)]
    return [(position.redacted.tobytes(), position.view(), position.choices()) for position in positions]


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=5, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), seats=st.integers(0, 7))
def test_no_sequence_of_undos_changes_what_anybody_saw(key: str, seed: int, seats: int) -> None:
    luck = random.Random(seed)
    numbers = list(catalogue.listed(key).seats)
    play = dealt(key, numbers[seats % len(numbers)], seed.to_bytes(4, "big"))
    stands: list[tuple[int, int]] = []  # the game without what was taken back
    for _ in range(STEPS):
        if play.is_over():
            break
        seat = luck.choice(play.waiting())
        before = copied(play.states)
        action = luck.choice(choices(play, seat))
        play.decide(seat, [action])
        stands.append((seat, action))
        verdict = undo.judged(play, seat)
        if verdict.may and luck.random() < 0.7:
            assert verdict.to is not None
            gone = undo.steps_after(play, verdict.to)
            if len(gone) == 1:
                nothing_was_shown(play, before, seat, action, luck)
            play.again(seat, verdict.action)
            del stands[len(stands) - len(gone) :]
        assert play.depth == len(stands)
    without = play.from_the_start()
    for seat, action in stands:
        without.decide(seat, [action])
    assert play.states.tobytes() == without.states.tobytes()
    assert sights(play) == sights(without)
    assert (play.drawn, play.waiting()) == (without.drawn, without.waiting())
    again = play.from_the_start()
    for seat, action, step in play.decided():
        again.again(seat, action, step)
    assert (again.states.tobytes(), again.told, again.seq) == (play.states.tobytes(), play.told, play.seq)


class Contract(GameContract):
    """For its helpers."""

    __test__ = False


def nothing_was_shown(play: Play, before: States, seat: int, action: int, luck: random.Random) -> None:
    """Nobody can tell the true world from another one by what they see after the decision."""
    contract = Contract()
    contract.where = play.game
    for viewer in viewers(play.seats):
        others = [contract.other_world(before, viewer, luck.getrandbits(60)) for _ in range(3)]
        assert any(contract.possible_there(play, other, viewer, seat, action) for other in others)


def test_tokens_can_be_taken_back_until_somebody_moves() -> None:
    play = dealt("splendor")
    before = sights(play)
    first, second = choices(play, 0, "take_three")[:2]
    play.decide(0, [first])
    assert undo.judged(play, 0) == undo.Verdict(0)
    assert undo.judged(play, 1).why == undo.NOTHING_TO_TAKE_BACK
    play.follow(0, [back_to(0)])
    assert (sights(play), play.seq, play.depth, play.stands_after) == (before, 2, 0, 0)
    assert undo.judged(play, 0).why == undo.NOTHING_TO_TAKE_BACK
    play.decide(0, [second])
    play.decide(1, [choices(play, 1, "take_three")[0]])
    assert undo.judged(play, 0) == undo.Verdict(0, undo.OTHERS_MOVED, {"seat": 1})
    assert undo.judged(play, 1) == undo.Verdict(3)


def test_a_card_from_the_deck_cannot_be_put_back() -> None:
    play = dealt("splendor")
    play.decide(0, [choices(play, 0, "reserve_top")[0]])  # only its owner sees it
    assert undo.judged(play, 0).why == undo.SEEN
    play.decide(1, [choices(play, 1, "reserve")[0]])  # another one comes to its place, for all to see
    assert undo.judged(play, 1).why == undo.SEEN


def test_sealed_offers_cannot_be_taken_back_once_the_screens_are_up() -> None:
    for key in ("king_of_con", "loot"):
        play = dealt(key)
        for seat in play.waiting():
            while seat in play.waiting() and play.seq < 20:
                play.decide(seat, [choices(play, seat)[-1]])
        assert {undo.judged(play, seat).why for seat in range(play.seats)} == {undo.SCREENS_UP}


def test_after_an_undo_chance_is_what_it_was() -> None:
    """Who goes back behind a draw (alone, or by consent) draws the same: nobody takes back for other dice."""
    play = dealt("challengers", 2)
    luck = random.Random(4)
    while not any(draws.number for draws in play.drawn):
        seat = luck.choice(play.waiting())
        play.decide(seat, [luck.choice(choices(play, seat))])
    [*_, (seat, action)] = play.decisions()
    drawn, states = play.drawn[-1], play.states.tobytes()
    assert undo.judged(play, seat).why in (undo.CHANCE_DRAWN, undo.SCREENS_UP)
    play.again(seat, back_to(play.seq - 1))
    assert drawn not in play.drawn
    play.again(seat, action)
    assert (play.drawn[-1], play.states.tobytes()) == (drawn, states)


def test_one_can_go_back_further_than_is_kept() -> None:
    play, luck = dealt("splendor"), random.Random(1)
    positions = [play.states.tobytes()]
    for _ in range(4 * RECENT):
        [seat] = play.waiting()
        play.decide(seat, [luck.choice(choices(play, seat))])
        positions.append(play.states.tobytes())
    for to in (3 * RECENT, 2, 0):
        play.again(0, back_to(to))
        assert (play.states.tobytes(), play.depth) == (positions[to], to)
    assert [play.asked_at(seat) for seat in play.waiting()] == [play.seq]


def test_a_journal_with_undos_replays() -> None:
    play = dealt("splendor")
    first, second = choices(play, 0, "take_three")[:2]
    for action in (first, back_to(0), second):
        play.again(0, action)
    kept = play.keyed
    written = journal.Journal("splendor", SPLENDOR.version, 2, {}, None, play.decisions(), keyed=kept)
    assert written.decisions == [(0, first), (0, -1), (0, second)]
    facts = [fact for *_, happened in journal.replay(play.engine, written) for fact in happened]
    assert [play.game.facts.name_of(fact) for fact in facts].count("taken_back") == 1
    assert journal.finish(play.engine, written).tobytes() == play.states.tobytes()
    for wrong in [(0, back_to(0)), (0, second), (0, back_to(1))], [(0, back_to(0))], [(0, first), (2, back_to(0))]:
        written.decisions = list(wrong)
        with pytest.raises(BadData):
            journal.finish(play.engine, written)


def test_the_fact_says_what_is_taken_back() -> None:
    play = dealt("splendor")
    play.decide(0, [choices(play, 0, "take_three")[0]])
    told = play.told
    happened = play.again(0, back_to(0))
    assert play.position(SPECTATOR).facts(happened, play.told) == [
        {"n": told + 1, "kind": "taken_back", "seat": 0, "after": 0}
    ]


def test_players_cannot_decide_to_take_back() -> None:
    play = dealt("splendor")
    play.decide(0, [choices(play, 0, "take_three")[0]])
    with pytest.raises((BadData, IllegalAction)):
        play.decide(1, [back_to(0)])
