"""Every event and choice of whole games can be said in both languages, with nothing left unsaid."""

import random
from typing import Any

import pytest

from games.king_of_con.scene import ENGINE
from ludoteca.core.record import Record
from ludoteca.core.words import LANGUAGES, catalogue
from ludoteca.games.king_of_con import GAME, terminal
from ludoteca.games.king_of_con.components import ITEM_LIST
from ludoteca.terminal import choice_sentence, event_sentence

NAMES = ["Ana", "Bea", "Carlo", "Dino", "Eva"]


@pytest.mark.parametrize("options", [{}, {"monkey_control": "on"}, {"bluffing_by_mistake": "on"}])
@pytest.mark.parametrize("language", LANGUAGES)
def test_games_can_be_told_from_beginning_to_end(language: str, options: Any) -> None:
    luck = random.Random(3)
    states = ENGINE.start(5, options, 3)
    said = []
    while not ENGINE.is_over(states):
        seat = luck.choice(ENGINE.waiting(states))
        choice = luck.choice(ENGINE.choices(states, 0, seat))
        said.append(choice_sentence(GAME, Record(GAME.redact(states, 0, seat)), choice, NAMES, language))
        for fact in ENGINE.decide(states, 0, seat, choice["action"]):
            for viewer in (seat, (seat + 1) % 5):
                seen = Record(GAME.redact(states, 0, viewer))
                said.append(event_sentence(GAME, seen, fact.seen_by(viewer), NAMES, language, viewer))
        assert terminal.picture(ENGINE.view(states, 0, seat), NAMES, language)
    for sentence in said:
        assert "{" not in sentence
        assert "None" not in sentence
        assert not sentence.startswith(("event.", "action."))


def test_every_item_has_a_name_of_its_own() -> None:
    for language in LANGUAGES:
        names = [catalogue(GAME.folder, language)[f"item.{item.id}"] for item in ITEM_LIST]
        assert len(set(names)) == 25


def test_a_tie_is_told_step_by_step() -> None:
    from games.king_of_con.scene import Table

    table = Table(2)
    table.booths("I18")
    table.monkeys(2, 1)
    table.do(0, "bid 1 3")
    table.do(1, "bid 1 3")
    table.do(0, "pass")
    told = [fact for fact in ENGINE.decide(table.states, 0, 1, GAME.actions.read("pass"))]
    seen = Record(GAME.redact(table.states, 0, 0))
    lines = [event_sentence(GAME, seen, fact, NAMES, "en", 0) for fact in told]
    at = lines.index("Ana, Bea tie for Giant Robot at 3: the Monkeys decide")
    assert lines[at + 1 : at + 5] == [
        "Bea takes Giant Robot: Monkey 1 is the lowest",
        "The Monkeys move: Ana has Monkey 1 now instead of 2; Bea has Monkey 2 now instead of 1",
        "Bea buys Giant Robot at Booth 1 for 3",
        "You waste 3 tokens on Giant Robot: somebody else takes it",
    ]


def lines_of(language: str, kind: str, table: Any) -> list[str]:
    """The sentences of one kind of fact, as a spectator reads them."""
    seen = Record(GAME.redact(table.states, 0, 0))
    facts = [fact for fact in table.facts if GAME.events[fact.kind] == kind]
    return [event_sentence(GAME, seen, fact, NAMES, language) for fact in facts]


def test_one_token_is_told_in_the_singular() -> None:
    from games.king_of_con.scene import Table

    table = Table(3)
    table.own(0, I18=0, I24=1)
    table.own(1, I12=2)
    table.looting()
    table.loot({}, {"I18": 1}, {"I24": 1})
    assert lines_of("it", "looted", table) == [
        "Bea sciacalla Robottone per 1 gettone, che incassa Ana; la riserva comune ne aggiunge 1"
    ]
    assert lines_of("it", "wasted", table) == ["Carlo spreca 1 gettone su Dèi antichi: non supera il suo valore"]
    # Bea has two signed Items (the robot is worth nothing after devaluation), Ana one.
    [signed] = [line for line in lines_of("it", "dominated", table) if "Autografati" in line]
    assert signed == "Bea ha il predominio di Autografati con 2 Oggetti: 1 gettone"


def test_a_dominance_by_one_token_is_told_in_the_singular() -> None:
    from games.king_of_con.scene import Table

    table = Table(2)
    table.own(0, I01=2)
    table.own(1, I02=1)  # Sci-Fi: one Item each, 1 token against none after devaluation
    table.show_off()
    assert lines_of("en", "dominated", table)[0] == "Ana dominates Sci-Fi with 1 Item, thanks to 1 token on it: 1 token"
    assert lines_of("it", "dominated", table)[0].startswith(
        "Ana ha il predominio di Sci-Fi con 1 Oggetto, per il gettone che c'è sopra"
    )


def test_who_concedes_is_said_to_keep_the_monkey() -> None:
    from games.king_of_con.scene import Table

    table = Table(3, monkey_control="on")
    table.booths("I18")
    table.monkeys(1, 2, 3)
    table.bid((1, 2), (1, 2), (1, 2))
    table.nobody_bids()
    table.do(0, "concede I18")  # the other two are still tied, and their Monkeys will move
    assert lines_of("en", "conceded", table) == ["Ana concedes Giant Robot and keeps the Monkey"]
    assert lines_of("it", "conceded", table) == ["Ana concede Robottone e tiene la sua Scimmia"]
