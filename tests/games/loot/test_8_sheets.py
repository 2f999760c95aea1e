"""§8 The sheet as a file."""

import copy
import json
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import pytest

from games.loot.scene import Table
from ludoteca.core.errors import BadData
from ludoteca.games.loot import GAME
from ludoteca.games.loot.components import HERE, SHEET_NAMES, Sheet, read_sheet

GOOD = json.loads((HERE / "symmetric.json").read_text("utf-8"))


def read(tmp_path: pathlib.Path, sheet: Any) -> Sheet:
    path = tmp_path / "mine.json"
    path.write_text(sheet if isinstance(sheet, str) else json.dumps(sheet), "utf-8")
    return read_sheet(path)


def changed(**fields: Any) -> dict[Any, Any]:
    return {**copy.deepcopy(GOOD), **fields}


def rows(*replaced: Any) -> list[str]:
    """The grid with some squares changed: (row, column, letter)."""
    grid = [row.split() for row in GOOD["grid"]]
    for row, column, letter in replaced:
        grid[row - 1][column - 1] = letter
    return [" ".join(row) for row in grid]


def test_the_house_has_a_symmetric_and_an_irregular_sheet() -> None:  # §8.1
    assert SHEET_NAMES[:1] == ("symmetric",)
    assert "irregular" in SHEET_NAMES
    option = next(option for option in GAME.options if option.key == "sheet")
    assert option.values == SHEET_NAMES
    assert all(Table(1, sheet=name).view()["sheet"]["house"] for name in ("symmetric", "irregular"))
    grids = {Table(1, sheet=name).view()["sheet"]["grid"] for name in SHEET_NAMES}
    assert len(grids) == len(SHEET_NAMES)


def test_the_symmetric_sheet() -> None:  # §8.1
    """Our own design, but games are compared on it: it changes only with intent."""
    sheet = read_sheet(HERE / "symmetric.json")
    rows = ["BMYYGGR", "YYBRMGM", "YMBRRRG", "RBBMYYG", "RGGGYMB", "MRMGYBB", "GRRBBMY"]
    assert sheet.grid == "".join(rows)
    assert sheet.meeps_track == (1, "plus_minus", 2, "wrap", 3, "plus_minus", 4, "wrap", 5)
    by_colour = ((2, "wrap"), (3, 3), (2, "plus_minus"), (3, 3))  # red, yellow, green, blue
    by_size = ((3, "plus_minus"), (3, 3), (2, "wrap"), (2, 3))
    assert sheet.combos == (*by_colour, *by_size)
    assert sheet.score_spaces == 12


def test_a_new_file_is_playable_without_code(tmp_path: pathlib.Path) -> None:  # §8.1
    """A copy of the game with one more file in its folder: 15 halls, 10 Meeps squares, a short track."""
    game = tmp_path / "loot_copy"
    shutil.copytree(HERE.parent, game, ignore=shutil.ignore_patterns("__pycache__"))
    mine = changed(grid=rows((1, 1, "M")), meeps_track=[1, "wrap", 2, 2, 2, 2, 2, 2, 2, 9], score_spaces=4)
    (game / "components" / "mine.json").write_text(json.dumps(mine), "utf-8")
    (game / "components" / "half.json").write_text(json.dumps(changed(score_spaces=2)), "utf-8")  # still being drawn
    script = """
import loot_copy
from ludoteca.core.engine import interpreted
engine = interpreted(loot_copy.GAME)
states = engine.start(2, {"sheet": "mine"}, 5)
while not engine.is_over(states):
    seat = engine.waiting(states)[0]
    engine.decide(states, 0, seat, engine.legal(states, 0, seat)[0])
view = engine.view(states, 0, 0)
sheet = view["sheet"]
longest = max(len(player["track"]) for player in view["players"])
print(loot_copy.GAME.options[0].values, loot_copy.GAME.options[0].titles)
print(sheet["key"], sheet["house"], sheet["spaces"], len(sheet["halls"]), longest)
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    offered, played = run.stdout.splitlines()
    assert played.split() == ["mine", "False", "4", "15", "3"], run.stderr
    assert offered == f"{(*SHEET_NAMES, 'mine')} { {'mine': GOOD['name']} }", "under its own title"
    place = "half.json, line 1, column score_spaces"
    said = f"Loot goes on without the sheet {place}: the score track has 3 to 24 spaces; not 2."
    assert run.stderr.strip() == said, "a sheet with a mistake is left out, with a sentence"


@pytest.mark.parametrize(
    ("grid", "complaint"),
    [
        (GOOD["grid"][:6], "the grid is a list of 7 rows; not 6"),
        ("B M Y Y G G R", 'the grid is a list of 7 rows; not "B M Y Y G G R"'),
        ([*GOOD["grid"][:6], "G R R B B M"], "column grid 7: a row needs 7 squares, with spaces between them; not 6"),
        ([[*"BMYYGGR"], *GOOD["grid"][1:]], "column grid 1: a row needs 7 squares"),
        (rows((3, 5, "P")), "column grid 3: square 5 of the row is «P»; it can be R, Y, G, B or M"),
    ],
)
def test_the_grid_has_seven_rows_of_seven_known_letters(
    tmp_path: pathlib.Path, grid: Any, complaint: str
) -> None:  # §8.2
    with pytest.raises(BadData, match=complaint):
        read(tmp_path, changed(grid=grid))


def test_halls_of_five_and_halls_that_touch_are_refused(tmp_path: pathlib.Path) -> None:  # §8.3
    with pytest.raises(
        BadData, match=r"column grid 2: 5 red stands touch, from square 4 of the row; a hall has at most 4"
    ):
        read(tmp_path, changed(grid=rows((2, 5, "R"))))


def played_on(tmp_path: pathlib.Path, sheet: Any, script: str) -> list[str]:
    """Runs a script in a copy of the game that has this sheet, called `mine`; returns what it prints."""
    game = tmp_path / "loot_copy"
    shutil.copytree(HERE.parent, game, ignore=shutil.ignore_patterns("__pycache__"))
    (game / "components" / "mine.json").write_text(json.dumps(sheet), "utf-8")
    begin = """
import loot_copy
from loot_copy.rules.decisions import mark
from loot_copy.state import State
from ludoteca.core.engine import interpreted
from ludoteca.core.log import new_log
engine = interpreted(loot_copy.GAME)
states = engine.start(1, {"sheet": "mine"}, 5)
state, log = State(states), new_log()
def visit(*squares):
    for row, column in squares:
        mark(state, 0, (row - 1) * 7 + column - 1, log)
    told = [loot_copy.GAME.event(state, fact) for fact in loot_copy.GAME.facts.read(log)]
    return [(e["kind"], e.get("size", e.get("line"))) for e in told if e["kind"] in ("hall", "combo")]
"""
    run = subprocess.run([sys.executable, "-c", begin + script], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_two_halls_of_one_colour_and_size_each_have_a_circle(tmp_path: pathlib.Path) -> None:  # §8.3
    """A second red single: the row of red asks for two circles and has them with both singles."""
    sheet = changed(grid=rows((1, 1, "R")))
    assert len(read(tmp_path, sheet).halls) == 16
    told = played_on(tmp_path, sheet, """
print(visit((1, 1)), visit((1, 7)))
halls = engine.view(states, 0, 0)["players"][0]["halls"]
print([(hall["size"], hall["closed"]) for hall in halls if hall["colour"] == "red"])
""")  # fmt: skip
    assert told == [
        "[('hall', 1)] [('hall', 1), ('combo', 'red')]",
        "[(1, True), (1, True), (2, False), (3, False), (4, False)]",
    ]


def test_a_hall_torn_apart_is_two(tmp_path: pathlib.Path) -> None:  # §8.3
    """A stand of the blue four moved away: three are left, beside a blue three already there."""
    sheet = read(tmp_path, changed(grid=rows((4, 2, "M"), (1, 2, "B"))))
    assert [hall.size for hall in sheet.halls if hall.colour == "blue"] == [2, 2, 3, 3]


def test_a_combo_grid_may_have_fewer_lines_that_pay(tmp_path: pathlib.Path) -> None:  # §8.5
    sheet = changed(combos={"red": {"need": 2, "reward": 3}, "4": {"need": 4, "reward": "wrap"}})
    told = played_on(tmp_path, sheet, """
print(visit((1, 7)), visit((4, 1), (5, 1)))
print([combo["line"] for combo in engine.view(states, 0, 0)["sheet"]["combos"]])
print(engine.view(states, 0, 0)["players"][0]["combos"])
""")  # fmt: skip
    assert told == [
        "[('hall', 1)] [('hall', 2), ('combo', 'red')]",
        "['red', '4']",
        "[{'circles': 2, 'done': True}, {'circles': 0, 'done': False}]",
    ]


def test_random_games_end_on_a_sheet_with_other_halls_and_combos(tmp_path: pathlib.Path) -> None:  # §8.3 §8.5
    sheet = changed(grid=rows((1, 1, "R"), (7, 7, "G")), combos={"green": {"need": 5, "reward": 9}})
    told = played_on(tmp_path, sheet, """
import random
luck = random.Random(3)
states = engine.start(2, {"sheet": "mine"}, 5)
while not engine.is_over(states):
    seat = luck.choice(engine.waiting(states))
    redacted = loot_copy.GAME.redact(states, 0, seat)
    engine.observe(redacted, seat)
    legal = engine.legal(states, 0, seat)
    [engine.appraise(redacted, seat, action) for action in legal[:5]]
    engine.decide(states, 0, seat, luck.choice(legal))
print(len(engine.result(states).ranks))
""")  # fmt: skip
    assert told == ["2"]


def test_every_line_that_pays_has_a_hall(tmp_path: pathlib.Path) -> None:  # §8.5
    """Without singles, nothing could ever be circled in the first column."""
    grid = rows((1, 1, "M"), (1, 7, "M"), (7, 1, "M"), (7, 7, "M"))
    with pytest.raises(BadData, match="column combos 1: it can never be filled: the grid has no such hall"):
        read(tmp_path, changed(grid=grid, meeps_track=13 * [1]))


def test_connection_is_along_sides_only(tmp_path: pathlib.Path) -> None:  # §8.3
    sheet = read(tmp_path, GOOD)
    assert [hall.size for hall in sheet.halls] == 4 * [1, 2, 3, 4]
    assert sheet.halls[3].squares == (10, 17, 18, 19)  # the red four


def test_the_meeps_track_has_a_space_for_each_meeps_square(tmp_path: pathlib.Path) -> None:  # §8.4
    with pytest.raises(BadData, match="the Meeps track has 8 spaces; the grid has 9 Meeps squares"):
        read(tmp_path, changed(meeps_track=GOOD["meeps_track"][:8]))
    with pytest.raises(BadData, match='column meeps_track 2: it pays 1 to 9 points, wrap or plus_minus; not "fly"'):
        read(tmp_path, changed(meeps_track=[1, "fly", *GOOD["meeps_track"][2:]]))
    for wrong in (0, 10, True, 1.5, None):
        with pytest.raises(BadData, match="column meeps_track 1: it pays"):
            read(tmp_path, changed(meeps_track=[wrong, *GOOD["meeps_track"][1:]]))


def test_combos_ask_for_circles_that_can_be_had(tmp_path: pathlib.Path) -> None:  # §8.5
    combos = {**GOOD["combos"], "red": {"need": 5, "reward": 3}}
    with pytest.raises(BadData, match="column combos red need: it can need 1 to 4 circles, as there are halls; not 5"):
        read(tmp_path, changed(combos=combos))
    for wrong, said in ((0, "0"), (2.0, "2.0"), ("2", '"2"'), (True, "true"), (None, "null")):
        with pytest.raises(
            BadData, match=f"column combos red need: it can need 1 to 4 circles, as there are halls; not {said}"
        ):
            read(tmp_path, changed(combos={**GOOD["combos"], "red": {"need": wrong, "reward": 3}}))
    with pytest.raises(BadData, match=r"column combos pink: «pink» is not known"):
        read(tmp_path, changed(combos={**GOOD["combos"], "pink": {"need": 2, "reward": 3}}))
    with pytest.raises(BadData, match="column combos blue: reward is missing"):
        read(tmp_path, changed(combos={**GOOD["combos"], "blue": {"need": 2}}))
    with pytest.raises(BadData, match="column combos blue reward: it pays 1 to 9 points"):
        read(tmp_path, changed(combos={**GOOD["combos"], "blue": {"need": 2, "reward": 0}}))


@pytest.mark.parametrize("spaces", [2, 25, "12", True, None])
def test_the_score_track_has_3_to_24_spaces(tmp_path: pathlib.Path, spaces: Any) -> None:  # §8.6
    with pytest.raises(BadData, match=f"3 to 24 spaces; not {json.dumps(spaces)}"):
        read(tmp_path, changed(score_spaces=spaces))


def test_a_sheet_has_a_name_in_both_languages_and_nothing_unknown(tmp_path: pathlib.Path) -> None:  # §8.6
    with pytest.raises(BadData, match="English"):
        read(tmp_path, changed(name={"en": "Mine"}))
    with pytest.raises(BadData, match="English"):
        read(tmp_path, changed(name={"en": "Mine", "it": ""}))
    with pytest.raises(BadData, match="«colour» is not known"):
        read(tmp_path, changed(colour="pink"))
    with pytest.raises(BadData, match="meeps_track is missing"):
        read(tmp_path, {key: value for key, value in GOOD.items() if key != "meeps_track"})
    with pytest.raises(BadData, match=r"mine\.json, line 1, column 2: this is no JSON"):
        read(tmp_path, "{")
    with pytest.raises(BadData, match="here stands an object with name"):
        read(tmp_path, [])
    with pytest.raises(BadData, match=r"absent\.json: No such file"):
        read_sheet(tmp_path / "absent.json")


def test_the_track_of_the_file_decides_the_end() -> None:  # §8.6
    table = Table(1, dice=(1, 1, 1), sheet="irregular")
    assert table.view()["sheet"]["spaces"] == 13
    table.sheet(0, at=(7, 2))
    table.entries(0, *range(1, 11))
    table.do(0, "walk left")  # the red single
    assert not table.over()
    assert len(table.player()["track"]) == 11


def test_a_file_can_be_checked_from_the_command_line(tmp_path: pathlib.Path) -> None:  # §8.7
    (tmp_path / "good.json").write_text(json.dumps(GOOD), "utf-8")
    (tmp_path / "bad.json").write_text(json.dumps(changed(score_spaces=1)), "utf-8")
    command = [sys.executable, "-m", "ludoteca", "deck", "check"]
    good = subprocess.run([*command, "good.json"], cwd=tmp_path, capture_output=True, text=True)
    assert good.stdout.startswith("good.json: all is well. Loot, a sheet; "), good.stderr
    bad = subprocess.run([*command, "bad.json"], cwd=tmp_path, capture_output=True, text=True)
    assert bad.returncode == 2
    mistake = "bad.json, line 1, column score_spaces: the score track has 3 to 24 spaces; not 1.\n"
    assert mistake in bad.stdout + bad.stderr
