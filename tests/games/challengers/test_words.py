"""Words and pictures: every card has a name and, if it does something, a text; a game can be told and drawn."""

import random
import re

import pytest

from games.challengers.scene import Match, Table
from ludoteca.core.record import SPECTATOR, Record
from ludoteca.core.words import LANGUAGES, Telling, catalogue
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import CARDS, SETS, THE_ROUND, TIMINGS
from ludoteca.games.challengers.terminal import picture
from ludoteca.terminal import choice_sentence, event_sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_and_every_effect_a_text(language: str) -> None:
    words = catalogue(GAME.folder, language)
    for card in CARDS:
        assert words[f"card.{card.id}"] == (card.name if language == "en" else card.name_it)
        assert (f"text.{card.id}" in words) == bool(card.effect or card.power == THE_ROUND)
    assert all(f"set.{name}" in words for name in SETS)
    assert all(f"timing.{name}" in words for name in TIMINGS if name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_say_of_each_card_what_is_printed_on_it(language: str) -> None:
    """«*Reporter* (City, level A, power 2; at once): Look at …», from the same words as in the app."""
    text = (GAME.folder / "docs" / f"{language}.md").read_text("utf-8").partition("## §10 ")[2].partition("## §11 ")[0]
    paragraphs = [" ".join(found.split()) for found in re.findall(r"\*\*§10\.\d+\*\* (.*?)(?=\n\n)", text, re.DOTALL)]
    words = catalogue(GAME.folder, language)
    level, power = {"en": ("level", "power"), "it": ("livello", "potere")}[language]
    told = [card for card in CARDS if card.effect or card.power == THE_ROUND]
    assert len(paragraphs) == len(told)
    for card, paragraph in zip(told, paragraphs, strict=True):
        printed = (
            f"{power} {card.power}"
            if card.power != THE_ROUND
            else {"en": "power the round", "it": "potere del round"}[language]
        )
        when = words[f"timing.{card.timing}"].lower() if card.timing else {"en": "always", "it": "sempre"}[language]
        head = f"*{words[f'card.{card.id}']}* ({words[f'set.{card.set}']}, {level} {card.level}, {printed}; {when}): "
        assert paragraph.startswith(head + words[f"text.{card.id}"]), paragraph


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [1, 3, 4])
def test_a_whole_game_can_be_told(seats: int, language: str) -> None:
    table, luck = Table(seats, seed=7, sets="random"), random.Random(seats)
    people = ["Ana", "Bea", "Carlo", "Dino"][:seats]
    told = []
    while not table.engine.is_over(table.states):
        seat = table.waiting()[0]
        seen = Record(GAME.redact(table.states, 0, seat))
        for choice in table.engine.choices(table.states, 0, seat):
            told.append(choice_sentence(GAME, seen, choice, people, language))
        happened = table.engine.decide(table.states, 0, seat, luck.choice(table.engine.legal(table.states, 0, seat)))
        for viewer, you in ((0, 0), (SPECTATOR, None)):
            seen = Record(GAME.redact(table.states, 0, viewer))
            told += [event_sentence(GAME, seen, fact.seen_by(viewer), people, language, you=you) for fact in happened]
    for line in told:
        assert line.strip() and "{" not in line and "None" not in line and "event." not in line, line


def test_the_robot_is_called_by_its_name() -> None:
    match = Match(["Dog"], ["Cyborg"], robot=True)
    named = match.told("match_won")[0]
    assert (named["seat"], named["team"]) == (0, 0)
    assert Telling(GAME, match.state, ["Ada", "Bruno"], "en").event(named).startswith("Ada wins against Robot:")


def test_the_terminal_draws_match_and_deck() -> None:
    match = Match(["Pony", "Reporter", "Dog", "Pig"], ["Dragon"], my_bench=("Vendor",))
    drawn = picture(match.view(0), ["Ana", "Bea"], "en")
    assert "Green park\n  Ana (2): Pony 4  Reporter 2\n    [Vendor]\n  Bea (0): Dragon 7\n" in drawn
    assert "1 Pony" in drawn
    table = Table(3)
    assert "1. " in picture(table.view(1), ["Ana", "Bea", "Carlo"], "it")
    assert "Robot" not in picture(table.view(SPECTATOR), ["Ana", "Bea", "Carlo"], "it")
