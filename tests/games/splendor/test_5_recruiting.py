"""§5 Recruiting a character."""

from games.splendor.scene import Table
from ludoteca.games.splendor.components import CARD_LIST, COST, LEVEL


def test_lucas_example() -> None:  # §5.1, §5.2
    """A red card of 2 points for 2 yellow, 4 blue and 1 purple."""
    table = Table(4)
    table.show("Ghost Rider")
    table.tokens(0, yellow=2, blue=4, purple=1)
    assert table.do(0, "recruit 2 1") == ["recruited"]
    assert table.held(0) == {}
    assert [table.left(c) for c in ("yellow", "blue", "purple")] == [7, 7, 7]
    assert table.score(0) == 2
    assert table.view()["players"][0]["bonuses"] == [0, 1, 0, 0, 0]


def test_saras_example() -> None:  # §5.5
    """Rocket costs 1 yellow and 2 red; with a yellow and a red bonus, one red token pays for it."""
    table = Table()
    table.show("Rocket")
    table.bonuses(0, yellow=1, red=1)
    table.tokens(0, red=1)
    assert table.do(0, "recruit 1 1") == ["recruited"]
    assert table.latest[0]["paid"] == [0, 1, 0, 0, 0, 0, 0]
    assert table.held(0) == {}


def test_from_the_market_or_from_the_own_hand() -> None:  # §5.1
    table = Table()
    table.hand(0, "Rocket")
    table.tokens(0, yellow=1, red=2)
    assert table.may(0, "recruit_hand 1")
    table.do(0, "recruit_hand 1")
    assert table.view()["players"][0]["cards"] == ["M102"]
    assert table.view()["players"][0]["hand"] == []


def test_a_card_reserved_this_turn_waits_for_the_next() -> None:  # §5.1, §2.1
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=2)
    table.do(0, "reserve 1 1")
    assert table.legal(0) == []
    table.pass_round_to(0)
    assert table.may(0, "recruit_hand 1")


def test_the_hand_of_another_player_is_out_of_reach() -> None:  # §5.1
    table = Table()
    table.hand(1, "Rocket")
    table.tokens(0, yellow=1, red=2)
    assert table.refused(0, "recruit_hand 1") == "no_hand_card"


def test_a_card_that_cannot_be_paid_says_how_much_is_missing() -> None:  # §5.2
    table = Table()
    table.show("Rocket")
    table.tokens(0, red=1)
    assert table.refused(0, "recruit 1 1") == "too_dear"


def test_grey_stands_for_any_colour() -> None:  # §5.3
    table = Table()
    table.show("Rocket")
    table.tokens(0, red=1, grey=2)
    table.do(0, "recruit 1 1")
    assert table.latest[0]["paid"] == [0, 1, 0, 0, 0, 2, 0]
    assert table.left("grey") == 5


def test_a_grey_token_may_be_spent_to_keep_a_coloured_one() -> None:  # §5.4
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=2, grey=2)
    table.do(0, "choose_payment 1 1")
    assert table.legal(0) == ["swap 1", "swap 2"], "at least one joker is chosen"
    table.do(0, "swap 2")
    assert table.legal(0) == ["swap 2", "pay"], "colours are named in order"
    assert table.do(0, "pay") == ["recruited"]
    assert table.held(0) == {"red": 1, "grey": 1}
    assert table.latest[0]["paid"] == [1, 1, 0, 0, 0, 1, 0]


def test_every_way_to_pay_can_be_chosen() -> None:  # §5.4
    """Two grey tokens can save any two of yellow, red, red: four ways beside the plain one."""
    ways = set()
    for swaps in ("1", "2", "1 2", "2 2"):
        table = Table()
        table.show("Rocket")
        table.tokens(0, yellow=1, red=2, grey=2)
        table.do(0, "choose_payment 1 1")
        for colour in swaps.split():
            table.do(0, f"swap {colour}")
        table.do(0, "pay")
        ways.add(tuple(table.latest[0]["paid"]))
    assert len(ways) == 4


def test_no_choice_of_payment_without_a_grey_token_to_spare() -> None:  # §5.4
    table = Table()
    table.show("Rocket")
    table.tokens(0, red=2, grey=1)  # the grey one is needed for yellow
    assert table.may(0, "recruit 1 1")
    assert table.refused(0, "choose_payment 1 1") == "no_other_payment"


def test_no_choice_of_payment_for_a_card_that_is_free() -> None:  # §5.4, §5.6
    table = Table()
    table.show("Rocket")
    table.bonuses(0, yellow=1, red=2)
    table.tokens(0, grey=1)
    assert table.refused(0, "choose_payment 1 1") == "no_other_payment"


def test_while_paying_nothing_else_can_be_done() -> None:  # §5.4
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=2, grey=2)
    table.do(0, "choose_payment 1 1")
    assert table.refused(0, "take_three 1 2 3") == "phase_pay"
    assert table.view(0)["you"]["paying"]["card"] == "M102"


def test_a_joker_that_cannot_be_chosen_is_refused_with_the_true_reason() -> None:  # §5.4
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=2, grey=2)
    table.do(0, "choose_payment 1 1")
    assert table.refused(0, "pay") == "choose_joker"
    assert table.refused(0, "swap 3") == "nothing_to_save", "Rocket costs no orange"
    table.do(0, "swap 2")
    assert table.refused(0, "swap 1") == "swap_order"
    table.do(0, "swap 2")
    assert table.refused(0, "swap 2") == "nothing_to_save", "both red ones are saved"
    assert table.refused(0, "swap 1") == "no_spare_joker"


def test_enough_bonuses_make_a_card_free() -> None:  # §5.6
    table = Table()
    table.show("Rocket")
    table.bonuses(0, yellow=1, red=5)
    assert table.do(0, "recruit 1 1") == ["recruited"]
    assert table.latest[0]["paid"] == [0] * 7


def test_the_new_bonus_does_not_pay_for_its_own_card() -> None:  # §5.5
    table = Table()
    table.show("Rocket")  # gives yellow, costs 1 yellow and 2 red
    table.tokens(0, red=2)
    assert not table.may(0, "recruit 1 1")


def test_a_gap_is_filled_at_once() -> None:  # §5.7
    table = Table()
    table.show("Rocket", slot=3)
    table.top("Wasp")
    table.tokens(0, yellow=1, red=2)
    table.do(0, "recruit 1 3")
    assert table.face_up(1)[2] == "Wasp"
    table.top("Scorpion")
    table.do(1, "reserve 1 3")
    assert table.face_up(1)[2] == "Scorpion"


def test_gaps_stay_when_the_deck_is_empty() -> None:  # §5.8
    table = Table()
    table.show("Rocket", slot=3)
    table.empty_deck(1)
    table.tokens(0, yellow=1, red=2)
    table.do(0, "recruit 1 3")
    assert table.face_up(1)[2] is None
    assert table.refused(1, "reserve 1 3") == "no_card"
    assert table.refused(1, "recruit 1 3") == "no_card"


def test_a_gap_cannot_be_recruited() -> None:  # §5.8
    table = Table()
    table.empty_deck(3)
    table.places()
    table.bonuses(0, **dict.fromkeys(table.kinds[:5], 7))
    table.do(0, "recruit 3 2")
    table.pass_round_to(0)
    assert [action for action in table.legal(0) if action.startswith("recruit 3")] == [
        "recruit 3 1", "recruit 3 3", "recruit 3 4"
    ]  # fmt: skip


def test_everybody_is_told_where_a_recruit_comes_from() -> None:  # §5.1, §5.7
    table = Table()
    table.bonuses(0, **dict.fromkeys(table.kinds[:5], 7))
    table.do(0, "recruit 2 4")
    assert [(event["slot"], event["hand"]) for event in table.told("recruited")] == [(4, None)]
    assert [(event["level"], event["slot"]) for event in table.told("dealt")] == [(2, 4)]


def test_jokers_chosen_for_one_recruit_are_not_kept_for_the_next() -> None:  # §5.4
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=2, grey=1)
    table.do(0, "choose_payment 1 1", "swap 2", "pay")
    assert not any(table.state.swapped.tolist())
    assert (table.state.buying, table.view()["phase"]) == (-1, "main")


def test_a_joker_may_save_a_token_of_any_colour() -> None:  # §5.4
    for colour in range(5):
        table = Table()
        card = next(n for n, costs in enumerate(COST[0].tolist()) if LEVEL[n] == 0 and costs[colour] > 0)
        table.show(CARD_LIST[0][card].id)
        table.bonuses(0, **{kind: 7 for n, kind in enumerate(table.kinds[:5]) if n != colour})
        table.tokens(0, **{table.kinds[colour]: int(COST[0, card, colour]), "grey": 1})
        table.do(0, "choose_payment 1 1")
        assert table.legal(0) == [f"swap {colour + 1}"]
