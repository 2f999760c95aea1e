"""King of Con without pictures: the table as text, and what is printed on an Item."""

from __future__ import annotations

from ludoteca.core.game import Json
from ludoteca.core.paper import Paper

from .components import ITEM_LIST, TRAITS
from .words import word

NUMBERS = {item.id: number for number, item in enumerate(ITEM_LIST)}


def picture(view: Json, names: list[str], language: str) -> str:
    """The table as text."""
    return board(view, names, Paper(language))


def board(view: Json, names: list[str], paper: Paper) -> str:
    """The Booths, the Stall, every player with their Items; what shares one of your Passions has a star."""
    language = paper.language
    phase = word(language, f"phase.{view['phase']}", n=view["hid_bid"])
    head = f"{word(language, 'round', n=view['round'])} · {phase}"
    lines = [f"  {paper.ink(head, 'bold')} · {word(language, 'pool')} {view['pool']}"]
    wanted = [held["passion"] for held in view["you"]["passions"]] if view["you"] else []
    for booth in view["booths"]:
        if booth["item"]:
            offers = [
                paper.ink(f"{names[seat]} {n}", *(("bold",) if seat in booth["leaders"] else ()))
                for seat, n in enumerate(booth["offers"])
                if n
            ]
            first = f"  {word(language, 'booth', n=booth['booth'])}: "
            lines.append(paper.flow([described(booth["item"], wanted, paper), *offers], first))
    if view["stall"]:
        stall = [described(item, wanted, paper) for item in view["stall"]]
        lines.append(paper.flow(stall, f"  {word(language, 'stall')}: "))
    for seat, player in enumerate(view["players"]):
        lines += player_lines(player, names[seat], wanted, paper)
    if view["you"]:
        mine = ", ".join(paper.ink(characteristic(p, language), "purple") for p in wanted)
        points = view["you"]["points"]  # None before the Passions are chosen
        score = "" if points is None else f" · {word(language, 'points_so_far', n=points)}"
        lines.append(f"  {word(language, 'passions')}: {mine}{score}")
    return "\n".join(lines)


def player_lines(player: Json, name: str, wanted: list[int], paper: Paper) -> list[str]:
    """One player, and below them their Items."""
    language = paper.language
    supply = "?" if player["supply"] is None else player["supply"]
    sealed = "×" if player["sealed"] else " "
    facts = [
        word(language, "monkey", n=player["monkey"]),
        f"{word(language, 'supply')} {supply}",
        f"{word(language, 'trash')} {player['trash']}",
    ]
    lines = [f"{sealed} {paper.ink(f'{name:12}', 'bold')} {' · '.join(facts)}"]
    if player["items"]:
        items = [described(i["id"], wanted, paper) + paper.ink(f" = {i['value']}", "yellow") for i in player["items"]]
        lines.append(paper.flow(items, "      "))
    return lines


def characteristic(number: int, language: str) -> str:
    return word(language, f"characteristic.{number}")


def described(item: str, wanted: list[int], paper: Paper) -> str:
    """An Item with its number in the Quadrant and its characteristics: `Giant Robot (I18: MangAnime, Figures, Signed*)`."""
    traits = []
    for trait in TRAITS[NUMBERS[item]]:
        shared = trait + 1 in wanted
        said = characteristic(trait + 1, paper.language) + ("*" if shared else "")
        traits.append(paper.ink(said, "purple" if shared else "grey"))
    return f"{word(paper.language, f'item.{item}')} ({item}: {', '.join(traits)})"


def lookup(view: Json, language: str) -> list[tuple[str, str]]:
    """Every Item with its characteristics, every characteristic with its Items, every Booth with what it shows."""
    items = {item.id: word(language, f"item.{item.id}") for item in ITEM_LIST}
    traits = {item: [characteristic(trait + 1, language) for trait in TRAITS[NUMBERS[item]]] for item in items}
    found = [(name, f"{name} ({item}): {', '.join(traits[item])}") for item, name in items.items()]
    for number in range(1, 16):
        said = characteristic(number, language)
        found.append((said, f"{said}: {', '.join(items[item] for item in items if said in traits[item])}"))
    told = dict(found)
    for booth in view["booths"]:
        if booth["item"]:
            name = word(language, "booth", n=booth["booth"])
            found.append((name, f"{name}: {told[items[booth['item']]]}"))
    return found
