"""Splendor as a picture of 960 × 640: places, market and bank on the left, the players on the right."""

from __future__ import annotations

from ludoteca.core.canvas import (
    BRASS,
    BRASS_FILL,
    INK,
    INK_2,
    INK_3,
    PAPER,
    PAPER_2,
    PAPER_3,
    TABLE,
    WHITE,
    Canvas,
    Scene,
)
from ludoteca.core.game import Json

from .components import EDITIONS, LEVELS, PLACE_LIST, TOKENS, Card
from .words import printed

# Outline, colour, shade, light, and the ink on it; each gem has a shape of its own.
DROP = "M12 0.5C14 4.5 21.5 7.5 21.5 14.2C21.5 19.4 17.2 23.5 12 23.5C6.8 23.5 2.5 19.4 2.5 14.3C2.5 7.5 10 4.5 12 0.5Z"
SQUARE, LOZENGE = "M2 2L22 2L22 22L2 22Z", "M12 0.8L23.2 12L12 23.2L0.8 12Z"
MARVEL_GEMS = {
    "yellow": ("M12 1L21.8 6.5L21.8 17.5L12 23L2.2 17.5L2.2 6.5Z", "#f5c22b", "#b97f00", "#fff0ae", "#2d1e00"),
    "red": (LOZENGE, "#c9252d", "#7f0e1c", "#ff8a7d", WHITE),
    "orange": (DROP, "#f0861c", "#a84b00", "#ffcc8e", "#2b1400"),
    "blue": (SQUARE, "#1e62c8", "#0d3377", "#8fc0ff", WHITE),
    "purple": ("M12 1.5L23.5 22.5L0.5 22.5Z", "#7b35b4", "#451474", "#d3a3f7", WHITE),
    "grey": (
        "M12 1L21.5 4L21.5 12C21.5 17.5 17.5 21 12 23C6.5 21 2.5 17.5 2.5 12L2.5 4Z",
        "#5f6b76", "#333d47", "#cdd6de", WHITE,
    ),
    "green": (
        "M3.5 1.5L20.5 1.5L20.5 5C20.5 8.5 16.5 10 16.5 12C16.5 14 20.5 15.5 20.5 19L20.5 22.5L3.5 22.5L3.5 19"
        "C3.5 15.5 7.5 14 7.5 12C7.5 10 3.5 8.5 3.5 5Z", "#14813f", "#06502a", "#83e0a3", WHITE,
    ),
}  # fmt: skip
BASE_GEMS = {
    "white": ("M6.5 2.5L17.5 2.5L22.5 9L12 22L1.5 9Z", "#f3ede2", "#8d8272", "#8d8272", "#2a2016"),
    "blue": MARVEL_GEMS["blue"],
    "green": (
        "M7.5 1.5L16.5 1.5L22.5 7.5L22.5 16.5L16.5 22.5L7.5 22.5L1.5 16.5L1.5 7.5Z",
        "#14813f", "#06502a", "#83e0a3", WHITE,
    ),
    "red": MARVEL_GEMS["red"],
    "black": (DROP, "#3a3534", "#0f0c0b", "#9b9490", WHITE),
    "gold": (
        "M12 1.5C17.8 1.5 22.5 6.2 22.5 12C22.5 17.8 17.8 22.5 12 22.5C6.2 22.5 1.5 17.8 1.5 12C1.5 6.2 6.2 1.5 12 1.5Z",
        "#e0a526", "#8a5a00", "#ffe9a8", "#2b1a02",
    ),
}  # fmt: skip
GEMS = (MARVEL_GEMS, BASE_GEMS)  # by edition
TOWER = "M4 22L4 10L9 7L9 10L12 2L15 10L15 7L20 10L20 22Z"  # a place
BACKS = ("#1d5d4a", "#8a4b12", "#432a72")  # by level
CARD_STOCK = "#fffaf0"
DOING = {"main": "to play", "pay": "chooses a payment", "return": "gives tokens back", "place": "takes a place"}
TOP, LEFT, BANK, PLAYERS = 48, 16, 524, 612  # where the parts begin
CARD_W, CARD_H, TILE_W, TILE_H, GAP = 100, 156, 92, 88, 8


def draw(canvas: Canvas, scene: Scene) -> None:
    """The table."""
    view = scene.view
    edition = EDITIONS.index(view["edition"])
    doing = "the end" if view["over"] else f"{scene.names[view['turn']]} {DOING[view['phase']]}"
    title = "Splendor: Marvel" if edition == 0 else "Splendor"
    canvas.head(
        title, f"round {view['round']}", doing, note="final round" if view["final_round"] and not view["over"] else ""
    )
    draw_places(canvas, edition, view["tiles"])
    for level in range(LEVELS):
        draw_row(canvas, view, edition, level, TOP + TILE_H + GAP + (LEVELS - 1 - level) * (CARD_H + GAP))
    draw_bank(canvas, edition, view["bank"])
    height = min(188, (580 - GAP * (len(view["players"]) - 1)) / len(view["players"]))
    for seat in range(len(view["players"])):
        draw_player(canvas, scene, edition, seat, TOP + seat * (height + GAP), height)


def pip(canvas: Canvas, edition: int, colour: str, x: float, y: float, size: float, number: object = "") -> None:
    """A gem with a number on it."""
    outline, fill, shade, _, ink = GEMS[edition][colour]
    canvas.sign(outline, x, y, size, shade)
    canvas.sign(outline, x, y, size - 3, fill)
    canvas.text(x, y + (size * 0.1 if colour in ("purple", "orange", "black") else 0), number, round(size * 0.5), ink,
                "middle", True)  # fmt: skip


def draw_places(canvas: Canvas, edition: int, tiles: list[Json]) -> None:
    """Tiles with what they ask for; a taken one shows whose it is."""
    for n, tile in enumerate(tiles):
        place = next(p for p in PLACE_LIST[edition] if p.id == tile["id"])
        x, taken = LEFT + n * (TILE_W + GAP), tile["owner"] is not None
        canvas.box(x, TOP, TILE_W, TILE_H, PAPER_3 if taken else CARD_STOCK, 10, INK_3, 1)
        canvas.text(x + 8, TOP + 14, place.name, 12, INK_2, room=TILE_W - 16)
        canvas.text(x + 18, TOP + 44, place.points, 28, INK_3 if taken else INK, "middle", True)
        if taken:
            canvas.sigil(tile["owner"], x + 62, TOP + 44, 30)
        needs = [(count, TOKENS[edition][c]) for c, count in enumerate(place.cost) if count]
        for k, (count, colour) in enumerate([] if taken else needs):
            pip(canvas, edition, colour, x + 46 + k % 2 * 29, TOP + 38 + k // 2 * 29, 26, count)


def draw_row(canvas: Canvas, view: Json, edition: int, level: int, y: float) -> None:
    """A deck and the four cards beside it."""
    left = view["decks"][level]
    canvas.box(LEFT, y, 60, CARD_H, BACKS[level] if left else PAPER_3, 10)
    canvas.text(LEFT + 30, y + 54, "I" * (level + 1), 30, WHITE if left else INK_3, "middle", True)
    canvas.text(LEFT + 30, y + 108, left, 20, WHITE if left else INK_3, "middle", True)
    for slot, card in enumerate(view["market"][level]):
        x = LEFT + 68 + slot * (CARD_W + GAP)
        if card is None:
            canvas.box(x, y, CARD_W, CARD_H, "#e2c8a2", 10)
        else:
            canvas.part(x, y, CARD_W, CARD_H, TABLE, draw_card, edition, printed(edition)[card])


def draw_card(canvas: Canvas, edition: int, card: Card) -> None:
    """Points, bonus and name on the bonus's colour; the cost below."""
    outline, fill, shade, _, ink = GEMS[edition][card.bonus]
    canvas.box(0, 0, CARD_W, CARD_H, shade, 10)
    canvas.box(1, 1, CARD_W - 2, CARD_H - 2, fill, 9)
    canvas.box(3, 66, CARD_W - 6, CARD_H - 69, CARD_STOCK, 8)
    if card.points:
        canvas.text(11, 27, card.points, 34, ink, bold=True)
    for star in range(card.stars):
        canvas.sign("star", 46 - star * 2, 18 + star * 18, 17, ink)
    canvas.disc(77, 26, 19, CARD_STOCK)
    canvas.sign(outline, 77, 26, 25, shade)
    canvas.sign(outline, 77, 26, 22, fill)
    canvas.text(8, 55, card.name, 12, ink, room=CARD_W - 14)
    needs = [(count, TOKENS[edition][c]) for c, count in enumerate(card.cost) if count]
    for k, (count, colour) in enumerate(needs):
        across = 22 if len(needs) == 1 else k % 2 * 44
        down = 21 if len(needs) < 3 else k // 2 * 42
        pip(canvas, edition, colour, 28 + across, 89 + down, 36, count)


def draw_token(canvas: Canvas, edition: int, colour: str, x: float, y: float, radius: float, lit: bool) -> None:
    """A round token with its gem; none left, only its place."""
    outline, fill, shade, light, _ = GEMS[edition][colour]
    canvas.disc(x, y, radius, fill if lit else PAPER_3, shade if lit else PAPER_3)
    canvas.sign(outline, x, y, radius * 1.1, light if lit else PAPER_2)


def draw_bank(canvas: Canvas, edition: int, bank: list[int]) -> None:
    """The tokens on the table."""
    canvas.panel(BANK, TOP + TILE_H + GAP, 76, 3 * (CARD_H + GAP) - GAP)
    kinds = TOKENS[edition] if edition == 0 else TOKENS[edition][:6]
    for k, colour in enumerate(kinds):
        y = TOP + TILE_H + GAP + 36 + k * 67
        draw_token(canvas, edition, colour, BANK + 33, y, 25, bank[k] > 0)
        canvas.disc(BANK + 58, y + 15, 12, PAPER, INK_3, 1)
        canvas.text(BANK + 58, y + 15, bank[k], 16, INK, "middle", True)


def draw_player(canvas: Canvas, scene: Scene, edition: int, seat: int, y: float, height: float) -> None:
    """One player: points, bonuses as cards, tokens as discs, what is reserved."""
    player, asked = scene.view["players"][seat], seat in scene.waiting
    x, width = PLAYERS, 332
    canvas.panel(x, y, width, height, asked)
    top, bonuses, tokens = y + 24, y + height * 0.47, y + height * 0.8
    canvas.sigil(seat, x + 26, top, 26)
    at = x + 46 + canvas.text(x + 46, top, scene.name(seat), 17, bold=True) + 10
    if scene.ranks:
        at += canvas.pill(at, top, "winner" if scene.ranks[seat] == 1 else f"place {scene.ranks[seat]}",
                          BRASS_FILL if scene.ranks[seat] == 1 else PAPER_3, INK) + 8  # fmt: skip
    elif asked:
        canvas.sign("pointer", at + 6, top, 15, BRASS)
    wide = canvas.text(x + width - 16, top + 2, player["points"], 32, INK, "right", True)
    draw_honours(canvas, scene.view, seat, x + width - 30 - wide, top)
    for c, count in enumerate(player["bonuses"]):
        outline, fill, shade, _, ink = GEMS[edition][TOKENS[edition][c]]
        canvas.box(x + 14 + c * 42, bonuses - 17, 30, 34, fill if count else PAPER_3, 6, shade if count else PAPER_3)
        if count:
            canvas.text(x + 29 + c * 42, bonuses, count, 19, ink, "middle", True)
        else:
            canvas.sign(outline, x + 29 + c * 42, bonuses, 16, PAPER_2)
    for k, count in enumerate(player["tokens"][: len(GEMS[edition])]):
        at = x + 29 + k * 42
        draw_token(canvas, edition, TOKENS[edition][k], at, tokens, 16, count > 0)
        if count:
            canvas.disc(at + 14, tokens + 8, 9, PAPER, INK_3, 1)
            canvas.text(at + 14, tokens + 8, count, 13, INK, "middle", True)
    for k, held in enumerate(player["hand"]):
        draw_reserved(canvas, edition, held, x + 226 + k * 33, bonuses - 21)


def draw_honours(canvas: Canvas, view: Json, seat: int, right: float, y: float) -> None:
    """What a player has besides: places, stars (on brass with the Avengers tile)."""
    places, stars = sum(tile["owner"] == seat for tile in view["tiles"]), view["players"][seat]["stars"]
    for sign, number, lit in ((TOWER, places, False), ("star", stars, view["avengers"] == seat)):
        if number:
            width = canvas.pill(right, y, f"   {number}", BRASS_FILL if lit else PAPER_3, INK, "right")
            canvas.sign(sign, right - width + 12, y, 13, INK)
            right -= width + 4


def draw_reserved(canvas: Canvas, edition: int, held: Json, x: float, y: float) -> None:
    """A reserved card: its face where the viewer may see it, else its back."""
    if held["card"] is None:
        canvas.box(x, y, 30, 42, BACKS[held["level"] - 1], 5)
        canvas.text(x + 15, y + 21, "I" * held["level"], 15, WHITE, "middle", True)
        return
    card = printed(edition)[held["card"]]
    _, fill, shade, _, ink = GEMS[edition][card.bonus]
    canvas.box(x, y, 30, 42, fill, 5, shade, 1)
    canvas.text(x + 15, y + 13, card.points or "", 15, ink, "middle", True)
    canvas.box(x + 3, y + 24, 24, 15, CARD_STOCK, 4)
    for k, colour in enumerate(TOKENS[edition][c] for c in range(5) if card.cost[c]):
        canvas.disc(x + 6.5 + k * 5.6, y + 31.5, 2.5, GEMS[edition][colour][1])
