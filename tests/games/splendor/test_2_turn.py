"""§2 A turn."""

import itertools

from games.splendor.scene import Table


def test_a_turn_is_one_action_of_four() -> None:  # §2.1
    table = Table()
    assert {action.split()[0] for action in table.legal(0)} == {"take_three", "take_alike", "reserve", "reserve_top"}
    table.do(0, "take_three 1 2 3")
    assert table.engine.waiting(table.states) == [1]
    assert table.legal(0) == []


def test_recruiting_is_an_action_when_it_can_be_paid() -> None:  # §2.1
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=2)
    assert table.may(0, "recruit 1 1")


def test_three_different_tokens() -> None:  # §2.2
    table = Table()
    assert table.do(0, "take_three 1 3 5") == ["took"]
    assert table.held(0) == {"yellow": 1, "orange": 1, "purple": 1}
    assert [table.left(c) for c in ("yellow", "red", "orange")] == [3, 4, 3]


def test_three_colours_left_means_three_tokens() -> None:  # §2.2
    table = Table()
    table.bank(yellow=0, red=0, orange=1, blue=1, purple=1)
    assert [a for a in table.legal(0) if a.startswith("take")] == ["take_three 3 4 5"]
    assert table.refused(0, "take_two 3 4") == "take_fewer"
    assert table.refused(0, "take_three 1 3 4") == "take_gone"


def test_two_colours_left_means_two_tokens_or_one() -> None:  # §2.3
    table = Table()
    table.bank(yellow=0, red=0, orange=0, blue=1, purple=2)
    assert [a for a in table.legal(0) if a.startswith("take")] == ["take_two 4 5", "take_one 4", "take_one 5"]
    table.do(0, "take_two 4 5")
    assert table.held(0) == {"blue": 1, "purple": 1}


def test_any_two_colours_that_are_left_may_be_taken() -> None:  # §2.3
    for one, two in itertools.combinations(range(1, 6), 2):
        table = Table()
        table.bank(**{kind: int(n in (one, two)) for n, kind in enumerate(table.kinds[:5], 1)})
        assert f"take_two {one} {two}" in table.legal(0)
        table.do(0, f"take_two {one} {two}")
        assert table.held(0) == {table.kinds[one - 1]: 1, table.kinds[two - 1]: 1}


def test_everybody_is_told_which_tokens_were_taken() -> None:  # §2.2, §2.3, §2.4
    for action, tokens in (
        ("take_three 1 3 5", [1, 0, 1, 0, 1, 0, 0]),
        ("take_alike 1", [2, 0, 0, 0, 0, 0, 0]),
        ("take_one 2", [0, 1, 0, 0, 0, 0, 0]),
    ):
        table = Table()
        if action == "take_one 2":
            table.bank(yellow=0, red=1, orange=0, blue=0, purple=0)
        table.do(0, action)
        assert [event["tokens"] for event in table.told("took")] == [tokens]
        assert table.state.tokens[0].tolist() == tokens


def test_a_colour_that_is_gone_is_refused_for_being_gone() -> None:  # §2.3
    table = Table()
    table.bank(yellow=0, red=0, orange=0, blue=1, purple=2)
    assert table.refused(0, "take_two 1 4") == "take_gone"
    assert table.refused(0, "take_one 2") == "take_gone"
    assert table.refused(0, "take_three 3 4 5") == "take_gone"


def test_one_colour_left_means_one_token() -> None:  # §2.3
    table = Table()
    table.bank(yellow=0, red=0, orange=0, blue=0, purple=3)
    assert [a for a in table.legal(0) if a.startswith("take")] == ["take_one 5"]


def test_two_alike_from_a_pile_of_four() -> None:  # §2.4
    table = Table()
    table.bank(red=4)
    assert table.do(0, "take_alike 2") == ["took"]
    assert table.held(0) == {"red": 2}
    assert table.left("red") == 2


def test_no_two_alike_from_a_pile_of_three() -> None:  # §2.4
    table = Table()
    table.bank(red=3)
    assert table.refused(0, "take_alike 2") == "take_alike"


def test_two_alike_even_when_fewer_than_three_colours_are_left() -> None:  # §2.3, §2.4
    table = Table()
    table.bank(yellow=0, red=0, orange=0, blue=0, purple=4)
    assert [a for a in table.legal(0) if a.startswith("take")] == ["take_one 5", "take_alike 5"]


def test_grey_and_green_are_never_taken() -> None:  # §2.5
    table = Table()
    table.bank(yellow=0, red=0, orange=0, blue=0, purple=0, grey=5, green=2)
    assert not [a for a in table.legal(0) if a.startswith("take")]
    for action in range(len(table.engine.game.actions)):
        written = table.engine.game.actions.decode(action)
        if written.kind.startswith("take_") and written.kind != "take_place":
            assert max(map(int, written.arguments)) <= 5


def test_a_player_without_any_action_passes() -> None:  # §2.6
    table = stuck_player()
    assert table.legal(0) == ["pass"]
    assert table.do(0, "pass") == ["passed"]
    assert table.engine.waiting(table.states) == [1]


def test_nobody_else_may_pass() -> None:  # §2.6
    assert Table().refused(0, "pass") == "pass"


def stuck_player() -> Table:
    """No token on the table, a full hand, nothing that can be paid."""
    table = Table()
    table.bank(yellow=0, red=0, orange=0, blue=0, purple=0)
    for name in ("Iron Man", "Gamora", "Black Panther"):
        table.hand(0, name)
    return table
