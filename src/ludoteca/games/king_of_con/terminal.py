"""King of Con without pictures: the table as text."""

from __future__ import annotations

from ludoteca.core.game import Json

from .words import word


def picture(view: Json, names: list[str], language: str) -> str:
    """The table as text."""
    phase = word(language, f"phase.{view['phase']}", n=view["hid_bid"])
    lines = [f"  {word(language, 'round', n=view['round'])} · {phase} · {word(language, 'pool')} {view['pool']}"]
    for booth in view["booths"]:
        if booth["item"]:
            offers = ", ".join(f"{names[seat]} {n}" for seat, n in enumerate(booth["offers"]) if n)
            lines.append(
                f"  {word(language, 'booth', n=booth['booth'])}: {described(booth['item'], language)}  {offers}"
            )
    if view["stall"]:
        lines.append(f"  {word(language, 'stall')}: {', '.join(described(i, language) for i in view['stall'])}")
    for seat, player in enumerate(view["players"]):
        supply = "?" if player["supply"] is None else player["supply"]
        items = ", ".join(f"{described(i['id'], language)}={i['value']}" for i in player["items"])
        sealed = "×" if player["sealed"] else " "
        lines.append(
            f"{sealed} {names[seat]:12} {word(language, 'monkey', n=player['monkey'])} · {word(language, 'supply')} {supply}"
            f" · {word(language, 'trash')} {player['trash']} · {items}"
        )
    if view["you"]:
        mine = ", ".join(word(language, f"characteristic.{p['passion']}") for p in view["you"]["passions"])
        lines.append(f"  {word(language, 'passions')}: {mine}")
    return "\n".join(lines)


def described(item: str, language: str) -> str:
    """An Item with its number in the Quadrant: `Giant Robot (I18)`."""
    return f"{word(language, f'item.{item}')} ({item})"
