"""Every event and choice of whole games can be said in both languages, with nothing left unsaid."""

import random

import pytest

from games.king_of_con.scene import ENGINE
from ludoteca.core.record import Plain
from ludoteca.core.words import LANGUAGES, catalogue
from ludoteca.games.king_of_con import GAME
from ludoteca.games.king_of_con.components import ITEM_LIST
from ludoteca.terminal import choice_sentence, event_sentence

NAMES = ["Ana", "Bea", "Carlo", "Dino", "Eva"]


@pytest.mark.parametrize("options", [{}, {"monkey_control": "on"}, {"bluffing_by_mistake": "on"}])
@pytest.mark.parametrize("language", LANGUAGES)
def test_games_can_be_told_from_beginning_to_end(language, options):
    luck = random.Random(3)
    states = ENGINE.start(5, options, 3)
    said = []
    while not ENGINE.is_over(states):
        seat = luck.choice(ENGINE.waiting(states))
        choice = luck.choice(ENGINE.choices(states, 0, seat))
        said.append(choice_sentence(GAME, Plain(GAME.redact(states, 0, seat)), choice, NAMES, language))
        for fact in ENGINE.decide(states, 0, seat, choice["action"]):
            for viewer in (seat, (seat + 1) % 5):
                seen = Plain(GAME.redact(states, 0, viewer))
                said.append(event_sentence(GAME, seen, fact.seen_by(viewer), NAMES, language, viewer))
        assert GAME.picture(ENGINE.view(states, 0, seat), NAMES, language)
    for sentence in said:
        assert "{" not in sentence
        assert "None" not in sentence
        assert not sentence.startswith(("event.", "action."))


def test_every_item_has_a_name_of_its_own():
    for language in LANGUAGES:
        names = [catalogue(GAME.folder, language)[f"item.{item.id}"] for item in ITEM_LIST]
        assert len(set(names)) == 25


def test_a_tie_is_told_step_by_step():
    from games.king_of_con.scene import Table

    table = Table(2)
    table.booths("I18")
    table.monkeys(2, 1)
    table.do(0, "bid 1 3")
    table.do(1, "bid 1 3")
    table.do(0, "pass")
    told = [fact for fact in ENGINE.decide(table.states, 0, 1, GAME.actions.read("pass"))]
    seen = Plain(GAME.redact(table.states, 0, 0))
    lines = [event_sentence(GAME, seen, fact, NAMES, "en", 0) for fact in told]
    at = lines.index("player 1, player 2 tie for Giant Robot at 3: the Monkeys decide")
    assert lines[at + 1 : at + 5] == [
        "Bea takes Giant Robot: Monkey 1 is the lowest",
        "The Monkeys move: player 1 has Monkey 1 now instead of 2; player 2 has Monkey 2 now instead of 1",
        "Bea buys Giant Robot at Booth 1 for 3",
        "You waste 3 tokens on Giant Robot: somebody else takes it",
    ]
