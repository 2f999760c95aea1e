"""A game in play: decisions of several steps, all or nothing, and never past what a seat could not know."""

import random
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.catalogue import game as find_game
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData, IllegalAction, NotYourTurn
from ludoteca.core.keyed import Keyed
from ludoteca.core.play import MOST_STEPS, Play, back_to, taken_back_to
from ludoteca.core.record import SPECTATOR


def at(key: str, seats: int, seed: int = 3, **options: Any) -> Any:
    engine = interpreted(find_game(key))
    return Play(engine, engine.start(seats, options, seed))


def numbers(play: Any, *written: Any) -> list[Any]:
    return [play.game.actions.read(action) for action in written]


def refusal(play: Any, seat: int, *written: Any) -> str:
    before = play.states.tobytes(), play.seq, play.told
    with pytest.raises((IllegalAction, BadData)) as refused:
        play.decide(seat, numbers(play, *written))
    assert (play.states.tobytes(), play.seq, play.told) == before, "a refusal changes nothing"
    return refused.value.key


def test_a_decision_of_several_steps_is_the_same_as_its_steps() -> None:
    whole, steps = at("challengers", 2), at("challengers", 2)
    chosen = numbers(whole, "pick 2", "stop", "remove city-dog-p", "remove city-talent-p", "ready")
    happened = whole.decide(1, chosen)
    assert happened == [fact for action in chosen for fact in steps.decide(1, [action])]
    assert whole.states.tobytes() == steps.states.tobytes()
    assert (whole.seq, whole.told, whole.asked_at(0)) == (steps.seq, steps.told, steps.asked_at(0)) == (5, 5, 0)
    assert [step for *_, step in whole.decided()] == [0, 1, 2, 3, 4]
    assert [step for *_, step in steps.decided()] == [0] * 5
    assert whole.decisions() == steps.decisions()


def test_if_one_step_is_not_legal_none_is_taken() -> None:
    play = at("challengers", 2)
    assert refusal(play, 0, "pick 2", "pick 2") == "no_card_there"
    assert refusal(play, 0, "pick 1", "stop", "ready", "ready") == "not_your_turn"


def test_a_decision_ends_where_something_new_comes_to_light() -> None:
    play = at("challengers", 2)
    assert refusal(play, 0, "mark 1", "redraw", "pick 1") == "look_first"
    play.decide(0, numbers(play, "mark 1", "redraw"))
    play.decide(0, numbers(play, "pick 1", "stop"))


def test_a_refusal_past_a_secret_is_the_same_whatever_the_secret_is() -> None:
    """Whoever could ask «redraw, and then remove this very card» would learn what lies on the deck."""
    play = at("challengers", 2)
    seen = play.game.redact(play.states, 0, 0)
    for guess in range(8):
        play.engine.determinize(other := seen.copy(), 0, guess)
        twin = Play(play.engine, other)
        for then in ("pick 1", "pick 5", "redraw", "ready", "remove city-dog-p"):
            assert refusal(twin, 0, "mark 1", "redraw", then) == "look_first"


def test_a_decision_ends_where_it_is_sealed() -> None:
    """Then the others' moves come to light, and dice may fall."""
    play = at("loot", 1)
    start = play.game.actions.write(play.engine.legal(play.states, 0, 0)[0])
    assert refusal(play, 0, start, "order 1 2 3") == "one_by_one"


def test_a_card_drawn_unseen_ends_a_decision() -> None:
    play = at("splendor", 2)
    play.states["tokens"][0, 0, :5] = 2  # ten in all: the joker for reserving is one too many
    play.states["bank"][0, :5] -= 2
    assert refusal(play, 0, "reserve_top 3", "give_back 1") == "look_first"
    assert refusal(play, 0, "reserve 1 1", "give_back 1") == "look_first", "another card takes its place"
    play.decide(0, numbers(play, "take_three 1 2 3", "give_back 1", "give_back 4", "give_back 4"))
    assert play.waiting() == [1]


def test_a_seal_ends_a_decision() -> None:
    play = at("king_of_con", 3, bluffing_by_mistake="on", passions="two_first_game")
    assert refusal(play, 0, "place I05 1", "seal", "place I18 1") == "one_by_one"
    assert refusal(play, 0, "bid 1 2", "bid 2 2") == "one_by_one"
    play.decide(0, numbers(play, "place I05 1", "place I18 2", "seal"))
    assert play.waiting() == [1, 2]


def test_a_decision_is_not_longer_than_any_player_needs() -> None:
    play = at("challengers", 2)
    with pytest.raises(BadData) as refused:
        play.check(0, numbers(play, "mark 1") * (MOST_STEPS + 1))
    assert refused.value.facts == {"most": MOST_STEPS}


def test_another_seat_cannot_be_decided_for() -> None:
    play = at("splendor", 2)
    with pytest.raises(NotYourTurn):
        play.decide(1, numbers(play, "take_three 1 2 3"))
    assert refusal(play, 0, "take_three 1 2 3", "take_three 1 2 3") == "not_your_turn"


def test_a_copy_goes_on_by_itself() -> None:
    play = at("splendor", 2)
    twin = play.copy()
    twin.decide(0, numbers(play, "take_three 1 2 3"))
    assert (play.seq, play.waiting(), play.asked_at(1)) == (0, [0], 0)
    assert (twin.seq, twin.waiting(), twin.asked_at(1)) == (1, [1], 1)
    again = twin.from_the_start()
    for seat, action, step in twin.decided():
        again.follow(seat, [action], step)
    assert again.states.tobytes() == twin.states.tobytes()


@pytest.mark.parametrize("key", catalogue.keys(of=catalogue.HOUSE))
def test_from_any_step_on_the_same_is_told(key: str) -> None:
    """Also where steps were taken back, before it and after."""
    engine, dice = interpreted(find_game(key)), random.Random(5)
    play = Play.deal(engine, 2, {}, Keyed(b"secret", ("a", "b")))
    told = []
    while not play.is_over() and play.seq < 40:
        seat = play.waiting()[0]
        before = [step for step, _ in play.line()][1:4]
        if before and dice.random() < 0.15:
            action = back_to(dice.choice(before))
        else:
            action = dice.choice(engine.legal(play.states, 0, seat))
        told.append(play.follow(seat, [action]))
    assert any(taken_back_to(action) is not None for _, action, _ in play.decided())
    for step in range(play.seq):
        again = play.as_after(step)
        assert (again.seq, again.told) == (step, sum(map(len, told[:step])))
        for number, (seat, action, which) in enumerate(play.decided(step), step):
            assert again.follow(seat, [action], which) == told[number]
        assert (again.raw(), again.told, again.depth) == (play.raw(), play.told, play.depth)
        assert again.drawn == play.drawn


def test_a_position_is_made_of_what_its_viewer_may_see() -> None:
    play = at("splendor", 2)
    happened = play.decide(0, numbers(play, "reserve_top 3"))
    mine, theirs = play.position(0).facts(happened, play.told), play.position(1).facts(happened, play.told)
    assert mine[0]["n"] == theirs[0]["n"] == 1
    assert (mine[0]["card"] is None, theirs[0]["card"]) == (False, None)
    assert play.position(SPECTATOR).choices() == play.position(0).choices() == []
    assert play.position(1).choices()
