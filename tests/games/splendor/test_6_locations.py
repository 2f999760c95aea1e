"""§6 Locations."""

from games.splendor.scene import Table


def test_edoardos_example() -> None:  # §6.1, §6.2
    """Three yellow, three blue and three red bonuses bring Knowhere and 3 points, by themselves."""
    table = Table(4)
    table.places("Knowhere")
    table.bonuses(0, yellow=3, blue=3, red=3)
    assert table.do(0, "take_three 1 2 3") == ["took", "received"]
    assert table.score(0) == 3
    assert table.view()["tiles"] == [{"id": "L3A", "owner": 0}]


def test_tokens_do_not_count() -> None:  # §6.1
    table = Table(4)
    table.places("Knowhere")
    table.bonuses(0, yellow=2, blue=3, red=3)
    table.tokens(0, yellow=4)
    assert table.do(0, "take_three 1 2 3") == ["took"]


def test_the_card_just_recruited_counts() -> None:  # §6.2
    table = Table(4)
    table.places("Knowhere")
    table.show("Rocket")
    table.bonuses(0, yellow=2, blue=3, red=3)
    assert table.do(0, "recruit 1 1") == ["recruited", "received"]


def test_it_is_taken_at_the_end_of_a_turn_without_an_action_too() -> None:  # §6.2, §2.6
    table = Table(2)
    table.places("Knowhere")
    table.bank(yellow=0, red=0, orange=0, blue=0, purple=0)
    table.state.market[:] = -1  # the game is nearly out of cards
    for level in (1, 2, 3):
        table.empty_deck(level)
    table.bonuses(0, yellow=3, blue=3, red=3)
    assert table.do(0, "pass") == ["passed", "received"]


def test_it_must_be_taken() -> None:  # §6.2
    table = Table(4)
    table.places("Knowhere")
    table.bonuses(0, yellow=3, blue=3, red=3)
    table.do(0, "take_three 1 2 3")
    assert table.engine.waiting(table.states) == [1], "nobody is asked"


def test_one_location_a_turn_and_the_other_a_turn_later() -> None:  # §6.3, §6.4
    table = Table(2)
    table.places("Knowhere", "Atlantis")
    table.bonuses(0, yellow=3, blue=3, red=3, purple=3)
    assert table.do(0, "take_three 1 2 3") == ["took"]
    assert table.view()["phase"] == "place"
    assert table.legal(0) == ["take_place 1", "take_place 2"]
    assert table.refused(0, "take_three 1 2 3") == "phase_place"
    assert table.refused(0, "take_place 3") == "place_gone"
    assert table.do(0, "take_place 2") == ["received"]
    assert table.score(0) == 3
    assert table.engine.waiting(table.states) == [1]
    table.pass_round_to(0)
    assert "received" in table.do(0, table.legal(0)[0])
    assert table.score(0) == 6


def test_a_location_out_of_reach_cannot_be_chosen() -> None:  # §6.4
    table = Table(3)
    table.places("Knowhere", "Atlantis", "Attilan")
    table.bonuses(0, yellow=3, blue=3, red=3, purple=3)
    table.do(0, "take_three 1 2 3")
    assert table.legal(0) == ["take_place 1", "take_place 2"]
    assert table.refused(0, "take_place 3") == "place_bonuses"


def test_a_taken_location_is_gone() -> None:  # §6.2
    table = Table(2)
    table.places("Knowhere")
    table.bonuses(0, yellow=3, blue=3, red=3)
    table.bonuses(1, yellow=3, blue=3, red=3)
    table.do(0, "take_three 1 2 3")
    assert table.do(1, "take_three 1 2 3") == ["took"]
    assert table.score(1) == 0


def test_tokens_are_returned_before_the_location_is_taken() -> None:  # §3.2, §6.2
    table = Table(4)
    table.places("Knowhere")
    table.bonuses(0, yellow=3, blue=3, red=3)
    table.tokens(0, yellow=2, red=2, orange=2, blue=2, purple=2)
    assert table.do(0, "take_alike 1") == ["took"]
    table.do(0, "give_back 1")
    assert table.do(0, "give_back 1") == ["returned", "received"]


def test_no_location_is_needed_to_win() -> None:  # §6.5
    table = Table(2)
    table.ready_to_win(1, points=16)
    table.turn(1)
    table.do(1, "take_three 1 2 3")
    assert table.over()
    assert table.ranks() == [2, 1]
    assert table.engine.game.reasons(table.state)[1]["places"] == 0
