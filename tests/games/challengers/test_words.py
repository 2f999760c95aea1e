"""Words and pictures: every card has a name and, if it does something, a text; a game can be told and drawn."""

import random

import pytest

from games.challengers.scene import Match, Table
from ludoteca.core.record import SPECTATOR, Plain
from ludoteca.core.words import LANGUAGES, catalogue
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import CARDS, SETS, THE_ROUND, TIMINGS
from ludoteca.games.challengers.terminal import picture, spoken
from ludoteca.terminal import choice_sentence, event_sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_and_every_effect_a_text(language):
    words = catalogue(GAME.folder, language)
    for card in CARDS:
        assert words[f"card.{card.id}"] == (card.name if language == "en" else card.name_it)
        assert (f"text.{card.id}" in words) == bool(card.effect or card.power == THE_ROUND)
    assert all(f"set.{name}" in words for name in SETS)
    assert all(f"timing.{name}" in words for name in TIMINGS if name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [1, 3, 4])
def test_a_whole_game_can_be_told(seats, language):
    table, luck = Table(seats, seed=7, sets="random"), random.Random(seats)
    people = ["Ana", "Bea", "Carlo", "Dino"][:seats]
    told = []
    while not table.engine.is_over(table.states):
        seat = table.waiting()[0]
        seen = Plain(GAME.redact(table.states, 0, seat))
        for choice in table.engine.choices(table.states, 0, seat):
            told.append(choice_sentence(GAME, seen, choice, people, language))
        happened = table.engine.decide(table.states, 0, seat, luck.choice(table.engine.legal(table.states, 0, seat)))
        for viewer, you in ((0, 0), (SPECTATOR, None)):
            seen = Plain(GAME.redact(table.states, 0, viewer))
            told += [event_sentence(GAME, seen, fact.seen_by(viewer), people, language, you=you) for fact in happened]
    for line in told:
        assert line.strip() and "{" not in line and "None" not in line and "event." not in line, line


def test_the_robot_is_called_by_its_name():
    match = Match(["Dog"], ["Cyborg"], robot=True)
    named = match.told("match_won")[0]
    assert (named["seat"], named["team"]) == (0, 0)
    assert spoken(match.state, named, ["Ada", "Bruno"], "en")["loser"] == "Robot"


def test_the_terminal_draws_match_and_deck():
    match = Match(["Pony", "Reporter", "Dog", "Pig"], ["Dragon"], my_bench=("Vendor",))
    drawn = picture(match.view(0), ["Ana", "Bea"], "en")
    assert "Green park: Ana: Pony 4 Reporter 2 [Vendor] (2)  |  Bea: Dragon 7 [] (0)" in drawn
    assert "1 Pony" in drawn
    table = Table(3)
    assert "1. " in picture(table.view(1), ["Ana", "Bea", "Carlo"], "it")
    assert "Robot" not in picture(table.view(SPECTATOR), ["Ana", "Bea", "Carlo"], "it")
