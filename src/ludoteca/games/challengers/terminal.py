"""Challengers! as text: the facts of events and choices in words, and the tournament for the terminal."""

from __future__ import annotations

import pathlib
from typing import Any

from ludoteca.core.game import Json
from ludoteca.core.words import catalogue, fill

from .components import LEVEL_NAMES
from .rules.events import PLACES
from .state import State

HERE = pathlib.Path(__file__).parent


def word(language: str, key: str, **facts: Any) -> str:
    return fill(catalogue(HERE, language)[key], facts)


def card_name(language: str, card: str | None, level: str | None) -> str:
    """A card by its name, or by its level where the viewer may not know it."""
    if card is not None:
        return word(language, f"card.{card}")
    return word(language, "card.level", level=level) if level in LEVEL_NAMES else word(language, "card.hidden")


def team_name(state: State, names: list[str], language: str, team: int) -> str:
    return names[team] if team < state.seats else word(language, "robot")


def spoken(state: State, named: Json, names: list[str], language: str) -> Json:
    """The facts of an event or choice with words in place of ids and numbers."""
    facts = dict(named)
    if named.get("team") is not None and named.get("seat") is None:
        facts["name"] = team_name(state, names, language, named["team"])
    for key in ("rival", "loser"):
        if key in named:
            facts[key] = team_name(state, names, language, named[key])
    if "card" in named:
        facts["card"] = card_name(language, named["card"], named.get("level"))
    if "cause" in named:
        facts["cause"] = card_name(language, named["cause"], None)
    if "park" in named:
        facts["park"] = word(language, f"park.{named['park']}")
    if named["kind"] == "bonus":
        facts["why"] = word(language, f"bonus.{named['why']}")
        facts["amount"] = f"{named['amount']:+d}"
    if named["kind"] == "trophy_won":
        facts["known"] = 0 if named["fans"] is None else 1
    assert named.get("to") is None or named["to"] in PLACES
    return facts


def picture(view: Json, names: list[str], language: str) -> str:
    """The tournament as text: standings, matches, and what the player may know of their own deck."""
    robot = view["robot"]["team"] if view["robot"] else None
    who = [*names, word(language, "robot")] if robot is not None else names
    lines = [f"{word(language, 'round', n=view['round'])}  " + standings_line(view, who)]
    lines += [match_line(match, who, language) for match in view["matches"] if match["state"] == "live"]
    you = view["you"]
    if you is None:
        return "\n".join(lines)
    if any(you["display"]):
        shown = [card_name(language, card, None) if card else "-" for card in you["display"]]
        lines.append("  ".join(f"{n}. {name}" for n, name in enumerate(shown, 1)))
    deck = [f"{entry['count']} {card_name(language, entry['card'], None)}" for entry in you["deck"]]
    lines.append(f"{word(language, 'cards', n=sum(e['count'] for e in you['deck']))}: " + ", ".join(deck))
    return "\n".join(lines)


def standings_line(view: Json, who: list[str]) -> str:
    def fans(line: Json) -> str:
        return str(line["low"]) if line["low"] == line["high"] else f"{line['low']}-{line['high']}"

    return "  ".join(f"{who[line['team']]} {fans(line)}" for line in view["standings"])


def match_line(match: Json, who: list[str], language: str) -> str:
    """One match: each side's cards in the park, and its bench."""
    halves = []
    for side in match["sides"]:
        lineup = " ".join(f"{card_name(language, c['card'], None)} {c['power']}" for c in side["lineup"])
        bench = ", ".join(card_name(language, seat["cards"][0], None) for seat in side["bench"] if seat)
        halves.append(f"{who[side['team']]}: {lineup or '-'} [{bench}] ({side['pile']})")
    return f"{word(language, 'park.' + match['park'])}: " + "  |  ".join(halves)
