"""Loot as text."""

from games.loot.scene import Table
from ludoteca.games.loot import GAME, terminal


def test_a_choice_says_where_it_leads_and_what_it_brings():
    table = Table(2, dice=(1, 2, 3))
    table.sheet(0, at=(1, 2))
    state = table.arrange()
    facts = terminal.spoken(state, table.choice("walk left"), [], "en")
    assert (facts["square"], facts["direction"], facts["points"]) == ("row 1, column 1", "to the left", 1)
    assert terminal.spoken(state, table.choice("walk left"), [], "it")["square"] == "riga 1, colonna 1"


def test_the_sheets_stand_side_by_side():
    table = Table(2, dice=(1, 2, 3))
    table.sheet(0, at=(1, 2))
    table.do(0, "walk left")
    text = GAME.picture(table.view(), ["Ana", "Bea"], "en")
    lines = text.splitlines()
    assert lines[0] == "Dice: 1 ← 2 ← 3"
    assert lines[1].split() == ["Ana", "1", "(1/11)", "Bea", "0", "(0/11)"]
    assert lines[2].startswith("[/] M  Y  Y  G  G  R ")
    assert len(lines) == 10
