"""King of Con as a picture of 960 × 640: the Quadrant, Booths and Stall above, the players with their Quadrants below."""

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
    WHITE,
    Canvas,
    Scene,
)
from ludoteca.core.game import Json

from .components import EDITIONS, GENRES, ITEM_LIST
from .words import word

# By genre: colour, the ink on it, and its tint while the Item is not in play.
INKS = (
    ("#1e62c8", WHITE, "#dfe6f1"),
    ("#f5c22b", "#2d1e00", "#f8eccb"),
    ("#14813f", WHITE, "#dcebdd"),
    ("#d02f76", WHITE, "#f7dfe6"),
    ("#43355a", WHITE, "#e2dce4"),
)
AWNING, AWNING_2, COIN, MONKEY, SEAL = "#c94216", "#fff1d8", "#5f6b76", "#8f2d1a", "#f2b134"
SIDE = len(GENRES)
NUMBER = {item.id: n for n, item in enumerate(ITEM_LIST)}
DECIDING = ("passions", "hid_bid", "looting")  # phases in which everybody decides behind a screen
TOP, BOTTOM, GAP = 48, 392, 8
CELL_W, CELL_H, TICKET_W, TICKET_H = 67, 58, 101, 78


def draw(canvas: Canvas, scene: Scene) -> None:
    """The table."""
    view = scene.view
    phase = word("en", f"phase.{view['phase']}", n=view["hid_bid"])
    canvas.head("King of Con", word("en", "round", n=view["round"]), phase, contested(scene), note=ended(view))
    draw_quadrant(canvas, view, 16, TOP, 434, BOTTOM - TOP - GAP)
    for n, booth in enumerate(view["booths"]):
        draw_booth(canvas, booth, 458 + n * 123, TOP, 117, 236)
    draw_stall(canvas, view, 458, TOP + 236 + GAP, 486, BOTTOM - TOP - 236 - 2 * GAP)
    seats = len(view["players"])
    width = (928 - GAP * (seats - 1)) / seats
    for seat in range(seats):
        draw_player(canvas, scene, seat, 16 + seat * (width + GAP), BOTTOM, width, 236)


def contested(scene: Scene) -> str:
    """Who settles a tie, and about what."""
    tie = scene.view["contest"]
    if tie is None:
        return ""
    what = "the spoils"
    if tie["item"]:
        what = word("en", f"item.{tie['item']}")
    elif tie["characteristic"]:
        what = word("en", f"characteristic.{tie['characteristic']}")
    return f"{scene.names[tie['seat']]} decides a tie about {what}"


def ended(view: Json) -> str:
    return {None: "", "rounds": "six rounds are over", "epic": "an Epic Collection!"}[view["ended_by"]]


def coin(canvas: Canvas, x: float, y: float, number: object, ink: str = COIN, radius: float = 11) -> None:
    """Tokens: a white disc with a rim."""
    canvas.disc(x, y, radius, WHITE, ink, 3 if radius > 9 else 2)
    canvas.text(x, y, number, round(radius * (1.2 if len(str(number)) < 2 else 1.0)), INK, "middle", True)


def seal(canvas: Canvas, x: float, y: float, item: int, radius: float = 8) -> None:
    """The edition: a brass seal with its first letter."""
    canvas.disc(x, y, radius, SEAL, BRASS, 1)
    canvas.text(x, y, ITEM_LIST[item].characteristics[2][0], round(radius * 1.25), INK, "middle", True)


# The Quadrant: rows are genres, columns categories.


def draw_quadrant(canvas: Canvas, view: Json, x: float, y: float, width: float, height: float) -> None:
    """Where each Item is: a full colour is somebody's, a tint is not in play; the symbols beside the words dominate."""
    canvas.panel(x, y, width, height)
    left, top = x + 86, y + 34
    for n in range(SIDE):
        row, column = top + n * (CELL_H + 2) + CELL_H / 2, left + n * (CELL_W + 2)
        canvas.box(x + 8, row - CELL_H / 2, 74, CELL_H, INKS[n][0], 8)
        canvas.text(x + 10, row - 11, word("en", f"characteristic.{n + 1}"), 11, INKS[n][1], room=73)
        draw_dominance(canvas, view, n, x + 22, row + 12)
        canvas.text(column + 2, y + 18, word("en", f"characteristic.{SIDE + n + 1}"), 11, INK_2, room=48)
        draw_dominance(canvas, view, SIDE + n, column + CELL_W - 9, y + 18)
    for n, item in enumerate(view["items"]):
        facts = (item["where"], item["owner"], item["value"], item["booth"])
        at = left + n % SIDE * (CELL_W + 2), top + n // SIDE * (CELL_H + 2)
        canvas.part(*at, CELL_W, CELL_H, PAPER, draw_cell, n, *facts)


def draw_dominance(canvas: Canvas, view: Json, characteristic: int, x: float, y: float) -> None:
    seat = view["dominance"][characteristic]["seat"]
    if seat is not None:
        canvas.box(x - 9, y - 9, 18, 18, WHITE, 5)
        canvas.sigil(seat, x, y, 16)


def draw_cell(canvas: Canvas, n: int, where: str, owner: int | None, value: int | None, booth: int | None) -> None:
    """One Item: its name, its seal, and below where it is."""
    fill, ink, tint = INKS[n // SIDE]
    away, low = where == "deck", CELL_H - 15
    canvas.box(0, 0, CELL_W, CELL_H, tint if owner is None else fill, 7, "" if away else fill)
    first, _, second = word("en", f"item.{ITEM_LIST[n].id}").partition(" ")
    colour = ink if owner is not None else INK_3 if away else INK
    canvas.text(5, 11, first, 11, colour, room=CELL_W - 14)
    canvas.text(5, 24, second, 11, colour, room=CELL_W - 12)
    seal(canvas, CELL_W - 8, 9, n, 6)
    if owner is not None:
        canvas.box(4, low - 11, 22, 22, WHITE, 7)
        canvas.sigil(owner, 15, low, 20)
        coin(canvas, CELL_W - 15, low, value)
    elif where == "booth":
        canvas.pill(5, low, f"Booth {booth}", AWNING, WHITE, size=11)
    elif where == "stall":
        canvas.pill(5, low, "Stall", AWNING_2, MONKEY, size=11)
        coin(canvas, CELL_W - 12, low, value, radius=9)


# Booths and Stall


def draw_booth(canvas: Canvas, booth: Json, x: float, y: float, width: float, height: float) -> None:
    """An awning with its number, the Item (once the con has opened), and everybody's tokens at it."""
    canvas.panel(x, y, width, height)
    for stripe in range(6):
        canvas.box(x + 6 + stripe * 17.5, y + 6, 17.5, 20, AWNING_2 if stripe % 2 else AWNING)
    canvas.disc(x + width / 2, y + 18, 14, WHITE, AWNING, 2)
    canvas.text(x + width / 2, y + 18, booth["booth"], 16, INK, "middle", True)
    if booth["item"] is None:
        canvas.text(x + width / 2, y + 80, "empty", 13, INK_3, "middle")
    else:
        canvas.part(x + 8, y + 38, TICKET_W, TICKET_H, PAPER, draw_ticket, NUMBER[booth["item"]])
    most = max(12, *booth["offers"])
    for seat, tokens in enumerate(booth["offers"]):
        row = y + 132 + seat * 21
        canvas.sigil(seat, x + 18, row, 18)
        canvas.box(x + 31, row - 6, width - 66, 12, PAPER_2, 4)
        if tokens:
            canvas.box(x + 31, row - 6, max(6, (width - 66) * tokens / most), 12, SEATS[seat], 4)
            leads = seat in booth["leaders"]
            canvas.text(x + width - 9, row, tokens, 16 if leads else 14, BRASS if leads else INK_2, "right", True)


def draw_ticket(canvas: Canvas, n: int) -> None:
    """An Item for sale with its three characteristics."""
    fill, ink, _ = INKS[n // SIDE]
    canvas.box(0, 0, TICKET_W, TICKET_H, fill, 8)
    canvas.text(8, 14, word("en", f"item.{ITEM_LIST[n].id}"), 13, ink, bold=True, room=TICKET_W - 14)
    canvas.text(8, 34, word("en", f"characteristic.{n // SIDE + 1}"), 12, ink)
    canvas.text(8, 49, word("en", f"characteristic.{SIDE + n % SIDE + 1}"), 12, ink)
    seal(canvas, 15, 65, n, 7)
    canvas.text(27, 65, ITEM_LIST[n].characteristics[2].removesuffix("Edition"), 12, ink)


def draw_stall(canvas: Canvas, view: Json, x: float, y: float, width: float, height: float) -> None:
    """Items nobody wanted, the editions' dominances, the common pool and the Items to come."""
    canvas.panel(x, y, width, height)
    canvas.text(x + 12, y + 18, "Stall", 15, INK, bold=True)
    at, line = x + 58, y + 18
    for id_ in view["stall"]:
        fill, ink, _ = INKS[NUMBER[id_] // SIDE]
        name = word("en", f"item.{id_}")
        if at + 100 > x + width - 10:
            at, line = x + 58, line + 24
        if line > y + height - 50:
            canvas.text(at, line, "…", 15, INK_2, bold=True)
            break
        at += canvas.pill(at, line, name, fill, ink, size=11) + 5
    if not view["stall"]:
        canvas.text(at, line, "nothing", 13, INK_3)
    low = y + height - 20
    for n in range(SIDE):
        item = next(k for k, i in enumerate(ITEM_LIST) if i.characteristics[2] == EDITIONS[n])
        seal(canvas, x + 20 + n * 52, low, item, 9)
        draw_dominance(canvas, view, 2 * SIDE + n, x + 42 + n * 52, low)
    canvas.text(x + width - 146, low, "Pool", 14, INK_2, "right")
    coin(canvas, x + width - 124, low, view["pool"], radius=14)
    canvas.text(x + width - 34, low, "to come", 14, INK_2, "right")
    canvas.text(x + width - 20, low, view["deck"], 18, INK, "middle", True)


# Players


def draw_player(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float, height: float) -> None:
    """Symbol, Monkey, screen; the Quadrant as last revealed with the Items of the Collection; numbers."""
    view = scene.view
    player = view["players"][seat]
    canvas.panel(x, y, width, height, seat in scene.waiting)
    canvas.sigil(seat, x + 23, y + 22, 24)
    canvas.text(x + 42, y + 22, scene.name(seat), 15, bold=True)
    canvas.disc(x + width - 24, y + 22, 14, MONKEY)
    canvas.text(x + width - 24, y + 22, player["monkey"], 16, WHITE, "middle", True)
    if view["phase"] in DECIDING:
        sign, ink = ("lock", INK_2) if player["sealed"] else ("clock", BRASS)
        canvas.sign(sign, x + width - 54, y + 22, 17, ink)
    draw_own_quadrant(canvas, view, seat, x + 12, y + 44)
    draw_numbers(canvas, view, seat, x + 130, y + 52)
    if width > 240:
        draw_collection(canvas, player, x + 180, y + 56, width - 190)
    draw_score(canvas, scene, seat, x + 12, y + 204, width - 24)


def draw_own_quadrant(canvas: Canvas, view: Json, seat: int, x: float, y: float) -> None:
    """Full colour: an Item of the Collection with its value. A coin: tokens as last revealed; green, behind one's screen."""
    values = {item["id"]: item["value"] for item in view["players"][seat]["items"]}
    shown, you = view["players"][seat]["shown"], view["you"]
    behind = you["quadrant"] if you and you["seat"] == seat else {}
    for n, item in enumerate(ITEM_LIST):
        facts = (values.get(item.id), shown.get(item.id), behind.get(item.id))
        canvas.part(x + n % SIDE * 22, y + n // SIDE * 29, 20, 27, PAPER, draw_slot, n // SIDE, *facts)


def draw_slot(canvas: Canvas, genre: int, value: int | None, shown: int | None, behind: int | None) -> None:
    fill, ink, tint = INKS[genre]
    canvas.box(0, 0, 20, 27, tint if value is None else fill, 4)
    if behind or shown:
        coin(canvas, 10, 13.5, behind or shown, BRAND if behind else COIN, 9)
    elif value is not None:
        canvas.text(10, 13.5, value, 13, ink, "middle", True)


def draw_numbers(canvas: Canvas, view: Json, seat: int, x: float, y: float) -> None:
    """Items, supply (where the viewer may know it), Trash, and how far the nearest Epic Collection is."""
    player = view["players"][seat]
    supply = "?" if player["supply"] is None else player["supply"]
    epic = player["nearest_epic"]
    lines = [("Items", len(player["items"])), ("supply", supply), ("Trash", player["trash"])]
    lines.append(("Epic", f"{epic['items']}/{epic['needs']}" if epic else "–"))
    for n, (name, number) in enumerate(lines):
        canvas.text(x, y + n * 37, name, 11, INK_3)
        canvas.text(x, y + 15 + n * 37, number, 16, INK, bold=True)


def draw_collection(canvas: Canvas, player: Json, x: float, y: float, width: float) -> None:
    """Where there is room: the Items by name."""
    for n, item in enumerate(player["items"][:12]):
        column, row = divmod(n, 6)
        if column * 120 + 112 > width:
            break
        fill, ink, _ = INKS[NUMBER[item["id"]] // SIDE]
        left, top = x + column * 120, y + row * 22
        canvas.box(left, top - 10, 112, 20, fill, 6)
        canvas.text(left + 7, top, word("en", f"item.{item['id']}"), 11, ink, room=80)
        canvas.text(left + 104, top, item["value"], 13, ink, "right", True)


def draw_score(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float) -> None:
    """Passions where the viewer may know them; at the end points and place."""
    view, you = scene.view, scene.view["you"]
    own = [p["passion"] for p in you["passions"]] if you and you["seat"] == seat else []
    passions = view["players"][seat]["passions"] or own
    for n, passion in enumerate(passions[:3]):
        column, row = divmod(n, 2)
        canvas.text(x + column * 84, y + row * 16, word("en", f"characteristic.{passion}"), 12, INK_2, room=80)
    if not passions:
        canvas.sign("lock", x + 7, y + 8, 14, INK_3)
        canvas.text(x + 20, y + 8, "Passions", 12, INK_3)
    if scene.ranks:
        points = next(line["points"] for line in view["final"] if line["seat"] == seat)
        first = scene.ranks[seat] == 1
        canvas.text(x + width - 34, y - 182, points, 26, INK, "right", True)
        canvas.pill(x + width, y + 10, "winner" if first else f"place {scene.ranks[seat]}",
                    BRASS_FILL if first else PAPER_3, INK, "right")  # fmt: skip
