"""Challengers! as a picture of 960 × 640: the parks while matches are played, the teams while decks are made; standings."""

from __future__ import annotations

from collections.abc import Sequence

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

from .components import CARDS, KIND, LEVEL_NAMES, THE_ROUND
from .words import word

# By set: colour, the ink on it, and a sign.
SET_INKS = {
    "city": ("#2f77ae", WHITE), "castle": ("#b62b41", WHITE), "film-studio": ("#eab11f", "#2d1e00"),
    "funfair": ("#cc3579", WHITE), "haunted-house": ("#7045a8", WHITE), "outer-space": ("#2c3a80", WHITE),
    "shipwreck": ("#0d7b77", WHITE), "robot": ("#65757e", WHITE),
}  # fmt: skip
SET_SIGNS = {
    "city": "M1 22L1 11L7 11L7 2L16 2L16 8L23 8L23 22ZM10 5L10 8L13 8L13 5ZM10 12L10 15L13 15L13 12ZM17.5 11.5L17.5 14L20 14"
    "L20 11.5Z",
    "castle": "M3 22L3 3L7 3L7 6L10 6L10 3L14 3L14 6L17 6L17 3L21 3L21 22L15 22L15 17"
    "C15 15.3 13.7 14 12 14C10.3 14 9 15.3 9 17L9 22Z",
    "film-studio": "M3 10L21 10L21 21L3 21ZM2.4 7.6L3.3 3.6L7 3L9.2 6.5ZM9.4 2.7L13 2.1L15.3 5.5L11.5 6.1Z"
    "M15.5 1.7L21 0.9L21.7 4.4L17.5 5.1Z",
    "funfair": "M12 0L18 0L16 2L18 4L12.5 4L21 11L21 13L3 13L3 11L12 4ZM4 14L9 14L8 22L4 22ZM15 14L20 14L20 22L16 22Z"
    "M10.5 14L13.5 14L14 22L10 22Z",
    "haunted-house": "M12 1C6.5 1 4 5.5 4 10.5L4 23L7 20.7L9.5 23L12 20.7L14.5 23L17 20.7L20 23L20 10.5C20 5.5 17.5 1 12 1Z"
    "M9 7.2C10 7.2 10.9 8.3 10.9 9.6C10.9 10.9 10 12 9 12C8 12 7.1 10.9 7.1 9.6C7.1 8.3 8 7.2 9 7.2Z"
    "M15 7.2C16 7.2 16.9 8.3 16.9 9.6C16.9 10.9 16 12 15 12C14 12 13.1 10.9 13.1 9.6C13.1 8.3 14 7.2 15 7.2Z",
    "outer-space": "M12 5C16 5 19 8 19 11C14 15 9 18 6 18C3 14 6 5 12 5Z"
    "M1 20C4 22 12 20 18 14.5C22 11 24 6 22 3C24 1 26 8 19 15.5"
    "C12 22.5 3 24 1 20Z",
    "shipwreck": "M12 1.5C13.4 1.6 14.6 2.6 15 4C15.3 5.4 14.7 6.8 13.4 7.5L13.4 10L18 10L18 12.6L13.4 12.6L13.4 19.2"
    "C16.4 18.7 18.7 16.9 19.4 14.2L17.2 14.8L20.5 10L23 15L21.4 14.7C20.5 20 16.7 22.8 12 23C7.3 22.8 3.5 20 2.6 14.7"
    "L1 15L3.5 10L6.8 14.8L4.6 14.2C5.3 16.9 7.6 18.7 10.6 19.2L10.6 12.6L6 12.6L6 10L10.6 10L10.6 7.5"
    "C9.3 6.8 8.7 5.4 9 4C9.4 2.6 10.6 1.6 12 1.5Z",
    "robot": "M11 1L13 1L13 5L19 5C20.7 5 22 6.3 22 8L22 18C22 19.7 20.7 21 19 21L5 21C3.3 21 2 19.7 2 18L2 8"
    "C2 6.3 3.3 5 5 5L11 5ZM6 9L10 9L10 13L6 13ZM14 9L18 9L18 13L14 13ZM7.5 16L7.5 18L16.5 18L16.5 16Z",
}
# By park: ground, ink and sign.
PARKS = {
    "green": ("#a9cf86", "#1e5a2b", "M12 1C16.5 1 19.5 4 19.5 7.5C21.5 8.5 22.5 10.2 22.5 12.2C22.5 15.5 19.9 17.5 16.8 17.5"
              "L13.8 17.5L13.8 23L10.2 23L10.2 17.5L7.2 17.5C4.1 17.5 1.5 15.5 1.5 12.2C1.5 10.2 2.5 8.5 4.5 7.5"
              "C4.5 4 7.5 1 12 1Z"),
    "red": ("#efae98", "#861f12", "M12 2C6 2 1.5 6 1.5 11.5C1.5 12.8 2.5 13.5 4 13.5L20 13.5C21.5 13.5 22.5 12.8 22.5 11.5"
            "C22.5 6 18 2 12 2ZM9 15L15 15L16 20.5C16 22 14.5 23 12 23C9.5 23 8 22 8 20.5Z"),
    "purple": ("#c9b4ea", "#52309a", "M11 6C9 2.5 5.5 1.5 2.5 3C1 6 2 10.5 6 12C3 13 2 16.5 3.5 20C7 21.5 10 19.5 11 16Z"
               "M13 6C15 2.5 18.5 1.5 21.5 3C23 6 22 10.5 18 12C21 13 22 16.5 20.5 20C17 21.5 14 19.5 13 16Z"),
    "yellow": ("#f3d683", "#7a4d00", "M12 0L14 6L20.5 3.5L18 10L24 12L18 14L20.5 20.5L14 18L12 24L10 18L3.5 20.5L6 14L0 12"
               "L6 10L3.5 3.5L10 6Z"),
    "final": ("#f6cf5c", "#6d4300", "M5 2L19 2L19 5L23 5L23 8C23 11.5 21 13.5 18 14C17 16 15.5 17 13.5 17.4L13.5 20"
              "L18 20L18 23L6 23L6 20L10.5 20L10.5 17.4C8.5 17 7 16 6 14C3 13.5 1 11.5 1 8L1 5L5 5Z"),
}  # fmt: skip
DOING = {"deck": "decks are made", "match": "matches", "final_trim": "the finalists trim", "final": "the final"}
TOP, LEFT, WIDTH, HEIGHT, GAP, STANDINGS = 48, 16, 692, 580, 8, 716


def draw(canvas: Canvas, scene: Scene) -> None:
    """The table."""
    view = scene.view
    doing = "the end" if view["over"] else DOING[view["phase"]]
    champion = "" if view["champion"] is None else f"champion: {name_of(scene, view['champion'])}"
    canvas.head("Challengers!", f"round {view['round']} of {view['rounds']}", doing, note=champion)
    if view["phase"] in ("deck", "final_trim"):
        for team, box in enumerate(grid(len(view["teams"]))):
            draw_team(canvas, scene, team, *box)
    else:
        for match, box in zip(view["matches"], grid(max(2, len(view["matches"]))), strict=False):
            draw_match(canvas, scene, match, *box)
        if len(view["matches"]) < 2:
            draw_schedule(canvas, view, LEFT, TOP + 286 + GAP, WIDTH, 286)
    draw_standings(canvas, scene)


def grid(count: int) -> list[tuple[float, float, int, int]]:
    """Places for so many panels: below each other, in two columns from three on."""
    columns = 1 if count <= 2 else 2
    rows = -(-count // columns)
    width, height = (WIDTH - GAP * (columns - 1)) // columns, min(286, (HEIGHT - GAP * (rows - 1)) // rows)
    return [
        (LEFT + n % columns * (width + GAP), TOP + n // columns * (height + GAP), width, height) for n in range(count)
    ]


def name_of(scene: Scene, team: int) -> str:
    """A team's name; the Robot is the team after the last seat."""
    robot = scene.view["robot"]
    return "Robot" if robot and robot["team"] == team else scene.name(team)


# Cards


def draw_card(canvas: Canvas, card: str, power: int | None, copies: int, width: int, height: int) -> None:
    """Power, set and name; a power that is not the printed one stands on brass."""
    known = CARDS[KIND[card]]
    fill, ink = SET_INKS[known.set]
    canvas.box(0, 0, width, height, fill, 6)
    printed = None if known.power == THE_ROUND else known.power
    number = power if power is not None else printed
    if power is not None and power != printed:
        canvas.box(3, 3, 26, 22, BRASS_FILL, 6)
        ink_of_number = INK
    else:
        ink_of_number = ink
    canvas.text(16, 14, "R" if number is None else number, 19, ink_of_number, "middle", True)
    canvas.sign(SET_SIGNS[known.set], width - 12, 13, 15, ink)
    canvas.text(5, height - 10, word("en", f"card.{card}"), 11, ink, room=width - 8)
    if copies > 1:
        canvas.box(width - 25, height - 31, 23, 15, WHITE, 7)
        canvas.text(width - 13.5, height - 23.5, f"×{copies}", 11, INK, "middle")


def draw_row(
    canvas: Canvas, cards: Sequence[tuple[str, int | None, int]], x: float, y: float, room: float, width: int, height: int,
    ground: str,
) -> None:  # fmt: skip
    """Cards side by side; they overlap when there are many, the last one on top."""
    step = min(width + 4.0, (room - width) / max(1, len(cards) - 1))
    for n, (card, power, copies) in enumerate(cards):
        canvas.part(x + n * step, y, width, height, ground, draw_card, card, power, copies, width, height)


# Matches


def draw_match(canvas: Canvas, scene: Scene, match: Json, x: float, y: float, width: int, height: int) -> None:
    """A park: both sides with line-up and bench, what the attack has and what the flag is worth."""
    ground, ink, sign = PARKS[match["park"]]
    lit = any(team in scene.waiting for team in (side["team"] for side in match["sides"]))
    canvas.box(x, y, width, height, ground, 14, BRASS_FILL if lit else ink, 4 if lit else 1)
    canvas.sign(sign, x + 22, y + 19, 20, ink)
    canvas.text(x + 38, y + 19, word("en", f"park.{match['park']}"), 15, ink, bold=True)
    canvas.text(x + width - 14, y + 19, state_of(scene, match), 13, ink, "right", room=width - 160)
    for n, side in enumerate(match["sides"]):
        draw_side(canvas, scene, match, side, x + 10, y + 36 + n * 125, width - 20, ground)


def state_of(scene: Scene, match: Json) -> str:
    """In a few words: who is asked by which card, who has won, or that it is still to come."""
    if match["winner"] is not None:
        how = {"power": "", "seats": " (no seats left)", None: ""}[match["lost_by"]]
        return f"{name_of(scene, match['winner'])} wins{how}"
    asks = match["asks"]
    if asks:
        return f"{word('en', 'card.' + asks['card'])} asks {name_of(scene, asks['team'])}"
    return "" if match["state"] == "live" else "to come"


def draw_side(
    canvas: Canvas, scene: Scene, match: Json, side: Json, x: float, y: float, width: float, ground: str
) -> None:
    """Who, with the flag or attacking; the cards in the park; the six seats of the bench."""
    team = side["team"]
    canvas.sigil(team, x + 12, y + 12, 22)
    at = x + 30 + canvas.text(x + 30, y + 12, name_of(scene, team), 14, INK, bold=True) + 12
    if team == match["holder"] or team == match["winner"]:
        canvas.sign("cup" if team == match["winner"] else "flag", at + 6, y + 11, 19, "#a8261c")
        at += 24
    if team in scene.waiting:
        canvas.sign("pointer", at + 5, y + 12, 14, BRASS)
        at += 20
    if team == match["attacker"]:
        canvas.pill(x + width - 2, y + 12, f"attack {match['attack']}", INK, WHITE, "right")
    elif team == match["holder"] and match["flag"] is not None:
        canvas.pill(x + width - 2, y + 12, f"flag {match['flag']}", "#a8261c", WHITE, "right")
    exhausted = f" · {len(side['exhausted'])} out" if side["exhausted"] else ""
    canvas.text(at, y + 12, f"pile {side['pile']}{exhausted}", 12, INK_2)
    wide = 54 if width < 400 else 84
    lineup = [(card["card"], card["power"], 1) for card in side["lineup"]]
    draw_row(canvas, lineup, x, y + 27, width, wide, 50, ground)
    if not lineup:
        canvas.text(x + 2, y + 52, "nobody in the park", 12, INK_2)
    step = width / len(side["bench"])
    for n, seat in enumerate(side["bench"]):
        left, seat_w = x + n * step, round(step) - 4
        if seat is None:
            canvas.box(left + 1, y + 82, seat_w - 2, 36, PAPER, 6)
        else:
            facts = (seat["cards"][0], len(seat["cards"]), seat_w - 2)
            canvas.part(left + 1, y + 82, seat_w - 2, 36, ground, draw_seat, *facts)


def draw_seat(canvas: Canvas, card: str, copies: int, width: int) -> None:
    """A benched card: power, name and how many share the seat."""
    known = CARDS[KIND[card]]
    fill, ink = SET_INKS[known.set]
    canvas.box(0, 0, width, 36, fill, 6)
    canvas.text(5, 12, "R" if known.power == THE_ROUND else known.power, 15, ink, bold=True)
    canvas.text(5, 26, word("en", f"card.{card}"), 11, ink, room=width - 7)
    if copies > 1:
        canvas.text(width - 5, 12, f"×{copies}", 12, ink, "right")


def draw_schedule(canvas: Canvas, view: Json, x: float, y: float, width: int, height: int) -> None:
    """The seven rounds: who met whom in which park, and the winner's symbol on brass."""
    canvas.panel(x, y, width, height)
    step = (width - 16) / view["rounds"]
    for n, round_ in enumerate(view["schedule"]):
        left, now = x + 10 + n * step, round_["round"] == view["round"]
        trophy = round_["trophy"]
        canvas.text(left + step / 2 - 2, y + 20, round_["round"], 17, BRASS if now else INK, "middle", True)
        canvas.text(left + step / 2 - 2, y + 39, f"{trophy['low']}–{trophy['high']} fans", 12, INK_3, "middle")
        for row, match in enumerate(round_["matches"]):
            top = y + 54 + row * 56
            canvas.box(left, top, step - 4, 50, PARKS[match["park"]][0], 8)
            for k, team in enumerate(match["teams"]):
                middle = left + (step - 4) * (0.29 + 0.42 * k)
                if team == match["winner"]:
                    canvas.box(middle - 17, top + 8, 34, 34, BRASS_FILL, 9)
                canvas.sigil(team, middle, top + 25, 24)


# Teams while decks are made


def draw_team(canvas: Canvas, scene: Scene, team: int, x: float, y: float, width: int, height: int) -> None:
    """What a team is doing, how large its deck is by level, and the cards everybody knows to be in it."""
    view, shown = scene.view, scene.view["teams"][team]
    you = view["you"] if view["you"] and view["you"]["seat"] == team else None
    canvas.panel(x, y, width, height, team in scene.waiting)
    canvas.sigil(team, x + 25, y + 23, 26)
    at = x + 45 + canvas.text(x + 45, y + 23, name_of(scene, team), 16, INK, bold=True) + 10
    if shown["step"]:
        canvas.sign("tick" if shown["step"] == "ready" else "clock", at + 8, y + 23, 15,
                    BRAND if shown["step"] == "ready" else BRASS)  # fmt: skip
        canvas.text(at + 22, y + 23, doing(shown), 13, INK_2, room=x + width - 74 - at)
    canvas.text(x + width - 16, y + 23, shown["deck_size"], 24, INK, "right", True)
    draw_levels(canvas, shown["by_level"], x + 12, y + 54)
    cards = [(entry["card"], None, entry["count"]) for entry in (you["deck"] if you else shown["shown"])]
    what, ink = ("your deck", BRAND) if you else ("seen in the deck", INK_3)
    if you and any(you["display"]):
        cards, what = [(card, None, 1) for card in you["display"] if card], "drawn for you"
    wide, high = (60, 50) if width < 400 else (107, 60)
    rows = (height - 78) // (high + 4)
    columns = int((width - 24 + 4) // (wide + 4))
    more = f", {len(cards) - rows * columns} more" if len(cards) > rows * columns else ""
    canvas.text(x + width - 16, y + 54, what + more, 12, ink, "right")
    for row in range(rows):
        part = cards[row * columns : (row + 1) * columns]
        draw_row(canvas, part, x + 12, y + 70 + row * (high + 4), width - 24, wide, high, PAPER)


def doing(team: Json) -> str:
    """`picks cards · A · 1 left`."""
    words = [word("en", f"step.{team['step']}")]
    if team["level"]:
        words.append(team["level"])
    if team["picks"]:
        words.append(f"{team['picks']} left")
    return " · ".join(words)


def draw_levels(canvas: Canvas, by_level: dict[str, int], x: float, y: float) -> None:
    """How many cards of each level."""
    for level in LEVEL_NAMES:
        if by_level.get(level):
            x += canvas.pill(x, y, f"{level} {by_level[level]}", PAPER_3, INK_2, size=13) + 5


# Standings


def draw_standings(canvas: Canvas, scene: Scene) -> None:
    """Every team, best first: fans as far as they are known, and a cup for each round won."""
    view = scene.view
    lines = list(view["standings"])
    ranked = {line["team"] for line in lines}
    lines += [{"team": team, "low": None, "high": None} for team in range(len(view["teams"])) if team not in ranked]
    canvas.panel(STANDINGS, TOP, 228, HEIGHT)
    canvas.text(STANDINGS + 14, TOP + 20, "Standings", 16, INK, bold=True)
    canvas.text(STANDINGS + 214, TOP + 20, "fans", 13, INK_3, "right")
    for n, line in enumerate(lines):
        draw_line(canvas, scene, line, TOP + 38 + n * 67)


def draw_line(canvas: Canvas, scene: Scene, line: Json, y: float) -> None:
    view, team = scene.view, line["team"]
    x, finalists = STANDINGS + 8, scene.view["final"]
    champion = team == view["champion"]
    canvas.box(x, y, 212, 61, BRASS_FILL if champion else PAPER_2, 10)
    canvas.box(x, y, 5, 61, SEATS[team])
    canvas.sigil(team, x + 26, y + 20, 24)
    at = x + 45 + canvas.text(x + 45, y + 20, name_of(scene, team), 15, INK, bold=True) + 8
    if finalists and team in finalists["teams"]:
        canvas.sign("crown" if champion else "cup", at + 8, y + 19, 17, BRASS)
    if line["low"] is not None:
        low, high = line["low"], line["high"]
        canvas.text(x + 202, y + 21, low if low == high else f"{low}–{high}", 19, INK, "right", True)
    won = {trophy["round"]: trophy["fans"] for trophy in view["teams"][team]["trophies"]}
    for round_ in range(1, view["rounds"] + 1):
        at = x + 22 + (round_ - 1) * 27
        if round_ in won:
            canvas.sign("cup", at, y + 46, 20, BRASS)
            canvas.text(at, y + 42, "" if won[round_] is None else won[round_], 11, WHITE, "middle")
        else:
            canvas.disc(at, y + 46, 4, PAPER_3)
