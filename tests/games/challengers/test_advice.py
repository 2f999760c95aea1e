"""The beginner's advice: sensible in plain cases, and far better than chance."""

import random
from typing import Any

import numpy as np

from games.challengers.scene import ME, RIVAL, Match, Table
from ludoteca.games.challengers import GAME
from ludoteca.lab import arena


def advised(table: Any, seat: int) -> str:
    redacted = GAME.redact(table.states, 0, seat)
    legal = table.engine.legal(table.states, 0, seat)
    return GAME.actions.write(max(legal, key=lambda action: table.engine.appraise(redacted, seat, action)))


def test_what_would_not_be_picked_is_redrawn_first() -> None:
    table = Table(2)
    table.display(ME, ["Gangster", "Reporter", "Merman", "Sailor", "Butler"])
    marks = []
    while (action := advised(table, ME)) != "redraw":
        marks.append(action)
        table.do(ME, action)
    assert marks == ["mark 2", "mark 3", "mark 4", "mark 5"]


def test_good_cards_are_picked_at_once() -> None:
    table = Table(2)
    table.display(ME, ["Gangster", "Reporter", "Pig", "Sailor", "Butler"])
    assert advised(table, ME) == "pick 1"
    table.do(ME, "pick 1")
    assert advised(table, ME) == "pick 3"


def test_weak_cards_go_from_a_large_deck_when_the_rounds_count_more() -> None:
    table = Table(2)
    table.deck(ME, ["Newcomer", "Newcomer", "Dragon", "Horse", "Horse", "Bat", "Bat", "Shark", "Lion"])
    table.do(ME, "stop")
    assert advised(table, ME) == "ready"
    table.set(round_number=6)
    assert advised(table, ME) == "remove city-newcomer-p"
    table.deck(ME, ["Dog", "Champion", "Pig", "Cat"])
    assert advised(table, ME) == "ready"


def test_an_eighth_name_has_no_seat() -> None:
    table = Table(2)
    table.set(round_number=4)
    table.deck(ME, ["Dog", "Pig", "Cat", "Horse", "Bat", "Shark", "Lion"])
    table.do(ME, "stop")
    assert advised(table, ME) == "ready"
    table.deck(ME, ["Dog", "Pig", "Cat", "Horse", "Bat", "Shark", "Lion", "Talent A"])
    assert advised(table, ME).startswith("remove ")


def test_alone_the_chance_is_to_beat_the_robot() -> None:  # §9.10
    table = Table(1)
    chance = np.zeros(8)
    table.engine.call("outlook", table.states, 0, chance)
    assert 0.0 < chance[0] < 1.0
    table.set(over=1, champion=1)
    table.engine.call("outlook", table.states, 0, chance)
    assert chance[0] == 0.0
    table.set(champion=0)
    table.engine.call("outlook", table.states, 0, chance)
    assert chance[0] == 1.0


def test_choices_in_a_match() -> None:
    assert advised(Match(["Sailor", "Newcomer", "Champion"], ["Dragon"]), ME) == "find 1"  # the weakest goes down
    assert advised(Match(["Dragon"], ["Clairvoyant", "Newcomer", "Champion"]), RIVAL) == "find 2"
    siren = Match(["Siren"], ["Dragon"], their_bench=("Dog", "Cook"))
    assert advised(siren, ME) == "choose shipwreck-cook-b"
    crowded = ("Dog", "Pig", "Cat", "Pony", "Newcomer")
    assert advised(Match(["Butler"], ["Dragon"], my_bench=crowded), ME).startswith("choose ")
    assert advised(Match(["Butler"], ["Dragon"], my_bench=("Dog",)), ME) == "enough"


def test_the_advised_player_beats_chance() -> None:
    luck, wins = random.Random(5), 0
    for game in range(10):
        table = Table(2, seed=game, sets="random")
        while not table.engine.is_over(table.states):
            seat = table.waiting()[0]
            table.do(seat, advised(table, seat) if seat == game % 2 else luck.choice(table.legal(seat)))
        wins += table.engine.result(table.states).ranks[game % 2] == 1
    assert wins >= 9


def test_the_club_beats_the_novice() -> None:
    """Twenty games, always the same; `make arena` plays enough of them for a figure."""
    result = arena.run(GAME, ["novice", "club"], games=20, workers=1)
    club = next(s for s in result.standings if s.bot == "club")
    assert club.wins >= 12
