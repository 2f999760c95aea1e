"""King of Con in letters: the facts of events and choices as words, and the table as text."""

from __future__ import annotations

import pathlib
from typing import Any

from ludoteca.core.game import Json
from ludoteca.core.words import catalogue, fill

from .state import State

HERE = pathlib.Path(__file__).parent


def word(language: str, key: str, **facts: Any) -> str:
    return fill(catalogue(HERE, language)[key], facts)


def spoken(state: State, named: Json, names: list[str], language: str) -> Json:
    """The facts of an event or choice with words in place of ids and numbers."""
    facts = dict(named)
    if named.get("item"):
        facts["item"] = word(language, f"item.{named['item']}")
    for key in ("characteristic", "passion"):
        if named.get(key):
            facts[key] = word(language, f"characteristic.{named[key]}")
    facts["what"] = facts["item"] if named.get("item") else facts.get("characteristic")
    if "passions" in named:
        facts["passions"] = ", ".join(word(language, f"characteristic.{p}") for p in named["passions"])
    if "seats" in named:
        facts["players"] = ", ".join(names[seat] for seat in named["seats"])
    if "from" in named:
        facts["from"] = names[named["from"]]
    facts["looting"] = "no" if named.get("hid_bid") else "yes"
    facts["at"] = "booth" if named.get("booth") else "quadrant"
    if named["kind"] == "swapped":
        facts["moves"] = "; ".join(
            word(
                language, "monkey.moves", who="other", name=names[seat],
                before=named["before"][seat], after=named["after"][seat],
            )
            for seat in named["seats"]
        )  # fmt: skip
    return facts


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
