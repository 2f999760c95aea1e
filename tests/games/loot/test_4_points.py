"""§4 Points and abilities."""

from games.loot.scene import CLEAN, Table

ROW_1 = """
    / / . / / / /
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_a_first_visit_counts_and_a_cross_does_not() -> None:  # §4.1
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, CLEAN.replace(".", "/", 1), at=(1, 2))  # the blue single in the corner is closed already
    assert table.choice("walk left")["points"] == 0
    assert table.turn("walk left") == ["walked", "crossed"]
    assert (table.score(), table.player()["track"]) == (0, [])


def test_a_second_visit_moves_on_on_no_track() -> None:  # §4.1
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, CLEAN.replace(". .", ". /", 1), at=(1, 1))
    table.do(0, "walk right")
    assert (table.mark(0, 1, 2), table.player()["meeps"]) == ("x", 1)


def test_a_complete_row_pays_three() -> None:  # §4.2
    table = Table(1, dice=(2, 1, 1))
    table.sheet(0, ROW_1.replace("/ / . /", "/ / / /").replace("/ / / / /", "/ / / . /", 1), at=(3, 4))
    # Row 1 lacks column 4; the yellow pair (columns 3 and 4) closes with it.
    assert "row" in table.do(0, "walk up")
    assert table.last("row") == {"kind": "row", "seat": 0, "number": 1, "points": 3}
    assert table.last("wrote")["points"] == 3 + 2
    assert table.player()["sources"]["lines"] == 3


def test_meeps_squares_belong_to_lines_too() -> None:  # §4.2
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, ROW_1.replace("/ / .", "/ . /"), at=(1, 1))
    assert {"row", "meeps"} <= set(table.do(0, "walk right"))


def test_row_and_column_at_once_pay_six() -> None:  # §4.2
    cross = CLEAN.replace(". . . . . . .", ". . . / . . .").split()
    cross[21:28] = ["/", "/", "/", ".", "/", "/", "/"]
    cross[28 + 3] = "/"
    table = Table(1, dice=(3, 1, 1))
    table.sheet(0, " ".join(cross), at=(4, 1))
    happened = table.do(0, "walk right")  # the Meeps square in the middle
    assert happened.count("row") == happened.count("column") == 1
    assert table.player()["sources"]["lines"] == 6


def test_meeps_squares_circle_the_track_in_order() -> None:  # §4.3
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, at=(1, 1))
    assert "gained" not in table.do(0, "walk right")
    assert table.last("meeps") == {"kind": "meeps", "seat": 0, "space": 1, "points": 1}
    table.sheet(0, CLEAN.replace(". .", ". /", 1), at=(2, 4))
    table.state.dice[:] = 1
    assert "gained" in table.do(0, "walk right")
    assert (table.last("meeps")["space"], table.last("gained")["ability"]) == (2, "plus_minus")
    assert (table.score(), table.player()["meeps"], table.held()) == (1, 2, {"wrap": 0, "plus_minus": 1})


def test_the_whole_meeps_track() -> None:  # §4.3
    table, gains = Table(1), []
    squares = [n for n, letter in enumerate(table.view()["sheet"]["grid"]) if letter == "M"]
    for n in squares:
        state = table.state
        state.dice[:] = 1
        state.pawn[0] = n - 1 if n % 7 else n + 1
        table.do(0, "walk right" if n % 7 else "walk left")
        gains += [event.get("ability") or event["points"] for event in table.latest
                  if event["kind"] == "gained" or (event["kind"] == "meeps" and event["points"])]  # fmt: skip
    assert gains == [1, "plus_minus", 2, "wrap", 3, "plus_minus", 4, "wrap", 5]
    assert table.player()["sources"]["meeps"] == 15


def test_a_closed_hall_pays_its_size() -> None:  # §4.4
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, CLEAN.replace(". . . . . . .", ". . . / . . .", 1), at=(1, 2))
    table.do(0, "walk right")
    assert table.last("hall") == {"kind": "hall", "seat": 0, "colour": "yellow", "size": 2, "points": 2}
    assert [h for h in table.player()["halls"] if h["closed"]] == [{"closed": True, "colour": "yellow", "size": 2}]
    assert table.score() == 2


def test_a_hall_with_a_stand_missing_pays_nothing() -> None:  # §4.4
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, at=(1, 2))
    assert table.turn("walk right") == ["walked", "slashed"]
    assert table.score() == 0


REDS = """
    . . . . . . /
    . . . . . . .
    . . . . . . .
    / . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""  # the single is closed, the pair lacks row 5


def test_a_combo_pays_when_its_circles_are_there() -> None:  # §4.5
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, REDS, at=(6, 1))
    table.do(0, "walk up")  # the red pair: two red circles give wrap around
    assert table.last("combo") == {"kind": "combo", "seat": 0, "line": "red", "points": 0}
    assert table.last("gained")["ability"] == "wrap"
    assert (table.score(), table.held()["wrap"]) == (2, 1)
    assert [c["circles"] for c in table.player()["combos"]] == [2, 0, 0, 0, 1, 1, 0, 0]
    assert [c["done"] for c in table.player()["combos"]] == [True] + 7 * [False]


def test_a_combo_pays_only_once() -> None:  # §4.5
    table = Table(1, dice=(1, 1, 1))
    drawing = REDS.split()
    drawing[28] = drawing[36] = drawing[43] = "/"  # pair closed, three lacks row 7, column 3
    table.sheet(0, " ".join(drawing), at=(7, 4))
    happened = table.do(0, "walk left")
    assert "hall" in happened
    assert "combo" not in happened
    assert table.player()["combos"][0] == {"circles": 3, "done": True}


def test_one_hall_can_complete_a_row_and_a_column_of_the_combo_grid() -> None:  # §4.5
    table = Table(1, dice=(1, 1, 1))
    drawing = CLEAN.split()
    for n in (42, 6, 0):  # green, red and blue singles: the third completed column 1 before this scene
        drawing[n] = "/"
    for n in (2, 3):  # the yellow pair
        drawing[n] = "/"
    for n in (21, 28):  # the red pair
        drawing[n] = "/"
    drawing[20] = "/"  # the green pair lacks row 4, column 7
    table.sheet(0, " ".join(drawing), at=(4, 6))
    table.do(0, "walk right")
    assert [event["line"] for event in table.latest if event["kind"] == "combo"] == ["green", "2"]
    assert (table.score(), table.held()["plus_minus"]) == (2 + 3, 1)


def test_the_preview_tells_what_will_happen_and_why() -> None:  # §4.6
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, REDS, at=(6, 1))
    table.entries(0, 1, 4)
    preview = table.choice("walk up")
    assert preview["gains"] == [
        {"kind": "hall", "colour": "red", "size": 2, "points": 2},
        {"kind": "combo", "line": "red", "points": 0},
        {"kind": "gained", "ability": "wrap"},
    ]
    assert (preview["points"], preview["total"], preview["space"], preview["ends"]) == (2, 6, 3, False)
    before = table.states.tobytes()
    table.choices()
    assert table.states.tobytes() == before, "looking changes nothing"
    table.do(0, "walk up")
    gains = [event for event in table.latest if event["kind"] in ("hall", "combo", "gained")]
    assert [{key: value for key, value in gain.items() if key != "seat"} for gain in gains] == preview["gains"]
    assert table.score() == 6


def test_every_preview_of_a_whole_game_comes_true() -> None:  # §4.6
    for seed in range(3):
        table = Table(1, seed=seed)
        table.states = table.engine.start(2, {}, seed)
        turn = 0
        while not table.over():
            chosen, before = {}, [table.score(seat) for seat in range(2)]
            for seat in table.waiting():
                choices = table.choices(seat)
                chosen[seat] = choices[(7 * turn + seed) % len(choices)]
                turn += 1
            for seat, choice in chosen.items():
                table.engine.decide(table.states, 0, seat, choice["action"])
            for seat, choice in chosen.items():
                if "points" in choice:
                    bonus = table.player(seat)["sources"]["end"]
                    assert table.score(seat) - before[seat] - bonus == choice["points"]
                    assert table.player(seat)["pawn"] == choice["to"]
                    assert table.player(seat)["turn_points"] == choice["points"]
                    assert choice["points"] == sum(gain.get("points", 0) for gain in choice["gains"])
