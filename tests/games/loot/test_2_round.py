"""§2 The round."""

import itertools

from games.loot.scene import Table
from ludoteca.core.record import SPECTATOR
from ludoteca.games.loot import GAME


def test_everybody_walks_at_once_on_a_sheet_of_their_own() -> None:  # §2.1
    table = Table(3, dice=(2, 5, 6))
    assert table.waiting() == [0, 1, 2]
    table.do(1, "walk up")
    assert table.waiting() == [0, 2]
    assert table.legal(1) == []
    table.do(0, "walk up")  # the same square on another sheet
    table.do(2, "walk left")
    assert [table.mark(seat, 2, 4) for seat in range(3)] == ["/", "/", "."]


def test_the_order_of_the_moves_changes_nothing() -> None:  # §2.1
    chosen = {0: "walk up", 1: "walk right", 2: "walk down"}
    ends = set()
    for order in itertools.permutations(chosen):
        table = Table(3, dice=(2, 5, 6), seed=4)
        for seat in order:
            table.do(seat, chosen[seat])
        ends.add(table.states.tobytes())
    assert len(ends) == 1


def test_who_has_moved_is_known_but_not_where_to() -> None:  # §2.4
    """Two worlds in which the others have moved differently look the same to those who still think."""
    worlds = []
    for move in ("walk up", "walk left"):
        table = Table(3, dice=(2, 5, 6))
        assert table.do(1, move) == [], "nothing is told"
        worlds.append(table)
    for viewer in (0, 2, SPECTATOR):
        seen = [table.view(viewer) for table in worlds]
        assert seen[0] == seen[1]
        assert [player["moved"] for player in seen[0]["players"]] == [False, True, False]
        redacted = [GAME.redact(table.states, 0, viewer) for table in worlds]
        assert redacted[0].tobytes() == redacted[1].tobytes()
        if viewer != SPECTATOR:
            numbers = [table.engine.observe(one, viewer) for table, one in zip(worlds, redacted)]
            assert numbers[0].tobytes() == numbers[1].tobytes()


def test_one_sees_what_one_has_sealed() -> None:  # §2.4
    table = Table(2, dice=(2, 5, 6))
    chosen = table.choice("walk up", 1)
    table.do(1, "walk up")
    sealed = table.view(1)["you"]["sealed"]
    assert sealed == {key: value for key, value in chosen.items() if key != "action"}
    assert table.view(0)["you"]["sealed"] is None
    table.do(0, "walk up")
    assert table.view(1)["you"]["sealed"] is None


def test_the_last_move_opens_all_in_the_order_of_the_seats() -> None:  # §2.4
    table = Table(3, dice=(2, 5, 6))
    table.do(2, "walk up"), table.do(0, "walk left")
    table.do(1, "walk down")
    walked = [(event["seat"], event["direction"]) for event in table.events if event["kind"] == "walked"]
    assert walked == [(0, "left"), (1, "down"), (2, "up")]


def test_a_sealed_move_is_guessed_as_any_the_seat_could_make() -> None:  # §2.4
    table = Table(2, dice=(2, 5, 6))
    table.do(1, "walk up")
    found = set()
    for seed in range(60):
        guess = GAME.redact(table.states, 0, 0)
        table.engine.determinize(guess, 0, seed)
        found.add(GAME.actions.write(int(guess["sealed"][0][1])))
    assert found == {"walk up", "walk right", "walk down", "walk left"}


def test_the_search_lets_who_has_sealed_decide_anew() -> None:  # §2.4
    table = Table(2, dice=(2, 5, 6))
    table.do(1, "walk up")
    guess = GAME.redact(table.states, 0, 0)
    table.engine.call("imagine", guess, 0, 0, 5)
    assert (table.engine.waiting(guess), guess["sealed"][0].tolist()) == ([0, 1], [-1, -1, -1, -1])


def test_only_the_active_die_counts() -> None:  # §2.2
    table = Table(2, dice=(2, 1, 3))
    assert set(table.walks().values()) == {(2, 4), (4, 6), (6, 4), (4, 2)}


def test_the_active_die_is_rolled_into_the_last_place() -> None:  # §2.3
    table = Table(2, dice=(2, 5, 6))
    table.do(0, "walk up")
    assert table.view()["dice"] == [2, 5, 6]
    assert table.do(1, "walk up")[-2:] == ["rolled", "new_round"]
    dice = table.view()["dice"]
    assert dice[:2] == [5, 6]
    assert 1 <= dice[2] <= 6
    assert (table.view()["round"], table.waiting()) == (2, [0, 1])
