"""§3 The token limit."""

from games.splendor.scene import Table


def ten_tokens(**more: int) -> Table:
    """A player with eight tokens, plus what is named."""
    table = Table(4)
    table.tokens(0, yellow=2, red=2, orange=2, blue=2, **more)
    return table


def test_everybody_sees_all_tokens() -> None:  # §3.1
    table = ten_tokens(grey=1)
    for viewer in (0, 1, 15):
        assert table.view(viewer)["players"][0]["tokens"] == [2, 2, 2, 2, 0, 1, 0]


def test_ten_tokens_may_be_kept() -> None:  # §3.2
    table = ten_tokens()
    table.do(0, "take_alike 5")
    assert table.engine.waiting(table.states) == [1]


def test_more_than_ten_during_the_turn_and_ten_at_its_end() -> None:  # §3.2
    table = ten_tokens(purple=2)
    assert table.do(0, "take_three 1 2 3") == ["took"]
    assert sum(table.held(0).values()) == 13
    assert table.view()["phase"] == "return"
    for n in range(3):
        assert table.engine.waiting(table.states) == [0], f"after {n} tokens"
        assert table.do(0, "give_back 5" if n < 2 else "give_back 1") == ["returned"]
    assert sum(table.held(0).values()) == 10
    assert table.engine.waiting(table.states) == [1]


def test_returned_tokens_are_freely_chosen_grey_too() -> None:  # §3.3
    table = ten_tokens(grey=2)
    table.do(0, "take_three 1 2 5")
    assert table.legal(0) == [f"give_back {n}" for n in range(1, 7)]
    table.do(0, "give_back 6")
    assert table.left("grey") == 4


def test_a_token_just_taken_may_be_returned() -> None:  # §3.3
    table = ten_tokens(purple=2)
    table.do(0, "take_three 1 2 3")
    table.do(0, "give_back 1")
    assert table.held(0)["yellow"] == 2


def test_grey_and_green_count_towards_ten() -> None:  # §3.2
    for joker_or_gem in ("grey", "green"):
        table = ten_tokens(**{joker_or_gem: 1})
        table.do(0, "take_alike 5")
        assert table.view()["phase"] == "return", f"ten and a {joker_or_gem} one"


def test_the_time_gem_is_never_returned() -> None:  # §3.4
    table = ten_tokens(grey=1, green=1)
    table.do(0, "take_three 1 2 3")
    assert {action.split()[0] for action in table.legal(0)} == {"give_back"}, (
        "a seventh would be another kind of action"
    )
    assert all(int(action.split()[1]) <= 6 for action in table.legal(0))
    assert "green" in table.held(0)


def test_nothing_else_can_be_done_before_the_tokens_are_returned() -> None:  # §3.2
    table = ten_tokens(purple=2)
    table.do(0, "take_three 1 2 3")
    assert table.refused(0, "take_three 1 2 3") == "phase_return"
    assert table.refused(0, "give_back 6") == "no_such_token"


def test_reserving_at_ten_tokens_costs_a_token() -> None:  # §3.2, §4.3
    table = ten_tokens(purple=2)
    table.do(0, "reserve 1 1")
    assert sum(table.held(0).values()) == 11
    table.do(0, "give_back 6")
    assert table.engine.waiting(table.states) == [1]


def test_the_time_gem_can_make_the_eleventh_token() -> None:  # §3.2, §7.1
    table = Table(4)
    table.show("Doctor Strange")
    table.bonuses(0, purple=7)
    table.tokens(0, yellow=2, red=2, orange=2, blue=2, purple=2)
    assert table.do(0, "recruit 3 1") == ["recruited", "time_gem"]
    assert table.view()["phase"] == "return"
