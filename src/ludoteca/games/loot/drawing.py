"""Loot as a picture of 960 × 640: the dice above, then each player's sheet with its floor plan, tracks and combos."""

from __future__ import annotations

from ludoteca.core.canvas import (
    BRAND,
    BRASS,
    BRASS_FILL,
    INK,
    INK_2,
    INK_3,
    PAPER,
    PAPER_2,
    PAPER_3,
    SEATS,
    TABLE,
    TABLE_DEEP,
    WHITE,
    Canvas,
    Scene,
)
from ludoteca.core.game import Json

from .components import COLOURS, LETTERS, MEEPS, SIDE, SIZES

# By colour: ink, its tint once visited, and an emblem, so that no colour stands alone.
INKS = (("#c9252d", "#f3d3cd"), ("#f5c22b", "#fbeec4"), ("#14813f", "#d3e5d2"), ("#1e62c8", "#d3dff0"))
EMBLEMS = (
    "M12 0.8L23.2 12L12 23.2L0.8 12Z"
    "M12 9C10.3 9 9 10.3 9 12C9 13.7 10.3 15 12 15C13.7 15 15 13.7 15 12C15 10.3 13.7 9 12 9Z",
    "M2.5 5.5L8 10.5L12 2.5L16 10.5L21.5 5.5L20 17L4 17ZM4.2 18.5L19.8 18.5L19.8 22L4.2 22Z",
    "M12 0.8L21.7 6.4L21.7 17.6L12 23.2L2.3 17.6L2.3 6.4ZM12 6L6.8 9L6.8 15L12 18L17.2 15L17.2 9Z",
    "M1.5 8.3L7.5 5.6L8.5 16.1C8.6 17.3 9.5 18.4 10.7 18.7L6.8 20.4C6 20.8 5.1 20.4 4.7 19.6L0.7 10.4"
    "C0.3 9.6 0.7 8.7 1.5 8.3ZM11 2.5L21.5 3.9C22.5 4 23 5 22.9 5.7L21.2 18.2C21 19.2 20 19.7 19.4 19.6L11 18.4"
    "C10.2 18.3 9.6 17.7 9.6 16.9L9.2 4C9.2 3 10 2.3 11 2.5Z",
)
RACCOON = (
    "M4 2L9 5.5C11 5 13 5 15 5.5L20 2L21 10C23 15 20 21 12 22C4 21 1 15 3 10Z"
    "M5 12.5C7 10 10 11 11 14.5C9 16.5 6 16 5 12.5ZM19 12.5C17 10 14 11 13 14.5C15 16.5 18 16 19 12.5Z"
)
PAWN = (
    "M12 0.6C13.8 0.6 15.4 1.7 16.1 3.4C16.8 5 16.3 7 15 8.2C15.6 12.7 17 15.5 18.9 17.9C19.8 19 19.5 21.2 17.8 21.8"
    "C14.5 22.9 9.5 22.9 6.1 21.8C4.4 21.2 4.2 19 5 17.9C6.9 15.5 8.3 12.7 8.9 8.2"
    "C7.6 7 7.2 5 7.9 3.4C8.5 1.7 10.2 0.6 12 0.6Z"
)
WRAP = "M1 12L8 6L8 10L16 10L16 6L23 12L16 18L16 14L8 14L8 18Z"
PLUS_MINUS = (
    "M9.5 1L14.5 1L14.5 6.5L20 6.5L20 11.5L14.5 11.5L14.5 17L9.5 17L9.5 11.5L4 11.5L4 6.5L9.5 6.5Z"
    "M4 19L20 19L20 23L4 23Z"
)
ABILITY = {"wrap": WRAP, "plus_minus": PLUS_MINUS}
LEAD, STONE = "#35323d", "#7c8496"  # pencil, and the Meeps
EYES = {1: "5", 2: "37", 3: "357", 4: "1379", 5: "13579", 6: "134679"}  # of a die, on a grid of nine
DOING = {"start": "everybody chooses a start", "order": "the order of the dice is chosen", "move": "everybody walks"}
TOP, GAP = 52, 8


def draw(canvas: Canvas, scene: Scene) -> None:
    """The table."""
    view = scene.view
    doing = "the end" if view["over"] else DOING[view["phase"]]
    canvas.head("Loot", f"round {view['round']}" if view["round"] else "", doing)
    draw_dice(canvas, view["dice"])
    for seat, (x, y, width, height) in enumerate(places(len(view["players"]))):
        draw_sheet(canvas, scene, seat, x, y, width, height)


def places(seats: int) -> list[tuple[float, float, float, float]]:
    """Where the sheets lie: one large, two tall, or up to four in two rows."""
    if seats == 1:
        return [(16, TOP, 928, 576)]
    if seats == 2:
        return [(16 + n * 468, TOP, 460, 576) for n in range(2)]
    return [(16 + n % 2 * 468, TOP + n // 2 * 292, 460, 284) for n in range(seats)]


def draw_dice(canvas: Canvas, dice: list[int]) -> None:
    """The active die, and the two that follow it."""
    canvas.text(796, 26, "die", 14, INK_2, "right")
    draw_die(canvas, dice[0], 826, 26, 40, BRASS_FILL)
    canvas.text(884, 26, "next", 14, INK_2, "right")
    draw_die(canvas, dice[1], 902, 26, 26, TABLE_DEEP)
    draw_die(canvas, dice[2], 932, 26, 26, TABLE_DEEP)


def draw_die(canvas: Canvas, face: int, x: float, y: float, size: float, edge: str) -> None:
    canvas.box(x - size / 2, y - size / 2, size, size, WHITE, round(size * 0.2), edge, 3 if size > 30 else 2)
    for eye in EYES.get(face, ""):
        down, right = divmod(int(eye) - 1, 3)
        canvas.disc(x + (right - 1) * size * 0.25, y + (down - 1) * size * 0.25, size * 0.1, INK)


def draw_sheet(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float, height: float) -> None:
    """One player: who and how many points; the plan; beside it (below it on a tall sheet) the tracks."""
    view, player = scene.view, scene.view["players"][seat]
    canvas.panel(x, y, width, height, seat in scene.waiting)
    canvas.sigil(seat, x + 25, y + 23, 26)
    at = x + 45 + canvas.text(x + 45, y + 23, scene.name(seat), 17, bold=True) + 10
    if scene.ranks:
        first = scene.ranks[seat] == 1
        words = "winner" if first else f"place {scene.ranks[seat]}"
        canvas.pill(at, y + 23, words, BRASS_FILL if first else PAPER_3, INK)
    else:
        canvas.sign("tick" if player["moved"] else "clock", at + 8, y + 23, 16, BRAND if player["moved"] else BRASS)
    canvas.text(x + width - 16, y + 25, player["total"], 32, INK, "right", True)
    cell = 31 if height < 300 else 50 if width < 500 else 68
    draw_plan(canvas, view["sheet"], player, seat, x + 14, y + 42, cell)
    if width > 500:
        draw_tracks(canvas, view["sheet"], player, x + 584, y + 60, 1.6)
    elif height > 300:
        draw_tracks(canvas, view["sheet"], player, x + 16, y + 436, 1, beside=True)
    else:
        draw_tracks(canvas, view["sheet"], player, x + 266, y + 46, 0.92)


# The floor plan


def draw_plan(canvas: Canvas, sheet: Json, player: Json, seat: int, x: float, y: float, cell: int) -> None:
    """49 squares with their pencil marks, how far each row and column is, and the pawn."""
    grid, marks = sheet["grid"], player["marks"]
    hall = {square: n for n, found in enumerate(sheet["halls"]) for square in found["squares"]}
    for square, letter in enumerate(grid):
        row, column = divmod(square, SIDE)
        own = hall.get(square, -1)
        right = column < SIDE - 1 and own >= 0 and hall.get(square + 1) == own
        left = column > 0 and own >= 0 and hall.get(square - 1) == own
        up, down = own >= 0 and hall.get(square - SIDE) == own, own >= 0 and hall.get(square + SIDE) == own
        at = x + column * cell, y + row * cell
        canvas.part(*at, cell, cell, PAPER, draw_square, cell, letter, marks[square], left, up, right, down)
    for n in range(SIDE):
        middle, beyond = (n + 0.5) * cell, SIDE * cell + cell * 0.35
        draw_line(canvas, player["rows"][n], x + beyond, y + middle, cell)
        draw_line(canvas, player["columns"][n], x + middle, y + beyond, cell)
    if player["pawn"] is not None:
        row, column = divmod(player["pawn"], SIDE)
        for size, ink in ((0.94, WHITE), (0.78, SEATS[seat])):
            canvas.sign(PAWN, x + (column + 0.5) * cell, y + (row + 0.5) * cell, cell * size, ink)


def draw_square(
    canvas: Canvas, cell: int, letter: str, mark: str, left: bool, up: bool, right: bool, down: bool
) -> None:
    """A stand, open towards its neighbours of the same hall; or a Meeps square, round and white. Visited, it is pale."""
    middle, clean = cell / 2, mark == "."
    if letter == MEEPS:
        canvas.disc(middle, middle, cell * 0.44, WHITE if clean else PAPER_2, STONE if clean else PAPER_3)
        canvas.sign(RACCOON, middle, middle, cell * 0.56, STONE if clean else PAPER_3)
    else:
        colour = LETTERS.index(letter)
        fill = INKS[colour][0 if clean else 1]
        canvas.box(2, 2, cell - 4, cell - 4, fill, max(3, cell // 7))
        for joined, x, y in ((left, 0, 2), (right, cell // 2, 2), (up, 2, 0), (down, 2, cell // 2)):
            if joined:
                wide = cell - cell // 2 if y == 2 and x != 2 else cell - 4
                high = cell - 4 if y == 2 and x != 2 else cell - cell // 2
                canvas.box(x, y, wide, high, fill)
        ink = "#3a2500" if clean and colour == 1 else WHITE
        canvas.sign(EMBLEMS[colour], middle, middle, cell * 0.44, ink)
    if not clean:
        canvas.sign("slash" if mark == "/" else "cross", middle, middle, cell * 0.7, LEAD)


def draw_line(canvas: Canvas, visited: int, x: float, y: float, cell: int) -> None:
    """How many squares of a row or column are visited; all seven pay."""
    done = visited == SIDE
    canvas.disc(x, y, cell * 0.3, BRASS_FILL if done else PAPER_2, BRASS if done else PAPER_3, 1)
    canvas.text(x, y, visited or "", round(cell * 0.36), INK if done else INK_2, "middle", True)


# The tracks, k times their usual size


def draw_tracks(canvas: Canvas, sheet: Json, player: Json, x: float, y: float, k: float, beside: bool = False) -> None:
    """Combos, Meeps, score and abilities; one below the other, or combos beside the rest."""
    draw_combos(canvas, sheet, player, x, y, k)
    left, top = (x + 190, y + 4) if beside else (x, y + 132 * k)
    width = 238 if beside else 196 * k
    draw_meeps(canvas, sheet, player, left, top, width, k)
    draw_score(canvas, sheet, player, left, top + 30 * k, width, k)
    for n, (ability, outlines) in enumerate(ABILITY.items()):
        held, used = player["abilities"][ability], player["used"][ability]
        draw_ability(canvas, outlines, held, used, left + n * 98 * k, top + 88 * k, k)


def draw_combos(canvas: Canvas, sheet: Json, player: Json, x: float, y: float, k: float) -> None:
    """Rows are colours, columns sizes: a filled circle is a closed hall; at the ends what a line pays."""
    step = 25 * k
    prizes = {combo["line"]: (combo, has) for combo, has in zip(sheet["combos"], player["combos"], strict=True)}
    for row, colour in enumerate(COLOURS):
        middle = y + (row + 0.5) * step
        canvas.box(x, middle - 10 * k, 20 * k, 20 * k, INKS[row][0], round(5 * k))
        canvas.sign(EMBLEMS[row], x + 10 * k, middle, 13 * k, "#3a2500" if row == 1 else WHITE)
        for size in range(SIZES):
            at = x + 24 * k + (size + 0.5) * step
            there = [hall["closed"] for hall in player["halls"] if (hall["colour"], hall["size"]) == (colour, size + 1)]
            if there:
                done = all(there)
                number = size + 1 if len(there) == 1 else f"{sum(there)}/{len(there)}"
                canvas.disc(
                    at, middle, 10 * k, INKS[row][0] if done else PAPER_2, INK if done else INK_3, 2 if done else 1
                )
                ink = ("#2d1e00" if row == 1 else WHITE) if done else INK_3
                canvas.text(at, middle, number, round(13 * k), ink, "middle", True)
        if colour in prizes:
            draw_prize(canvas, *prizes[colour], x + 24 * k + 4 * step + 27 * k, middle, k)
    for size in range(SIZES):
        at = x + 24 * k + (size + 0.5) * step
        if str(size + 1) in prizes:
            draw_prize(canvas, *prizes[str(size + 1)], at, y + 4.5 * step + 2 * k, k, narrow=True)


def draw_prize(canvas: Canvas, combo: Json, state: Json, x: float, y: float, k: float, narrow: bool = False) -> None:
    """What a combo line pays and how many circles it has of those it needs."""
    width = 23 * k if narrow else 48 * k
    done = state["done"]
    canvas.box(x - width / 2, y - 10 * k, width, 20 * k, BRASS_FILL if done else PAPER_3, round(6 * k))
    at = x if narrow else x - 11 * k
    if combo["ability"]:
        canvas.sign(ABILITY[combo["ability"]], at, y, 13 * k, INK)
    else:
        canvas.text(at, y, combo["points"], round(13 * k), INK, "middle", True)
    if not narrow:
        have = min(state["circles"], combo["need"])
        canvas.text(x + 10 * k, y, f"{have}/{combo['need']}", round(12 * k), INK_2, "middle")


def draw_meeps(canvas: Canvas, sheet: Json, player: Json, x: float, y: float, width: float, k: float) -> None:
    """What each Meeps met pays."""
    spaces = sheet["meeps_track"]
    canvas.sign(RACCOON, x + 9 * k, y + 10 * k, 17 * k, STONE)
    step = (width - 22 * k) / len(spaces)
    for n, space in enumerate(spaces):
        met, at = n < player["meeps"], x + 22 * k + (n + 0.5) * step
        canvas.box(at - step / 2 + 1, y, step - 2, 20 * k, BRASS_FILL if met else PAPER_2, round(5 * k), TABLE_DEEP, 1)
        if space["ability"]:
            canvas.sign(ABILITY[space["ability"]], at, y + 10 * k, min(12 * k, step - 5), INK if met else INK_3)
        else:
            canvas.text(at, y + 10 * k, space["points"], round(12 * k), INK if met else INK_3, "middle", True)


def draw_score(canvas: Canvas, sheet: Json, player: Json, x: float, y: float, width: float, k: float) -> None:
    """The running totals in two rows; whoever fills the space before the last ends the game."""
    spaces, track = sheet["spaces"], player["track"]
    columns = (spaces + 1) // 2
    step, high = width / columns, 24 * k
    for n in range(spaces):
        left, top = x + n % columns * step, y + n // columns * (high + 2)
        filled, ends = n < len(track), n == spaces - 2
        fill = WHITE if filled else "#f3d3cd" if ends else PAPER_2
        canvas.box(left + 1, top, step - 2, high, fill, round(5 * k), INK_3 if filled else TABLE_DEEP, 1)
        if filled:
            canvas.text(left + step / 2, top + high / 2, track[n], round(13 * k), INK, "middle", True)
        elif ends:
            canvas.sign("flag", left + step / 2, top + high / 2, min(13 * k, step - 4), INKS[0][0])


def draw_ability(canvas: Canvas, outlines: str, held: int, used: int, x: float, y: float, k: float) -> None:
    """An ability: how many can still be used, and how many were."""
    ink = INK if held else INK_3
    canvas.box(x, y, 84 * k, 22 * k, TABLE if held else PAPER_2, round(8 * k), BRASS if held else TABLE_DEEP, 1)
    canvas.sign(outlines, x + 13 * k, y + 11 * k, 14 * k, ink)
    canvas.text(x + 27 * k, y + 11 * k, f"×{held}", round(14 * k), ink, bold=True)
    if used:
        canvas.sign("cross", x + 60 * k, y + 11 * k, 8 * k, INK_3)
        canvas.text(x + 68 * k, y + 11 * k, used, round(12 * k), INK_3, bold=True)
