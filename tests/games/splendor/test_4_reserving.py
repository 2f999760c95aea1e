"""§4 Reserving a character."""

from games.splendor.scene import Table
from ludoteca.games.splendor.components import CARD_LIST


def test_a_face_up_card_is_reserved_in_public() -> None:  # §4.1
    table = Table(3)
    table.show("Rocket")
    assert table.do(0, "reserve 1 1") == ["reserved"]
    for viewer in (0, 1, 2, 15):
        assert table.view(viewer)["players"][0]["hand"] == [{"level": 1, "card": "M102", "secret": False}]
    assert "Rocket" not in table.face_up(1)


def test_the_top_of_a_deck_is_secret_until_recruited() -> None:  # §4.2
    table = Table(3)
    table.top("Rocket")
    table.do(0, "reserve_top 1")
    assert table.view(0)["players"][0]["hand"] == [{"level": 1, "card": "M102", "secret": True}]
    for viewer in (1, 2, 15):
        assert table.view(viewer)["players"][0]["hand"] == [{"level": 1, "card": None, "secret": True}]
    table.pass_round_to(0)
    table.tokens(0, yellow=1, red=2)
    assert table.do(0, "recruit_hand 1") == ["recruited"]
    assert "M102" in table.view(15)["players"][0]["cards"]


def test_the_event_of_a_blind_reservation_names_the_card_to_its_owner_only() -> None:  # §4.2
    table = Table()
    table.top("Rocket")
    game = table.engine.game
    happened = table.engine.decide(table.states, 0, 0, game.actions.read("reserve_top 1"))
    told = {viewer: game.event(table.state, happened[0].seen_by(viewer))["card"] for viewer in (0, 1, 15)}
    assert told == {0: "M102", 1: None, 15: None}


def test_reserving_brings_a_grey_token() -> None:  # §4.3
    table = Table()
    table.do(0, "reserve 2 3")
    assert table.held(0) == {"grey": 1}
    assert table.left("grey") == 4


def test_reserving_with_no_grey_token_left() -> None:  # §4.4
    table = Table()
    table.bank(grey=0)
    assert table.do(0, "reserve 2 3") == ["reserved"]
    assert table.held(0) == {}
    assert table.latest[0]["grey"] is False
    table.do(1, "reserve_top 2")
    assert table.held(1) == {}


def test_three_reserved_cards_at_most() -> None:  # §4.5
    table = Table()
    for name in ("Iron Man", "Gamora", "Black Panther"):
        table.hand(0, name)
    assert table.refused(0, "reserve 1 1") == "hand_full"
    assert table.refused(0, "reserve_top 1") == "hand_full"


def test_recruiting_frees_a_place_in_the_hand() -> None:  # §4.5
    table = Table()
    for name in ("Iron Man", "Rocket", "Black Panther"):
        table.hand(0, name)
    table.tokens(0, yellow=1, red=2)
    table.do(0, "recruit_hand 2")
    names = [table.card(held["card"]) for held in table.view(0)["players"][0]["hand"]]
    assert names == [table.card("Iron Man"), table.card("Black Panther")]
    table.pass_round_to(0)
    assert table.may(0, "reserve 1 1")


def test_the_cards_behind_a_recruited_one_stay_as_secret_as_they_were() -> None:  # §4.1, §4.2
    table = Table()
    table.hand(0, "Rocket")
    table.hand(0, "Iron Man", secret=True)
    table.hand(0, "Ghost Rider")
    table.tokens(0, yellow=1, red=2)
    table.do(0, "recruit_hand 1")
    seen = [(held["level"], held["card"], held["secret"]) for held in table.view(1)["players"][0]["hand"]]
    iron_man, ghost_rider = (CARD_LIST[0][table.card(name)] for name in ("Iron Man", "Ghost Rider"))
    assert seen == [(iron_man.level, None, True), (ghost_rider.level, ghost_rider.id, False)]
    assert iron_man.level != ghost_rider.level


def test_reserved_cards_cannot_be_discarded() -> None:  # §4.5
    table = Table()
    table.hand(0, "Iron Man")
    assert not any("discard" in action for action in table.legal(0))


def test_cards_left_in_hand_cost_nothing_at_the_end() -> None:  # §4.6
    table = Table()
    table.ready_to_win(1, points=16)
    table.hand(1, "Iron Man")
    table.turn(1)
    table.do(1, "take_three 1 2 3")
    assert table.over()
    assert table.engine.result(table.states).scores == [0, 16]


def test_an_empty_deck_cannot_be_reserved_from() -> None:  # §4.2, §5.8
    table = Table()
    table.empty_deck(3)
    assert table.refused(0, "reserve_top 3") == "deck_empty"
    assert table.may(0, "reserve 3 1")


def test_the_first_card_of_the_box_is_dealt_and_reserved_like_any_other() -> None:  # §4.1, §5.7
    table = Table()
    first = CARD_LIST[0][0].id
    table.top(first)
    table.do(0, "reserve 1 2")
    assert [(event["slot"], event["card"]) for event in table.told("dealt")] == [(2, first)]
    assert table.may(1, "reserve 1 2")
    table.do(1, "reserve 1 2")
    assert table.state.hand[1, 0] == table.card(first)


def test_a_place_of_the_hand_is_empty_again_when_its_card_is_recruited() -> None:  # §4.2, §5.1
    table = Table()
    table.bonuses(0, **dict.fromkeys(table.kinds[:5], 7))
    table.places()
    table.hand(0, "Iron Man")
    table.do(0, "recruit_hand 1")
    state = table.state
    assert (state.in_hand[0], state.hand[0, 0], state.hand_level[0, 0], state.hand_seen[0, 0]) == (0, -1, -1, 0)
